"""Output of compilers and linters: errors and warnings, by code, message and file; rare codes."""

import re
from collections import Counter
from dataclasses import dataclass

from stubcli.detect.brief import counted, limited, listed
from stubcli.detect.forms.described import Described
from stubcli.detect.forms.plainlines import lines as lines_of
from stubcli.detect.forms.plainlines import reach
from stubcli.detect.model import NotableLine, Scan, Source
from stubcli.detect.patterns import WEAK
from stubcli.text.decode import decode

NAME = "compiler"
_LIMIT = 8 * 1024 * 1024
_KINDS = 4000
# path:line:column: severity message, path(line,column): severity CODE: message,
# path:line:column: CODE message
_PLACED = re.compile(
    rb"([^\s:(][^\s:(]*)(?::|\()(\d+)(?:[:,]\d+)?\)?(?: - |: ?| )"
    rb"(?:(fatal error|error|warning|note)\b[: ]?\s*|([A-Z]+\d{2,5}\b)|(?=\[))(.*)"
)
# error[CODE]: message, with its place on a following line
_BARE = re.compile(rb"(error|warning)(?:\[([A-Z]\d+)\])?: (.*)")
# CODE message, with its place on a following line
_CODED = re.compile(
    rb"()([A-Z]{1,6}\d{2,5}|(?:invalid|syntax)-\w+:)(?= )(?: \[\*\])? ([^\W\d].*|[`'\"].*)"
)
# line:column severity message  rule, under the name of the file
_UNDER = re.compile(rb"\s+\d+:\d+\s+(error|warning)\s+(.*\S)\s{2,}(\S+)\s*$")
_ARROW = re.compile(rb"\s*--> (\S+?):\d+")
_HEADING = re.compile(rb"(?:/|[A-Z]:\\|[\w.@-]+/)\S+\.\w{1,5}\s*$")
_SUM = re.compile(
    rb"generated \d+|could not compile|aborting due|previous error|\d+ (?:warning|error)s? emitted|"
    rb"build failed"
)
_CODE = re.compile(rb"\b([A-Z]{1,6}\d{2,5})\b|\[((?:-W)?[a-z][\w=-]{2,60})\]\s*$")
_VARYING = re.compile(rb"['`\"].*?['`\"]|\xe2\x80\x98.*?\xe2\x80\x99|\d+")
_STEP = re.compile(
    rb"(?:\S*/)?((?:[\w.-]+-)?(?:cc|gcc|g\+\+|clang|clang\+\+|c\+\+)|javac|rustc) -|"
    rb"(\[ *\d+%\]|\[\d+/\d+\]) |"
    rb" {0,12}(CC|CXX|LD|AR|HOSTCC|Compiling|Checking|Building|Linking|Downloaded) "
)
_EXCERPT = re.compile(rb"\s*(?:--> |\d* *\||[\^~]+\s*$)")
_RARE_AMONG = 20
_RARE = 4


def holds(lines: list[bytes]) -> bool:
    placed = others = 0
    for line in lines:
        line = line[:400]
        if any(pattern.match(line) for pattern in (_PLACED, _BARE, _CODED, _UNDER)):
            placed += 1
        else:
            others += bool(_STEP.match(line) or _EXCERPT.match(line))
    return placed >= 3 and (placed >= 0.25 * len(lines) or placed + others >= 0.3 * len(lines))


@dataclass(frozen=True)
class _Finding:
    severity: str
    code: str
    message: str
    path: bytes = b""


class _Counts:
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
            step = _STEP.match(line)
            if step:
                self.steps[decode(step[1] or step[3] or b"[n/m]")] += 1
            elif _HEADING.match(line):
                self._heading = line.strip()
            return
        if found.severity == "note":
            return
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

    def rare(self) -> tuple[NotableLine, ...]:
        if sum(self.codes.values()) < _RARE_AMONG:
            return ()
        rare = [code for code, count in self.codes.items() if count <= 2]
        rare.sort(key=lambda code: self.codes[code])
        return tuple(line for code in rare for line in self._first[code])[:_RARE]


def describe(source: Source, scan: Scan) -> Described:
    counts = _Counts()
    seen = reach(source, _LIMIT)
    for number, line in enumerate(lines_of(source, seen), 1):
        if line:
            counts.see(number, line[:400])
    told = [", ".join(counted(n, word) for word, n in sorted(counts.severities.items()))]
    kinds = [("codes", counts.codes), ("files", counts.files), ("steps", counts.steps)]
    # Where most findings have a code, their messages say the same again.
    if sum(counts.codes.values()) < 0.5 * sum(counts.severities.values()):
        kinds.insert(0, ("messages", counts.messages))
    for name, counter in kinds:
        if counter:
            told.append(f"{name} ({len(counter):,}): {_ranked(counter)}")
    told += limited(seen, source.size)
    return Described(told, counts.rare())


def _finding(line: bytes) -> _Finding | None:
    placed = _PLACED.match(line)
    if placed:
        severity = decode(placed[3] or b"finding").replace("fatal error", "error")
        return _Finding(severity, *_code(placed[4] or b"", placed[5]), placed[1])
    bare = _BARE.match(line) or _CODED.match(line)
    if bare:
        if (not bare[1] and not bare[2]) or _SUM.search(bare[3]):
            return None
        severity = decode(bare[1]) if bare[1] else "finding"
        return _Finding(severity, *_code((bare[2] or b"").rstrip(b":"), bare[3]))
    under = _UNDER.match(line)
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


def _ranked(counter: Counter[str]) -> str:
    items = sorted(counter.items(), key=lambda item: (-item[1], item[0]))
    return listed((f"{name} {n:,}" for name, n in items), len(items), 200, 90)
