"""`stub show`: the stub again, byte for byte, or everything that is known."""

from typing import Any

from stubcli.cli.command import JSON, REF, Command, Given
from stubcli.cli.output import emit, emit_json, emit_text, on_terminal
from stubcli.cli.place import count_reading, home_of, open_artifact, open_kept
from stubcli.retention.leases.memory import memory_of
from stubcli.settings import readers
from stubcli.settings.option import flag, optional
from stubcli.spill.show import find_run, runs_of, text_of
from stubcli.store.artifact import Artifact
from stubcli.store.records import Run

# Of the runs of one artifact, the newest: an answer stays a page.
_RUNS = 30

_MEMORY = flag("memory", "--memory", "Print what a memory keeps of it, as JSON without content.")

_RUN = optional(
    "run",
    "--run",
    "Print what was printed in this run; see: stub ls.",
    readers.count(1, 10**18),
    metavar="N",
)


@count_reading
def run(given: Given) -> int:
    """Print what was printed last for an artifact, or in the run of that number."""
    settings, number = given.settings(), given[_RUN]
    if given[_MEMORY]:
        with open_kept(settings, given[REF]) as artifact:
            emit_json(memory_of(artifact).to_dict())
        return 0
    with open_artifact(settings, given[REF]) as artifact:
        runs = [artifact.run]
        if given[JSON] or number is not None:
            runs = runs_of(home_of(settings), artifact)
        chosen = runs[0] if number is None else find_run(artifact, runs, number)
        if given[JSON]:
            emit_json(_document(artifact, chosen, runs))
            return 0
        text = text_of(settings, artifact, chosen)
    if on_terminal():
        emit_text(text)
    else:
        emit(text.encode("utf-8"))
    return 0


def _document(artifact: Artifact, chosen: Run, runs: list[Run]) -> dict[str, Any]:
    record = artifact.record
    content = record.as_dict() | {"sha256": record.sha256 or None}
    content |= {"checkpoints": len(record.checkpoints), "run": chosen.number}
    run = chosen.as_dict()
    del run["number"]
    return {
        "ref": str(record.reference),
        "path": artifact.path,
        **content,
        **run,
        "runs_total": len(runs),
        "runs": [_row(one) for one in runs[:_RUNS]],
    }


def _row(run: Run) -> dict[str, Any]:
    """What tells one run from another; --run N has all of it."""
    return {
        "run": run.number,
        "state": run.state,
        "exit_status": run.origin.exit_status,
        "signal": run.origin.signal,
        "started": run.started,
        "finished": run.finished,
        "dropped": run.dropped,
    }


COMMAND = Command(
    "show",
    "Print again, byte for byte, what was printed last for an artifact.",
    run,
    (REF, _RUN, _MEMORY, JSON),
    examples=(
        ("The stub of the newest output:", "stub show last"),
        ("Everything that is known about it:", "stub show last --json"),
    ),
)
