"""Facts of made-up artifacts, and a reader of stubs that trusts nothing but the frames."""

import hashlib
import re
from dataclasses import dataclass, replace

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
    return replace(whole, **changes)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Frame:
    first: int
    last: int
    cut: bool
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Read:
    """A stub as one reads it: the frames, and the numbers of what is not shown."""

    head: Frame | None
    tail: Frame | None
    hidden_lines: int
    hidden_bytes: int
    command: str


_GAP = re.compile(
    r"^--- (?:(?:the rest|a part) of line [\d,]+(?: and )?)?(?:([\d,]+) lines?)?"
    r" \(([\d,]+) bytes?\)"
    r" not shown(?: and not kept)?(?:: (.*))? ---$",
    re.MULTILINE,
)


def read(stub: str, digest: str) -> Read:
    """What the frames say: they are told from data by the digest that they carry."""
    gaps = [
        found for found in _GAP.finditer(stub) if (found[3] or digest[:12]).find(digest[:12]) >= 0
    ]
    hidden = gaps[-1] if gaps else None
    return Read(
        _frame("head", stub, digest),
        _frame("tail", stub, digest),
        number(hidden[1] or "0") if hidden else 0,
        number(hidden[2]) if hidden else 0,
        (hidden[3] or "") if hidden else "",
    )


def number(text: str) -> int:
    return int(text.replace(",", ""))


def _frame(name: str, stub: str, digest: str) -> Frame | None:
    found = re.search(
        rf"^--- {name} {digest[:8]}: lines? ([\d,]+)(?:-([\d,]+))?( \(.*cut\))?,"
        r" bytes ([\d,]+)-([\d,]+) ---\n",
        stub,
        re.MULTILINE,
    )
    if not found:
        return None
    rest = stub[found.end() :]
    after = re.search(r"^(--- .* ---|Next: .*|\[stub end .*\])\n", rest, re.MULTILINE)
    assert after is not None
    first, last, cut, start, end = found.groups()
    return Frame(
        number(first),
        number(last or first),
        bool(cut),
        number(start),
        number(end),
        rest[: after.start()],
    )
