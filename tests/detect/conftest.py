"""A synopsis from bytes, the way the filter makes one: sampled, scanned in pieces, summarised."""

from collections.abc import Callable
from importlib import import_module

import pytest

from stubcli.detect import registry
from stubcli.detect.model import Sample, Scan, Source, Synopsis
from stubcli.detect.reading import Held
from stubcli.detect.scan import Scanner

SAMPLED = 64 * 1024


def sampled(data: bytes, mime: str | None = None) -> Sample:
    middle: list[bytes] = []
    gap = len(data) - 2 * SAMPLED
    if gap > 0:
        starts = (SAMPLED + gap * part // 4 for part in (1, 2, 3))
        middle = [data[start : start + min(16384, gap // 4)] for start in starts]
    return Sample(data[:SAMPLED], tuple(middle), data[-SAMPLED:], len(data), mime)


def scanned(data: bytes, piece: int = 1 << 20) -> Scan:
    scanner = Scanner()
    for start in range(0, len(data), piece):
        scanner.feed(data[start : start + piece])
    return scanner.finish()


def ask_and_raise(module: str, sample: Sample, source: Source, scan: Scan) -> Synopsis | None:
    """What the registry does, without the net that catches a kind that fails."""
    kind = import_module(f"stubcli.detect.kinds.{module}")
    claim = kind.detect(sample)
    found: Synopsis | None = None
    if claim is not None:
        found = kind.summarise(claim, sample, source, scan)
    return found


Summarise = Callable[..., Synopsis]


@pytest.fixture
def synopsis(monkeypatch: pytest.MonkeyPatch) -> Summarise:
    monkeypatch.setattr(registry, "_ask", ask_and_raise)

    def summarise(data: bytes | str, mime: str | None = None) -> Synopsis:
        data = data.encode() if isinstance(data, str) else data
        return registry.summarise(sampled(data, mime), Held(data), scanned(data))

    return summarise


@pytest.fixture
def scan() -> Callable[..., Scan]:
    def scan_of(data: bytes | str, piece: int = 1 << 20) -> Scan:
        return scanned(data.encode() if isinstance(data, str) else data, piece)

    return scan_of


def everything(found: Synopsis) -> str:
    """All that would be shown, in one string."""
    notable = [f"{line.number}: {line.text} {line.folded}" for line in found.notable]
    return "\n".join([found.label, *found.summary, *found.structure, *notable])


@pytest.fixture(name="everything")
def everything_fixture() -> Callable[[Synopsis], str]:
    return everything
