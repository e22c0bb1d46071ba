"""Text: everything that nothing else claims. Its form is found by rules on sampled lines.

It asks the forms in order; what a form counts over the whole stream is the form's own work.
"""

import re
from importlib import import_module
from typing import Protocol, cast

from stubcli.detect.brief import clip, counted
from stubcli.detect.forms.described import Described
from stubcli.detect.forms.plainlines import beginning, plain
from stubcli.detect.model import Claim, NotableLine, Sample, Scan, Source, Synopsis
from stubcli.detect.reading import hinted, sampled_lines
from stubcli.text.lookalike import looks_own

# The more a line pattern says, the earlier it is asked.
FORMS = (
    "history",
    "oneline",
    "diffstat",
    "status",
    "diff",
    "testreport",
    "compiler",
    "traceback",
    "access",
    "log",
    "markdown",
    "listing",
    "progress",
    "records",
    "table",
)
# Forms that say nothing of most lines: those that begin alike are counted.
_COUNTED = ("plain", "testreport", "traceback", "log")
_HEADED = ("plain", "log")
_MOST_NOTABLE = 18

# A MIME type that names one of these promised a structure.
_STRUCTURED = ("json", "xml")


class Form(Protocol):
    """What a module in forms/ offers: its name, a share of lines, what it says of the stream."""

    NAME: str

    def holds(self, lines: list[bytes]) -> bool: ...

    def describe(self, source: Source, scan: Scan) -> Described: ...


def detect(sample: Sample) -> Claim | None:
    lines = [plain(line) for line in sampled_lines(sample) if line.strip()]
    for name in FORMS:
        if _form(name).holds(lines):
            return Claim("text", name, f"lines of a {name}")
    return Claim("text", "plain", "nothing else")


def summarise(claim: Claim, sample: Sample, source: Source, scan: Scan) -> Synopsis | None:
    name = claim.form
    summary = counts(scan)
    promised = next((word for word in _STRUCTURED if hinted(sample, word)), "")
    if promised and name == "plain":
        summary.insert(0, f"declared as {clip(sample.mime or '', 80)}, not readable as {promised}")
        return Synopsis("unknown", "unparsed", tuple(summary), (), scan.notable)
    described = _described(name, source, scan)
    notable = described.notable if described.instead else joined(scan.notable, described.notable)
    structure = described.structure
    if name in _COUNTED:
        from stubcli.detect.forms import alike, headings

        begun = beginning(source)
        more = alike.describe(begun, _told_already(name))
        heads = headings.describe(begun) if name in _HEADED else []
        structure = [*structure, *heads, *more.structure]
        notable = joined(notable, more.notable)
    form = name if name == "plain" else _form(name).NAME
    return Synopsis("text", form, tuple(summary), tuple(structure), notable)


def _told_already(name: str) -> re.Pattern[bytes] | None:
    """Lines that the form itself counts."""
    found = None if name == "plain" else getattr(_form(name), "RESULT", None)
    return cast("re.Pattern[bytes] | None", found)


def _described(name: str, source: Source, scan: Scan) -> Described:
    if name == "plain":
        return Described([])
    try:
        return _form(name).describe(source, scan)
    except (ValueError, ArithmeticError, RecursionError, MemoryError, LookupError):
        return Described([])


def joined(
    found: tuple[NotableLine, ...], more: tuple[NotableLine, ...]
) -> tuple[NotableLine, ...]:
    """Both in line order, each line once; what is more must fit into the room that is left.

    A line that copies one of a stub is no more notable for being the only one that does.
    """
    lines = {line.number: line for line in found}
    for line in more:
        if len(lines) < _MOST_NOTABLE and not looks_own(line.text):
            lines.setdefault(line.number, line)
    return tuple(lines[number] for number in sorted(lines))


def counts(scan: Scan) -> list[str]:
    """How much text there is, and the bytes in it that are none."""
    words = "" if scan.words is None else f", {counted(scan.words, 'word')}"
    found = [f"{counted(scan.lines, 'line')}{words}, {counted(scan.characters, 'character')}"]
    odd = [
        f"{number:,} {name}"
        for number, name in (
            (scan.nul, "NUL"),
            (scan.invalid, "bytes that are not UTF-8"),
            (scan.escapes, "escape sequences"),
            (scan.returns, "carriage returns"),
        )
        if number
    ]
    if odd:
        found.append("holds " + ", ".join(odd))
    if scan.unseen:
        found.append(
            f"error, fail or warn stands {scan.unseen:,} times in lines not looked at singly"
        )
    return found


def _form(name: str) -> Form:
    return cast(Form, import_module(f"stubcli.detect.forms.{name}"))
