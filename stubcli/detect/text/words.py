"""Text in words: how much, what its form says, which lines stand apart, what the others are."""

from importlib import import_module
from typing import Protocol, cast

from stubcli.detect.text.facts import (
    Apart,
    Bulk,
    Division,
    Divisions,
    FormFacts,
    Groups,
    Headings,
    LineTemplate,
    TextCounts,
    TextFacts,
    Within,
)
from stubcli.detect.words import clip, counted, listed

# Lines that stand apart take this room of the page, each at least so much and at most.
_APART = 1000
_DIVIDED = 1400
_SHORTEST = 64
_LONGEST = 150
_OWNER = 60
_USUAL = 30
_VALUES = 56
_KIND = 60
_TOLD = 130


class FormWords(Protocol):
    """What a file of forms/ offers here: its facts as lines, the most important first."""

    def words(self, facts: FormFacts) -> list[str]: ...


def summary(facts: TextFacts) -> list[str]:
    said = _counts(facts.counts)
    if facts.promised:
        declared = clip(facts.declared, 80)
        said.insert(0, f"declared as {declared}, not readable as {facts.promised}")
    return said


def structure(facts: TextFacts) -> list[str]:
    said: list[str] = []
    if facts.body is not None:
        form = import_module(f"stubcli.detect.text.forms.{facts.body.file}")
        said += cast(FormWords, form).words(facts.body)
    within = _within(facts.within)
    said += _headings(facts.headings, within)
    said += _groups(facts.groups, within)
    if facts.bulk.divisions.count:
        return said + _apart(facts.bulk, within) + _divisions(facts.bulk.divisions, within)
    said += _templates(facts.bulk, within)
    said += _unanswered(facts.bulk) + _apart(facts.bulk, within)
    return said + _longest(facts.bulk)


def _divisions(found: Divisions, within: str) -> list[str]:
    shown = len(found.shown)
    some = f", {shown} of them" if shown < found.count else ""
    said = [f"{found.count:,} divisions{within}{some}, with their lines:"]
    return said + [f"  {_division(one, _DIVIDED // shown)}" for one in found.shown]


def _division(one: Division, most: int) -> str:
    begun = f"{one.line:,}: {one.text} ({one.lines:,})"
    told, room = "", max(_SHORTEST, most) - len(begun)
    for item in one.told:
        if told and len(told) + len(item) > room:
            break
        told += f"{' · ' if told else ': '}{item}"
    return begun + clip(told, max(12, room)) if told else begun


def _groups(found: Groups, within: str) -> list[str]:
    if not found.largest:
        return []
    largest = (f"{name} {count:,}" for name, count in found.largest)
    lines = counted(found.lines, "line")
    return [f"{lines}{within} by path ({found.count:,}): {listed(largest, found.count)}"]


def _apart(bulk: Bulk, within: str) -> list[str]:
    if not bulk.apart:
        return []
    more = bulk.apart_count - len(bulk.apart)
    said = [f"unlike the others{within}, {len(bulk.apart)} of {bulk.apart_count:,}:"]
    if not more:
        said = [f"unlike the others{within}:"]
    longest = max(_SHORTEST, min(_LONGEST, _APART // len(bulk.apart)))
    named: set[int] = set()
    for one in bulk.apart:
        # An owner of several is named once.
        owner = "" if one.owner_line in named else one.owner
        named.add(one.owner_line)
        said.append(f"  {_apart_line(one, owner, longest)}")
    return said


def _apart_line(one: Apart, owner: str, longest: int) -> str:
    note = f" (×{one.count:,})" if one.count > 1 else ""
    if one.others:
        note += f" ({one.others:,} others: {clip(one.usual, _USUAL)})"
    if owner:
        note += f" (below {one.owner_line:,}: {clip(owner, _OWNER)})"
    elif one.owner:
        note += f" (below {one.owner_line:,})"
    room = max(_SHORTEST, longest - len(note))
    # Of a row that is too long, the blanks that only lay it out go first.
    text = one.text if len(one.text) <= room else " ".join(one.text.split())
    return f"{one.line:,}: {clip(text, room)}{note}"


def _unanswered(bulk: Bulk) -> list[str]:
    """What began and did not end, with the first lines of it."""
    said: list[str] = []
    for one in bulk.unanswered:
        begins, ends = clip(one.begins, _KIND), clip(one.ends, _KIND)
        many = f"{one.open:,} of {one.begun:,} “{begins}”{_among(one.among)}"
        said.append(f"{many} have no “{ends}” of the same:")
        said += [f"  {number:,}: {clip(text, _TOLD)}" for number, text in one.lines]
    return said


def _among(lines: int) -> str:
    return f" in the first {lines:,} lines" if lines else ""


def _longest(bulk: Bulk) -> list[str]:
    """What took longest, with what it was the end of."""
    said: list[str] = []
    for one in bulk.longest:
        said.append(f"longest of {one.count:,} “{clip(one.kind, _KIND)}”{_among(one.among)}:")
        for took in one.lines:
            of = f" ({clip(took.of, _OWNER)})" if took.of else ""
            said.append(f"  {took.line:,}: {clip(took.text, _TOLD - len(of))}{of}")
    return said


def _templates(bulk: Bulk, within: str) -> list[str]:
    if not bulk.templates:
        return []
    said = [f"lines by template{within}:"]
    said += [f"  {one.count:,} × {one.text}{_values(one)}" for one in bulk.templates]
    more = bulk.count - len(bulk.templates)
    if more:
        said.append(f"  +{more:,} more, of {counted(bulk.rest, 'line')} at most")
    return said


def _values(one: LineTemplate) -> str:
    said = ""
    for values in one.values:
        more = ", ".join(f"{word} ({count:,})" for word, count in values)
        said += f" · {more}" if len(said) + len(more) < _VALUES else ""
    return said


def _counts(counts: TextCounts) -> list[str]:
    """How much text there is, and the bytes in it that are none."""
    words = "" if counts.words is None else f", {counted(counts.words, 'word')}"
    said = [f"{counted(counts.lines, 'line')}{words}, {counted(counts.characters, 'character')}"]
    odd = [
        counted(number, one, many)
        for number, one, many in (
            (counts.nul, "NUL", "NUL"),
            (counts.undecodable, "byte that is not UTF-8", "bytes that are not UTF-8"),
            (counts.escapes, "escape sequence", ""),
            (counts.returns, "carriage return", ""),
        )
        if number
    ]
    if odd:
        said.append("holds " + ", ".join(odd))
    if counts.unseen:
        times = counted(counts.unseen, "time")
        said.append(f"error, fail or warn stands {times} in lines not looked at singly")
    return said


def _within(within: Within | None) -> str:
    """What is said after the name of what was counted."""
    if within is None:
        return ""
    seen = f"{within.seen:,} of {within.size:,} bytes"
    return f" in the first {within.lines:,} lines ({seen})"


def _headings(found: Headings, within: str) -> list[str]:
    said = []
    if found.group_count:
        groups = listed(found.groups, found.group_count, 280, 40)
        said.append(f"groups{within} ({found.group_count:,}): {groups}")
    if found.headings:
        headings = (f"{one.line:,}: {one.text}" for one in found.headings)
        shown = listed(headings, found.heading_count, 290, 60)
        said.append(f"{counted(found.heading_count, 'heading')}{within}: {shown}")
    return said
