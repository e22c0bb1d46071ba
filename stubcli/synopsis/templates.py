"""Lines that differ only in numbers, paths and quoted words are one template.

It counts templates within a bounded table and keeps the first and the last line of each; it does
not know which lines decide.
"""

import re
from dataclasses import dataclass

MOST_TEMPLATES = 4000
_KEY_BYTES = 200

_DIGITS = bytes(0x30 if 0x30 <= byte <= 0x39 else byte for byte in range(256))
_QUOTED = re.compile(rb"'[^']*'|\"[^\"]*\"|`[^`]*`")
# Codes of compilers and linters (TS2307, E0382, SC2086, D401) tell kinds of errors apart.
_CODE = re.compile(rb"(?:^|[\[(:])[A-Z]{1,7}-?[0-9]{2,5}(?:$|[\]):,])")


@dataclass(frozen=True)
class Found:
    """A line that was kept: 1-based number and the slice of it to show."""

    number: int
    text: str


@dataclass
class Template:
    """All lines of one template so far. rank: the highest severity among them."""

    rank: int
    outcome: bool
    count: int
    first: Found
    last: Found


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
    """Templates in order of appearance; beyond the bound, one for each rank takes the rest."""

    def __init__(self) -> None:
        self._table: dict[tuple[bytes, int], Template] = {}

    def add(self, line: bytes, found: Found, rank: int, outcome: bool) -> None:
        key = (template_of(line), rank)
        template = self._table.get(key)
        if template is None and len(self._table) >= MOST_TEMPLATES:
            key = (b"", rank)
            template = self._table.get(key)
        if template is None:
            self._table[key] = Template(rank, outcome, 1, found, found)
            return
        template.count += 1
        template.last = found
        template.outcome |= outcome

    def all(self) -> list[Template]:
        return list(self._table.values())
