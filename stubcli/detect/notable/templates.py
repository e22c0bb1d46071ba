"""Lines that differ only in numbers, paths and quoted words are one template.

It counts templates within a bounded table and keeps the first and the last line of each; it does
not know which lines decide.
"""

import re
from dataclasses import dataclass, field

MOST_TEMPLATES = 4000
# Of one template, so many lines are kept besides the last; so many lines go with each of them.
_KEPT = 4
_COMPANY = 2
# Only so many templates of one length are compared with a new one.
_COMPARED = 12
_KEY_BYTES = 200

_DIGITS = bytes(0x30 if 0x30 <= byte <= 0x39 else byte for byte in range(256))
_QUOTED = re.compile(rb"'[^']*'|\"[^\"]*\"|`[^`]*`")
# Codes of compilers and linters (TS2307, E0382, SC2086, D401) tell kinds of errors apart.
_CODE = re.compile(rb"(?:^|[\[(:])[A-Z]{1,7}-?[0-9]{2,5}(?:$|[\]):,])")


@dataclass(frozen=True)
class FoundLine:
    """A line that was kept: 1-based number and the slice of it to show."""

    number: int
    text: str


@dataclass
class Template:
    """All lines of one template so far. rank: the highest severity among them.

    kept: the first lines. company: by the number of a kept line, the lines that belong to it.
    """

    rank: int
    outcome: bool
    count: int
    kept: list[FoundLine]
    last: FoundLine
    company: dict[int, list[FoundLine]] = field(default_factory=dict)

    @property
    def first(self) -> FoundLine:
        return self.kept[0]

    def accompany(self, number: int, found: FoundLine) -> None:
        """Keep `found` with the line `number`, where that one is kept itself."""
        if any(kept.number == number for kept in self.kept):
            company = self.company.setdefault(number, [])
            if len(company) < _COMPANY:
                company.append(found)


def template_of(line: bytes) -> bytes:
    """The key under which `line` is counted."""
    line = line[:_KEY_BYTES]
    if b"'" in line or b'"' in line or b"`" in line:
        line = _QUOTED.sub(b"''", line)
    return b" ".join([_word(word) for word in line.split()])


def _word(word: bytes) -> bytes:
    if b"0" in word.translate(_DIGITS):
        return word if _CODE.search(word) else b"0"
    return b"/" if b"/" in word else word


class Templates:
    """Templates in order of appearance; beyond the bound, one for each rank takes the rest.

    Where `merging` is asked for, a line that differs from a template of its length in no more
    than a quarter of the words is of that template.
    """

    def __init__(self) -> None:
        self._table: dict[tuple[bytes, int], Template] = {}
        self._alike: dict[tuple[int, int], list[tuple[list[bytes], Template]]] = {}

    def add(
        self, line: bytes, found: FoundLine, rank: int, outcome: bool, merging: bool = False
    ) -> Template:
        key = (template_of(line), rank)
        template = self._table.get(key)
        if template is None and len(self._table) >= MOST_TEMPLATES:
            key = (b"", rank)
            template = self._table.get(key)
        elif template is None and merging:
            template = self._merged(key[0].split(), rank)
            if template is not None:
                self._table[key] = template
        if template is None:
            template = Template(rank, outcome, 1, [found], found)
            self._table[key] = template
            if merging:
                alike = self._alike.setdefault((rank, key[0].count(b" ")), [])
                if len(alike) < _COMPARED:
                    alike.append((key[0].split(), template))
            return template
        template.count += 1
        template.last = found
        template.outcome |= outcome
        if len(template.kept) < _KEPT:
            template.kept.append(found)
        return template

    def _merged(self, words: list[bytes], rank: int) -> Template | None:
        for other, template in self._alike.get((rank, len(words) - 1), ()):
            different = sum(one != two for one, two in zip(words, other, strict=False))
            if different <= len(words) // 4:
                return template
        return None

    def all(self) -> list[Template]:
        return list({id(template): template for template in self._table.values()}.values())
