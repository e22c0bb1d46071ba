"""Reads JSON values one after the other out of a stream, in a window of bounded size.

Numbers stay source text: nothing is converted, so NaN, 200,000 digits and lone surrogates pass.
A value too large or too deep for the window is not built; its brackets are matched instead. It
does not know what the values are wanted for.
"""

import re
from collections.abc import Iterator
from typing import Any

from stubcli.synopsis.model import Source
from stubcli.synopsis.reading import blocks
from stubcli.text.decode import boundary, decode, encode

LIMIT = 32 * 1024 * 1024
WINDOW = 1024 * 1024
# Attempts to build a value that turn out too large or too deep cost up to a window each.
_FAILURES = 64
_BRACKETS = 4_000_000
# A value costs about 2 µs, whatever its size.
VALUES = 1_000_000

_SPACE = re.compile(r"[ \t\n\r]*")
_STEP = re.compile(r'[\[\]{}]|"(?:[^"\\]|\\.)*"?', re.DOTALL)


class Number(str):
    """A number, NaN or Infinity as it was written."""

    __slots__ = ()


class Broken(Exception):
    """No JSON goes on at `offset` bytes. ended: because the stream ends there."""

    def __init__(self, offset: int, ended: bool) -> None:
        super().__init__(offset)
        self.offset = offset
        self.ended = ended


class TooMuch(Exception):
    """The steps are used up; what lies before was read."""


class Reader:
    """A cursor over the text of a stream; positions are indexes into `text`."""

    def __init__(self, source: Source, start: int = 0) -> None:
        import json

        self._blocks = blocks(source, LIMIT, start)
        self._cut = source.size > LIMIT
        self._held = b""
        self._base = start
        self._failures = 0
        self._brackets = 0
        self._values = 0
        self.text = ""
        self.at = 0
        self.ended = False
        keep: Any = Number
        decoder: Any = json.JSONDecoder(
            parse_float=keep, parse_int=keep, parse_constant=keep, strict=False
        )
        self._scan = decoder.scan_once

    @property
    def offset(self) -> int:
        """Where the cursor stands, in bytes of the stream."""
        return self._base + len(encode(self.text[: self.at]))

    def more(self) -> bool:
        """Read one block behind the text; what lies before the cursor is given up."""
        if self.ended:
            return False
        block = next(self._blocks, None)
        self._base += len(encode(self.text[: self.at]))
        data = self._held + (block or b"")
        cut = len(data) if block is None else boundary(data)
        self._held = data[cut:]
        self.text = self.text[self.at :] + decode(data[:cut])
        self.at = 0
        self.ended = block is None
        return not self.ended

    def peek(self) -> str:
        """The next character that is no space, the cursor on it; empty at the end."""
        while True:
            found = _SPACE.match(self.text, self.at)
            self.at = found.end() if found else self.at
            if self.at < len(self.text):
                return self.text[self.at]
            if not self.more():
                self._stop_if_cut()
                return ""

    def expect(self, wanted: str) -> str:
        char = self.peek()
        if not char or char not in wanted:
            raise Broken(self.offset, not char)
        self.at += 1
        return char

    def value(self) -> tuple[Any, str] | None:
        """The next value and its source; None where it is a container too large to build."""
        first = self.peek()
        if not first:
            raise Broken(self.offset, True)
        self._values += 1
        if self._values > VALUES:
            raise TooMuch
        while True:
            try:
                value, end = self._scan(self.text, self.at)
                # A number at the end of the text may go on.
                if end < len(self.text) or self.ended:
                    source = self.text[self.at : end]
                    self.at = end
                    return value, source
            except RecursionError:
                self._refuse()
                return None
            except (StopIteration, ValueError) as error:
                if first in "[{" and len(self.text) - self.at >= WINDOW:
                    self._refuse()
                    return None
                if self.ended:
                    raise self._broken(error) from None
            if len(self.text) - self.at > 16 * WINDOW:
                raise TooMuch
            self.more()

    def _refuse(self) -> None:
        self._failures += 1
        if self._failures > _FAILURES:
            raise TooMuch

    def _broken(self, error: Exception) -> Broken:
        self._stop_if_cut()
        at: int = getattr(error, "pos", self.at)
        if isinstance(error, StopIteration):
            at = error.value if isinstance(error.value, int) else self.at
        rest = self.text[at:]
        # An open string, a half literal or nothing at all: the stream ends within the value.
        ended = not rest.strip() or _opens(rest)
        cursor, self.at = self.at, len(self.text) if ended else at
        offset = self.offset
        self.at = cursor
        return Broken(offset, ended)

    def _stop_if_cut(self) -> None:
        if self._cut:
            raise TooMuch

    def skip(self) -> None:
        """Pass over a container by its brackets alone."""
        depth = 0
        while True:
            for found in self._steps():
                char = found[0]
                self._brackets += 1
                if self._brackets > _BRACKETS:
                    raise TooMuch
                depth += (char in "[{") - (char in "]}")
                if depth == 0:
                    self.at = found.end()
                    return
            self.at = len(self.text) if self.at == 0 else self.at
            if not self.more():
                self._stop_if_cut()
                raise Broken(self.offset + len(encode(self.text)), True)

    def _steps(self) -> Iterator[re.Match[str]]:
        last = self.at
        for found in _STEP.finditer(self.text, self.at):
            string = found[0][0] == '"'
            if string and (len(found[0]) == 1 or found[0][-1] != '"') and not self.ended:
                # A string that goes on in the next block is read again with it.
                self.at = found.start()
                return
            last = found.end()
            if not string:
                yield found
        self.at = max(last, self.at)


def _opens(rest: str) -> bool:
    if rest[0] == '"':
        return True
    return any(word.startswith(rest) for word in ("true", "false", "null", "NaN", "-", "Infinity"))
