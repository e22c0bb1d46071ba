"""What becomes of a command's output: it passes as it comes, or is kept and stubbed at the end."""

import os

from stubcli.descriptors import Output
from stubcli.errors import OK
from stubcli.process.child import Child
from stubcli.settings.table import Settings
from stubcli.spill.filter import hold, pass_on


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
    name: str | None,
) -> int:
    """Read `child` to its end; 0, or 5 where its output was neither kept nor passed on whole.

    What is small passes, and is shown as soon as nothing more comes. Whatever it raises, the output
    was read to its end, and is in the store or on `out`.
    """
    import time

    started, place = time.time(), _place(cwd)
    held, stream = bytearray(), None
    shown = 0

    def show() -> None:
        nonlocal shown
        with memoryview(held) as whole:
            out.write(whole[shown:])
        shown = len(held)

    try:
        if settings.format != "json":  # who asked for one object cannot read anything before it
            child.on_quiet = show
        small = hold(child, settings.threshold, held)
        child.on_quiet = None
        if small:
            show()
            return OK
        from stubcli.process.about import about
        from stubcli.spill.keep import spill
        from stubcli.spill.stream import Stream, moment

        stream = Stream(
            child,
            out,
            settings,
            lambda: about(child, argv, tool, call_id, mime, place, name, shown),
            bytes(held),
            started=moment(started),
        )
        return spill(stream)
    except Exception:
        # A bug, a broken installation or too little memory: no reason to lose what was read.
        child.on_quiet = None
        if stream is None or not stream.taken:
            pass_on(child, out, held)
        raise


def _place(cwd: str | None) -> str | None:
    """Where the command runs; asked before it can remove that."""
    try:
        return os.path.abspath(cwd or ".")
    except OSError:
        return None  # it was removed
