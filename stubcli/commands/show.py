"""`stub show`: the stub again, byte for byte, or everything that is known."""

from dataclasses import asdict
from typing import Any

from stubcli.commands.answer import emit, emit_json, emit_text, on_terminal
from stubcli.commands.place import open_artifact, open_kept, reading
from stubcli.reference import file_name
from stubcli.retention.leases.memory import memory_of
from stubcli.settings.load import Settings
from stubcli.spill.page import describe, render
from stubcli.spill.tally import Tally
from stubcli.store.posix.artifacts import Artifact


@reading
def show(settings: Settings, reference: str, *, memory: bool = False, as_json: bool = False) -> int:
    """Print what was printed when the artifact was made; memory: what a memory keeps of it."""
    if memory:
        with open_kept(settings, reference) as artifact:
            emit_json(memory_of(artifact).to_dict())
        return 0
    with open_artifact(settings, reference) as artifact:
        if as_json:
            emit_json(_document(artifact))
            return 0
        text = artifact.record.stub or _stub_now(settings, artifact)
    if on_terminal():
        emit_text(text)
    else:
        emit(text.encode("utf-8"))
    return 0


def _document(artifact: Artifact) -> dict[str, Any]:
    record = artifact.record
    document = {"ref": str(record.reference), "path": artifact.path, **asdict(record)}
    document["sha256"] = record.sha256 or None
    document["checkpoints"] = len(record.checkpoints)
    return document


def _stub_now(settings: Settings, artifact: Artifact) -> str:
    """An artifact that was adopted after a crash was never shown: make its stub from its bytes."""
    record = artifact.record
    tally = Tally()
    for _, data in artifact.blocks():
        tally.add(data)
    measured, scan = tally.finish()
    facts = describe(artifact, tally.head, tally.tail, record.origin.mime, scan)
    stub = render(
        settings,
        measured,
        facts,
        record.origin,
        (tally.head, tally.tail),
        reference=record.reference,
        path=artifact.path,
        state=record.state,
        dropped=record.dropped,
    )
    # A very small leftover has no shorter stub than itself: say where it is and no more.
    return stub or f"[stub {record.reference}] {record.state}, {file_name(record.number)}\n"
