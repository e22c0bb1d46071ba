"""Leases for a memory written in Python: the same steps as `stub lease`.

none -> prepared -> committed -> released
                 \\-> aborted
"""

import datetime
from collections.abc import Callable, Iterable
from typing import TypeVar

from stubcli.api.arguments import check_text, check_whole, one_family
from stubcli.errors import refusal
from stubcli.retention.leases import lease as steps
from stubcli.retention.leases.memory import MemoryReference, memory_of
from stubcli.retention.leases.model import Lease
from stubcli.retention.leases.newest import LeaseListing, list_leases
from stubcli.retention.leases.owners import Owner
from stubcli.retention.leases.pins import check_no_pin
from stubcli.retention.leases.reconcile import Settlement, reconcile
from stubcli.settings.load import home_of, session_of
from stubcli.settings.table import Settings
from stubcli.store import open_session, session_names
from stubcli.store.records import Record
from stubcli.store.resolve import open_kept
from stubcli.store.surface import Session

_Found = TypeVar("_Found")


class Leases:
    """Who needs an artifact, so that gc keeps it. `Store.leases` makes one.

    A lease is prepared before a reference is published in a memory, committed when it is, and
    released when the reference is removed; while it is prepared or committed the artifact is kept.
    Every step is durable on return and may be repeated. A lease is in the session of its artifact:
    commit, abort, release and remove look in the session of the store.

    All raise a StubError: UsageError for a name or count that cannot be, MissingError for an
    artifact or a transaction that is not there, RefusedError for a step that the lease does not
    allow, IntegrityError for a damaged artifact or journal.
    """

    def __init__(self, settings: Settings) -> None:
        """settings: of the store. See `Store.leases`."""
        self._settings = settings

    def _open(self, name: str = "") -> Session:
        return open_session(home_of(self._settings), name or session_of(self._settings))

    def _look_up(self, ref: str) -> tuple[Record, MemoryReference]:
        home, session = home_of(self._settings), session_of(self._settings)
        with open_kept(home, session, check_text("ref", ref)) as artifact:
            return artifact.record, memory_of(artifact)

    @one_family()
    def prepare(
        self,
        ref: str,
        *,
        transaction_id: str | None = None,
        count: int = 1,
        retain_until: str | datetime.datetime | None = None,
        owner: str | None = None,
    ) -> Lease:
        """Claim an artifact before a reference to it is published; it is verified first.

        transaction_id: a stable name, else a new one. count: how many references, from 1 on.
        retain_until: when the claim ends once it is committed, in ISO 8601 with its zone or as an
        aware datetime; None for no end. owner: the name of the memory, where a session has several.
        """
        check_no_pin(transaction_id)
        record = self._look_up(ref)[0]
        with self._open(record.session) as session:
            return steps.prepare(
                session,
                record,
                transaction_id=transaction_id,
                count=count,
                retain_until=_moment(retain_until),
                owner=owner,
            )[0]

    def publish(
        self,
        ref: str,
        publisher: Callable[[MemoryReference, str], _Found],
        *,
        transaction_id: str,
        count: int = 1,
        retain_until: str | datetime.datetime | None = None,
        owner: str | None = None,
    ) -> tuple[Lease, _Found]:
        """Prepare, let `publisher(reference, transaction_id)` publish, commit: (lease, its result).

        `SqliteOwner.publish` is such a publisher. Where it raises PublicationRejected nothing was
        written, and the lease is aborted; whatever else it raises leaves the lease prepared. Both
        are raised on. A transaction that is known is never published again: RefusedError.
        """
        check_no_pin(transaction_id)
        with one_family():
            record, memory = self._look_up(ref)
            session = self._open(record.session)
        with session:
            return _with_callback(
                lambda lease: publisher(memory, lease.transaction_id),
                lambda call: steps.publish(
                    session,
                    record,
                    call,
                    transaction_id=transaction_id,
                    count=count,
                    retain_until=_moment(retain_until),
                    owner=owner,
                ),
            )

    @one_family()
    def commit(self, transaction_id: str) -> Lease:
        """The reference is published."""
        with self._open() as session:
            return steps.commit(session, transaction_id)

    @one_family()
    def abort(self, transaction_id: str) -> Lease:
        """The reference was not published, and never will be."""
        with self._open() as session:
            return steps.abort(session, transaction_id)

    @one_family()
    def release(self, transaction_id: str) -> Lease:
        """The reference is removed."""
        with self._open() as session:
            return steps.release(session, transaction_id)

    def remove(self, transaction_id: str, remover: Callable[[str], _Found]) -> tuple[Lease, _Found]:
        """Let `remover(transaction_id)` remove the reference, release: (lease, its result).

        `SqliteOwner.remove` is such a remover. Whatever it raises is raised on, and the lease
        stays committed.
        """
        with one_family():
            session = self._open()
        with session:
            return _with_callback(
                lambda lease: remover(lease.transaction_id),
                lambda call: steps.remove(session, transaction_id, call),
            )

    @one_family()
    def reconcile(
        self,
        owner: Owner,
        transactions: Iterable[str] | None = None,
        *,
        name: str | None = None,
        failed: Callable[[str, Exception], None] | None = None,
    ) -> tuple[Settlement, ...]:
        """Ask a memory what became of these transactions, or of all that are pending.

        A reference that is published commits its lease; one that is absent is sealed in the memory
        before its lease is aborted; anything less certain stays pending. name: whose leases, as
        they were prepared; None: those that name no owner. failed: is given the transaction and
        what the owner raised, which stops none of the others.
        """
        chosen = [transactions] if isinstance(transactions, str) else transactions
        with self._open() as session:
            return tuple(reconcile(session, owner, chosen, name=name, failed=failed))

    @one_family()
    def list(
        self, *, pending: bool = False, limit: int = 30, skip: int = 0, all_sessions: bool = False
    ) -> LeaseListing:
        """The leases, newest first, and how many there are.

        pending: only those that wait for their owner. all_sessions: of the whole store.
        """
        home = home_of(self._settings)
        return list_leases(
            home,
            session_names(home) if all_sessions else (session_of(self._settings),),
            pending=pending,
            limit=check_whole("limit", limit, 1),
            skip=check_whole("skip", skip),
        )


def _moment(text: str | datetime.datetime | None) -> str | None:
    return text.isoformat() if isinstance(text, datetime.datetime) else text


def _with_callback(
    callback: Callable[[Lease], _Found],
    work: Callable[[Callable[[Lease], _Found]], tuple[Lease, _Found]],
) -> tuple[Lease, _Found]:
    """`work` around the caller's own function, whose errors are raised on as they are."""
    raised: list[BaseException] = []

    def call(lease: Lease) -> _Found:
        try:
            return callback(lease)
        except BaseException as error:
            raised.append(error)
            raise

    try:
        return work(call)
    except OSError as error:
        if any(error is one for one in raised):
            raise
        raise refusal(error) from error
