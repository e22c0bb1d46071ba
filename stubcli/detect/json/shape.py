"""Walks JSON values from a Reader and gathers what they are made of, in bounded memory.

It counts over all items that it reads and keeps source text only; after a bound the values are
no longer looked into, and counted all the same. It decides nothing about whether a stream is JSON.
"""

from typing import Any

from stubcli.detect.fields.items import Number, RecordGroup, kind_of
from stubcli.detect.json.facts import KeyFacts
from stubcli.detect.json.reader import COMMA, MEMBERS, Reader
from stubcli.detect.reading import InMemory
from stubcli.detect.words import clip
from stubcli.text.characters import encode

_KEYS = 200
_ARRAYS = 40
_DEPTH = 4
_EXAMPLES = 5


class JsonShape:
    """Everything gathered about the values of a stream."""

    def __init__(self) -> None:
        self.root = ""
        self.keys: dict[str, KeyFacts] = {}
        self.key_count = 0
        self.length: int | None = None
        self.arrays: dict[str, RecordGroup] = {}
        self.maps: dict[str, RecordGroup] = {}
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

    def _object(self, reader: Reader, path: str, depth: int) -> int:
        reader.expect("{")
        if reader.peek() == "}":
            reader.at += 1
            return 0
        members, count = self._map(path), 0
        while True:
            later = reader.several(MEMBERS) if reader.counting else ()
            if later:
                members.add_later(later)
                count += len(later)
                self.key_count += 0 if depth else len(later)
            if reader.peek() != '"':
                reader.expect('"')
            built = reader.value()
            key = str(built[0]) if built else ""
            reader.expect(":")
            count += 1
            below = f"{path}.{key}" if path else key
            kind, length = self._member(reader, below, depth, members, count)
            if not depth:
                self.key_count += 1
                if len(self.keys) < _KEYS:
                    self.keys[key] = KeyFacts(clip(key), kind, length)
            if reader.expect(",}") == "}":
                return count

    def _member(
        self, reader: Reader, path: str, depth: int, members: RecordGroup, nth: int
    ) -> tuple[str, int | None]:
        """The type of the value at the cursor, and its length where that was counted."""
        first = reader.peek()
        if first == "[" and depth + 1 < _DEPTH:
            return "array", self._array(reader, path, depth + 1)
        built = reader.value()
        if built is None:
            self.read(reader, path, depth + 1)
            return {"{": "object", "[": "array"}[first], None
        value, source = built
        if isinstance(value, dict):
            members.add(value, source, path.rpartition(".")[2] if "." in path else path)
            if depth + 2 < _DEPTH and nth <= _KEYS:
                self._look_into(value, source, path, depth + 1)
        if isinstance(value, dict | list):
            return kind_of(value), len(value)
        if len(self.examples) < _EXAMPLES and (not depth or len(self.keys) < 4):
            self.examples.append((path, source))
        return kind_of(value), None

    def _array(self, reader: Reader, path: str, depth: int) -> int:
        items = self._items(path)
        before = items.count
        reader.expect("[")
        if reader.peek() == "]":
            reader.at += 1
            return 0
        while True:
            later = reader.several(COMMA) if reader.counting else ()
            if later:
                first = items.count
                items.add_later(later, range(first, first + len(later)).__getitem__, reader.nth)
                self.length = self.length if depth else items.count
            if not self._item(reader, items):
                self._large(reader, items, path, depth)
            if not depth:
                self.length = items.count
            if reader.expect(",]") == "]":
                return items.count - before

    def _item(self, reader: Reader, items: RecordGroup) -> bool:
        built = reader.value()
        if built is None:
            return False
        value, source = built
        if not items.count and not self.examples:
            self._example(value, source)
        items.add(value, source, items.count)
        return True

    def _large(self, reader: Reader, items: RecordGroup, path: str, depth: int) -> None:
        items.count += 1
        items.unseen += 1
        self.deep = True
        if depth + 1 < _DEPTH:
            self.read(reader, f"{path}[]", depth + 1)
        else:
            reader.skip()

    def _look_into(self, value: dict[str, Any], source: str, path: str, depth: int) -> None:
        """Arrays of objects a little below: what an answer of an API wraps its records in."""
        if any(isinstance(child, dict | list) for child in value.values()):
            self._object(Reader(InMemory(encode(source))), path, depth)

    def _items(self, path: str) -> RecordGroup:
        if path not in self.arrays and len(self.arrays) >= _ARRAYS:
            return RecordGroup()
        return self.arrays.setdefault(path, RecordGroup())

    def _map(self, path: str) -> RecordGroup:
        if path not in self.maps and len(self.maps) >= _ARRAYS:
            return RecordGroup("key")
        return self.maps.setdefault(path, RecordGroup("key"))

    def _example(self, value: Any, source: str) -> None:
        if not isinstance(value, dict):
            return
        for key, child in value.items():
            if len(self.examples) >= _EXAMPLES or isinstance(child, dict | list):
                continue
            text = child if isinstance(child, Number) else _slice_of(child, source)
            if text is not None:
                self.examples.append((f"[0].{key}", text))


def _slice_of(value: Any, source: str) -> str | None:
    """How a scalar stands in the source; None where it stands there differently."""
    if isinstance(value, str):
        return f'"{value}"' if f'"{value}"' in source else None
    return {True: "true", False: "false", None: "null"}[value]
