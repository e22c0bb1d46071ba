"""Walks JSON values from a Reader and gathers what they are made of, in bounded memory.

It counts over all items that it reads and keeps source text only; after a bound the values are
no longer looked into, and counted all the same. It decides nothing about whether a stream is JSON.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

from stubcli.detect.fields.items import RecordGroup
from stubcli.detect.fields.tree import LOOKED, Tree, below
from stubcli.detect.fields.values import Number, is_map, kind_of, text_of
from stubcli.detect.json.facts import KeyFacts
from stubcli.detect.json.reader import COMMA, MEMBERS, Reader
from stubcli.detect.words import clip

_KEYS = 200
_DEPTH = 12
_EXAMPLES = 5
# So many members tell whether an object is a map.
_ASKED = 16


class JsonShape:
    """Everything gathered about the values of a stream."""

    def __init__(self) -> None:
        self.root = ""
        self.keys: dict[str, KeyFacts] = {}
        self.key_count = 0
        self.tree = Tree()
        # Scalars of the first item of the first list, by path.
        self.examples: list[tuple[str, str]] = []
        self.deep = False

    def read(self, reader: Reader, path: str = "", depth: int = 0) -> None:
        """One value at the cursor, whatever its size."""
        first = reader.peek()
        if not depth:
            self.root = {"{": "object", "[": "array"}.get(first, "scalar")
        if first == "{" and depth < _DEPTH:
            self._object(reader, path, depth)
        elif first == "[" and depth < _DEPTH:
            self._array(reader, path, depth)
        elif reader.value() is None:
            self.deep = True
            reader.skip()

    @property
    def length(self) -> int:
        """Items of an array, keys of an object: the whole ones, where the stream ends within it."""
        if self.root == "array":
            return self.tree.list_at("").count
        return self.key_count

    def counting(self, reader: Reader) -> bool:
        """Whether values are only counted from here on."""
        return reader.counting or self.tree.looked > LOOKED

    def _object(self, reader: Reader, path: str, depth: int) -> int:
        reader.expect("{")
        if reader.peek() == "}":
            reader.at += 1
            return 0
        count = 0
        with self._members(path, depth) as members:
            while True:
                later = reader.several(MEMBERS) if self.counting(reader) else ()
                if later:
                    members.group.add_later(later)
                    count += len(later)
                    self.key_count += 0 if depth else len(later)
                if reader.peek() != '"':
                    reader.expect('"')
                built = reader.value()
                key = str(built[0]) if built else ""
                reader.expect(":")
                self._member(reader, path, key, depth, members)
                count += 1
                if reader.expect(",}") == "}":
                    return count

    @contextmanager
    def _members(self, path: str, depth: int) -> "Iterator[_Members]":
        members = _Members(self.tree, path, depth)
        try:
            yield members
        finally:
            members.settle()

    def _member(self, reader: Reader, path: str, key: str, depth: int, members: "_Members") -> None:
        """The value at the cursor; of the outermost object, its key is noted before it is read."""
        first = reader.peek()
        named = not depth and len(self.keys) < _KEYS
        self.key_count += not depth
        kind = {"{": "object", "[": "array"}.get(first, "")
        if named and kind:
            self.keys[key] = KeyFacts(clip(key), kind)
        place = below(path, key)
        built, length = None, None
        if first == "[" and depth + 1 < _DEPTH and members.plain:
            length = self._array(reader, place, depth + 1)
        else:
            built = reader.value()
            if built is None and first == "{" and depth + 1 < _DEPTH:
                length = self._object(reader, place, depth + 1)
            elif built is None:
                self.read(reader, place, depth + 1)
        if built is not None:
            value, source = built
            length = len(value) if isinstance(value, dict | list) else None
            kind = kind_of(value)
            members.add(key, value, source)
        if named:
            self.keys[key] = KeyFacts(clip(key), kind, length)

    def _array(self, reader: Reader, path: str, depth: int) -> int:
        items = self.tree.list_at(path)
        before = items.count
        reader.expect("[")
        if reader.peek() == "]":
            reader.at += 1
            return 0
        while True:
            later = reader.several(COMMA) if self.counting(reader) else ()
            if later:
                first = items.count
                items.add_later(later, range(first, first + len(later)).__getitem__, reader.nth)
            if not self._item(reader, items, path):
                self._large(reader, items, path, depth)
            if reader.expect(",]") == "]":
                return items.count - before

    def _item(self, reader: Reader, items: RecordGroup, path: str) -> bool:
        built = reader.value()
        if built is None:
            return False
        value, source = built
        if not items.count and not self.examples:
            self._example(value, source, path)
        items.add(value, source, items.count)
        return True

    def _large(self, reader: Reader, items: RecordGroup, path: str, depth: int) -> None:
        """An item that was not built: too large, too deep, or the stream ends within it."""
        if depth + 1 < _DEPTH:
            self.read(reader, f"{path}[]", depth + 1)
        else:
            reader.skip()
        self.deep = True
        items.count += 1
        items.unseen += 1

    def _example(self, value: Any, source: str, path: str) -> None:
        if not isinstance(value, dict):
            return
        scalars = ((k, v) for k, v in value.items() if not isinstance(v, dict | list))
        for key, child in islice(scalars, _EXAMPLES):
            text = source_of(child, source)
            if text is not None:
                self.examples.append((f"{path}[0].{key}", text))


class _Members:
    """Members of an object that come one by one; the first few tell whether it is a map."""

    def __init__(self, tree: Tree, path: str, depth: int) -> None:
        self._tree = tree
        self._path = path
        self._depth = depth
        self._waiting: list[tuple[str, Any, str]] = []
        # What members are that are only counted.
        self._map: bool | None = True if path in tree.maps else None

    @property
    def plain(self) -> bool:
        """Whether these are no records of a map, as far as is known."""
        return not self._map

    @property
    def group(self) -> RecordGroup:
        self.settle()
        return self._tree.map_at(self._path)

    def add(self, key: str, value: Any, source: str) -> None:
        self._waiting.append((key, value, source))
        if self._map is not None or len(self._waiting) >= _ASKED:
            self.settle()

    def settle(self) -> None:
        """Count those that wait."""
        if self._map is None and self._waiting:
            self._map = is_map({key: value for key, value, _ in self._waiting})
        for key, value, source in self._waiting:
            self._tree.unescaped = "\\" not in source
            if self._map:
                self._tree.map_at(self._path).add(value, source, key)
            else:
                self._tree.value(value, below(self._path, key), self._depth + 1, source)
        self._waiting.clear()


def source_of(child: Any, source: str) -> str | None:
    """How a scalar stands in the source; None where it stands there differently."""
    if isinstance(child, Number):
        return child
    if isinstance(child, str):
        return f'"{child}"' if f'"{child}"' in source else None
    return text_of(child) or "null"
