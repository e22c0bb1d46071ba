"""What becomes of a command's output: it passes as it comes, or is kept and stubbed at the end."""

import os

from stubcli.descriptors import Output
from stubcli.errors import OK
from stubcli.process.child import Child
from stubcli.settings.table import Settings
from stubcli.threshold import hold


def treat(
    child: Child,
    out: Output,
    settings: Settings,
    argv: list[str],
    *,
    tool: str | None,
    call_id: str | None,
    mime: str | None,
    cwd: str | None,
) -> int:
    """Read `child` to its end; 0, or 5 where its output was neither kept nor passed on whole.

    What is small passes, and is shown as soon as nothing more comes.
    """
    import time

    started, place = time.time(), _place(cwd)
    held = bytearray()
    shown = 0

    def show() -> None:
        nonlocal shown
        out.write(held[shown:])
        shown = len(held)

    if settings.format != "json":  # who asked for one object cannot read anything before it
        child.on_quiet = show
    small = hold(child, settings.threshold, held)
    child.on_quiet = None
    if small:
        out.write(held[shown:])
        return OK
    try:
        from stubcli.process.about import about
        from stubcli.spill.keep import moment, spill
    except Exception:
        # A broken installation is a bug, and no reason to lose what was read.
        out.write(held[shown:])
        copy(child, out)
        raise
    return spill(
        bytes(held),
        child,
        out,
        settings,
        lambda: about(child, argv, tool, call_id, mime, place, shown),
        started=moment(started),
        shown=shown,
    )


def copy(child: Child, out: Output) -> None:
    while data := child.read():
        out.write(data)


def _place(cwd: str | None) -> str | None:
    """Where the command runs; asked before it can remove that."""
    try:
        return os.path.abspath(cwd or ".")
    except OSError:
        return None  # it was removed
