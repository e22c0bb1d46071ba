"""`stub pin` and `stub unpin`: keep an artifact until it is said that nobody needs it."""

from stubcli.commands.answer import emit_json, say
from stubcli.commands.place import open_kept, opened, suffix_of
from stubcli.errors import OK
from stubcli.retention.leases import pins
from stubcli.retention.leases.describe import document_of
from stubcli.settings.load import Settings


def pin(settings: Settings, reference: str, *, as_json: bool = False) -> int:
    """Keep an artifact; pinning it again changes nothing."""
    with open_kept(settings, reference) as artifact:
        record = artifact.record
    with opened(settings, record.session) as session:
        lease, new = pins.pin(session, record)
    if as_json:
        emit_json({**document_of(lease), "created": new})
        return OK
    done = "is pinned" if new else "was pinned already"
    undo = f"stub unpin {record.reference.short}{suffix_of(settings, record.session)}"
    say(f"{record.reference} {done}; undo with: {undo}")
    return OK


def unpin(settings: Settings, reference: str, *, as_json: bool = False) -> int:
    """Give an artifact back to gc; where it is not pinned nothing changes."""
    with open_kept(settings, reference) as artifact:
        record = artifact.record
    with opened(settings, record.session) as session:
        lease = pins.unpin(session, record)
    if as_json:
        emit_json({"ref": str(record.reference), "lease": document_of(lease) if lease else None})
    else:
        say(f"{record.reference} {'is not pinned any more' if lease else 'was not pinned'}")
    return OK
