"""`stub lease publish` and `stub lease remove`: a lease around the program that does it."""

from collections.abc import Sequence

from stubcli.commands.answer import emit_json, say
from stubcli.commands.place import open_kept, opened, session_of, suffix_of
from stubcli.errors import OK, RefusedError
from stubcli.retention.leases import lease as leases
from stubcli.retention.leases.describe import document_of
from stubcli.retention.leases.memory import memory_of
from stubcli.retention.leases.model import Lease
from stubcli.retention.leases.pins import check_no_pin
from stubcli.retention.leases.program import ProgramFailed, check_program, publisher, remover
from stubcli.settings.load import Settings


def publish(
    settings: Settings,
    reference: str,
    command: Sequence[str],
    *,
    transaction: str,
    count: int = 1,
    until: str | None = None,
    owner: str | None = None,
    timeout: float | None = None,
    as_json: bool = False,
) -> int:
    """Prepare, give `command` the memory reference on its standard input, commit."""
    check_no_pin(transaction)
    check_program(command)
    with open_kept(settings, reference) as artifact:
        record = artifact.record
        thin = memory_of(artifact)
    suffix = suffix_of(settings, record.session)
    with opened(settings, record.session) as session:
        try:
            lease, _ = leases.publish(
                session,
                record,
                publisher(command, thin, timeout),
                transaction_id=transaction,
                count=count,
                retain_until=until,
                owner=owner,
            )
        except leases.PublicationRejected as rejected:
            raise RefusedError(f"{rejected}; transaction {transaction} is aborted") from None
        except ProgramFailed as failure:
            raise RefusedError(
                f"{failure}, and may have published it; transaction {transaction} stays prepared",
                f"ask the memory: stub lease reconcile --owner OWNER "
                f"--transaction {transaction}{f' --as {owner}' if owner else ''}{suffix}",
            ) from None
    return _answer(lease, "the reference is published and its artifact is kept", as_json=as_json)


def remove(
    settings: Settings,
    transaction: str,
    command: Sequence[str],
    *,
    timeout: float | None = None,
    as_json: bool = False,
) -> int:
    """Let `command` remove the reference, release after it."""
    check_program(command)
    with opened(settings, session_of(settings)) as session:
        try:
            lease, _ = leases.remove(session, transaction, remover(command, timeout))
        except ProgramFailed as failure:
            raise RefusedError(
                f"{failure}; transaction {transaction} stays committed and its artifact is kept",
                "run the same command again",
            ) from None
    return _answer(lease, "the reference is removed", as_json=as_json)


def _answer(lease: Lease, meaning: str, *, as_json: bool) -> int:
    if as_json:
        emit_json(document_of(lease))
    else:
        say(f"transaction {lease.transaction_id} is {lease.phase}: {meaning}")
    return OK
