"""Tracebacks and dumps of stacks. Those that are equal are counted together; what hardly another
has is quoted: what names the stack, and the frames that few others hold, the application's own
ones first.
"""

import re
from collections import Counter

from stubcli.detect.model import ByteSource, NotableLine, Scan
from stubcli.detect.notable.patterns import WEAK
from stubcli.detect.notable.stack_lines import Frame, called, frame, names_a_thread
from stubcli.detect.reading import beginning
from stubcli.detect.text.facts import FormFacts
from stubcli.detect.text.read import FormReading, joined
from stubcli.detect.text.tool_signs import TRACED
from stubcli.detect.words import clip, counted, limited
from stubcli.text.characters import decode
from stubcli.value import Value

NAME = "traceback"
_LINE = 400
_GROUPS = 500
_MEMBERS = 4
_DEPTH = 64
# Equal stacks are a bulk where so many of them are, and this share of all; beside it, fewer than
# this share of it are odd.
_BULK = 4
_BULK_SHARE = 0.25
_ODD_SHARE = 0.1
_ODD = 5
_SHOWN = 12
_TELLING = 4
# Of an odd stack, so many frames are quoted.
_QUOTED = 2
# What valgrind writes before each line.
_CHECKED = re.compile(rb"==\d+==[ ]?")
_ADDRESS = re.compile(rb"0x[0-9a-f]{6,}")


class StackGroup(Value):
    """count: equal stacks; the first is named in line `line`. names: its telling frames."""

    count: int
    line: int
    head: str
    names: tuple[str, ...]


class TracebackFacts(FormFacts):
    """threads: of the stacks, those that a thread is named over. groups: of equal stacks, the
    largest first, of `group_count`.
    """

    VERSION = 2
    tracebacks: int = 0
    frames: int = 0
    stacks: int = 0
    threads: int = 0
    groups: tuple[StackGroup, ...] = ()
    group_count: int = 0


FACTS = TracebackFacts
Line = tuple[int, bytes]
_NOTHING: Line = (0, b"")


class _Stack:
    """One stack: the line that names it, its frames with their lines."""

    def __init__(self, head: Line) -> None:
        self.head = head
        self.frames: list[Frame] = []
        self.lines: list[Line] = []
        self.addresses: set[bytes] = set()

    def add(self, found: Frame, line: Line) -> None:
        if len(self.frames) < _DEPTH:
            self.frames.append(found)
            self.lines.append(line)

    @property
    def names(self) -> tuple[bytes, ...]:
        return tuple(found.name for found in self.frames)


