"""JSON that DuckDB would refuse or misread, written anew for it as strict JSON in memory.

Values are those that the facts count: lines, documents, or the items of one array. Each is kept;
what had to be changed is counted in a note, with the line of the first one.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from stubcli.detect.fields.values import Number
from stubcli.detect.json.facts import DOCUMENT, LINES, JsonFacts
from stubcli.detect.json.record import OPENS, is_record, record_text
from stubcli.retrieve.query.closed import closed
from stubcli.retrieve.query.dirty import RETURN, UNDECODABLE, bounded, lines_of
from stubcli.retrieve.query.engine import Unreadable
from stubcli.store.artifact import Artifact
from stubcli.text.characters import decode
from stubcli.text.display import amount

_SPACE = re.compile(r"\s*")
_COMMA = re.compile(r"\s*,\s*")
# An escape of JSON; half of a surrogate pair is no character, and DuckDB refuses the whole file.
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(?P<half>u[dD][89a-fA-F]..)|.)", re.DOTALL
)
# DuckDB has no name for a key without characters, and no columns for what is no object.
_EMPTY_KEY = "empty_key"
_NO_OBJECT = "json"


@dataclass(frozen=True)
class Values:
    """data: `count` JSON values, one after the other."""

    data: bytes
    count: int
    notes: tuple[str, ...]


def values(artifact: Artifact, facts: JsonFacts) -> Values:
    """The values that are rows. Raises UsageError where they are too many, or Unreadable."""
    bounded(artifact)
    kept = _Strict()
    try:
        for line, text in _sources(artifact, facts):
            kept.add(text, line)
    except RecursionError:
        raise Unreadable("a value nests too deeply to be written anew") from None
    if kept.count < (facts.rows() or 0):
        raise Unreadable(f"{kept.count:,} of {amount(facts.rows() or 0, 'value')} can be read")
    return kept.values()


def _sources(artifact: Artifact, facts: JsonFacts) -> Iterator[tuple[int, str]]:
    """The source of each value, and the line on which it begins."""
    if facts.form == LINES:
        yield from _records(artifact, facts)
        return
    line = artifact.read_at(0, facts.start).count(b"\n") + 1
    end = facts.end if facts.documents or facts.broken is None else facts.broken
    text = decode(artifact.read_at(facts.start, end - facts.start)).removeprefix("\ufeff")
    if facts.form == DOCUMENT and facts.root != "array":
        yield line, text if facts.documents else closed(text)
        return
    found = _items(text) if facts.form == DOCUMENT else _documents(text)
    last = 0
    for at, source in found:
        line += text.count("\n", last, at)
        last = at
        yield line, source


def _records(artifact: Artifact, facts: JsonFacts) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines_of(artifact, facts.start, facts.end), 1):
        text = record_text(line.replace(RETURN, "\r").removeprefix("\ufeff"))
        if is_record(text):
            yield number, text


def _items(text: str) -> Iterator[tuple[int, str]]:
    """The items of an array, up to the first that cannot be read."""
    decoder = json.JSONDecoder(strict=False)
    at = _after(_SPACE, text, text.find("[") + 1)
    while at < len(text) and text[at] != "]":
        try:
            _, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        yield at, text[at:end]
        at = _after(_COMMA, text, end)
        if at == end:
            return


def _documents(text: str) -> Iterator[tuple[int, str]]:
    """Objects and arrays after one another, with other text between them."""
    decoder = json.JSONDecoder(strict=False)
    at = _after(_SPACE, text, 0)
    while at < len(text):
        try:
            if text[at] in "[{":
                _, end = decoder.raw_decode(text, at)
                yield at, text[at:end]
                at = _after(_SPACE, text, end)
                continue
        except (ValueError, RecursionError):
            pass
        found = OPENS.search(text, at)
        at = found.end() if found else len(text)


def _after(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


class _Changed:
    """How many values were changed in one way, and the line of the first."""

    def __init__(self) -> None:
        self.count = self.line = 0
        self.now = False

    def settle(self, line: int) -> None:
        if self.now:
            self.count += 1
            self.line = self.line or line
        self.now = False

    def said(self, what: str) -> Iterator[str]:
        """The note, of what one value is or has."""
        if self.count == 1:
            yield f"1 value (line {self.line:,}) {what}"
        elif self.count:
            verb, rest = what.split(" ", 1)
            verb = {"has": "have", "is": "are"}[verb]
            yield f"{amount(self.count, 'value')} (the first in line {self.line:,}) {verb} {rest}"


class _Strict:
    """Values as strict JSON: what is no character is escaped, and each key comes once."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._others: list[tuple[int, int]] = []
        self._keys: set[str] = set()
        self._again, self._empty = _Changed(), _Changed()
        keep: Any = Number
        options: Any = {
            "object_pairs_hook": self._once,
            **dict.fromkeys(("parse_float", "parse_int", "parse_constant"), keep),
        }
        self._strict = json.JSONDecoder(**options)
        self._lenient = json.JSONDecoder(strict=False, **options)

    @property
    def count(self) -> int:
        return len(self._texts)

    def _once(self, pairs: list[tuple[str, object]]) -> dict[str, object]:
        """The object; of a key that comes again, the last value."""
        found = dict(pairs)
        if len(found) < len(pairs):
            self._again.now = True
        if "" in found and _EMPTY_KEY not in found:
            self._empty.now = True
            return {key or _EMPTY_KEY: value for key, value in found.items()}
        return found

    def add(self, text: str, line: int) -> None:
        text = UNDECODABLE.sub(lambda found: f"\\\\x{ord(found[0]) - 0xDC00:02x}", text)
        text = _ESCAPE.sub(lambda one: rf"\\{one['half']}" if one["half"] else one[0], text)
        try:
            value = self._strict.decode(text)
            if self._again.now or self._empty.now:
                text = _in_json(value)
        except ValueError:
            value = self._lenient.decode(text)
            text = _in_json(value)
        self._again.settle(line)
        self._empty.settle(line)
        if isinstance(value, dict):
            self._keys.update(value)
        else:
            self._others.append((len(self._texts), line))
        self._texts.append(text)

    def values(self) -> Values:
        notes = [
            *self._again.said("has a key more than once; the last one counts"),
            *self._empty.said(f"has a key without characters, in column {_EMPTY_KEY}"),
            *self._objects(),
        ]
        return Values("\n".join(self._texts).encode("utf-8"), self.count, tuple(notes))

    def _objects(self) -> Iterator[str]:
        """Make objects of what is none, where most values are: they have columns then."""
        if not self._others or 2 * len(self._others) > self.count:
            return
        key = _NO_OBJECT
        while key in self._keys:
            key += "_"
        changed = _Changed()
        for at, line in self._others:
            self._texts[at] = f"{{{json.dumps(key)}: {self._texts[at]}}}"
            changed.now = True
            changed.settle(line)
        yield from changed.said(f"is no object, in column {key}")


def _in_json(value: object) -> str:
    """The value written anew, its numbers as they were."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)}: {_in_json(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_in_json, value)) + "]"
    return json.dumps(value)
