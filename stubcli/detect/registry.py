"""Asks the kinds in order what a stream is; the first whose claim holds describes it.

It never raises: a kind that fails is passed over, down to a synopsis that only counts. It knows
the names of the kinds and nothing of how they decide.
"""

from importlib import import_module
from typing import Protocol, cast

from stubcli.detect.brief import fitted
from stubcli.detect.model import Claim, Sample, Scan, Source, Synopsis

# Binary before all; what opens with its own mark before what only looks alike; a log is no table.
KINDS = (
    ("unknown", "unknownkind"),
    ("json", "jsonkind"),
    ("xml", "xmlkind"),
    ("csv", "tablekind"),
    ("yaml", "yamlkind"),
    ("code", "codekind"),
    ("text", "textkind"),
)


class Kind(Protocol):
    """What a module in kinds/ offers."""

    def detect(self, sample: Sample) -> Claim | None: ...

    def summarise(
        self, claim: Claim, sample: Sample, source: Source, scan: Scan
    ) -> Synopsis | None: ...


def summarise(sample: Sample, source: Source, scan: Scan) -> Synopsis:
    """The synopsis of a stream; kind text with bare counts where nothing else worked."""
    for _, module in KINDS:
        found = _ask(module, sample, source, scan)
        if found is not None:
            return fitted(found)
    summary = (f"{sample.size:,} bytes, {scan.characters:,} characters, {scan.lines:,} lines",)
    return fitted(Synopsis("text", "plain", summary, notable=scan.notable))


def _ask(module: str, sample: Sample, source: Source, scan: Scan) -> Synopsis | None:
    # Recursion, memory, a bare ValueError of an integer with too many digits: whatever a parser
    # does with hostile input, the bytes are stored and the page is printed.
    try:
        kind = cast(Kind, import_module(f"stubcli.detect.kinds.{module}"))
        claim = kind.detect(sample)
        return None if claim is None else kind.summarise(claim, sample, source, scan)
    except Exception:
        return None
