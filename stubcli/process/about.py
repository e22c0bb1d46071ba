"""What there is to say of a command that has ended, beside its output."""

import signal

from stubcli.process.child import Child
from stubcli.spill.stream import About
from stubcli.store.records import Origin
from stubcli.text.display import amount
from stubcli.text.durations import span


def about(
    child: Child,
    argv: list[str],
    tool: str | None,
    call_id: str | None,
    mime: str | None,
    cwd: str | None,
    name: str | None,
    shown: int,
) -> About:
    """Waits for the command's end. name: what the run is called. shown: bytes that were passed on
    while it ran."""
    status = child.wait()
    killed_by = signal_name(child.signal) if child.signal else None
    duration = round(child.duration, 3)
    origin = Origin(tool, call_id, mime, tuple(argv), cwd, status, killed_by, duration, name)
    notes = []
    if child.timed_out:
        notes.append(timed_out(child))
    elif child.signal:
        notes.append(f"killed by signal {child.signal} ({killed_by})")
    if child.left_open:
        notes.append("a background process still holds the output; later bytes are not kept")
    if shown:
        notes.append(f"the first {amount(shown, 'byte was', 'bytes were')} shown above")
    return About(origin, "; ".join(notes))


def timed_out(child: Child) -> str:
    """When the time of a command was over, and what of it nothing could end."""
    left = f"; could not end {', '.join(child.not_ended)}" if child.not_ended else ""
    return f"timed out after {span(child.duration)}{left}"


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIG{number}"  # a real-time signal
