"""The stub of a finished stream: sample it, describe it, lay it out within its limits."""

from typing import TYPE_CHECKING

from stubcli.detect import registry
from stubcli.detect.facts import KindFacts, load
from stubcli.detect.model import ByteSource, Sample, Scan, Synopsis
from stubcli.detect.words import synopsis_of
from stubcli.reference import Reference
from stubcli.render.model import Facts, Limits
from stubcli.render.stub_json import render_json
from stubcli.render.stub_text import render_text
from stubcli.settings.table import SMALLEST_BUDGET, Settings
from stubcli.spill.stream import EDGE, Tally
from stubcli.store.measure import Measured
from stubcli.store.records import Origin

if TYPE_CHECKING:
    from stubcli.store.artifact import Artifact

_SLICE = 16 << 10
# What says itself where it ends.
_CLOSED = ("json/document", "xml/document", "xml/html", "xml/junit")
_WORDS = 64
_NAMES = 4096


def take_sample(source: ByteSource, head: bytes, tail: bytes, origin: Origin) -> Sample:
    """Head, tail and three slices from between them, which is all that detection looks at; and
    what the caller says of them.
    """
    middle: tuple[bytes, ...] = ()
    if source.size > 4 * EDGE:
        quarters = (source.size // 4 * part for part in (1, 2, 3))
        middle = tuple(source.read_at(offset, _SLICE) for offset in quarters)
    # A shell is given a whole command in one argument.
    words = " ".join((*origin.argv[:_WORDS], origin.tool or ""))[:_NAMES].split()
    return Sample(head, middle, tail, source.size, origin.mime, tuple(words))


def describe(source: ByteSource, head: bytes, tail: bytes, origin: Origin, scan: Scan) -> KindFacts:
    """What is known of what `source` holds."""
    return registry.describe(take_sample(source, head, tail, origin), source, scan)


def facts_of(artifact: "Artifact") -> KindFacts:
    """What the record says of the contents; where it says nothing, what the bytes say now.

    An artifact that was adopted after a crash has no facts, and one of another version has none
    that can be read. Raises IntegrityError.
    """
    if found := load(artifact.record.facts):
        return found
    tally = Tally()
    for _, data in artifact.blocks():
        tally.add(data)
    _, scan = tally.finish()
    return describe(artifact, tally.head, tally.tail, artifact.run.origin, scan)


def _with_end(synopsis: Synopsis, lines: int, tail: bytes) -> Synopsis:
    """The synopsis, and that the last of several lines is an open one, where it is."""
    open_end = bool(tail) and not tail.endswith((b"\n", b"\n\0"))
    if lines < 2 or not open_end or synopsis.kind == "unknown" or synopsis.label in _CLOSED:
        return synopsis
    return synopsis.replace(summary=(*synopsis.summary, "no LF at the end of the last line"))


def limits_for(settings: Settings, below: tuple[int, int] | None) -> Limits:
    """The budget of a stub: no longer than asked, than the threshold, than its input."""
    budget = max(SMALLEST_BUDGET, min(settings.budget, settings.threshold.scaled))
    return Limits(budget, settings.head, settings.tail, below)


def render(
    settings: Settings,
    measured: Measured,
    facts: KindFacts,
    origin: Origin,
    edges: tuple[bytes, bytes],
    *,
    reference: Reference | None,
    path: str | None = None,
    state: str,
    dropped: int = 0,
    notice: str = "",
    reason: str = "single_threshold",
) -> str | None:
    """The stub as text or JSON, as the settings ask; None where none is short enough."""
    page = Facts(
        reference=reference,
        path=path,
        sha256=measured.sha256,
        size=measured.size,
        characters=measured.characters,
        lines=measured.lines,
        tool=origin.tool,
        exit_status=origin.exit_status,
        signal=origin.signal,
        reason=reason,
        state=state,
        dropped=dropped,
        synopsis=_with_end(synopsis_of(facts), measured.lines, edges[1]),
        head=edges[0],
        tail=edges[1],
        where=settings.where,
        notice=notice,
    )
    below = (measured.characters + dropped, measured.size + dropped)
    limits = limits_for(settings, below)
    return render_json(page, limits) if settings.format == "json" else render_text(page, limits)
