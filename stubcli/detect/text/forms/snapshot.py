"""The accessibility tree of a page: roles counted, headings in order, what can be pressed or filled
in, and what is an alert.
"""

from collections import Counter

from stubcli.detect.model import ByteSource, NotableLine, Scan
from stubcli.detect.reading import plain_lines, reach
from stubcli.detect.text.facts import FormFacts, Heading
from stubcli.detect.text.read import FormReading
from stubcli.detect.text.snapshot_lines import INTERACTIVE, role_of
from stubcli.detect.words import clip, counted, limited, listed
from stubcli.text.characters import decode

NAME = "snapshot"
_LIMIT = 8 * 1024 * 1024
_HEADINGS = 20
_NAMED = 60
_ALERTS = 6
_ALERTING = frozenset((b"alert", b"dialog", b"status", b"alertdialog"))
# Links are many, and hardly what a page is operated by.
_ASIDE = b"link"


class SnapshotFacts(FormFacts):
    """roles: with their nodes, the most first. headings, controls: the first of them, with their
    lines; controls: what is operated, but for links.
    """

    nodes: int = 0
    roles: tuple[tuple[str, int], ...] = ()
    headings: tuple[Heading, ...] = ()
    heading_count: int = 0
    controls: tuple[Heading, ...] = ()
    control_count: int = 0
    links: int = 0


FACTS = SnapshotFacts


class _Nodes:
    def __init__(self) -> None:
        self.roles: Counter[bytes] = Counter()
        self.headings: list[Heading] = []
        self.controls: list[Heading] = []
        self.control_count = 0
        self.alerts: list[NotableLine] = []

    def line(self, number: int, line: bytes) -> None:
        match = role_of(line)
        if match is None:
            return
        role = match[2].lower()
        self.roles[role] += 1
        name = (match[3] or b"").strip(b"\"'") or (match[6] or b"").strip()
        if role == b"heading" and len(self.headings) < _HEADINGS:
            self.headings.append(Heading(number, clip(decode(name or b"(no name)"), 100)))
        elif role in INTERACTIVE and role != _ASIDE:
            self.control_count += 1
            if len(self.controls) < _NAMED:
                marks = b" " + match[4].strip() if match[4] else b""
                self.controls.append(Heading(number, clip(decode(role + b" " + name + marks), 90)))
        elif role in _ALERTING and len(self.alerts) < _ALERTS:
            self.alerts.append(NotableLine(number, decode(line[:190]).strip()))


def read(source: ByteSource, scan: Scan) -> FormReading:
    nodes = _Nodes()
    seen = reach(source, _LIMIT)
    for number, line in enumerate(plain_lines(source, seen), 1):
        nodes.line(number, line.rstrip(b"\r"))
    ranked = sorted(nodes.roles.items(), key=lambda item: (-item[1], item[0]))
    facts = SnapshotFacts(
        seen,
        source.size,
        nodes.roles.total(),
        tuple((decode(role), number) for role, number in ranked),
        tuple(nodes.headings),
        nodes.roles[b"heading"],
        tuple(nodes.controls),
        nodes.control_count,
        nodes.roles[_ASIDE],
    )
    found = {line.number: line for line in (*scan.notable, *nodes.alerts)}
    return FormReading(facts, tuple(found[number] for number in sorted(found)), instead=True)


def words(facts: SnapshotFacts) -> list[str]:
    roles = (f"{role} {number:,}" for role, number in facts.roles)
    said = [f"{counted(facts.nodes, 'node')}: {listed(roles, len(facts.roles), 260, 40)}"]
    said += limited(facts.seen, facts.size)
    if facts.headings:
        more = len(facts.headings) < facts.heading_count
        first = f", the first {len(facts.headings):,}" if more else ""
        said.append(f"{counted(facts.heading_count, 'heading')}{first}:")
        said += [f"  {one.line:,}: {one.text}" for one in facts.headings]
    if facts.controls:
        said.append(
            f"{counted(facts.control_count, 'control')} and {counted(facts.links, 'link')}:"
        )
        names = [f"{one.line:,}: {one.text}" for one in facts.controls]
        for at in range(0, len(names), 5):
            said.append("  " + " · ".join(names[at : at + 5]))
        said += _unnamed(facts)
    return said


def _unnamed(facts: SnapshotFacts) -> list[str]:
    left = facts.control_count - len(facts.controls)
    return [f"  +{left:,} more"] if left > 0 else []
