"""Text in words: how much, what its form says, how its lines begin."""

from importlib import import_module
from typing import Protocol, cast

from stubcli.detect.text.facts import FormFacts, Headings, TextCounts, TextFacts, Within
from stubcli.detect.words import clip, counted, listed


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
    if facts.alike:
        said.append(f"lines that begin alike{within}:")
        said += [f"  {group.count:,} × {group.text}" for group in facts.alike]
    return said


def _counts(counts: TextCounts) -> list[str]:
    """How much text there is, and the bytes in it that are none."""
    words = "" if counts.words is None else f", {counted(counts.words, 'word')}"
    said = [f"{counted(counts.lines, 'line')}{words}, {counted(counts.characters, 'character')}"]
    odd = [
        f"{number:,} {name}"
        for number, name in (
            (counts.nul, "NUL"),
            (counts.undecodable, "bytes that are not UTF-8"),
            (counts.escapes, "escape sequences"),
            (counts.returns, "carriage returns"),
        )
        if number
    ]
    if odd:
        said.append("holds " + ", ".join(odd))
    if counts.unseen:
        said.append(
            f"error, fail or warn stands {counts.unseen:,} times in lines not looked at singly"
        )
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
        said.append(f"headings{within} ({found.heading_count:,}): {shown}")
    return said
