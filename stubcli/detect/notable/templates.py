"""Lines that differ only in numbers, paths and quoted words are one template; which are shown.

Templates are counted within a bounded table that keeps the first and the last line of each. They
are chosen by how the word of alarm stands in them, severity, rarity and place: a word counts by how
unusual it is in its stream. It knows no lines that were not given to it, and no kinds.
"""

import re
from collections import Counter
from typing import NamedTuple

from stubcli.detect.model import NotableLine
from stubcli.detect.notable.judge import NOBODY, QUOTED, Judgement
from stubcli.detect.notable.patterns import CALL, ERROR, EVENT, MESSAGE, WEAK, WORD

MOST_TEMPLATES = 4000
# Of one template, so many lines are kept besides the last; so many lines go with each of them.
_KEPT = 4
_COMPANY = 2
# Only so many templates of one length are compared with a new one.
_COMPARED = 12
_KEY_BYTES = 200

MOST_LINES = 12
# Lines that belong to one of those.
MOST_COMPANY = 6

_OUTCOME_LINES = 4
_WARNING_LINES = 3
# Where errors stand, warnings are background.
_WARNING_LINES_BESIDE_ERRORS = 2
# Beyond so many characters, lines like one that is listed already are not.
_AGAIN = 1200
# A word in every third line is what they are about; in so few lines there is no telling.
_USUAL = 3
_FEW = 30
# In a document, so many lines of running text hold such a word: one line of so many, or some, and
# half as many as those that read as messages.
_PAGE = 10
_ALINEAS = 5
# So many different sentences of running text, calls for attention, messages without a label are
# what the text is about; a template that comes as often as this is no sentence.
_SENTENCES = 2
_CALLS = 6
_MESSAGES = 8
_REPEATED = 3

_DIGITS = bytes(0x30 if 0x30 <= byte <= 0x39 else byte for byte in range(256))
# Codes of compilers and linters (TS2307, E0382, SC2086, D401) tell kinds of errors apart.
_CODE = re.compile(rb"(?:^|[\[(:])[A-Z]{1,7}-?[0-9]{2,5}(?:$|[\]):,])")

# Rank, place and origin.
_Sort = tuple[int, int, int]
_Key = tuple[bytes, _Sort]


class FoundLine(NamedTuple):
    """A line that was kept: 1-based number and the slice of it to show."""

    number: int
    text: str


class Template:
    """All lines of one template so far. rank: their severity. place, word, origin: as the
    judge says.

    mixed: one for all that are beyond the bound. kept: the first lines. company: by the number of
    a kept line, the lines that belong to it; around: those that stand above and below it.
    """

    def __init__(self, sort: _Sort, verdict: Judgement, first: FoundLine, *, mixed: bool) -> None:
        self.rank, self.place, self.origin = sort
        self.word = verdict.word
        self.outcome = verdict.outcome
        self.count = 1
        self.kept = [first]
        self.last = first
        self.mixed = mixed
        self.company: dict[int, list[FoundLine]] = {}
        self.around: dict[int, list[FoundLine]] = {}

    @property
    def first(self) -> FoundLine:
        return self.kept[0]

    def belonging(self, number: int) -> list[FoundLine]:
        """The lines that go with the kept line `number`."""
        around = self.around.get(number, []) if self.count <= _KEPT else []
        return [*self.company.get(number, ()), *around]

    def keeps(self, number: int) -> bool:
        # A template of many lines is asked for each of them.
        return self.count <= _KEPT and any(kept.number == number for kept in self.kept)

    def surround(self, number: int, found: FoundLine) -> None:
        """Keep `found`, which stands around the kept line `number`."""
        self.around.setdefault(number, []).append(found)

    def accompany(self, number: int, found: FoundLine) -> None:
        """Keep `found` with the line `number`, where that one is kept itself."""
        if self.keeps(number):
            company = self.company.setdefault(number, [])
            if len(company) < _COMPANY:
                company.append(found)


