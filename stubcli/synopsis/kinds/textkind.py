"""Text: everything that nothing else claims. Its form is found by rules on sampled lines.

It asks the forms in order; what a form counts over the whole stream is the form's own work.
"""

from importlib import import_module
from typing import Protocol, cast

from stubcli.synopsis.brief import clip, counted
from stubcli.synopsis.model import Claim, Sample, Scan, Source, Synopsis
from stubcli.synopsis.reading import hinted, sampled_lines

# The more a line pattern says, the earlier it is asked.
FORMS = (
    "history",
    "diff",
    "testreport",
    "compiler",
    "traceback",
    "log",
    "markdown",
    "listing",
    "progress",
    "table",
)


# A MIME type that names one of these promised a structure.
_STRUCTURED = ("json", "xml")


class Form(Protocol):
    """What a module in forms/ offers: its name, a share of lines, its lines of structure."""

    NAME: str

    def holds(self, lines: list[bytes]) -> bool: ...

    def describe(self, source: Source, scan: Scan) -> list[str]: ...


def detect(sample: Sample) -> Claim | None:
    lines = [line for line in sampled_lines(sample) if line.strip()]
    for name in FORMS:
        if _form(name).holds(lines):
            return Claim("text", name, f"lines of a {name}")
    return Claim("text", "plain", "nothing else")


def summarise(claim: Claim, sample: Sample, source: Source, scan: Scan) -> Synopsis | None:
    structure: list[str] = []
    name = claim.form
    if claim.form != "plain":
        form = _form(claim.form)
        name = form.NAME
        try:
            structure = form.describe(source, scan)
        except (ValueError, ArithmeticError, RecursionError, MemoryError, LookupError):
            structure = []
    summary = counts(scan)
    promised = next((word for word in _STRUCTURED if hinted(sample, word)), "")
    if promised and claim.form == "plain":
        summary.insert(0, f"declared as {clip(sample.mime or '', 80)}, not readable as {promised}")
        return Synopsis("unknown", "unparsed", tuple(summary), (), scan.notable)
    notable = scan.notable
    if name == "listing":
        from stubcli.synopsis.forms.listing import is_entry

        notable = tuple(line for line in notable if not is_entry(line.text))
    return Synopsis("text", name, tuple(summary), tuple(structure), notable)


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
    return cast(Form, import_module(f"stubcli.synopsis.forms.{name}"))
