"""Facts and a synopsis from bytes, the way the filter makes them: sampled, scanned, described."""

from collections.abc import Callable

import pytest

from stubcli import debug
from stubcli.detect import registry
from stubcli.detect.facts import KindFacts
from stubcli.detect.model import Sample, Scan, Synopsis
from stubcli.detect.reading import InMemory
from stubcli.detect.scan import Scanner
from stubcli.detect.words import synopsis_of

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


def raise_what_is_swallowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away the net that catches a kind that fails."""

    def swallowed(where: str, error: BaseException) -> None:
        raise AssertionError(where) from error

    monkeypatch.setattr(debug, "swallowed", swallowed)


def described(data: bytes | str, mime: str | None = None) -> KindFacts:
    data = data.encode() if isinstance(data, str) else data
    return registry.describe(sampled(data, mime), InMemory(data), scanned(data))


Summarise = Callable[..., Synopsis]
Describe = Callable[..., KindFacts]


@pytest.fixture
def describe(monkeypatch: pytest.MonkeyPatch) -> Describe:
    raise_what_is_swallowed(monkeypatch)
    return described


@pytest.fixture
def synopsis(describe: Describe) -> Summarise:
    def summarise(data: bytes | str, mime: str | None = None) -> Synopsis:
        return synopsis_of(describe(data, mime))

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
