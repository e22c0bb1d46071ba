"""Reads JSON values one after the other out of a stream, in a window of bounded size.

Numbers stay source text: nothing is converted, so NaN, 200,000 digits and lone surrogates pass.
A value too large or too deep for the window is not built; its brackets are matched instead. It
does not know what the values are wanted for. Where only counts are wanted, `several` reads as
many values as the window holds at once.
"""

import gc
import re
from collections.abc import Callable, Iterator
from typing import Any

from stubcli.detect.fields.values import Number
from stubcli.detect.model import ByteSource
from stubcli.detect.reading import blocks
from stubcli.text.characters import boundary, decode, encode

WINDOW = 1024 * 1024
# Attempts to build a value that turn out too large or too deep cost up to a window each.
_FAILURES = 64
_BRACKETS = 4_000_000
# A value costs about 2 µs, whatever its size.
VALUES = 1_000_000

# What stands between values: of an array, of an object, and of a stream of documents.
COMMA = re.compile(r"[ \t\n\r]*,[ \t\n\r]*")
MEMBERS = re.compile(r"[ \t\n\r]*,[ \t\n\r]*(?=\")")
DOCUMENTS = re.compile(r"[ \t\n\r]*")
_COLON = re.compile(r"[ \t\n\r]*:[ \t\n\r]*")
DETAILED = 16 * 1024 * 1024
_DETAILED_VALUES = 150_000
_SPACE = re.compile(r"[ \t\n\r]*")
_STEP = re.compile(r'[\[\]{}]|"(?:[^"\\]|\\.)*"?', re.DOTALL)


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

    def __init__(self, source: ByteSource, start: int = 0) -> None:
        import json

        self._blocks = blocks(source, source.size, start)
        self._held = b""
        self.base = start
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
        # int() refuses many digits and float() does not; the values are not looked at.
        self._fast = json.JSONDecoder(parse_int=float, strict=False).scan_once  # type: ignore[attr-defined]
        self._whole = json.JSONDecoder(strict=False).scan_once  # type: ignore[attr-defined]
        self._wrong_cuts = 0
        self._many = (0, COMMA)

    @property
    def counting(self) -> bool:
        """Whether so much was read that values are only counted from here on."""
        return self.base > DETAILED or self._values > _DETAILED_VALUES

    @property
    def offset(self) -> int:
        """Where the cursor stands, in bytes of the stream."""
        return self.base + len(encode(self.text[: self.at]))

    def mark(self) -> Callable[[], int]:
        """The offset of this moment, worked out when it is wanted: after each value costs much."""
        base, text, at = self.base, self.text, self.at
        return lambda: base + len(encode(text[:at]))

    def more(self) -> bool:
        """Read one block after the text; what lies before the cursor is given up."""
        if self.ended:
            return False
        block = next(self._blocks, None)
        self.base += len(encode(self.text[: self.at]))
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
                return ""

    def expect(self, wanted: str) -> str:
        char = self.peek()
        if not char or char not in wanted:
            raise Broken(self.offset, not char)
        self.at += 1
        return char

    def value(self) -> tuple[Any, str] | None:
        """The next value and its source; None where it is a container that cannot be built: too
        large, too deep, or broken somewhere inside.
        """
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
                if end == len(self.text) and self.ended and isinstance(value, Number):
                    raise Broken(self.offset + len(encode(value)), True)
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
                if self.ended and first in "[{":
                    # What is whole of its members can be read one by one.
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

    def several(self, between: re.Pattern[str] = COMMA) -> list[Any]:
        """Whole values and what is between them, as far as the window goes; maybe none.

        Of the members of an object, the values. The cursor stands before the next one.
        """
        if len(self.text) - self.at < WINDOW // 2:
            self.more()
        self.peek()
        self._many = (self.at, between)
        # Nothing that is built here refers back to itself, and all of it goes at once.
        collecting = gc.isenabled()
        gc.disable()
        try:
            found = self._batch() if between is COMMA and self._wrong_cuts < 3 else []
            return found or self._each(between)
        finally:
            if collecting:
                gc.enable()

    def nth(self, which: int) -> str:
        """The source of one of the values that `several` read last."""
        at, between = self._many
        try:
            for _ in range(which):
                _, end = self._fast(self.text, at)
                border = between.match(self.text, end)
                at = border.end() if border else len(self.text)
            return self.text[at : self._fast(self.text, at)[1]]
        except (StopIteration, ValueError, RecursionError):
            return ""

    def _batch(self) -> list[Any]:
        """Up to the last border that looks like the first one; if it parses, it was one."""
        text, at = self.text, self.at
        try:
            _, end = self._whole(text, at)
            border = COMMA.match(text, end)
            if border is None:
                return []
            # What closes a value and opens the next tells borders at other depths apart.
            mark = text[end - 1] + border[0] + _opening(text, border.end())
            if text[end - 1] not in "]}":
                mark = border[0]
            last = text.rfind(mark, at)
            if last < 0:
                self._wrong_cuts += 1
                return []
            last = last + 1 if mark is not border[0] else last
            values, _ = self._whole("[" + text[at:last] + "]", 0)
            self.at = last + len(border[0])
            self._wrong_cuts = 0
            return list(values)
        except (StopIteration, ValueError, RecursionError, IndexError):
            self._wrong_cuts += 1
            return []

    def _each(self, between: re.Pattern[str]) -> list[Any]:
        text, at, scan = self.text, self.at, self._fast
        values: list[Any] = []
        try:
            while True:
                if between is DOCUMENTS and text[at] not in "[{":
                    break
                value, end = scan(text, at)
                if between is MEMBERS:
                    colon = _COLON.match(text, end)
                    if colon is None or not isinstance(value, str):
                        break
                    value, end = scan(text, colon.end())
                border = between.match(text, end)
                if border is None or (border.end() == len(text) and not self.ended):
                    break
                at = border.end()
                values.append(value)
        except (StopIteration, ValueError, RecursionError, IndexError):
            pass
        self.at = at
        return values

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


def _opening(text: str, at: int) -> str:
    """How a value begins: its bracket, and the name of its first member."""
    if text[at] != "{" or text[at + 1] != '"':
        return text[at]
    end = text.find('"', at + 2, at + 60)
    return text[at : end + 1] if end > 0 else text[at]


def _opens(rest: str) -> bool:
    if rest[0] == '"':
        return True
    return any(word.startswith(rest) for word in ("true", "false", "null", "NaN", "-", "Infinity"))
