"""Values as the readers of a format build them: numbers and constants keep their spelling."""

from functools import lru_cache
from typing import Any

from stubcli.detect.words import shortened

# Texts of scalars with their paths.
Scalars = tuple[tuple[str, str], ...]


class Number(str):
    """A number, NaN or Infinity as it was written."""

    __slots__ = ()


class Constant(str):
    """A boolean that a format has several spellings of, as it was written."""

    __slots__ = ()


class Block(str):
    """A text of several lines, which is not looked into."""

    __slots__ = ()


KINDS: dict[type, str] = {
    str: "string",
    Number: "number",
    bool: "boolean",
    Constant: "boolean",
    type(None): "null",
    Block: "text",
    list: "array",
    dict: "object",
}


def kind_of(value: Any) -> str:
    """The type of a value, in JSON's words."""
    return KINDS[type(value)]


def text_of(value: Any) -> str:
    """A scalar as a text; of null, nothing."""
    if isinstance(value, str):
        return value
    return "" if value is None else "true" if value else "false"


def written(value: Any, most: int) -> str:
    """A value without escapes as JSON has it, without space; "" where it is longer than that."""
    if isinstance(value, dict):
        parts, ends = [], "{}"
        for key, child in value.items():
            most -= len(key) + 4
            one = written(child, most)
            most -= len(one)
            if most < 0 or not one:
                return ""
            parts.append(f'"{key}":{one}')
    elif isinstance(value, list):
        parts, ends = [], "[]"
        for child in value:
            one = written(child, most)
            most -= len(one) + 1
            if most < 0 or not one:
                return ""
            parts.append(one)
    else:
        plain = isinstance(value, str) and not isinstance(value, Number)
        one = f'"{value}"' if plain else text_of(value) or "null"
        return one if len(one) <= most else ""
    return f"{ends[0]}{','.join(parts)}{ends[1]}"


_ALIKE = 8
_SCALARS = 40


def is_map(value: dict[str, Any]) -> bool:
    """Whether the keys of an object are names of things alike, rather than of its properties.

    Objects that share their keys, or more scalars of one type than anything has properties.
    """
    if len(value) < _ALIKE:
        return False
    first = [child for child, _ in zip(value.values(), range(2 * _ALIKE), strict=False)]
    objects = [child for child in first if isinstance(child, dict)]
    if len(objects) >= 0.8 * len(first):
        keys = [key for child in objects for key in child]
        shared = sum(keys.count(key) == len(objects) for key in set(keys))
        most = sum(1 for key in set(keys) if 2 * keys.count(key) >= len(objects))
        return bool(shared or most) and 2 * max(shared, most) * len(objects) >= len(keys)
    kinds = {kind_of(child) for child in first}
    return len(value) >= _SCALARS and len(kinds) == 1 and "object" not in kinds


# Of more objects a list is one of records.
SHORT = 24
_KEYS = ("key", "name", "type", "code")
_HELD = ("value", "status")


@lru_cache(maxsize=64)
def _called(names: tuple[str, ...]) -> tuple[str, str]:
    """Which member holds a key, and which its value; "" for none."""
    called = {name.lower(): name for name in names}
    key = next((called[word] for word in _KEYS if word in called), "")
    return key, key and next((called[word] for word in _HELD if word in called), "")


def pairs_of(items: list[Any]) -> dict[str, Any]:
    """What a short list of objects says where each is a key with a value; nothing elsewhere."""
    first = items[0]
    if len(items) > SHORT or not isinstance(first, dict):
        return {}
    key, held = _called(tuple(first))
    if not held:
        return {}
    found: dict[str, Any] = {}
    for item in items:
        name = item.get(key) if isinstance(item, dict) and held in item else None
        if not isinstance(name, str) or name in found or not _is_scalar(item[held]):
            return {}
        found[name] = item[held]
    return found


# What says why a record is as it is, what it is, and how much.
_SAYING = ("note", "text", "comment", "message", "display", "value", "unit")
_SAYING_MOST = 6
_LEAVES = 60
_INSIDE = 5


def said_inside(value: dict[str, Any]) -> Scalars:
    """What the objects and the lists of one item in a record say, when and how much."""
    leaves: list[tuple[str, str]] = []
    _gather(value, "", leaves, 0)
    found = []
    for name, text in leaves:
        last = name.rpartition(".")[2].lower()
        rank = _SAYING.index(last) if last in _SAYING else len(_SAYING)
        if rank < len(_SAYING) or last.endswith(("time", "date")):
            # Notes come before what is only called a text.
            rank = 0 if rank and "note" in name.lower() else rank
            found.append((rank, name, text))
    found.sort(key=lambda one: one[0])
    return tuple((name, text) for _, name, text in found[:_SAYING_MOST])


def _gather(value: Any, path: str, found: list[tuple[str, str]], depth: int) -> None:
    if len(found) >= _LEAVES or depth > _INSIDE:
        return
    if isinstance(value, dict):
        for key, child in value.items():
            _gather(child, f"{path}.{key}" if path else key, found, depth + 1)
    elif isinstance(value, list):
        # Of several items the first one alone says nothing of the record.
        if len(value) == 1:
            _gather(value[0], f"{path}[0]", found, depth + 1)
    elif depth > 1 and (text := text_of(value)):
        found.append((path, shortened(text, 80)))


def names_of(value: Any) -> Scalars:
    """The first scalars of a record with their paths: what names it comes early."""
    if not isinstance(value, dict):
        return (("", text_of(value)),) if not isinstance(value, list) else ()
    found: list[tuple[str, str]] = []
    for key, child in value.items():
        if isinstance(child, dict):
            inner = ((f"{key}.{name}", each) for name, each in list(child.items())[:6])
            found += [(name, shortened(text_of(v), 80)) for name, v in inner if _is_scalar(v)]
        elif _is_scalar(child):
            found.append((key, shortened(text_of(child), 80)))
        if len(found) >= 24:
            break
    return tuple(found)


def _is_scalar(value: Any) -> bool:
    return not isinstance(value, dict | list)


# What names a record is called by one of these.
NAMING = ("name", "id", "key", "title", "path", "file", "uri", "url", "address", "ref")


def naming(values: Scalars) -> list[tuple[str, str]]:
    """The one that says which record it is; none where nothing looks like a name."""
    for word in NAMING:
        for name, text in values:
            last = name.rpartition(".")[2].lower()
            if text and (last == word or name.lower() == f"metadata.{word}"):
                return [(name, text)]
    for name, text in values:
        if text and name.lower().endswith(("name", "id")):
            return [(name, text)]
    return []
