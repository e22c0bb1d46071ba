"""The words of a page, made from facts. The only way from facts to prose, and none leads back.

It knows how long words may be, and asks the kind for its own.
"""

from importlib import import_module
from typing import Protocol, cast

from stubcli import debug
from stubcli.detect.brief import counted, fitted
from stubcli.detect.facts import BareFacts, KindFacts
from stubcli.detect.model import Synopsis


class Words(Protocol):
    """What the module `words` of a kind offers: lines, the most important first."""

    def summary(self, facts: KindFacts) -> list[str]: ...

    def structure(self, facts: KindFacts) -> list[str]: ...


def synopsis_of(facts: KindFacts) -> Synopsis:
    """The synopsis within its bounds; where its words fail, the label and the notable lines."""
    try:
        summary, structure = _lines(facts)
    except Exception as error:
        debug.swallowed(f"words of {facts.label}", error)
        summary, structure = [], []
    return fitted(
        Synopsis(
            facts.kind,
            facts.form,
            tuple(summary),
            tuple(structure),
            facts.notable,
            facts.encoding,
            facts.columns(),
        )
    )


def _lines(facts: KindFacts) -> tuple[list[str], list[str]]:
    if isinstance(facts, BareFacts):
        measures = (
            f"{facts.size:,} bytes",
            counted(facts.characters, "character"),
            counted(facts.lines, "line"),
        )
        return [", ".join(measures)], []
    words = cast(Words, import_module(f"stubcli.detect.{facts.detector}.words"))
    return words.summary(facts), words.structure(facts)