def template_of(line: bytes) -> bytes:
    """The key under which `line` is counted."""
    line = line[:_KEY_BYTES]
    if b"'" in line or b'"' in line or b"`" in line:
        line = QUOTED.sub(b"''", line)
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
        self._table: dict[_Key, Template] = {}
        self._alike: dict[tuple[_Sort, int], list[tuple[list[bytes], Template]]] = {}

    def add(
        self, line: bytes, found: FoundLine, verdict: Judgement, rank: int, merging: bool = False
    ) -> Template:
        sort = (rank, verdict.place, verdict.origin)
        key = (template_of(line), sort)
        template = self._table.get(key)
        if template is None and len(self._table) >= MOST_TEMPLATES:
            key = (b"", sort)
            template = self._table.get(key)
        elif template is None and merging:
            template = self._merged(key[0].split(), sort)
            if template is not None:
                self._table[key] = template
        if template is None:
            template = Template(sort, verdict, found, mixed=not key[0])
            self._table[key] = template
            if merging:
                alike = self._alike.setdefault((sort, key[0].count(b" ")), [])
                if len(alike) < _COMPARED:
                    alike.append((key[0].split(), template))
            return template
        template.count += 1
        template.last = found
        template.outcome |= verdict.outcome
        if len(template.kept) < _KEPT:
            template.kept.append(found)
        return template

    def _merged(self, words: list[bytes], sort: _Sort) -> Template | None:
        for other, template in self._alike.get((sort, len(words) - 1), ()):
            different = sum(one != two for one, two in zip(words, other, strict=False))
            if different <= len(words) // 4:
                return template
        return None

    def all(self) -> list[Template]:
        return list({id(template): template for template in self._table.values()}.values())


def select(templates: list[Template], lines: int) -> tuple[NotableLine, ...]:
    """Outcomes first in right, then by severity, rarity and place; lines: of the stream."""
    templates = _unusual(templates, lines)
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
                chosen.add_again(found, template)
        if template.count > 1:
            chosen.add_again(template.last, template)
    for template in warnings:
        if template.count > 1 and not errors:
            chosen.add_again(template.last, template)
    return chosen.lines()


def labelled(templates: list[Template], origin: int) -> list[Template]:
    """What may stand beside what is quoted: labels and messages, of that origin at least."""
    return [t for t in templates if t.rank and t.origin >= origin and t.place >= MESSAGE]


def _unusual(templates: list[Template], lines: int) -> list[Template]:
    """The templates but for those whose word is no alarm here."""
    words: Counter[int | None] = Counter()
    for template in templates:
        words[template.word] += template.count
    usual = {word for word, count in words.items() if lines > _FEW and _USUAL * count > lines}
    kept = [t for t in templates if t.outcome or t.word is None or t.word not in usual]
    if _is_document(kept, lines):
        return [t for t in kept if t.outcome or (t.place >= MESSAGE and t.origin != NOBODY)]
    if sum(t.count for t in kept if t.place == CALL) > _CALLS:
        kept = [t for t in kept if t.outcome or t.place != CALL]
    for place, most in ((WORD, _SENTENCES), (EVENT, _MESSAGES)):
        # A message that repeats is none of many sentences; running text repeats itself, too.
        some = [t for t in kept if t.place == place and (place == WORD or _is_single(t))]
        if len(some) > most:
            dropped = set(map(id, some))
            kept = [t for t in kept if t.outcome or id(t) not in dropped]
    return kept


def _is_document(templates: list[Template], lines: int) -> bool:
    """Whether words of alarm stand in running text so often that the text is about them."""
    counts: Counter[int] = Counter()
    for template in templates:
        counts[template.place] += template.count
    running = counts[WORD]
    return _PAGE * running > lines > _FEW or running >= max(_ALINEAS, counts[EVENT] // 2)


def _is_single(template: Template) -> bool:
    return template.count < _REPEATED or template.mixed


class _Chosen:
    def __init__(self) -> None:
        self._lines: dict[int, tuple[FoundLine, Template | None]] = {}
        self._mains = self._company = 0

    def add_again(self, found: FoundLine, template: Template) -> None:
        """Add a line like one that was added, where there is room for what says nothing new."""
        taken = sum(len(line.text) for line, _ in self._lines.values())
        if taken + len(found.text) <= _AGAIN:
            self.add(found, template)

    def add(self, found: FoundLine, template: Template) -> None:
        if found.number in self._lines or self._mains >= MOST_LINES:
            return
        self._mains += 1
        self._lines[found.number] = (found, template)
        for other in template.belonging(found.number):
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
