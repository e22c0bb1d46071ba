"""The whole way of a stream in one process: counted in pieces, summarised, laid out on a page."""

import re

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
from tests.render.reading import assert_read_back

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
    """The synopsis: what stands before the head and the tail."""
    for frame in ("\n--- head ", "\n--- tail "):
        page = page.partition(frame)[0]
    return page


_STAMP = re.compile(r"^\[?\d{4}-\d\d-\d\d[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?\]?\s+")
_ALIKE = re.compile(r"(?m)^ +([\d,]+) × (\S+)")


def overstated(page: str, data: bytes) -> list[str]:
    """Claims that more lines begin like one than have so much as its first word."""
    words = [_first_word(line) for line in data.decode("utf-8", "replace").split("\n")]
    return [
        f"{count} × {example}"
        for count, example in _ALIKE.findall(above_preview(page))
        if sum(_alike(word, example) for word in words) < int(count.replace(",", ""))
    ]


def _alike(word: str, example: str) -> bool:
    example = example.partition("\\t")[0]
    if example.endswith("…"):
        return word.startswith(example[:-1])
    return word == _first_word(example)


def _first_word(line: str) -> str:
    """The first word of a line; one with a slash or a digit is like every other such word."""
    line = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", line)
    word = (_STAMP.sub("", line).split() or [""])[0]
    return "/" if "/" in word else "0" if re.search(r"\d", word) else word
