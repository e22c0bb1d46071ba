"""What parts need of others that are made of them, as types alone: nothing loads this to run."""

from collections.abc import Iterator
from typing import Any, Protocol

from stubcli.detect.fields.rows import Row
from stubcli.detect.fields.seen import Odd


class Gathered(Protocol):
    """Records of one path."""

    def add(self, value: Any, source: str, row: Row) -> bool: ...


class Holder(Protocol):
    """Groups of records by path, and what was used up of the room for them.

    looked: values looked at. samples: records whose source is kept. unescaped: the strings of the
    value that is added stand in it as they read, without escapes. record: the outermost one that
    is being added; owner: what it is called.
    """

    looked: int
    samples: int
    unescaped: bool
    record: Any

    def owner(self) -> str: ...

    def takes_field(self) -> bool: ...

    def list_at(self, path: str) -> Gathered: ...

    def map_at(self, path: str) -> Gathered: ...


class Compared(Protocol):
    """A field or a column: `present` in so many records."""

    @property
    def present(self) -> int: ...

    def rare(self, rows: int) -> Iterator[Odd]: ...
