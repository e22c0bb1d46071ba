"""A conversation as it is read and written: the JSON text, and where its items stand in it.

Memory is the size of the text and one item: an item is parsed when it is asked for, and all but
the last one asked for are forgotten.
"""

import codecs
from array import array
from collections.abc import Iterator, Mapping
from typing import Any

from stubcli.messages.jsontext import (
    JsonTextError,
    Tree,
    elements,
    members,
    parsed,
    replaced,
    skip_space,
    tree_of,
)
from stubcli.messages.model import MessageItems, Path

CONTAINERS = ("messages", "input", "contents")
_PIECE = 1 << 20


class Transcript:
    """The items of a JSON list, or of the list under `messages`, `input` or `contents`.

    container: that key, "" for a bare list. envelope: the keys that stand beside it.
    """

    def __init__(self, data: bytes | bytearray) -> None:
        """Raises JsonTextError where no such list is found."""
        # Latin-1: one byte a character, whatever is in it. Structure and escapes are ASCII.
        self._text, _ = codecs.latin_1_decode(data)
        self._parsed: tuple[int, Any] = (-1, None)
        self.container = ""
        self.envelope: frozenset[str] = frozenset()
        begin = skip_space(self._text, 3 if self._text.startswith("\xef\xbb\xbf") else 0)
        list_at, behind = begin, 0
        if self._text[begin : begin + 1] == "{":
            list_at, behind = self._open(begin)
        elif self._text[begin : begin + 1] != "[":
            raise JsonTextError("it begins with no list and no object")
        # A quarter of a million messages in 100 MB: as tuples they took 30 MB.
        self._bounds = array("q")
        for pair in elements(self._text, list_at):
            self._bounds.extend(pair)
        end = self._bounds.pop()
        self._bounds.pop()
        rest = skip_space(self._text, behind or end)
        if rest < len(self._text):
            raise JsonTextError(f"it is more than one document: the next begins at {rest:,}")

    def _open(self, begin: int) -> tuple[int, int]:
        keys, found, behind = set(), -1, 0
        for key, at, end in members(self._text, begin, CONTAINERS):
            behind = end
            if end == at:
                break
            keys.add(key)
            if key in CONTAINERS and self._text[at] == "[":
                if self.container not in ("", key):
                    raise JsonTextError(f"it has both {self.container} and {key}")
                self.container, found = key, at
        if found < 0:
            raise JsonTextError("it has no list of messages, input or contents")
        self.envelope = frozenset(keys - {self.container})
        return found, behind

    def __len__(self) -> int:
        return len(self._bounds) // 2

    def _span(self, index: int) -> tuple[int, int]:
        return self._bounds[2 * index], self._bounds[2 * index + 1]

    def __getitem__(self, index: int) -> Any:
        """The item of that index, which is not to be changed. Raises JsonTextError."""
        if self._parsed[0] != index:
            self._parsed = (index, parsed(self._item(index)))
        return self._parsed[1]

    def _item(self, index: int) -> str:
        begin, end = self._span(index)
        try:
            return self._text[begin:end].encode("latin-1").decode("utf-8")
        except UnicodeDecodeError:
            raise JsonTextError(f"item {index} is no UTF-8") from None

    def original(self, begin: int, end: int) -> bytes:
        """These bytes of the document as it came."""
        return self._text[begin:end].encode("latin-1")

    def written(self, edits: Mapping[int, Mapping[Path, str]]) -> Iterator[bytes]:
        """The whole document in pieces, with these texts (by item and path) replaced.

        Raises JsonTextError before the first piece or not at all.
        """
        return self._pieces(
            {index: replaced(self._item(index), edits[index]).encode() for index in sorted(edits)}
        )

    def _pieces(self, items: dict[int, bytes]) -> Iterator[bytes]:
        last = 0
        for index, item in items.items():
            begin, end = self._span(index)
            yield from self._slices(last, begin)
            yield item
            last = end
        yield from self._slices(last, len(self._text))

    def _slices(self, begin: int, end: int) -> Iterator[bytes]:
        for at in range(begin, end, _PIECE):
            yield self.original(at, min(at + _PIECE, end))


def apply_edits(items: MessageItems, edits: Mapping[int, Mapping[Path, str]]) -> list[Any]:
    """The same for parsed items: a new list, in which only what was edited is new."""
    return [
        _with(items[index], tree_of(edits[index])) if index in edits else items[index]
        for index in range(len(items))
    ]


def _with(value: Any, texts: Tree | str) -> Any:
    if isinstance(texts, str):
        return texts
    copy: Any = value.copy()
    for step, below in texts.items():
        copy[step] = _with(copy[step], below)
    return copy
