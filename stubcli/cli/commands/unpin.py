"""`stub unpin`: a pinned artifact may be deleted again."""

from stubcli.cli.command import JSON, REF, Command, Given
from stubcli.cli.output import emit_json, say
from stubcli.cli.place import open_kept, opened
from stubcli.errors import OK
from stubcli.retention.leases import pins
from stubcli.retention.leases.describe import document_of


def run(given: Given) -> int:
    """Release a pinned artifact to gc; one that is not pinned stays as it is."""
    settings = given.settings()
    with open_kept(settings, given[REF]) as artifact:
        record = artifact.record
    with opened(settings, record.session) as session:
        lease = pins.unpin(session, record)
    if given[JSON]:
        emit_json({"ref": str(record.reference), "lease": document_of(lease) if lease else None})
    else:
        say(f"{record.reference} {'is no longer pinned' if lease else 'was not pinned'}")
    return OK


COMMAND = Command(
    "unpin",
    "Let gc delete a pinned artifact again.",
    run,
    (REF, JSON),
    examples=(("Unpin the newest output:", "stub unpin last"),),
)
