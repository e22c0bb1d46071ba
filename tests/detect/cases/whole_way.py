"""The whole way of a stream in one process: counted in pieces, summarised, laid out on a page."""

import re
from collections.abc import Callable

from stubcli.detect import words
from stubcli.detect.model import Scan, Synopsis
from stubcli.detect.reading import InMemory
from stubcli.reference import Reference
from stubcli.render.model import Facts, Limits
from stubcli.render.stub_json import render_json
from stubcli.render.stub_text import render_text
from stubcli.spill.stream import Tally
from stubcli.spill.stub import describe
from stubcli.store.measure import Measured
from stubcli.store.records import Origin
from tests.render.reading import assert_read_back, parse

BUDGET = 5000


def tallied(data: bytes, piece: int = 1 << 20) -> tuple[Tally, Measured, Scan]:
    tally = Tally()
    for start in range(0, len(data), piece):
        tally.add(data[start : start + piece])
    measured, scan = tally.finish()
    return tally, measured, scan


def synopsis_of(data: bytes, mime: str | None = None) -> Synopsis:
    tally, _, scan = tallied(data)
    return words.synopsis_of(
        describe(InMemory(data), tally.head, tally.tail, Origin(mime=mime), scan)
    )


def facts_of(data: bytes, mime: str | None = None, piece: int = 1 << 20) -> Facts:
    """What the renderer is given of a complete artifact that holds `data`."""
    tally, measured, scan = tallied(data, piece)
    return Facts(
        reference=Reference("demo", 7, measured.sha256),
        path="/home/u/.local/state/stub/sessions/demo/tool-results/tool_result_007.txt",
        sha256=measured.sha256,
        size=measured.size,
        characters=measured.characters,
        lines=measured.lines,
        tool=None,
        exit_status=None,
        signal=None,
        reason="single_threshold",
        state="complete",
        dropped=0,
        synopsis=words.synopsis_of(
            describe(InMemory(data), tally.head, tally.tail, Origin(mime=mime), scan)
        ),
        head=tally.head,
        tail=tally.tail,
    )


def page_of(
    data: bytes, *, budget: int = BUDGET, mime: str | None = None, as_json: bool = False
) -> str:
    """The stub, which must be shorter than `data`; "" where none is short enough."""
    facts = facts_of(data, mime)
    limits = Limits(budget, below=(facts.characters, facts.size))
    if as_json:
        return render_json(facts, limits) or ""
    page = render_text(facts, limits) or ""
    if page:
        assert_read_back(page, facts)
    return page


def label_of(page: str) -> str:
    """Kind and form on the first line of a page."""
    return page.partition("] ")[2].partition(",")[0]


def above_preview(page: str) -> str:
    """The synopsis: what stands before the head and the tail, and the lines that it names there."""
    below: list[str] = []
    if page.startswith("[stub "):
        read = parse(page)
        below = [f"  {line}: {read.line(line)}" for line in read.below]
    for frame in ("\n--- head ", "\n--- tail "):
        page = page.partition(frame)[0]
    return "\n".join([page, *below])


_TEMPLATE = re.compile(r"(?m)^ +([\d,]+) × (.+)$")


def overstated(page: str, data: bytes) -> list[str]:
    """Templates that are said to be of more lines than hold their words in that order."""
    text = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", data.decode("utf-8", "replace"))
    lines = [re.sub(r"\[ (?=\d)", "[", " ".join(line.split())) for line in text.split("\n")]
    return [
        f"{count} × {shown}"
        for count, shown in _TEMPLATE.findall(above_preview(page))
        if sum(map(_of(shown), lines)) < int(count.replace(",", ""))
    ]


def _of(shown: str) -> Callable[[str], bool]:
    """Whether a line is of a template; … is anything, and what follows a dot are values."""
    parts = shown.partition(" · ")[0].replace("\\t", " ").split("…")
    pattern = re.compile(".*".join(re.escape(part) for part in parts))
    return lambda line: pattern.search(line) is not None
