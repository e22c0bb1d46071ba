"""What is known of a stream of JSON. Offsets are in bytes; texts are slices of the source."""

from typing import ClassVar

from stubcli.detect.facts import KindFacts
from stubcli.detect.fields.facts import ItemsFacts
from stubcli.value import Value

DOCUMENT, LINES, CONCATENATED = "document", "lines", "concatenated"


class KeyFacts(Value):
    """A key of the outermost object; length: of an array, an object, where it was counted."""

    name: str
    type: str
    length: int | None = None


class Example(Value):
    """A scalar as it is written, and the path to it."""

    path: str
    source: str


class Other(Value):
    """A list or a map that is not described: its path, and how many records it holds."""

    path: str
    count: int


class Aside(Value):
    """Text that is no part of the JSON: so many lines of it; where it begins, and its beginning.

    lines is None where they were not counted.
    """

    lines: int | None
    line: int | None
    offset: int
    text: str


class JsonFacts(KindFacts, kw_only=True):
    """One document, records a line each, or values one after the other.

    documents: how many values there are, those of an array being one. root and length: of the
    first one, its type and its items or keys. start: where the first value begins; end: where the
    last complete one ends. before, after: text around them; other: lines between records that are
    none. framed: commas, brackets or separators stand around records that have a line each.
    broken: where no JSON goes on, cut_off because the stream ends there. looked_at: so many bytes
    were read, None for all. deep: some values were too large or too deep to look into.
    records: what lines or documents have in common. groups: lists and maps inside the first, the
    most telling; others: the rest of them.
    names: by which a query finds a value in each row. halves: escapes that are half of a surrogate
    pair, the first in line halves_line. undecodable: bytes that are not UTF-8, None if unknown;
    charset: in which they would be letters.
    """

    VERSION: ClassVar[int] = 3
    size: int
    documents: int
    root: str
    length: int
    start: int
    end: int
    before: Aside | None = None
    after: Aside | None = None
    other: Aside | None = None
    framed: bool = False
    broken: int | None = None
    cut_off: bool = False
    looked_at: int | None = None
    deep: bool = False
    keys: tuple[KeyFacts, ...] = ()
    examples: tuple[Example, ...] = ()
    first: str = ""
    records: ItemsFacts | None = None
    groups: tuple[ItemsFacts, ...] = ()
    others: tuple[Other, ...] = ()
    names: tuple[str, ...] = ()
    halves: int = 0
    halves_line: int = 0
    undecodable: int | None = 0
    charset: str = ""

    @property
    def whole(self) -> bool:
        """Whether all of the stream was read, and is JSON as far as it goes."""
        return self.broken is None and self.looked_at is None

    @property
    def items(self) -> ItemsFacts | None:
        """What the values have in common that are rows."""
        outermost = (one for one in self.groups if one.word == "item" and not one.path)
        top = next(outermost, None)
        return self.records or (top if self.root == "array" else None)

    def rows(self) -> int | None:
        if self.looked_at is not None:
            return None
        if self.form == DOCUMENT:
            return self.length if self.root == "array" else 1
        return self.documents

    def columns(self) -> tuple[str, ...] | None:
        clean = self.whole and self.before is self.after is self.other is None
        return self.names if clean else None


FACTS = JsonFacts
