"""`stub show`: the stub again, byte for byte, or everything that is known."""

from dataclasses import asdict
from typing import Any

from stubcli.cli.command import JSON, REF, Command, Given
from stubcli.cli.context import count_reading, open_artifact, open_kept
from stubcli.cli.output import emit, emit_json, emit_text, on_terminal
from stubcli.reference import file_name
from stubcli.retention.leases.memory import memory_of
from stubcli.settings.option import flag
from stubcli.settings.table import Settings
from stubcli.spill.page import describe, render
from stubcli.spill.tally import Tally
from stubcli.store.posix.artifacts import Artifact

_MEMORY = flag("memory", "--memory", "Print what a memory keeps of it, as JSON without content.")


@count_reading
def run(given: Given) -> int:
    """Print what was printed when the artifact was made."""
    settings = given.settings()
    if given[_MEMORY]:
        with open_kept(settings, given[REF]) as artifact:
            emit_json(memory_of(artifact).to_dict())
        return 0
    with open_artifact(settings, given[REF]) as artifact:
        if given[JSON]:
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


COMMAND = Command(
    "show",
    "Print the stub again, byte for byte.",
    run,
    (REF, _MEMORY, JSON),
    examples=(
        ("The stub of the newest output:", "stub show last"),
        ("Everything that is known about it:", "stub show last --json"),
    ),
)
