"""The stub of a finished stream: sample it, summarise it, lay it out within its limits."""

from stubcli.detect.model import Sample, Scan, Source, Synopsis
from stubcli.detect.registry import summarise
from stubcli.reference import Reference
from stubcli.render.model import Facts, Limits
from stubcli.render.stub_json import render_json
from stubcli.render.stub_text import render_text
from stubcli.settings.table import SMALLEST_BUDGET, Settings
from stubcli.spill.tally import EDGE
from stubcli.store.measure import Measured
from stubcli.store.records import Origin

_SLICE = 16 << 10


def take_sample(source: Source, head: bytes, tail: bytes, mime: str | None) -> Sample:
    """Head, tail and three slices from between them, which is all that detection looks at."""
    middle: tuple[bytes, ...] = ()
    if source.size > 4 * EDGE:
        quarters = (source.size // 4 * part for part in (1, 2, 3))
        middle = tuple(source.read_at(offset, _SLICE) for offset in quarters)
    return Sample(head, middle, tail, source.size, mime)


def describe(source: Source, head: bytes, tail: bytes, mime: str | None, scan: Scan) -> Synopsis:
    """The synopsis of what `source` holds."""
    return summarise(take_sample(source, head, tail, mime), source, scan)


def limits_for(settings: Settings, below: tuple[int, int] | None) -> Limits:
    """The budget of a stub: no longer than asked, than the threshold, than its input."""
    budget = max(SMALLEST_BUDGET, min(settings.budget, settings.threshold.scaled))
    return Limits(budget, settings.head, settings.tail, below)


def render(
    settings: Settings,
    measured: Measured,
    synopsis: Synopsis,
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
    facts = Facts(
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
        synopsis=synopsis,
        head=edges[0],
        tail=edges[1],
        where=settings.where,
        notice=notice,
    )
    below = (measured.characters + dropped, measured.size + dropped)
    limits = limits_for(settings, below)
    return render_json(facts, limits) if settings.format == "json" else render_text(facts, limits)
