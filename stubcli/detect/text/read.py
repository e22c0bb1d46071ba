"""Reads a text as the form that it has, and counts how its lines begin where a form says little."""

import re
from importlib import import_module
from typing import Protocol, cast

import stubcli.debug as debug
from stubcli.detect.model import ByteSource, KindClaim, NotableLine, Sample, Scan, Value
from stubcli.detect.reading import beginning, declared
from stubcli.detect.text import alike
from stubcli.detect.text.claim import PLAIN
from stubcli.detect.text.facts import FormFacts, Headings, TextCounts, TextFacts, Within
from stubcli.detect.words import clip
from stubcli.text.display import looks_own

_MOST_NOTABLE = 18
# A MIME type that names one of these promised a structure.
_STRUCTURED = ("json", "xml")


class FormReading(Value):
    """What a form found: facts, and lines of the stream that decide.

    instead: whether the lines replace the scan's, where the form knows better what a line says.
    """

    facts: FormFacts
    notable: tuple[NotableLine, ...] = ()
    instead: bool = False


class Form(Protocol):
    """What a file of forms/ offers here: the name that is shown, and how it reads a stream.

    It may also have RESULT, the lines that it counts itself; ALIKE where lines that begin alike
    are counted, and HEADED where headings are listed, because the form says nothing of most lines.
    """

    NAME: str

    def read(self, source: ByteSource, scan: Scan) -> FormReading: ...


def read(claim: KindClaim, sample: Sample, source: ByteSource, scan: Scan) -> TextFacts:
    promised = next((word for word in _STRUCTURED if declared(sample, word)), "")
    facts = TextFacts(kind="text", form=claim.form, notable=scan.notable, counts=_counts(scan))
    if claim.form == PLAIN:
        if promised:
            said = clip(sample.mime or "")
            return facts.replace(kind="unknown", form="unparsed", declared=said, promised=promised)
        return _with_lines(facts, source, None, headed=True)
    form = import_module(f"stubcli.detect.text.forms.{claim.form}")
    facts = facts.replace(form=cast(Form, form).NAME)
    try:
        found = cast(Form, form).read(source, scan)
    except (ValueError, ArithmeticError, RecursionError, MemoryError, LookupError) as error:
        debug.swallowed(f"detect: text: {claim.form}", error)
    else:
        notable = found.notable if found.instead else joined(scan.notable, found.notable)
        facts = facts.replace(body=found.facts, notable=notable)
    if getattr(form, "ALIKE", False):
        without = getattr(form, "RESULT", None)
        return _with_lines(facts, source, without, headed=getattr(form, "HEADED", False))
    return facts


def _with_lines(
    facts: TextFacts, source: ByteSource, without: re.Pattern[bytes] | None, *, headed: bool
) -> TextFacts:
    """The facts with headings and with lines that begin alike."""
    begun = beginning(source)
    groups, rare = alike.find(begun, without)
    within = None if begun.whole else Within(len(begun.lines), begun.seen, begun.size)
    return facts.replace(
        headings=alike.find_headings(begun) if headed else Headings(),
        alike=groups,
        within=within,
        notable=joined(facts.notable, rare),
    )


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


def _counts(scan: Scan) -> TextCounts:
    return TextCounts(
        scan.lines,
        scan.words,
        scan.characters,
        scan.nul,
        scan.invalid,
        scan.escapes,
        scan.returns,
        scan.unseen,
    )
