"""Which of the lines that were found are worth a place, in line order.

It knows severities and counts, not what a line says.
"""

from stubcli.detect.model import NotableLine
from stubcli.detect.notable.patterns import ERROR, WEAK
from stubcli.detect.notable.templates import FoundLine, Template

MOST_LINES = 12
# Lines that belong to one of those.
MOST_COMPANY = 6

_OUTCOME_LINES = 4
_WARNING_LINES = 3
# Where errors stand, warnings are background.
_WARNING_LINES_BESIDE_ERRORS = 2


def select(templates: list[Template]) -> tuple[NotableLine, ...]:
    """Outcomes first in right, then by severity, rarity and place."""
    chosen = _Chosen()
    outcomes = sorted((t for t in templates if t.outcome), key=lambda t: -t.last.number)
    for template in outcomes[:_OUTCOME_LINES]:
        chosen.add(template.last, template)
    ranked = sorted(
        (t for t in templates if t.rank >= WEAK - 1),
        key=lambda t: (-t.rank, t.count, t.first.number),
    )
    grave = [t for t in ranked if t.rank >= WEAK]
    errors = any(t.rank >= ERROR for t in grave)
    most = _WARNING_LINES_BESIDE_ERRORS if errors else _WARNING_LINES
    warnings = [t for t in ranked if t.rank < WEAK][:most]
    for template in grave + warnings:
        chosen.add(template.first, template)
    for template in grave:
        # A small group is shown in full; of a large one, how it ended.
        if template.count <= len(template.kept) + 1 and template.rank >= ERROR:
            for found in template.kept[1:]:
                chosen.add(found, template)
        if template.count > 1:
            chosen.add(template.last, template)
    for template in warnings:
        if template.count > 1 and not errors:
            chosen.add(template.last, template)
    return chosen.lines()


class _Chosen:
    def __init__(self) -> None:
        self._lines: dict[int, tuple[FoundLine, Template | None]] = {}
        self._mains = self._company = 0

    def add(self, found: FoundLine, template: Template) -> None:
        if found.number in self._lines or self._mains >= MOST_LINES:
            return
        self._mains += 1
        self._lines[found.number] = (found, template)
        for other in template.company.get(found.number, ()):
            if other.number not in self._lines and self._company < MOST_COMPANY:
                self._company += 1
                self._lines[other.number] = (other, None)

    def lines(self) -> tuple[NotableLine, ...]:
        listed: dict[int, int] = {}
        for _, template in self._lines.values():
            listed[id(template)] = listed.get(id(template), 0) + 1
        found_lines = []
        for number, (found, template) in sorted(self._lines.items()):
            folded = rank = 0
            if template is not None:
                rank = template.rank
                # What is not listed is counted once, with the first that is.
                folded = template.count - listed.pop(id(template), template.count)
            found_lines.append(NotableLine(number, found.text, folded, rank))
        return tuple(found_lines)
