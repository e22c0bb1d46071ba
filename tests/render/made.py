"""Facts of made-up artifacts."""

import hashlib

from stubcli.detect.model import NotableLine, Synopsis
from stubcli.reference import Reference
from stubcli.render.model import Facts

END = 64 * 1024

SYNOPSIS = Synopsis(
    "text",
    "log",
    ("12 lines", "INFO 9, ERROR 3"),
    ("first heading", "second heading"),
    (NotableLine(2, "ERROR \x1b[31mboom\x1b[0m", 41), NotableLine(7, "3 failed, 2 passed")),
)


def facts(data: bytes, *, end: int = END, session: str = "demo", **changes: object) -> Facts:
    """The facts of an artifact that holds `data`, of which `end` bytes at either end are given."""
    digest = hashlib.sha256(data).hexdigest()
    whole = Facts(
        reference=Reference(session, 7, digest),
        path=f"/home/u/.local/state/stub/{session}/tool_result_007.txt",
        sha256=digest,
        size=len(data),
        characters=len(data.decode("utf-8", "surrogateescape")),
        lines=data.count(b"\n") + (data[-1:] not in (b"", b"\n")),
        tool="pytest",
        exit_status=1,
        signal=None,
        reason="single_threshold",
        state="complete",
        dropped=0,
        synopsis=SYNOPSIS,
        head=data[:end],
        tail=data[-end:],
    )
    return whole.replace(**changes)
