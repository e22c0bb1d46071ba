"""What different tools leave of an output: stub with all its rules and with fewer, others, cuts."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from stubcli.detect import words
from stubcli.detect.model import Synopsis
from stubcli.detect.reading import InMemory
from stubcli.detect.text import claim, tool_signs
from stubcli.render.model import Limits
from stubcli.render.stub_text import render_text
from stubcli.spill.stream import Tally
from stubcli.spill.stub import describe
from stubcli.store.records import Origin
from tests.bench.side_by_side import stub_command
from tests.detect.cases.whole_way import facts_of

PATIENCE = 60
_ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\0")
_NEXT = re.compile(r"(?m)^Next: (.*)$")

View = Callable[[bytes], str]


@dataclass(frozen=True)
class Views:
    """stub: of stub, which may be asked for its notable lines too; others: of everything else."""

    stub: dict[str, View]
    others: dict[str, View]


def views() -> Views:
    """`stub`, the same with rules taken out, what is on PATH, and the cuts that agents make."""
    peers = (
        ("szr", "pipe"),
        ("skimread", "pipe", "--cmd", "out"),
        ("rtk", "pipe"),
        ("kompactor", "run", "cat", "/dev/stdin"),
    )
    return Views(
        {
            "stub": _stub,
            "stub and its first next command": lambda data: _stub(data, follow=True),
            "stub without forms of tools": _without_tools,
            "its notable lines alone": lambda data: "\n".join(notable_lines(data)),
        },
        {
            " ".join(command[:2]): lambda data, command=command: _process(command, data)
            for command in peers
            if shutil.which(command[0])
        }
        | {
            "first 2,000 characters": _ends(2000, 0),
            "first 1,000 and last 3,000 characters": _ends(1000, 3000),
            "first 6,144 and last 24,576 characters": _ends(6144, 24_576),
            "first 25,000 and last 25,000 bytes": _ends_of_bytes(25_000, 25_000),
        },
    )


def clean(text: str) -> str:
    return _ANSI.sub("", text)


def notable_lines(data: bytes) -> list[str]:
    """The notable lines of a page, as many as there are."""
    return [line.text for line in _synopsis(data).notable]


def _synopsis(data: bytes) -> Synopsis:
    tally = Tally()
    for start in range(0, len(data), 1 << 20):
        tally.add(data[start : start + (1 << 20)])
    _, scan = tally.finish()
    return words.synopsis_of(describe(InMemory(data), tally.head, tally.tail, Origin(), scan))


def _without_tools(data: bytes) -> str:
    """The page that would be printed if no form were known that only some tools write."""
    with _fewer_signs():
        facts = facts_of(data)
    return render_text(facts, Limits(5000)) or ""


@contextmanager
def _fewer_signs() -> Iterator[None]:
    tools = {sign[0] for sign in tool_signs.SIGNS}
    known = claim.signs
    claim.signs = lambda: [sign for sign in known() if sign.form not in tools]
    try:
        yield
    finally:
        claim.signs = known


def _stub(data: bytes, follow: bool = False) -> str:
    with tempfile.TemporaryDirectory() as home:
        page = _run([stub_command()], home, data)
        advice = _NEXT.search(page) if follow else None
        if advice:
            first = shlex.split(advice[1].split(" · ")[0])
            page += _run([stub_command(), *first[1:]], home, b"")
    return page


def _process(command: Sequence[str], data: bytes) -> str:
    with tempfile.TemporaryDirectory() as home:
        return _run(command, home, data)


def _run(command: Sequence[str], home: str, data: bytes) -> str:
    """What a command prints, with a home of its own."""
    environment = {
        **{name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ},
        "HOME": home,
        "STUB_HOME": f"{home}/stub",
        "NO_COLOR": "1",
        "TERM": "dumb",
        "RTK_TELEMETRY_DISABLED": "1",
    }
    try:
        done = subprocess.run(
            command,
            input=data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=home,
            env=environment,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        print(f"{command[0]}: no end within {PATIENCE} s", file=sys.stderr)
        return ""
    if done.returncode not in (0, 1):
        print(f"{shlex.join(command)}: status {done.returncode}", file=sys.stderr)
    return done.stdout.decode("utf-8", "replace")


def _ends(head: int, tail: int) -> View:
    def view(data: bytes) -> str:
        text = data.decode("utf-8", "replace")
        left = len(text) - head - tail
        if left <= 0:
            return text
        return f"{text[:head]}\n[{left} characters omitted]\n{text[len(text) - tail :]}"

    return view


def _ends_of_bytes(head: int, tail: int) -> View:
    def view(data: bytes) -> str:
        if len(data) > head + tail:
            data = data[:head] + b"\n...\n" + data[-tail:]
        return data.decode("utf-8", "replace")

    return view
