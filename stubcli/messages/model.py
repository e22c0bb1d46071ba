"""The values that messages are spoken of in. Knows no API and no store."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

# Where a text stands within an item: keys and indices, outermost first.
Path = tuple[str | int, ...]

CALL, RESULT, SPEECH = "call", "result", "speech"
ASSISTANT, USER, SYSTEM = "assistant", "user", "system"


@dataclass(frozen=True, slots=True)
class Slot:
    """One text of an item that may be replaced by another text."""

    path: Path
    text: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of an item: a call that the model made, the result of one, or something said.

    call_id and tool are "" where the item does not tell them. command: what a call to a shell
    runs, as far as its arguments tell.
    """

    kind: str
    role: str
    slots: tuple[Slot, ...] = ()
    call_id: str = ""
    tool: str = ""
    command: str = ""


# Shows the progress over what it is given and how many bytes each of it is, and hands it on.
Watch = Callable[[Sequence[Any], Callable[[Any], int]], Iterable[Any]]


def unwatched(items: Sequence[Any], _size: Callable[[Any], int]) -> Iterable[Any]:
    return items


class MessageItems(Protocol):
    """The items of a conversation, parsed: a list, or a transcript that parses when asked."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> Any: ...


@dataclass(frozen=True)
class ListShape:
    """What tells the APIs apart: the key that a list stands under ("" for a bare one), the keys
    beside it, and of all its items together the roles, the types and those of their blocks ("" for
    none). objects, parts: whether each is an object, has a list of parts."""

    container: str
    envelope: frozenset[str]
    objects: bool
    parts: bool
    roles: frozenset[str]
    types: frozenset[str]
    blocks: frozenset[str]


class Format(Protocol):
    """One API's way to write a conversation."""

    name: str

    def accepts(self, shape: ListShape) -> bool:
        """Whether such a list can be of this format."""

    def recognises(self, shape: ListShape) -> bool:
        """Whether such a list, which it accepts, is of this format rather than a later one."""

    def pieces(self, item: Any) -> list[Piece]:
        """The parts of one item, in order; none of what is not understood."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A text to put in the place of another."""

    index: int
    path: Path
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """What was done to one text, for the report. Sizes are in characters."""

    index: int
    tool: str
    call_id: str
    reason: str
    ref: str
    before: int
    after: int


@dataclass(frozen=True)
class Report:
    """What was done to a conversation, and what is still over its limit, and why.

    before and after count the characters of all texts that could be replaced. pretended: nothing
    was kept, and what it would have become is an estimate.
    """

    format: str
    items: int
    before: int
    after: int
    changes: tuple[Change, ...] = ()
    over: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    pretended: bool = False
