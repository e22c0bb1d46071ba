"""Walks JSON values from a Reader and gathers what they are made of, in bounded memory.

It counts over all items that it reads and keeps source text only. It decides nothing about
whether a stream is JSON.
"""

from typing import Any

from stubcli.synopsis.brief import clip, counted, listed
from stubcli.synopsis.kinds.jsonread import Number, Reader
from stubcli.synopsis.kinds.values import Field

_FIELDS = 60
_KEYS = 200
_ARRAYS = 40
_DEPTH = 4
_SHOWN_FIELDS = 12
_EXAMPLES = 5


def kind_of(value: Any) -> str:
    if isinstance(value, Number):
        return "number"
    if isinstance(value, str):
        return "string"
    if isinstance(value, bool):
        return "boolean"
    if value is None:
        return "null"
    return "array" if isinstance(value, list) else "object"


class Items:
    """What the items of one array, or the records of a stream, have in common."""

    def __init__(self, row_word: str = "item") -> None:
        self.count = 0
        self.objects = 0
        self.unseen = 0
        self.fields: dict[str, Field] = {}
        self.plain = Field()
        self._row_word = row_word

    def add(self, value: Any, source: str, row: int) -> None:
        self.count += 1
        if isinstance(value, dict):
            self.objects += 1
            for key, child in value.items():
                field = self.fields.get(key)
                if field is None:
                    if len(self.fields) >= _FIELDS:
                        continue
                    field = self.fields[key] = Field()
                _add(field, child, row)
        else:
            _add(self.plain, value, row)

    def told(self) -> list[str]:
        lines = []
        ranked = list(self.fields.items())
        if len(ranked) > _SHOWN_FIELDS:
            odd = [item for item in ranked if item[1].odd()]
            ranked = odd[: _SHOWN_FIELDS // 2] + [item for item in ranked if not item[1].odd()]
        for name, field in ranked[:_SHOWN_FIELDS]:
            lines.append(f"  {clip(name, 60)}: {field.told(self.objects, self._row_word)}")
        if len(ranked) > _SHOWN_FIELDS:
            rest = [name for name, _ in ranked[_SHOWN_FIELDS:]]
            lines.append("  also " + listed(rest, len(rest), 240, 40))
        if self.plain.present:
            lines.append(f"  values: {self.plain.told(self.plain.present, self._row_word)}")
        if self.unseen:
            lines.append(f"  {counted(self.unseen, 'item')} too large or too deep to look into")
        return lines


def _add(field: Field, value: Any, row: int) -> None:
    if isinstance(value, Number):
        field.add("number", value, row)
    elif isinstance(value, str):
        field.add("string", value, row)
    elif value is None:
        field.add("null", "", row)
    elif value is True or value is False:
        field.add("boolean", "true" if value else "false", row)
    else:
        field.add_length(kind_of(value), len(value), row)


class Shape:
    """Everything gathered about the values of a stream."""

    def __init__(self) -> None:
        self.root = ""
        self.keys: dict[str, str] = {}
        self.key_count = 0
        self.length: int | None = None
        self.arrays: dict[str, Items] = {}
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

    def _object(self, reader: Reader, path: str, depth: int) -> None:
        reader.expect("{")
        if reader.peek() == "}":
            reader.at += 1
            return
        while True:
            if reader.peek() != '"':
                reader.expect('"')
            built = reader.value()
            key = str(built[0]) if built else ""
            reader.expect(":")
            told = self._member(reader, f"{path}.{key}" if path else key, depth)
            if not depth:
                self.key_count += 1
                if len(self.keys) < _KEYS:
                    self.keys[key] = told
            if reader.expect(",}") == "}":
                return

    def _member(self, reader: Reader, path: str, depth: int) -> str:
        first = reader.peek()
        if first == "[" and depth + 1 < _DEPTH:
            return self._array(reader, path, depth + 1)
        built = reader.value()
        if built is None:
            self.read(reader, path, depth + 1)
            return {"{": "object", "[": "array"}[first]
        value, source = built
        if isinstance(value, dict | list):
            self._look_into(value, path, depth + 1)
            return f"{kind_of(value)} {len(value):,}"
        if len(self.examples) < _EXAMPLES:
            self.examples.append((path, source))
        return kind_of(value)

    def _array(self, reader: Reader, path: str, depth: int) -> str:
        items = self._items(path)
        reader.expect("[")
        if reader.peek() == "]":
            reader.at += 1
        else:
            while True:
                if not self._item(reader, items):
                    self._large(reader, items, path, depth)
                if not depth:
                    self.length = items.count
                if reader.expect(",]") == "]":
                    break
        return f"array {items.count:,}"

    def _item(self, reader: Reader, items: Items) -> bool:
        built = reader.value()
        if built is None:
            return False
        value, source = built
        if not items.count and not self.examples:
            self._example(value, source)
        items.add(value, source, items.count)
        return True

    def _large(self, reader: Reader, items: Items, path: str, depth: int) -> None:
        items.count += 1
        items.unseen += 1
        self.deep = True
        if depth + 1 < _DEPTH:
            self.read(reader, f"{path}[]", depth + 1)
        else:
            reader.skip()

    def _look_into(self, value: Any, path: str, depth: int) -> None:
        """Arrays of objects a little below: what an answer of an API wraps its records in."""
        if isinstance(value, list):
            items = self._items(path)
            for row, item in enumerate(value):
                items.add(item, "", row)
        elif depth < _DEPTH:
            for key, child in list(value.items())[:_KEYS]:
                if isinstance(child, list | dict) and len(self.arrays) < _ARRAYS:
                    self._look_into(child, f"{path}.{key}", depth + 1)

    def _items(self, path: str) -> Items:
        if path not in self.arrays and len(self.arrays) >= _ARRAYS:
            return Items()
        return self.arrays.setdefault(path, Items())

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
