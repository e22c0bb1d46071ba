"""Output of compilers, linters and scanners: findings by severity, rule, message and file; the
first of the gravest, and of those that hardly ever come.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence

from stubcli.detect.model import ByteSource, NotableLine, Scan
from stubcli.detect.notable.patterns import WARNING, WEAK
from stubcli.detect.reading import plain_lines, reach
from stubcli.detect.text.facts import FormFacts
from stubcli.detect.text.finding_lines import POINTED, SaidFinding
from stubcli.detect.text.finding_walk import FindingWalk
from stubcli.detect.text.read import FormReading, joined
from stubcli.detect.words import clip, counted, limited, listed
from stubcli.text.characters import decode
from stubcli.value import Value

NAME = "compiler"
_LIMIT = 8 * 1024 * 1024
_KINDS = 4000
_RARE_AMONG = 20
_RARE = 8
_SOURCES = 2
# Rare is what comes once or twice, or in so few of all.
_LONE = 2
_RARE_SHARE = 0.005
_GRAVE = 6
_RANKED = 40
_GRAVEST = (
    *("critical", "fatal", "severe", "high", "error", "blocker", "major"),
    *("medium", "moderate", "warning", "minor"),
)
# Of a source that a finding quotes, a line stands behind its number.
_EXCERPT = re.compile(r"\s*\d+(?:\t| *\|)")


class Ranked(Value):
    """Messages, codes, files or steps: the most frequent with their numbers, of `distinct`.

    rare: what comes hardly ever, the rarest first, of `rare_count`.
    """

    name: str
    top: tuple[tuple[str, int], ...]
    distinct: int
    rare: tuple[tuple[str, int], ...] = ()
    rare_count: int = 0


class CompilerFacts(FormFacts):
    """severities: error, warning, finding and others, each with its number, by name."""

    severities: tuple[tuple[str, int], ...] = ()
    ranked: tuple[Ranked, ...] = ()


FACTS = CompilerFacts


class _Findings(FindingWalk):
    def __init__(self) -> None:
        super().__init__()
        self.severities: Counter[str] = Counter()
        self.files: Counter[str] = Counter()
        self.codes: Counter[str] = Counter()
        self.messages: Counter[str] = Counter()
        self.steps: Counter[str] = Counter()
        # The first two of each code: of what is rare, the lines are shown.
        self._first: dict[str, list[NotableLine]] = {}
        self._gravity: dict[str, int] = {}
        # The line of source, which the findings that point into it stand under.
        self._source: NotableLine | None = None
        self._sources: dict[int, NotableLine] = {}
        self._grave: dict[str, tuple[list[NotableLine], set[str]]] = {}

    def see(self, number: int, line: bytes) -> bool:
        if super().see(number, line):
            return True
        self._source = NotableLine(number, decode(line[:199])) if self._heading else None
        return False

    def noted(self, number: int, line: bytes, found: SaidFinding) -> None:
        """A note decides nothing, and only quotes the source that it points into."""
        self._point(number, line)

    def _point(self, number: int, line: bytes) -> None:
        if self._source and len(self._sources) < _KINDS and POINTED.match(line):
            self._sources[number] = self._source

    def stepped(self, name: bytes) -> None:
        self.steps[decode(name)] += 1

    def placed(self, path: bytes, line: bytes) -> None:
        self._file(path)

    def found(
        self, number: int, line: bytes, found: SaidFinding, beside: Sequence[NotableLine] = ()
    ) -> None:
        self.severities[found.severity] += 1
        if found.path:
            self._file(found.path)
        self._point(number, line)
        rank = WEAK if _rank(found.severity) <= _GRAVEST.index("error") else WARNING
        quoted = NotableLine(number, decode(line[:199]), 0, rank)
        # Of each rule, one.
        grave, rules = self._grave.setdefault(found.severity, ([], set()))
        if len(grave) < _GRAVE and (found.code not in rules or not found.code):
            rules.add(found.code)
            grave += [quoted, *beside]
        if found.code and (found.code in self.codes or len(self.codes) < _KINDS):
            self.codes[found.code] += 1
            if self.codes[found.code] <= 2:
                self._first.setdefault(found.code, []).append(quoted)
                self._gravity.setdefault(found.code, _rank(found.severity))
        if found.message in self.messages or len(self.messages) < _KINDS:
            self.messages[found.message] += 1

    def _file(self, path: bytes) -> None:
        name = decode(path)
        if name and (name in self.files or len(self.files) < _KINDS):
            self.files[name] += 1

    def ranked(self) -> tuple[Ranked, ...]:
        """What was counted; messages only where the codes do not say the same already."""
        sorts = [("codes", self.codes), ("files", self.files), ("steps", self.steps)]
        if sum(self.codes.values()) < 0.5 * sum(self.severities.values()):
            sorts.insert(0, ("messages", self.messages))
        found = (_ranked(name, counter) for name, counter in sorts if counter)
        codes = self._rare_codes()
        rare = tuple((clip(code), self.codes[code]) for code in codes[:_RANKED])
        return tuple(
            one.replace(rare=rare, rare_count=len(codes)) if one.name == "codes" else one
            for one in found
        )

    def notable(self) -> tuple[NotableLine, ...]:
        """The first of the gravest, where they are not what nearly all are; and the rare ones."""
        total = sum(self.severities.values())
        found: dict[int, NotableLine] = {}
        grave = [name for name in _GRAVEST if self.severities[name]][:1]
        for name in grave:
            if self.severities[name] < 0.5 * total or len(self.severities) == 1:
                found.update((line.number, line) for line in self._grave[name][0])
        found.update((line.number, line) for line in self._rare(found.keys()))
        above = (self._sources.get(number) for number in list(found)[:_SOURCES])
        return (*found.values(), *(line for line in above if line))

    def is_quoted(self, line: NotableLine) -> bool:
        """Whether the line is source, or points into it: what matters of those is shown anyway."""
        if line.number in self._sources:
            return True
        return any(line.number == source.number for source in self._sources.values())

    def _rare_codes(self) -> list[str]:
        if sum(self.codes.values()) < _RARE_AMONG:
            return []
        most = max(_LONE, int(_RARE_SHARE * sum(self.severities.values())))
        rare = [code for code, count in self.codes.items() if count <= most]
        return sorted(rare, key=lambda code: (self._gravity.get(code, 0), self.codes[code]))

    def _rare(self, shown: Collection[int]) -> tuple[NotableLine, ...]:
        rare = self._rare_codes()
        # One of each before a second of any.
        first = [self._first[code][0] for code in rare]
        second = [line.replace(rank=WARNING) for code in rare for line in self._first[code][1:]]
        found = [line for line in (*first, *second) if line.number not in shown]
        return tuple(found[: _RARE - len(shown) // 2])


def read(source: ByteSource, scan: Scan) -> FormReading:
    found = _Findings()
    seen = reach(source, _LIMIT)
    for number, line in enumerate(plain_lines(source, seen), 1):
        if line:
            found.see(number, line[:400])
    found.flush()
    severities = tuple(sorted(found.severities.items(), key=_gravity))
    facts = CompilerFacts(seen, source.size, severities, found.ranked())
    kept = tuple(
        line for line in scan.notable if not _EXCERPT.match(line.text) and not found.is_quoted(line)
    )
    return FormReading(facts, joined(found.notable(), kept), instead=True)


def _gravity(item: tuple[str, int]) -> tuple[int, int, str]:
    name, number = item
    return _rank(name), -number, name


def _rank(severity: str) -> int:
    return _GRAVEST.index(severity) if severity in _GRAVEST else len(_GRAVEST)


def words(facts: CompilerFacts) -> list[str]:
    said = [", ".join(_severity(word, number) for word, number in facts.severities)]
    for one in facts.ranked:
        items = (f"{name} {number:,}" for name, number in one.top)
        shown = listed(items, one.distinct, 200, 90)
        said.append(f"{one.name} ({one.distinct:,}): {shown}")
        if one.rare and shown.endswith(" more"):
            rare = (f"{name} {number:,}" for name, number in one.rare)
            said.append(f"  the rarest: {listed(rare, one.rare_count, 200, 90)}")
    return [*said, *limited(facts.seen, facts.size)]


def _severity(word: str, number: int) -> str:
    plural = word in ("error", "warning", "finding", "note")
    return counted(number, word) if plural else f"{number:,} {word}"


def _ranked(name: str, counter: Counter[str]) -> Ranked:
    items = sorted(counter.items(), key=lambda item: (-item[1], item[0]))[:_RANKED]
    return Ranked(name, tuple((clip(text), number) for text, number in items), len(counter))
