"""Traces of calls: how often each was made and failed, with which error; the errors that hardly
ever come, what was looked for in many places and found in none, how processes ended.
"""

import re
from collections import Counter

from stubcli.detect.model import ByteSource, NotableLine, Scan
from stubcli.detect.notable.patterns import ERROR, WEAK
from stubcli.detect.reading import beginning
from stubcli.detect.text.call_lines import Call, call, ends_badly
from stubcli.detect.text.facts import FormFacts
from stubcli.detect.text.read import FormReading
from stubcli.detect.words import clip, counted, limited, listed
from stubcli.text.characters import decode
from stubcli.value import Value

NAME = "calls"
_LINE = 1000
_NAMES = 2000
_PATHS = 20_000
_SHOWN = 12
_SLOWEST = 3
# Errors of so few calls are rare, where there are many.
_RARE = 2
_RARE_SHARE = 0.002
_QUOTED = 6
_MISSED = 1
_ENDS = 4
# What is tried in the course of things: is it a terminal, has a child ended, is there more to read.
_USUAL = frozenset(
    b"EAGAIN EINTR ECHILD ENOTTY EEXIST ESPIPE ENODATA ENOSYS EOPNOTSUPP ENOEXEC ENOPROTOOPT "
    b"ERESTARTSYS".split()
)
# What is usual of calls that only look whether something is there.
_USUAL_OF_LOOKS = frozenset(b"ENOENT ENOTDIR EINVAL ENXIO".split())
_LOOKS = re.compile(
    rb"f?access|.*stat(?:x|at|fs)?(?:64)?$|open|readlink|exec|unlink|rmdir|l?getxattr|ioctl|prctl|rt_sig"
)
_ABSENT = frozenset((b"ENOENT", b"EACCES", b"EPERM", b"Err#2"))


class Errors(Value):
    """So many calls failed with `error`; of: which calls, the most frequent first."""

    error: str
    count: int
    of: tuple[tuple[str, int], ...]


class CallFacts(FormFacts):
    """names: of calls, the most frequent of name_count. errors: the most frequent first. slowest:
    lines, calls, seconds. missed: names that were looked for more than once and never found.
    """

    calls: int = 0
    failed: int = 0
    names: tuple[tuple[str, int], ...] = ()
    name_count: int = 0
    errors: tuple[Errors, ...] = ()
    slowest: tuple[tuple[int, str, str], ...] = ()
    missed: tuple[tuple[str, int], ...] = ()
    missed_count: int = 0
    processes: tuple[tuple[str, int], ...] = ()
    process_count: int = 0


FACTS = CallFacts


class _Sought:
    """A name that was looked for: in which folders in vain, and the last line of those."""

    def __init__(self) -> None:
        self.folders: set[bytes] = set()
        self.found = False
        self.last: NotableLine | None = None


class _Calls:
    def __init__(self) -> None:
        self.names: Counter[bytes] = Counter()
        self.errors: dict[bytes, Counter[bytes]] = {}
        self.processes: Counter[bytes] = Counter()
        self.slowest: list[tuple[float, int, bytes]] = []
        self.ends: list[NotableLine] = []
        self.told: set[int] = set()
        self._first: dict[tuple[bytes, bytes], NotableLine] = {}
        self._sought: dict[bytes, _Sought] = {}

    def line(self, number: int, line: bytes) -> None:
        found = call(line)
        if ends_badly(line):
            self.ends.append(NotableLine(number, decode(line[:199]), 0, ERROR))
        if found is None or (found.name not in self.names and len(self.names) >= _NAMES):
            return
        self.told.add(number)
        self.names[found.name] += 1
        if found.process in self.processes or len(self.processes) < _NAMES:
            self.processes[found.process] += 1
        if found.seconds >= 0:
            self.slowest.append((found.seconds, -number, found.name))
            if len(self.slowest) > 1000:
                self.slowest = sorted(self.slowest)[-_SLOWEST:]
        if found.error:
            self._failed(number, line, found)
        self._seek(number, line, found)

    def _failed(self, number: int, line: bytes, found: Call) -> None:
        self.errors.setdefault(found.error, Counter())[found.name] += 1
        looks = found.error in _USUAL_OF_LOOKS and _LOOKS.match(found.name)
        if found.error not in _USUAL and not looks:
            quoted = NotableLine(number, decode(line[:199]), 0, WEAK)
            self._first.setdefault((found.error, found.name), quoted)

    def _seek(self, number: int, line: bytes, found: Call) -> None:
        folder, slash, name = found.path.rpartition(b"/")
        if not slash or not name or (name not in self._sought and len(self._sought) >= _PATHS):
            return
        sought = self._sought.setdefault(name, _Sought())
        if found.error not in _ABSENT:
            sought.found = True
        elif not sought.found:
            sought.folders.add(folder)
            sought.last = NotableLine(number, decode(line[:199]), 0, WEAK)

    def missed(self) -> list[tuple[bytes, int, NotableLine]]:
        """Names that were looked for in several folders and found in none, the last ones first."""
        found = [
            (name, len(one.folders), one.last)
            for name, one in self._sought.items()
            if one.last is not None and not one.found and len(one.folders) > 1
        ]
        return sorted(found, key=lambda one: -one[2].number)

    def notable(self) -> tuple[NotableLine, ...]:
        """The rare errors, what was missed last, and how processes ended, the last ones."""
        most = max(_RARE, int(_RARE_SHARE * self.names.total()))
        counts = {(error, name): self.errors[error][name] for error, name in self._first}
        rare = sorted((of for of in counts if counts[of] <= most), key=lambda of: (counts[of], of))
        quoted = [self._first[of] for of in rare]
        missed = [line for _, _, line in self.missed()[:_MISSED]]
        chosen = [*quoted[:_QUOTED], *missed, *self.ends[-_ENDS:]]
        return tuple({line.number: line for line in sorted(chosen, key=_number)}.values())


