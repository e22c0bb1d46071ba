"""Trees that are drawn with branches: what depends on what, what contains what. The roots, what
they have directly, what is marked, and what one of several roots alone has.
"""

import re
from collections import Counter
from collections.abc import Iterator

from stubcli.detect.model import ByteSource, NotableLine, Scan
from stubcli.detect.reading import plain_lines, reach
from stubcli.detect.text.facts import FormFacts
from stubcli.detect.text.read import FormReading
from stubcli.detect.text.tree_lines import bare, branch
from stubcli.detect.words import clip, counted, limited, listed
from stubcli.value import Value

NAME = "tree"
_LIMIT = 8 * 1024 * 1024
_ROOTS = 24
_DIRECT = 40
_NAMES = 50_000
_MARKS = 8
_ALONE = 6
_OTHERS = 5000
# Among so many roots, what one alone has is told.
_AMONG = 4
_SEVERAL = 3
_MARK = re.compile(r"(?:[(\[]([^()\[\]]{1,40})[)\]]|\b([A-Z]{4,20}|invalid|extraneous|missing))$")
# A name ends where its version begins.
_VERSION = re.compile(r"(?: v?|@|:|==|-(?=\d+\.\d))\d[\w.+-]*.*$")
_CHANGED = " -> "


class TreeRoot(Value):
    """direct: so many branches begin at it, of `nodes` in all."""

    line: int
    text: str
    direct: int
    nodes: int


class TreeMark(Value):
    """What so many nodes are marked with, and the first of them."""

    text: str
    count: int
    line: int
    node: str


class TreeFacts(FormFacts):
    """roots: the first of root_count. direct: what begins at roots, with how often, of
    direct_count. changed: nodes that are another version than was asked for. alone: nodes of one
    root only, each with that root.
    """

    roots: tuple[TreeRoot, ...] = ()
    root_count: int = 0
    nodes: int = 0
    names: int = 0
    depth: int = 0
    direct: tuple[tuple[str, int], ...] = ()
    direct_count: int = 0
    marks: tuple[TreeMark, ...] = ()
    changed: int = 0
    alone: tuple[tuple[int, str, str], ...] = ()
    alone_count: int = 0


FACTS = TreeFacts


def read(source: ByteSource, scan: Scan) -> FormReading:
    found = _TreeWalk()
    seen = reach(source, _LIMIT)
    for number, line in enumerate(plain_lines(source, seen), 1):
        found.line(number, bare(line))
    direct = found.direct.most_common()
    alone = list(found.alone())
    facts = TreeFacts(
        seen,
        source.size,
        tuple(TreeRoot(line, clip(text, 100), *counts) for line, text, *counts in found.roots),
        found.root_count,
        found.nodes,
        len(found.owners),
        found.depth(),
        tuple((clip(name, 80), times) for name, times in direct[:_DIRECT]),
        len(direct),
        tuple(found.marked()),
        found.changed,
        tuple(alone[:_ALONE]),
        len(alone),
    )
    # What is marked is told with its number.
    notable = tuple(line for line in scan.notable if line.number not in found.lines_marked)
    others = frozenset(found.others)
    return FormReading(facts, _few(notable, found.nodes), instead=True, others=others)


def _few(lines: tuple[NotableLine, ...], nodes: int) -> tuple[NotableLine, ...]:
    return tuple(line for line in lines if 3 * (line.folded + 1) <= nodes)


class _TreeWalk:
    def __init__(self) -> None:
        self.roots: list[tuple[int, str, int, int]] = []
        self.root_count = self.nodes = self.changed = 0
        self.direct: Counter[str] = Counter()
        self.marks: dict[str, TreeMark] = {}
        self.lines_marked: set[int] = set()
        # By name, how many roots have it, the last of them, and where it is first.
        self.owners: dict[str, tuple[int, int, int, str, str]] = {}
        self._above: tuple[int, str] = (0, "")
        self._own = ""
        self.others: list[int] = []
        self._rails: Counter[int] = Counter()
        self._root: list[int] = [0, 0]

    def line(self, number: int, text: str) -> None:
        found = branch(text)
        if found is None:
            if text.strip():
                self._above = (number, text.strip())
                self.others.append(number)
                del self.others[_OTHERS:]
            return
        if self._above[0]:
            self._begin()
        self.nodes += 1
        self._rails[found.rails] += 1
        self._root[1] += 1
        if not found.rails:
            self._root[0] += 1
            self.direct[found.node] += 1
        if self.root_count <= _ROOTS and self.roots:
            line, name, _, _ = self.roots[-1]
            self.roots[-1] = (line, name, self._root[0], self._root[1])
        self._node(number, found.node)

    def _begin(self) -> None:
        """A branch follows a line that is none: that is its root."""
        self.root_count += 1
        self._root = [0, 0]
        if self.root_count <= _ROOTS:
            self.roots.append((*self._above, 0, 0))
        self._own = self._above[1]
        self._above = (0, "")

    def _node(self, number: int, node: str) -> None:
        self.changed += _CHANGED in node
        mark = _MARK.search(node)
        if mark:
            said = mark[1] or mark[2]
            known = self.marks.get(said)
            if known is not None:
                self.marks[said] = known.replace(count=known.count + 1)
            elif len(self.marks) < 4 * _MARKS:
                self.marks[said] = TreeMark(said, 1, number, clip(node, 100))
                self.lines_marked.add(number)
        name = _VERSION.sub("", node.split(_CHANGED)[0])
        known_name = self.owners.get(name)
        if known_name is None:
            if len(self.owners) < _NAMES:
                owner = clip(self._own, 60)
                self.owners[name] = (1, self.root_count, number, clip(node, 80), owner)
        elif known_name[1] != self.root_count:
            self.owners[name] = (known_name[0] + 1, self.root_count, *known_name[2:])

    def depth(self) -> int:
        """How many different depths there are: branches of one depth begin at one place."""
        return len(self._rails)

    def marked(self) -> list[TreeMark]:
        """The rarest first: what most nodes are marked with says least."""
        return sorted(self.marks.values(), key=lambda one: (one.count, one.line))[:_MARKS]

    def alone(self) -> Iterator[tuple[int, str, str]]:
        """What one root alone has, where there are several and most have most."""
        if self.root_count < _AMONG:
            return
        lone = [one for one in self.owners.values() if one[0] == 1]
        if _SEVERAL * len(lone) <= len(self.owners):
            for _, _, number, node, own in lone:
                yield number, node, own


def words(facts: TreeFacts) -> list[str]:
    said = [
        f"{counted(facts.nodes, 'node')} of {facts.names:,} names, {facts.depth:,} deep,"
        f" below {counted(facts.root_count, 'root')}"
    ]
    for root in facts.roots[:_ROOTS]:
        said.append(f"  {root.line:,}: {root.text}: {root.direct:,} direct, {root.nodes:,} in all")
    if facts.direct:
        several = facts.root_count > 1
        direct = (f"{name} {times:,}" if several else name for name, times in facts.direct)
        said.append("direct" + (", so many times: " if several else ": "))
        said[-1] += listed(direct, facts.direct_count, 600, 80)
    if facts.changed:
        said.append(f"{counted(facts.changed, 'node')} of another version than was asked for")
    for mark in facts.marks:
        said.append(f"marked {mark.text}: {mark.count:,}, first {mark.line:,}: {mark.node}")
    if facts.alone:
        said.append(f"below one root alone ({facts.alone_count:,}):")
        said += [f"  {line:,}: {node} (of {own})" for line, node, own in facts.alone]
    return [*said, *limited(facts.seen, facts.size)]
