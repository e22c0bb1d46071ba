"""What was printed for an artifact: the text of one of its runs, again."""

from stubcli.advice import Advice
from stubcli.errors import MissingError
from stubcli.reference import file_name
from stubcli.settings.table import Settings
from stubcli.spill.stream import Tally
from stubcli.spill.stub import describe, render
from stubcli.store.artifact import Artifact
from stubcli.store.records import Run
from stubcli.store.resolve import find_runs

# Of the runs of one artifact, the newest: an error stays a line.
_RUNS = 30


def runs_of(home: str, artifact: Artifact) -> list[Run]:
    """Every run of a content, the newest first. Raises StubError, OSError."""
    # What is unfinished has no digest yet, and came once.
    return find_runs(home, artifact.record) if artifact.record.sha256 else [artifact.run]


def find_run(artifact: Artifact, runs: list[Run], number: int) -> Run:
    """The run of that number. Raises MissingError, which lists the newest."""
    for run in runs:
        if run.number == number:
            return run
    known = ", ".join(str(run.number) for run in runs[:_RUNS])
    raise MissingError(
        f"artifact {artifact.record.number} has no run {number}; it has {known}",
        Advice("show", artifact.record.reference.short, json=True),
    )


def text_of(settings: Settings, artifact: Artifact, run: Run) -> str:
    """What was printed in that run; where nothing was, its stub as it would be now."""
    return run.stub or _make_stub(settings, artifact, run)


def _make_stub(settings: Settings, artifact: Artifact, run: Run) -> str:
    """An artifact that was adopted after a crash was never shown: make its stub from its bytes."""
    record = artifact.record
    tally = Tally()
    for _, data in artifact.blocks():
        tally.add(data)
    measured, scan = tally.finish()
    facts = describe(artifact, tally.head, tally.tail, run.origin, scan)
    stub = render(
        settings,
        measured,
        facts,
        run.origin,
        (tally.head, tally.tail),
        reference=record.reference,
        path=artifact.path,
        state=run.state,
        dropped=run.dropped,
    )
    # A very small leftover has no shorter stub than itself: say where it is and no more.
    return stub or f"[stub {record.reference}] {run.state}, {file_name(record.number)}\n"
