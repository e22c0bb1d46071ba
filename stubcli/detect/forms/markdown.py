"""Markdown: its headings in order, what stands in fences, its tables counted."""

import re

from stubcli.detect.brief import clip, counted, limited
from stubcli.detect.forms.described import Described
from stubcli.detect.forms.plainlines import lines as lines_of
from stubcli.detect.forms.plainlines import reach
from stubcli.detect.model import Scan, Source
from stubcli.text.decode import decode

NAME = "markdown"
_LIMIT = 16 * 1024 * 1024
_HEADINGS = 18
_COMMANDS = 6
_HEADING = re.compile(rb"#{1,6} +[^\s#].*")
_RULE = re.compile(rb"\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)+\|?\s*$")
_FENCE = re.compile(rb"\s{0,3}(?:```|~~~)")
_LINK = re.compile(rb"\[[^\]]{1,200}\]\([^)\s]{1,300}\)|\*\*\S[^*]{0,200}\*\*|^\s*[-*] \S|^> ")


def holds(lines: list[bytes]) -> bool:
    headings = sum(1 for line in lines if _HEADING.match(line[:300]))
    rules = sum(1 for line in lines if _RULE.match(line[:300]))
    fences = sum(1 for line in lines if _FENCE.match(line[:50]))
    marks = sum(1 for line in lines if _LINK.search(line[:600]))
    rows = sum(line.lstrip().startswith(b"|") and line.rstrip().endswith(b"|") for line in lines)
    if rules and rows > 2:
        return headings > 0 or rows > 0.5 * len(lines)
    if headings >= 2 and headings > 0.3 * len(lines) and marks < 0.2 * len(lines):
        return False
    return headings >= 2 and (fences >= 2 or marks >= 3)


def describe(source: Source, scan: Scan) -> Described:
    headings: list[str] = []
    total = tables = fences = found = 0
    fenced = False
    commands: list[str] = []
    seen = reach(source, _LIMIT)
    for number, line in enumerate(lines_of(source, seen), 1):
        if _FENCE.match(line[:50]):
            fenced = not fenced
            fences += fenced
        elif fenced and line.strip():
            found += 1
            if len(commands) < _COMMANDS:
                commands.append(f"  {number}: {clip(decode(line).strip(), 100)}")
        elif not fenced and _HEADING.match(line[:300]):
            total += 1
            if len(headings) < _HEADINGS:
                headings.append(f"  {number}: {clip(decode(line).strip(), 120)}")
        elif not fenced and _RULE.match(line[:300]):
            tables += 1
    told = [f"{counted(total, 'heading')}, {counted(tables, 'table')}, {counted(fences, 'fence')}"]
    if total > len(headings):
        headings.append(f"  +{total - len(headings):,} more")
    if commands:
        more = f", the first {_COMMANDS}" if found > _COMMANDS else ""
        headings.append(f"{counted(found, 'line')} in fences{more}:")
    told += limited(seen, source.size)
    return Described([*told, *headings, *commands])
