"""What is swallowed for the sake of the output can be seen: STUB_DEBUG=1, or a file to append to.

Errors that cost a page its detail and never the data, and the votes of the detectors. Nothing is
written, and next to nothing is loaded, where the variable is not set.
"""

import os

from stubcli.terminal import terminal

VARIABLE = "STUB_DEBUG"


def debugging() -> bool:
    """Whether somebody wants to see it: computing what is only shown here can be left out."""
    return os.environ.get(VARIABLE, "") not in ("", "0")


def note(text: str) -> None:
    """One line, `stub: debug: …`, on standard error or at the end of the file that is named."""
    target = os.environ.get(VARIABLE, "")
    if target in ("", "0"):
        return
    line = b"stub: debug: " + ascii(text)[1:-1].encode("ascii") + b"\n"
    try:
        if "/" not in target:
            with terminal:
                os.write(2, terminal.line_end() + line)
            return
        # O_NONBLOCK: a FIFO that nobody reads is refused instead of waited for.
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW
        descriptor = os.open(target, flags | os.O_NONBLOCK | os.O_CLOEXEC, 0o600)
        os.write(descriptor, line)
        os.close(descriptor)
    except OSError:
        pass  # looking on must not change what is looked at


def swallowed(where: str, error: BaseException) -> None:
    """An error that `where` goes on without: its kind, its words and the line that raised it."""
    if not debugging():
        return
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = (
        f" at {os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}"
        if trace
        else ""
    )
    note(f"{where}: {type(error).__name__}: {error}{place}")
