"""Asks the kinds what a stream is; the one that has the most evidence, and whose reading agrees.

It never raises: a kind that fails is passed over, down to facts that only count. Kinds are the
folders that have a claim; it knows one by name, text, which is what everything is that no other
kind claims with a better score. Who is asked first decides nothing but what the answer costs.
"""

from collections.abc import Iterable, Iterator
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
    """What `claim` of a kind offers; it imports nothing that only reading needs.

    It may also have `quick`, which looks at little: where that claim is sure, nobody else is asked.
    """

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
    """The claims that hold, the best first; those that are sure before others are asked.

    Text is asked first: most of what is kept are logs, and where it is sure the others are not
    even loaded.
    """
    for kind in _asked():
        claim = _ask(kind, sample, quick=True)
        if claim.sure:
            yield kind, claim
    claims: dict[str, KindClaim] = {}
    for kind in _asked():
        claim = _ask(kind, sample)
        if claim.sure:
            yield kind, claim
        elif claim.holds:
            claims[kind] = claim
    yield from sorted(claims.items(), key=lambda one: (-one[1].score, one[0]))


def _asked() -> Iterable[str]:
    yield TEXT
    yield from (kind for kind in kinds() if kind != TEXT)


def _ask(kind: str, sample: Sample, *, quick: bool = False) -> KindClaim:
    # Recursion, memory, a bare ValueError of an integer with too many digits: whatever a parser
    # does with hostile input, the bytes are stored and the page is printed.
    try:
        module = _claim_module(kind)
        claim = getattr(module, "quick", _unasked)(sample) if quick else module.claim(sample)
    except Exception as error:
        debug.swallowed(f"detect: {kind}", error)
        return refused("it failed")
    if quick and not claim.sure:
        return claim
    vote = f"{claim.score:.2f} for {claim.kind}/{claim.form}" if claim.holds else "no"
    debug.note(f"detect: {kind}: {vote}: {claim.evidence}")
    return claim


def _unasked(_: Sample) -> KindClaim:
    return refused("it takes more than a quick look")


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
