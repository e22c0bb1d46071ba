"""Asks the kinds what a stream is; the first whose claim holds, and whose reading agrees, has it.

It never raises: a kind that fails is passed over, down to facts that only count. Kinds are the
folders that have a claim, in the order of their PRECEDENCE; it knows one by name, text, which is
what everything is that no other kind claims.
"""

from collections.abc import Iterator
from importlib import import_module
from typing import Protocol, cast

import stubcli.debug as debug
import stubcli.detect
from stubcli.detect.facts import KindFacts, bare
from stubcli.detect.model import ByteSource, KindClaim, NotableLine, Sample, Scan, refused
from stubcli.detect.words import fitted_notable
from stubcli.discover import packages

TEXT = "text"


class ClaimModule(Protocol):
    """What `claim` of a kind offers; it imports nothing that only reading needs."""

    PRECEDENCE: int

    def claim(self, sample: Sample) -> KindClaim: ...


class ReadModule(Protocol):
    """What `read` of a kind offers."""

    def read(
        self, claim: KindClaim, sample: Sample, source: ByteSource, scan: Scan
    ) -> KindFacts | None: ...


def describe(sample: Sample, source: ByteSource, scan: Scan) -> KindFacts:
    """The facts of a stream; bare counts where no kind has any."""
    for kind, claim in _claims(sample):
        facts = _read(kind, claim, sample, source, scan)
        if facts is not None:
            return facts.replace(notable=fitted_notable(facts.notable))
    return bare(sample.size, scan)


def kinds() -> tuple[str, ...]:
    """The folders that are kinds, by name."""
    return packages(stubcli.detect.__path__, having="claim")


def _claims(sample: Sample) -> Iterator[tuple[str, KindClaim]]:
    """The claims that hold, in the order in which they are believed.

    Text is asked first: most of what is kept are logs, and where it is sure the others are not
    even loaded.
    """
    text = _ask(TEXT, sample)
    if text.holds and text.sure:
        yield TEXT, text
    others = [(name, _precedence(name)) for name in kinds() if name != TEXT]
    for name, _ in sorted(others, key=lambda kind: (kind[1], kind[0])):
        claim = _ask(name, sample)
        if claim.holds:
            yield name, claim
    if text.holds and not text.sure:
        yield TEXT, text


def _precedence(kind: str) -> int:
    try:
        return _claim_module(kind).PRECEDENCE
    except Exception as error:
        debug.swallowed(f"detect: {kind}", error)
        return 0


def _ask(kind: str, sample: Sample) -> KindClaim:
    # Recursion, memory, a bare ValueError of an integer with too many digits: whatever a parser
    # does with hostile input, the bytes are stored and the page is printed.
    try:
        claim = _claim_module(kind).claim(sample)
    except Exception as error:
        debug.swallowed(f"detect: {kind}", error)
        return refused("it failed")
    vote = f"claims {claim.kind}/{claim.form}" if claim.holds else "no"
    debug.note(f"detect: {kind}: {vote}: {claim.evidence}")
    return claim


def _claim_module(kind: str) -> ClaimModule:
    return cast(ClaimModule, import_module(f"stubcli.detect.{kind}.claim"))


def _beside(claim: KindClaim, scan: Scan) -> tuple[NotableLine, ...]:
    """The lines that may decide in a stream of that kind: in a structure, words are data.

    A label is a key of YAML, and stands in a comment of code.
    """
    if claim.kind == "yaml":
        return ()
    if claim.kind == "code":
        return scan.spoken
    return scan.notable if claim.kind == TEXT or claim.form == "html" else scan.labelled


def _read(
    kind: str, claim: KindClaim, sample: Sample, source: ByteSource, scan: Scan
) -> KindFacts | None:
    try:
        module = cast(ReadModule, import_module(f"stubcli.detect.{kind}.read"))
        scan = scan.replace(notable=_beside(claim, scan))
        facts = module.read(claim, sample, source, scan)
    except Exception as error:
        debug.swallowed(f"detect: {kind}", error)
        return None
    debug.note(f"detect: {kind}: {'read as ' + facts.label if facts else 'no, once it was read'}")
    return facts
