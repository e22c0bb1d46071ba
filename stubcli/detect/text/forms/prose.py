"""Prose with headings: manuals, books, notes, minutes. The headings in their order, the shallowest
where there are too many; how the sections begin that say what came of it; what was decided.
"""

import re
from collections import Counter
from collections.abc import Iterator

from stubcli.detect.model import ByteSource, Scan
from stubcli.detect.reading import beginning
from stubcli.detect.text import decisions
from stubcli.detect.text.facts import FormFacts, Heading
from stubcli.detect.text.read import FormReading, joined
from stubcli.detect.text.section_lines import Section, sections
from stubcli.detect.words import clip, counted, limited
from stubcli.text.characters import decode

NAME = "prose"
_HEADINGS = 24
_CONCLUDES = re.compile(
    rb"(?i)\b(?:conclusions?|concluding|(?:executive |management )?summary|verdict|findings|"
    rb"recommendations?|outcome|root cause|resolution|lessons|fazit|zusammenfassung|ergebnis)\b"
)
_CONCLUDING = 4
_BEGINS = 220


class ProseFacts(FormFacts):
    """levels: of headings, with how many there are. headings: the first ones in their order, down
    to the level `shown`. concluding: sections that say what came of it, with how they begin.
    decided: of `decided_count`, the sentences that say most of what was decided.
    """

    VERSION = 3
    levels: tuple[tuple[int, int], ...] = ()
    headings: tuple[Heading, ...] = ()
    heading_count: int = 0
    shown: int = 0
    concluding: tuple[Heading, ...] = ()
    decided: tuple[Heading, ...] = ()
    decided_count: int = 0


FACTS = ProseFacts


def read(source: ByteSource, scan: Scan) -> FormReading:
    begun = beginning(source)
    found = list(sections([line.rstrip(b"\r") for line in begun.lines]))
    decided, decided_count = decisions.find(begun.lines, found)
    levels = Counter(section.level for section in found)
    deepest = _deepest(levels)
    kept = [section for section in found if section.level <= deepest]
    least = min(levels, default=1)
    facts = ProseFacts(
        begun.seen,
        begun.size,
        tuple(sorted(levels.items())),
        tuple(_heading(section, least) for section in kept[:_HEADINGS]),
        len(found),
        deepest,
        tuple(_concluding(kept, begun.lines))[-_CONCLUDING:],
        decided,
        decided_count,
    )
    # What prose speaks of has not happened; what a line says of itself has.
    return FormReading(facts, joined(scan.labelled, scan.outcomes), instead=True)


def _concluding(found: list[Section], lines: list[bytes]) -> Iterator[Heading]:
    for section in found:
        if not _CONCLUDES.search(section.text):
            continue
        # Behind the heading and what is drawn under it.
        rest = (line.strip() for line in lines[section.line : section.line + 40])
        text = b""
        for line in rest:
            if line[:1].isalnum() or (text and line):
                text += b" " + line
            elif text:
                break
        if text:
            said = f"{decode(section.text.strip())}:{decode(text)}"
            yield Heading(section.line, clip(said, _BEGINS))


def _deepest(levels: Counter[int]) -> int:
    """The deepest level of which all headings can be shown; the first one where none can."""
    total, deepest = 0, min(levels, default=0)
    for level in sorted(levels):
        total += levels[level]
        if total > _HEADINGS:
            break
        deepest = level
    return deepest


def _heading(section: Section, least: int) -> Heading:
    return Heading(section.line, clip("  " * (section.level - least) + decode(section.text), 120))


def words(facts: ProseFacts) -> list[str]:
    many = counted(facts.heading_count, "heading")
    if len(facts.levels) > 1:
        levels = ", ".join(f"level {level}: {number:,}" for level, number in facts.levels)
        many = f"{many} ({levels})"
    shown = len(facts.headings)
    first = f"; the first {shown:,} in order" if shown < facts.heading_count else ""
    if first and len(facts.levels) > 1:
        first = f"; {shown:,} down to level {facts.shown} in order"
    said = [many + first + ":", *limited(facts.seen, facts.size)]
    said += [f"  {one.line:,}: {one.text}" for one in facts.headings]
    if facts.decided:
        some = f", {len(facts.decided)}" if len(facts.decided) < facts.decided_count else ""
        of = f"{some} of {facts.decided_count:,}" if some else ""
        said.append(f"sentences with an outcome or a cause{of}:")
        said += [f"  {one.line:,}: {one.text}" for one in facts.decided]
    if facts.concluding:
        said.append("how the sections begin that conclude:")
        said += [f"  {one.line:,}: {one.text}" for one in facts.concluding]
    return said
