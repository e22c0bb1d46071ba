"""A pattern as it is matched: by RE2, in time linear in the text, each line by itself.

No pattern can be made to hang. Knows lines and bytes; knows no artifact.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from stubcli.errors import UsageError
from stubcli.reserve import affordable
from stubcli.retrieve.required import SET, names_sequences, required, suits_bytes

_MEMORY = 128 << 20
_LEAST_MEMORY = 8 << 20
# Of RE2's automaton for each byte of the pattern. With less it falls back on a matcher that took
# 10 s for one match of 300 kB.
_MEMORY_PER_BYTE = 4096
# RE2 took 250 s for 300 kB of a repeated word; bytes are found in linear time whatever they are.
_LONG = 256
_FEW = 64
_SPECIAL = re.compile(r"[\\.+*?()\[\]{}^$|]")
_ANCHORS = re.compile(rf"\\Q.*?(?:\\E|\Z)|{SET}|\(\?[A-Za-z]*-[A-Za-z]+[:)]|\\.", re.DOTALL)
# Behind so many lines that hold what is required, one search for the whole pattern is cheaper.
_CANDIDATES = 32
_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_UNMARKED = bytes(set(range(256)) - {0, 10})


@dataclass(frozen=True)
class Pattern:
    """A compiled pattern.

    reach: no text that is one of its literal matches is longer, in bytes. plain: the literal text
    itself where there is nothing else in it, in lower case where case is ignored. by_itself: no
    line end has a part in it. required: found in every line that has a match. raw: lines are
    matched as bytes alone, not as displayed; raw_too: as bytes where what is displayed has none.
    of_sequences: a match may be an escape sequence.
    """

    regex: Any
    reach: int
    by_itself: bool
    plain: bytes
    ignore_case: bool
    required: Any | None
    raw: bool
    raw_too: bool
    of_sequences: bool

    def text(self, data: bytes) -> bytes:
        """`data` for the matching: of the same length, and `$` stands before CR LF as before LF."""
        if self.by_itself or data.find(b"\r") < 0:
            return data
        return data.replace(b"\r\n", b"\n\n")

    def spans(self, text: bytes, begin: int, end: int) -> Iterator[tuple[int, int]]:
        """Where the matches in text[begin:end] begin and end, in order."""
        if self.plain:
            yield from self._of_plain(text, begin, end)
            return
        if self.required:
            for _ in range(_CANDIDATES):
                found = self.required.search(text, begin, end)
                if found is None:
                    return
                first = max(begin, text.rfind(b"\n", begin, found.start()) + 1)
                begin = text.find(b"\n", found.end(), end) + 1 or end
                for match in self.regex.finditer(text, first, begin):
                    yield match.span()
        for match in self.regex.finditer(text, begin, end):
            yield match.span()

    def _of_plain(self, text: bytes, begin: int, end: int) -> Iterator[tuple[int, int]]:
        """RE2 finds the first ten times as fast as bytes do, and each of many in ten times more."""
        few = _FEW if len(self.plain) <= _LONG else 0
        for _ in range(few):
            match = self.regex.search(text, begin, end)
            if match is None:
                return
            yield match.span()
            begin = match.end()
        folded = self._folded(text)
        if folded is None:
            for match in self.regex.finditer(text, begin, end):
                yield match.span()
            return
        while (start := folded.find(self.plain, begin, end)) >= 0:
            begin = start + len(self.plain)
            yield start, begin

    def counted(self, text: bytes) -> tuple[int, int] | None:
        """How many matches, on how many lines; None where they must be looked at one by one.

        text: whole lines. For a line with a match in every 75 bytes this is five times as fast.
        """
        folded = self._folded(text)
        if not self.plain or folded is None or b"\0" in text:
            return None
        # Of the same length: bytes are changed in place, in two thirds of the time.
        mark = b"\0".ljust(len(self.plain), b"x")
        marks = folded.replace(self.plain, mark).translate(None, _UNMARKED)
        return marks.count(b"\0"), marks.count(b"\0\n") + marks.endswith(b"\0")

    def _folded(self, text: bytes) -> bytes | None:
        """The text in which `plain` is to be found as bytes; None where it cannot be."""
        if not self.ignore_case:
            return text
        # Beyond ASCII only K and S have partners: the Kelvin sign and the long s.
        if not text.isascii() and (b"k" in self.plain or b"s" in self.plain):
            return None
        return text.lower()


def is_plain(pattern: str) -> bool:
    """Whether a regular expression is the text itself."""
    return not _SPECIAL.search(pattern)


def compile_pattern(
    pattern: str, *, literal: bool, ignore_case: bool, word: bool, raw: bool = False
) -> Pattern:
    """The compiled pattern. Raises UsageError that says what is wrong with it."""
    plain = literal or is_plain(pattern)
    # Lone surrogates stand for bytes of the command line that are no UTF-8.
    data = pattern.encode("utf-8", "surrogateescape")
    if plain:
        body = _escaped(data, word=word)
    else:
        body = _ANCHORS.sub(_of_lines, pattern).encode("utf-8", "surrogateescape")
        body = rb"\b(?:" + body + rb")\b" if word else body
    regex = _compiled(b"(?m)" + body, pattern, ignore_case)
    # A match can be longer than what it matches: a capital may take three bytes for one.
    reach = len(data) * (4 if ignore_case else 1) if plain else 0
    needed = pattern if plain and word else "" if plain else required(pattern)
    counted = plain and not word and not re.search("[\0\r\n]", pattern)
    return Pattern(
        regex,
        reach,
        plain and "\r" not in pattern,
        (data.lower() if ignore_case else data)
        if counted and (data.isascii() or not ignore_case)
        else b"",
        ignore_case,
        _compiled(_escaped(needed.encode("utf-8", "surrogateescape")), needed, ignore_case)
        if needed
        else None,
        raw,
        not raw and (plain or suits_bytes(pattern)),
        names_sequences(pattern, literal=literal),
    )


def _escaped(raw: bytes, *, word: bool = False) -> bytes:
    import re2

    body: bytes = re2.escape(raw)
    if word and raw:
        # Beside what is no word character itself, no word may begin or end.
        first, last = (rb"\b" if raw[at] in _WORD else rb"\B" for at in (0, -1))
        body = first + body + last
    return body


def _of_lines(found: re.Match[str]) -> str:
    """Each line is a text of its own: it is what \\A, \\z and (?-m) speak of."""
    what = found[0]
    if what in (r"\A", r"\z"):
        return "^" if what == r"\A" else "$"
    if not what.startswith("(?"):
        return what
    on, _, off = what[2:-1].partition("-")
    off = off.replace("m", "")
    flags = on + (f"-{off}" if off else "")
    return f"(?{flags}{what[-1]}" if flags or what[-1] == ":" else ""


def _compiled(body: bytes, pattern: str, ignore_case: bool) -> Any:
    import re2

    options = re2.Options()
    options.max_mem = affordable(max(_MEMORY, _MEMORY_PER_BYTE * len(body)), _LEAST_MEMORY)
    options.never_nl = True
    options.never_capture = True
    options.log_errors = False
    options.case_sensitive = not ignore_case
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        options.encoding = re2.Options.Encoding.LATIN1  # bytes are sought, not characters
    try:
        return re2.compile(body, options)
    except re2.error as error:
        reason = error.args[0] if error.args else error
        reason = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        reason = reason.partition(": (?m)")[0]  # the whole, as we made it
        shown = pattern if len(pattern) <= 200 else pattern[:200] + "…"
        raise UsageError(f"bad pattern {shown!r}: {reason}", "-F takes it literally") from None
