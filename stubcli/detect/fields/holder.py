"""What records need of the tree that they are in: a place for the records inside of them."""

from typing import Any, Protocol

from stubcli.detect.fields.rows import Row


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
