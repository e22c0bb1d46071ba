"""`stub pin`: keep an artifact until it is unpinned."""

from stubcli.advice import Advice
from stubcli.cli.command import JSON, REF, Command, Given
from stubcli.cli.output import emit_json, say
from stubcli.cli.place import open_kept, opened, where_of
from stubcli.errors import OK
from stubcli.retention.leases import pins
from stubcli.retention.leases.describe import document_of


def run(given: Given) -> int:
    """Keep an artifact; pinning it again changes nothing."""
    settings = given.settings()
    with open_kept(settings, given[REF]) as artifact:
        record = artifact.record
    with opened(settings, record.session) as session:
        lease, new = pins.pin(session, record)
    if given[JSON]:
        emit_json({**document_of(lease), "created": new})
        return OK
    done = "is pinned" if new else "was pinned already"
    undo = Advice("unpin", record.reference.short, lead="undo with")
    say(f"{record.reference} {done}; {undo.said(where_of(settings, record.session))}")
    return OK


COMMAND = Command(
    "pin",
    "Keep an artifact, whatever its age, until it is unpinned.",
    run,
    (REF, JSON),
    examples=(("Keep the newest output for good:", "stub pin last"),),
)
