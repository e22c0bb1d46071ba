"""Output of compilers and linters: errors and warnings, by code, message and file; rare codes."""

import re
from collections import Counter

from stubcli.detect.model import ByteSource, NotableLine, Scan, Value
from stubcli.detect.notable.patterns import WEAK
from stubcli.detect.reading import plain_lines, reach
from stubcli.detect.text.facts import FormFacts
from stubcli.detect.text.read import FormReading
from stubcli.detect.text.tool_signs import BARE, CODED, PLACED, STEP, UNDER
from stubcli.detect.words import clip, counted, limited, listed
from stubcli.text.characters import decode

NAME = "compiler"
_LIMIT = 8 * 1024 * 1024
_KINDS = 4000
_ARROW = re.compile(rb"\s*--> (\S+?):\d+")
_HEADING = re.compile(rb"(?:/|[A-Z]:\\|[\w.@-]+/)\S+\.\w{1,5}\s*$")
_SUM = re.compile(
    rb"generated \d+|could not compile|aborting due|previous error|\d+ (?:warning|error)s? emitted|"
    rb"build failed"
)
_CODE = re.compile(rb"\b([A-Z]{1,6}\d{2,5})\b|\[((?:-W)?[a-z][\w=-]{2,60})\]\s*$")
_VARYING = re.compile(rb"['`\"].*?['`\"]|\xe2\x80\x98.*?\xe2\x80\x99|\d+")
_RARE_AMONG = 20
_RARE = 4
_RANKED = 40


class Ranked(Value):
    """Messages, codes, files or steps: the most frequent with their numbers, of `distinct`."""

    name: str
    top: tuple[tuple[str, int], ...]
    distinct: int


class CompilerFacts(FormFacts):
    """severities: error, warning and finding, each with its number, by name."""

    severities: tuple[tuple[str, int], ...] = ()
    ranked: tuple[Ranked, ...] = ()


FACTS = CompilerFacts


class _Finding(Value):
    severity: str
    code: str
    message: str
    path: bytes = b""


class _Findings:
    def __init__(self) -> None:
        self.severities: Counter[str] = Counter()
        self.files: Counter[str] = Counter()
        self.codes: Counter[str] = Counter()
        self.messages: Counter[str] = Counter()
        self.steps: Counter[str] = Counter()
        # The first two of each code: of what is rare, the lines are shown.
        self._first: dict[str, list[NotableLine]] = {}
        self._open = False
        self._heading = b""

    def see(self, number: int, line: bytes) -> None:
        arrow = _ARROW.match(line) if self._open else None
        if arrow:
            self._open = False
            self._file(arrow[1])
            return
        found = _finding(line)
        if found is None:
            step = STEP.match(line)
            if step:
                self.steps[decode(step[1] or step[3] or b"[n/m]")] += 1
            elif _HEADING.match(line):
                self._heading = line.strip()
            return
        if found.severity != "note":
            self._count(number, line, found)

    def _count(self, number: int, line: bytes, found: _Finding) -> None:
        self.severities[found.severity] += 1
        self._open = not found.path
        if found.path:
            self._file(self._heading if found.path == b"\0" else found.path)
        if found.code and (found.code in self.codes or len(self.codes) < _KINDS):
            self.codes[found.code] += 1
            if self.codes[found.code] <= 2:
                quoted = NotableLine(number, decode(line[:199]), 0, WEAK)
                self._first.setdefault(found.code, []).append(quoted)
        if found.message in self.messages or len(self.messages) < _KINDS:
            self.messages[found.message] += 1

    def _file(self, path: bytes) -> None:
        name = decode(path)
        if name in self.files or len(self.files) < _KINDS:
            self.files[name] += 1

    def ranked(self) -> tuple[Ranked, ...]:
        """What was counted; messages only where the codes do not say the same already."""
        sorts = [("codes", self.codes), ("files", self.files), ("steps", self.steps)]
        if sum(self.codes.values()) < 0.5 * sum(self.severities.values()):
            sorts.insert(0, ("messages", self.messages))
        return tuple(_ranked(name, counter) for name, counter in sorts if counter)

    def rare(self) -> tuple[NotableLine, ...]:
        if sum(self.codes.values()) < _RARE_AMONG:
            return ()
        rare = [code for code, count in self.codes.items() if count <= 2]
        rare.sort(key=lambda code: self.codes[code])
        return tuple(line for code in rare for line in self._first[code])[:_RARE]


def read(source: ByteSource, scan: Scan) -> FormReading:
    found = _Findings()
    seen = reach(source, _LIMIT)
    for number, line in enumerate(plain_lines(source, seen), 1):
        if line:
            found.see(number, line[:400])
    severities = tuple(sorted(found.severities.items()))
    facts = CompilerFacts(seen, source.size, severities, found.ranked())
    return FormReading(facts, found.rare())


def words(facts: CompilerFacts) -> list[str]:
    said = [", ".join(counted(number, word) for word, number in facts.severities)]
    for one in facts.ranked:
        items = (f"{name} {number:,}" for name, number in one.top)
        said.append(f"{one.name} ({one.distinct:,}): {listed(items, one.distinct, 200, 90)}")
    return [*said, *limited(facts.seen, facts.size)]


def _ranked(name: str, counter: Counter[str]) -> Ranked:
    items = sorted(counter.items(), key=lambda item: (-item[1], item[0]))[:_RANKED]
    return Ranked(name, tuple((clip(text), number) for text, number in items), len(counter))


def _finding(line: bytes) -> _Finding | None:
    placed = PLACED.match(line)
    if placed:
        severity = decode(placed[3] or b"finding").replace("fatal error", "error")
        return _Finding(severity, *_code(placed[4] or b"", placed[5]), placed[1])
    bare = BARE.match(line) or CODED.match(line)
    if bare:
        if (not bare[1] and not bare[2]) or _SUM.search(bare[3]):
            return None
        severity = decode(bare[1]) if bare[1] else "finding"
        return _Finding(severity, *_code((bare[2] or b"").rstrip(b":"), bare[3]))
    under = UNDER.match(line)
    if under:
        return _Finding(decode(under[1]), decode(under[3]), _plain(under[2]), b"\0")
    return None


def _code(code: bytes, message: bytes) -> tuple[str, str]:
    if not code:
        found = _CODE.search(message)
        code = (found[1] or found[2]) if found else b""
    return decode(code), _plain(message)


def _plain(message: bytes) -> str:
    head = _VARYING.sub(b"~", message).split(b": ")[0]
    return decode(head).strip()[:60]