def _number(line: NotableLine) -> int:
    return line.number


def read(source: ByteSource, scan: Scan) -> FormReading:
    begun = beginning(source)
    found = _Calls()
    for number, line in enumerate(begun.lines, 1):
        found.line(number, line[:_LINE].rstrip(b"\r"))
    facts = _facts(found, begun.seen, begun.size)
    return FormReading(facts, found.notable(), instead=True, told=frozenset(found.told))


def _facts(found: _Calls, seen: int, size: int) -> CallFacts:
    errors = sorted(found.errors.items(), key=lambda item: (-item[1].total(), item[0]))
    del found.processes[b""]
    slowest = sorted(found.slowest)[::-1][:_SLOWEST]
    missed = found.missed()
    return CallFacts(
        seen,
        size,
        found.names.total(),
        sum(of.total() for _, of in errors),
        _ranked(found.names),
        len(found.names),
        tuple(Errors(decode(error), of.total(), _ranked(of)) for error, of in errors[:_SHOWN]),
        tuple((-at, decode(name), f"{seconds:.6f}") for seconds, at, name in slowest),
        tuple((clip(decode(name), 60), count) for name, count, _ in missed[:_SHOWN]),
        len(missed),
        _ranked(found.processes),
        len(found.processes),
    )


def _ranked(counter: Counter[bytes]) -> tuple[tuple[str, int], ...]:
    ranked = sorted(counter.items(), key=lambda item: (-item[1], item[0]))[:_SHOWN]
    return tuple((clip(decode(name), 60), count) for name, count in ranked)


def words(facts: CallFacts) -> list[str]:
    said = [f"{counted(facts.calls, 'call')}, {facts.failed:,} failed"]
    if facts.process_count > 1:
        names = (f"{name} {count:,}" for name, count in facts.processes)
        said.append(
            f"calls of {facts.process_count:,} processes: {listed(names, facts.process_count, 140)}"
        )
    names = (f"{name} {count:,}" for name, count in facts.names)
    said.append(f"calls by name ({facts.name_count:,}): {listed(names, facts.name_count, 200)}")
    if facts.errors:
        said.append("failed with:")
        said += [f"  {_error(one)}" for one in facts.errors]
    if facts.missed:
        missed = (f"{name} (in {counted(count, 'folder')})" for name, count in facts.missed)
        shown = listed(missed, facts.missed_count, 200)
        said.append(f"looked for and not found, the last first: {shown}")
    if facts.slowest:
        slow = (f"{name} {seconds} s (line {line:,})" for line, name, seconds in facts.slowest)
        said.append(f"slowest: {', '.join(slow)}")
    return [*said, *limited(facts.seen, facts.size)]


def _error(one: Errors) -> str:
    of = (f"{name} {count:,}" for name, count in one.of)
    return f"{one.error} {one.count:,}: {listed(of, len(one.of), 100)}"