class _Stacks:
    """Takes lines in their order; knows which stacks are equal."""

    def __init__(self) -> None:
        self.groups: dict[tuple[bytes, ...], list[_Stack]] = {}
        self.counts: Counter[tuple[bytes, ...]] = Counter()
        # In how many stacks a function stands.
        self.common: Counter[bytes] = Counter()
        self.frames = self.threads = self.begins = 0
        self.inside: set[int] = set()
        self._stack: _Stack | None = None
        self._head: Line = _NOTHING
        self._above = b""

    def line(self, number: int, line: bytes) -> None:
        line = _CHECKED.sub(b"", line)
        found = frame(line[:_LINE]) if line else None
        self.begins += bool(TRACED.search(line[:200]))
        if found is not None:
            self._frame(found, number, line)
        elif self._stack is not None and not self._belongs(line):
            self.close()
        if self._stack is not None:
            self.inside.add(number)
            self.inside.add(self._stack.head[0])
        elif line.strip():
            # What stands first in a paragraph names the stack below it.
            self._head = self._head if self._head[0] else (number, line)
        else:
            self._head = _NOTHING
        self._above = line

    def _frame(self, found: Frame, number: int, line: bytes) -> None:
        if found.below:
            found = found._replace(name=called(self._above) or found.name)
        self.frames += 1
        stack = self._stack
        again = stack is not None and 0 <= found.number <= stack.frames[-1].number
        if stack is None or again:
            head = self._head
            self.close()
            stack = self._stack = _Stack(head)
        stack.add(found, (number, line))

    def _belongs(self, line: bytes) -> bool:
        """Whether the line goes with the frames around it: values, locks, a line of the source."""
        if self._stack is None or not line.strip():
            return False
        numbered = self._stack.frames[-1].number >= 0
        return line[:1] in b" \t" or (numbered and not names_a_thread(line)) or line[-1:] == b")"

    def close(self) -> None:
        stack, self._stack = self._stack, None
        self._head = _NOTHING
        if stack is None:
            return
        names = stack.names
        self.threads += names_a_thread(stack.head[1])
        self.common.update(set(names))
        if names in self.groups or len(self.groups) < _GROUPS:
            self.counts[names] += 1
            members = self.groups.setdefault(names, [])
            if len(members) < _MEMBERS:
                members.append(stack)

    def telling(self, stack: _Stack, most: int) -> list[int]:
        """Of the frames, those that say most, as they stand: own ones, that few stacks have."""
        total = sum(self.counts.values())
        own = [at for at, one in enumerate(stack.frames) if one.own]
        ranked = sorted(
            own or range(len(stack.frames)),
            key=lambda at: (
                2 * self.common[stack.frames[at].name] > total > 1,
                self.common[stack.frames[at].name],
                at,
            ),
        )
        chosen: dict[bytes, int] = {}
        for at in ranked:
            chosen.setdefault(stack.frames[at].name, at)
        return sorted(list(chosen.values())[:most])

    def notable(self) -> tuple[NotableLine, ...]:
        """The odd stacks, where the others have a bulk."""
        total, most = sum(self.counts.values()), max(self.counts.values(), default=0)
        if most < max(_BULK, _BULK_SHARE * total):
            return ()
        least = max(1, _ODD_SHARE * most)
        odd = [names for names, count in self.counts.items() if count <= least]
        found: dict[int, NotableLine] = {}
        ranked = sorted(odd, key=self._rank)[:_ODD]
        for names in ranked:
            stack = self._closest(names, ranked)
            quoted = [stack.lines[at] for at in self.telling(stack, _QUOTED)]
            for number, text in (stack.head, *quoted):
                if number:
                    found[number] = NotableLine(number, decode(text[:199]).rstrip(), 0, WEAK)
        return tuple(found[number] for number in sorted(found))

    def _rank(self, names: tuple[bytes, ...]) -> tuple[int, int, int]:
        """Stacks with frames of the application's own first, that fewest others have."""
        stack = self.groups[names][0]
        own = [self.common[one.name] for one in stack.frames if one.own]
        return min(own, default=1 << 30), self.counts[names], stack.head[0]

    def _closest(self, names: tuple[bytes, ...], odd: list[tuple[bytes, ...]]) -> _Stack:
        """Of equal stacks, the one that has most addresses in common with other odd ones."""
        others: set[bytes] = set()
        for other in odd:
            if other != names:
                others.update(*(_addresses(stack) for stack in self.groups[other]))
        return max(self.groups[names], key=lambda one: len(_addresses(one) & others))

    def facts(self, seen: int, size: int) -> TracebackFacts:
        ranked = self.counts.most_common(_SHOWN)
        return TracebackFacts(
            seen,
            size,
            self.begins,
            self.frames,
            sum(self.counts.values()),
            self.threads,
            tuple(self._group(names, count) for names, count in ranked),
            len(self.counts),
        )

    def _group(self, names: tuple[bytes, ...], count: int) -> StackGroup:
        stack = self.groups[names][0]
        telling = (decode(stack.frames[at].name) for at in self.telling(stack, _TELLING))
        number, head = stack.head
        return StackGroup(count, number, clip(decode(head), 60), tuple(map(_short, telling)))


def _addresses(stack: _Stack) -> frozenset[bytes]:
    return frozenset(one for _, line in stack.lines for one in _ADDRESS.findall(line[:_LINE]))


def _short(name: str) -> str:
    """The function with the last part of what it stands in."""
    last = name.rpartition("/")[2]
    return clip(".".join((last if last[:1].isalpha() else name).split(".")[-2:]), 50)


def read(source: ByteSource, scan: Scan) -> FormReading:
    begun = beginning(source)
    found = _Stacks()
    for number, line in enumerate(begun.lines, 1):
        found.line(number, line.rstrip(b"\r"))
    found.close()
    notable = joined(scan.notable, found.notable())
    facts = found.facts(begun.seen, begun.size)
    return FormReading(facts, notable, instead=True, told=frozenset(found.inside))


def words(facts: TracebackFacts) -> list[str]:
    said = f"{counted(facts.frames, 'frame')} in {counted(facts.stacks, 'stack')}"
    if facts.tracebacks:
        said = f"{counted(facts.tracebacks, 'traceback')}, {said}"
    if 2 * facts.threads > facts.stacks:
        said += f" of {counted(facts.threads, 'thread')}"
    if facts.group_count < facts.stacks:
        said += f", {facts.group_count:,} different:"
    lines = [said]
    if facts.group_count < facts.stacks:
        lines += [f"  {_group(one)}" for one in facts.groups]
        if facts.group_count > len(facts.groups):
            lines.append(f"  +{facts.group_count - len(facts.groups):,} more")
    return [*lines, *limited(facts.seen, facts.size)]


def _group(one: StackGroup) -> str:
    return f"{one.count:,} × {' < '.join(one.names)} ({one.line:,}: {one.head})"
