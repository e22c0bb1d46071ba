"""Markdown: its headings in order, what stands in fences, its tables counted."""

from stubcli.detect.model import ByteSource, Scan
from stubcli.detect.reading import plain_lines, reach
from stubcli.detect.text.facts import FormFacts, Heading
from stubcli.detect.text.line_signs import FENCE, HEADING, RULE
from stubcli.detect.text.read import FormReading
from stubcli.detect.words import clip, counted, limited
from stubcli.text.characters import decode

NAME = "markdown"
QUOTES = True
_LIMIT = 16 * 1024 * 1024
_HEADINGS = 18
_COMMANDS = 6


class MarkdownFacts(FormFacts):
    """headings, commands: the first of them, with their lines; commands are lines in fences."""

    headings: tuple[Heading, ...] = ()
    heading_count: int = 0
    tables: int = 0
    fences: int = 0
    commands: tuple[Heading, ...] = ()
    command_count: int = 0


FACTS = MarkdownFacts


def read(source: ByteSource, scan: Scan) -> FormReading:
    headings: list[Heading] = []
    commands: list[Heading] = []
    total = tables = fences = found = 0
    fenced = False
    seen = reach(source, _LIMIT)
    for number, line in enumerate(plain_lines(source, seen), 1):
        if FENCE.match(line[:50]):
            fenced = not fenced
            fences += fenced
        elif fenced and line.strip():
            found += 1
            if len(commands) < _COMMANDS:
                commands.append(Heading(number, clip(decode(line).strip(), 100)))
        elif not fenced and HEADING.match(line[:300]):
            total += 1
            if len(headings) < _HEADINGS:
                headings.append(Heading(number, clip(decode(line).strip(), 120)))
        elif not fenced and RULE.match(line[:300]):
            tables += 1
    facts = MarkdownFacts(
        seen, source.size, tuple(headings), total, tables, fences, tuple(commands), found
    )
    return FormReading(facts)


def words(facts: MarkdownFacts) -> list[str]:
    counts = (
        counted(facts.heading_count, "heading"),
        counted(facts.tables, "table"),
        counted(facts.fences, "fence"),
    )
    said = [", ".join(counts), *limited(facts.seen, facts.size), *_numbered(facts.headings)]
    if facts.heading_count > len(facts.headings):
        said.append(f"  +{facts.heading_count - len(facts.headings):,} more")
    if facts.commands:
        more = f", the first {_COMMANDS}" if facts.command_count > _COMMANDS else ""
        said.append(f"{counted(facts.command_count, 'line')} in fences{more}:")
    return said + _numbered(facts.commands)


def _numbered(lines: tuple[Heading, ...]) -> list[str]:
    return [f"  {one.line}: {one.text}" for one in lines]
