"""Reads a text as the form that it has, counts its templates, finds the lines that stand apart."""

from bisect import bisect_right
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

import stubcli.debug as debug
from stubcli.detect.model import ByteSource, KindClaim, NotableLine, Sample, Scan
from stubcli.detect.reading import Beginning, beginning, declared
from stubcli.detect.text import divided, header, headings, templates
from stubcli.detect.text.claim import PLAIN
from stubcli.detect.text.divided import Headed
from stubcli.detect.text.facts import (
    Apart,
    Bulk,
    FormFacts,
    Headings,
    TextCounts,
    TextFacts,
    Within,
)
from stubcli.detect.words import clip
from stubcli.text.characters import decode
from stubcli.text.display import looks_own
from stubcli.value import Value

if TYPE_CHECKING:
    from stubcli.detect.text.divisions import Start

_MOST_NOTABLE = 18
# A MIME type that names one of these promised a structure.
_STRUCTURED = ("json", "xml")
# What these forms hold is text that others wrote, in which no line is odd.
_OF_OTHERS = frozenset(("diff", "history", "oneline", "markdown"))


class FormReading(Value):
    """What a form found: facts, and lines of the stream that decide.

    instead: whether the lines replace the scan's, where the form knows better what a line says.
    headed: the lines at the beginning, where it divided them. others: the numbers of those lines
    that it does not count, where it counts all others; None where it says nothing of single lines.
    told: numbers of lines that it told everything of, so that none of them stands apart. begins:
    the lines, by number, that begin what owns those below them.
    """

    facts: FormFacts
    notable: tuple[NotableLine, ...] = ()
    instead: bool = False
    headed: Headed | None = None
    others: frozenset[int] | None = None
    told: frozenset[int] = frozenset()
    begins: tuple[int, ...] = ()


class Form(Protocol):
    """What a file of forms/ offers here: the name that is shown, and how it reads a stream.

    It may also have RESULT, lines that it counts itself; ALIKE where templates are listed, and
    HEADED where headings are, because the form says nothing of most lines. QUOTES says that its
    lines are what others wrote, in which words are no events.
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
        return _with_lines(facts, beginning(source), None, None, None, frozenset())
    form = import_module(f"stubcli.detect.text.forms.{claim.form}")
    if getattr(form, "QUOTES", False):
        scan = scan.replace(notable=scan.spoken)
    facts = facts.replace(form=cast(Form, form).NAME, notable=scan.notable)
    headed = others = None
    told, begins = frozenset[int](), tuple[int, ...]()
    try:
        found = cast(Form, form).read(source, scan)
    except (ValueError, ArithmeticError, RecursionError, MemoryError, LookupError) as error:
        debug.swallowed(f"detect: text: {claim.form}", error)
    else:
        notable = found.notable if found.instead else joined(scan.notable, found.notable)
        facts = facts.replace(body=found.facts, notable=notable)
        headed, others, told, begins = found.headed, found.others, found.told, found.begins
    if claim.form in _OF_OTHERS:
        return facts
    begun = headed.begun if headed else beginning(source)
    described = _with_lines(facts, begun, headed, form, others, told)
    return _owned(described, begins, begun.lines) if begins else described


def _owned(facts: TextFacts, begins: tuple[int, ...], lines: list[bytes]) -> TextFacts:
    """The facts, in which the owner of a line that stands apart is what begins its block."""

    def owned(one: Apart) -> Apart:
        at = bisect_right(begins, one.line)
        if not at or begins[at - 1] == one.line:
            return one
        number = begins[at - 1]
        return one.replace(owner_line=number, owner=clip(decode(lines[number - 1]).strip(), 80))

    return facts.replace(bulk=facts.bulk.replace(apart=tuple(map(owned, facts.bulk.apart))))


def _with_lines(
    facts: TextFacts,
    begun: Beginning,
    headed: Headed | None,
    form: object,
    others: frozenset[int] | None,
    told: frozenset[int],
) -> TextFacts:
    """The facts with headings and templates where they are wanted, and what stands apart."""
    if headed is None:
        headed = _headed(begun)
    known = told.union(line.number for line in facts.notable)
    messages = headed.messages if headed else begun.lines
    quoted = partial(divided.quoted, header=headed.header) if headed else bytes
    plain = form is None
    named = headings.find(begun) if plain or getattr(form, "HEADED", False) else Headings()
    starts = _starts(begun.lines) if plain and headed is None else None
    numbers = {heading.line - 1 for heading in named.headings}
    counted = getattr(form, "RESULT", None)
    bulk = templates.find(
        messages,
        begun.lines,
        known=known,
        quoted=quoted,
        headed=headed is not None and getattr(form, "HEADED", False),
        others=others,
        paired=plain or getattr(form, "ALIKE", False),
        elsewhere=lambda at: at in numbers or (counted and counted.match(begun.lines[at])),
        divided=starts,
    )
    if bulk.divisions.count:
        named = named.replace(headings=(), heading_count=0)
    if plain:
        # Entries of a log begin with no path; the module is not loaded for them.
        from stubcli.detect.text import groups

        facts = facts.replace(groups=groups.find(messages))
    if not plain and not getattr(form, "ALIKE", False):
        bulk = Bulk(apart=bulk.apart, apart_count=bulk.apart_count)
    return facts.replace(
        headings=named,
        bulk=bulk,
        within=None if begun.whole else Within(len(begun.lines), begun.seen, begun.size),
    )


def _starts(lines: list[bytes]) -> "list[Start]":
    """Where headings divide a text of no form."""
    from stubcli.detect.text import divisions

    return divisions.starts(lines)


def _headed(begun: Beginning) -> Headed | None:
    """The lines divided, where they begin with a time, as what runs a command may write it.

    A time further behind is what a line of a listing or of a table says.
    """
    found = header.find(begun.lines)
    dated = found is not None and found.times[1] and found.times[0] < 2
    return divided.divide(begun, found) if found is not None and dated else None


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
