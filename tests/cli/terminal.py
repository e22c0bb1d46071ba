"""`stub` on a terminal of its own, and what the terminal then shows."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios

from tests.conftest import COMMAND, Store

INTERRUPT = b"\x03"


def on_terminal(
    store: Store,
    *arguments: str,
    columns: int = 80,
    key: bytes = b"",
    once: bytes = b"",
    environment: dict[str, str] | None = None,
    **more: str,
) -> tuple[int, bytes]:
    """The status and all that was written; key is pressed once that text has come."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        env=store.environment(**{"TERM": "xterm", "PAGER": ""} | (environment or {}) | more),
    )
    os.close(theirs)
    seen = b""
    try:
        while piece := os.read(ours, 1 << 16):
            seen += piece
            if key and once in seen:
                os.write(ours, key)
                key = b""
    except OSError:  # a terminal whose last writer left
        pass
    os.close(ours)
    return process.wait(), seen


def screen(written: bytes) -> list[str]:
    """The lines that a terminal of any width shows of it in the end: CR, LF and erasing obeyed."""
    lines, at = [""], 0
    for part in re.findall(r"\r|\n|\x1b\[K|[^\r\n\x1b]+|\x1b\[[0-9;]*m", written.decode()):
        if part == "\r":
            at = 0
        elif part == "\n":
            lines.append("")
            at = 0
        elif part == "\x1b[K":
            lines[-1] = lines[-1][:at]
        elif part[0] != "\x1b":
            lines[-1] = lines[-1][:at].ljust(at) + part + lines[-1][at + len(part) :]
            at += len(part)
    return lines
