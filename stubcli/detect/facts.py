"""What a kind found, as a value that is stored and read back; nothing is read out of words.

Which class holds the facts is the kind's own: the name of its folder stands in the document.
"""

from importlib import import_module
from typing import Any, ClassVar, cast

import stubcli.debug as debug
from stubcli.detect.model import NotableLine, Scan
from stubcli.value import Value


class KindFacts(Value, kw_only=True):
    """What every kind says of a stream.

    kind and form: as they are shown (csv, comma). notable: the lines that decide, in line order.
    encoding: utf-8, utf-16-le or utf-16-be. A subclass raises VERSION when its fields change.
    """

    VERSION: ClassVar[int] = 1
    kind: str
    form: str
    notable: tuple[NotableLine, ...] = ()
    encoding: str = "utf-8"

    @property
    def label(self) -> str:
        return f"{self.kind}/{self.form}" if self.form else self.kind

    @property
    def detector(self) -> str:
        """The folder of the kind whose facts these are."""
        return type(self).__module__.split(".")[2]

    def rows(self) -> int | None:
        """How many rows a query finds; None where that is not known, or there are none to find."""
        return None

    def columns(self) -> tuple[str, ...] | None:
        """Names by which a query finds a value in each record; None where there are no rows."""
        return None


class BareFacts(KindFacts, kw_only=True):
    """How much there is, where nothing else could be said."""

    size: int
    characters: int
    lines: int

    @property
    def detector(self) -> str:
        return ""


def bare(size: int, scan: Scan, form: str = "plain") -> BareFacts:
    """The facts of a stream that no kind described."""
    return BareFacts(
        kind="text",
        form=form,
        notable=scan.notable,
        size=size,
        characters=scan.characters,
        lines=scan.lines,
    )


def dump(facts: KindFacts) -> dict[str, Any]:
    """The facts as plain JSON: {"kind": …, "form": …, "detector": …, "version": …, …}."""
    head = {"kind": facts.kind, "form": facts.form, "detector": facts.detector}
    return head | {"version": facts.VERSION} | facts.to_json()


def load(document: dict[str, Any]) -> KindFacts | None:
    """The facts that `dump` wrote; None where they are of another version, or are none."""
    if not document:
        return None
    try:
        fields = dict(document)
        detector, version = fields.pop("detector"), fields.pop("version")
        kind = _class_of(detector)
        return kind.from_json(fields) if version == kind.VERSION else None
    except (ValueError, TypeError, KeyError, AttributeError, ImportError, RecursionError) as error:
        debug.swallowed("facts of a record", error)
        return None


def _class_of(detector: object) -> type[KindFacts]:
    if detector == "":
        return BareFacts
    if not isinstance(detector, str) or not detector.isidentifier():
        raise ValueError(f"{detector!r} is not a kind")
    module = import_module(f"stubcli.detect.{detector}.facts")
    return cast("type[KindFacts]", module.FACTS)
