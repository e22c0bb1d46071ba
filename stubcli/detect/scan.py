"""One pass over all bytes of a stream: counts, and the lines that decide.

The result is a function of the bytes alone, whatever the pieces were; memory is bounded whatever
the stream holds. It knows nothing of kinds.
"""

from stubcli.detect.model import Scan
from stubcli.detect.notable.finder import Finder
from stubcli.detect.notable.judge import EDGE, PROGRAM

# Counting words costs as much as the search for deciding lines; beyond this nobody asks.
WORDS_UP_TO = 16 * 1024 * 1024

_SPACES = b" \t\n\r\x0b\x0c"
_SPACED = bytes(0x20 if byte in _SPACES else 0x78 for byte in range(256))
# The deciding line is often the last: the end is examined in full, whatever came before.
TAIL = 256 * 1024
# Of a line, only its first part is searched: a line of 1 GB costs no memory.
LINE_BYTES = 64 * 1024
# Of a longer line that was redrawn, the last frame is searched, too.
LAST_FRAME = 4096
_PIECE = 256 * 1024


class Scanner:
    """`feed` it the stream, then `finish` it once."""

    def __init__(self) -> None:
        self._counts = Counts()
        self._finder = Finder()
        self._shortener = Shortener()
        self._pending = bytearray()
        self._pending_feeds = 0
        self._skimming = False

    def feed(self, block: bytes, feeds: int | None = None) -> None:
        """Take the next piece, which holds `feeds` LF bytes; counted here where it is None."""
        self._counts.add(block)
        self._pending_feeds += block.count(b"\n") if feeds is None else feeds
        block = self._shortener.add(block)
        if self._skimming or len(self._pending) + len(block) < _PIECE:
            self._pending += block
            if self._skimming and len(self._pending) >= TAIL + _PIECE:
                self._skim()
            return
        cut = block.rfind(b"\n") + 1
        if cut:
            lines = b"".join((self._pending, memoryview(block)[:cut]))
            self._pending[:] = self._examine(lines)
        self._pending += memoryview(block)[cut:]

    def finish(self, characters: int = 0, undecodable: int | None = 0) -> Scan:
        """The scan; what decoding the stream counted is passed on in it."""
        self._counts.finish()
        self._pending += self._shortener.rest()
        if not self._skimming:
            self._pending[:] = self._examine(bytes(self._pending))
        if self._skimming:
            self._skim()
            self._finder.feed(bytes(self._pending), bounded=False, plain=self._counts.plain)
        return self._scan(characters, undecodable)

    def _examine(self, lines: bytes) -> bytes:
        """Examine one by one; what is left of `lines` when the bound was reached."""
        done = self._finder.feed(lines, feeds=self._pending_feeds, plain=self._counts.plain)
        self._pending_feeds = 0
        self._skimming = done < len(lines)
        return lines[done:]

    def _skim(self) -> None:
        """Skim the whole lines that end before the tail begins."""
        cut = self._pending.rfind(b"\n", 0, max(0, len(self._pending) - TAIL)) + 1
        if cut:
            self._finder.skim(bytes(self._pending[:cut]), self._counts.plain)
            del self._pending[:cut]

    def _scan(self, characters: int, undecodable: int | None) -> Scan:
        counts = self._counts
        return Scan(
            characters=characters,
            lines=self._finder.lines + counts.ends_open,
            words=counts.words,
            nul=counts.nul,
            escapes=counts.escapes,
            returns=counts.returns,
            invalid=undecodable,
            notable=self._finder.notable(),
            labelled=self._finder.beside(EDGE),
            spoken=self._finder.beside(PROGRAM),
            outcomes=self._finder.outcomes(),
            unseen=self._finder.unseen,
        )


class Shortener:
    """Drops what exceeds `LINE_BYTES` of each line; mostly it gives back what it was given.

    What a line that is redrawn by CR shows at its end is kept: its last frame, if not too long.
    """

    def __init__(self) -> None:
        self._length = 0
        self._end = b""

    def add(self, block: bytes) -> bytes:
        kept: list[bytes] = []
        begin = at = 0
        while at < len(block):
            room = LINE_BYTES - self._length
            end = block.rfind(b"\n", at, at + room + 1) + 1
            if end:
                self._length, at = 0, end
            elif len(block) - at <= room:
                self._length += len(block) - at
                at = len(block)
            else:
                kept.append(block[begin : at + room])
                self._length = LINE_BYTES
                end = block.find(b"\n", at + room)
                begin = len(block) if end < 0 else end
                dropped = block[max(at + room, begin - LAST_FRAME) : begin]
                self._end = (self._end + dropped)[-LAST_FRAME:]
                if end >= 0:
                    kept.append(self.rest())
                at = begin
        return b"".join((*kept, block[begin:])) if begin else block

    def rest(self) -> bytes:
        """The last frame of the line that was cut, where it ends."""
        _, frame, last = self._end.rstrip(b"\r").rpartition(b"\r")
        self._end = b""
        return frame + last if frame else b""


class Counts:
    """Words and control bytes: `add` takes the next piece, `finish` closes the last line."""

    def __init__(self) -> None:
        self.size = 0
        self.nul = 0
        self.escapes = 0
        self.returns = 0
        # Whether nothing moves or colours so far.
        self.plain = True
        self._words = 0
        self._last = b"\n"

    @property
    def ends_open(self) -> bool:
        """Whether the last line has no end."""
        return self._last != b"\n"

    @property
    def words(self) -> int | None:
        return self._words if self.size <= WORDS_UP_TO else None

    def add(self, block: bytes) -> None:
        if not block:
            return
        self._count_returns(block)
        if self.size <= WORDS_UP_TO:
            spaced = block.translate(_SPACED)
            after_space = self._last in _SPACES
            self._words += spaced.count(b" x") + (after_space and spaced[0] == 0x78)
        self.size += len(block)
        # Looking for a byte that is not there is twenty times faster than counting it.
        self.nul += block.count(0) if 0 in block else 0
        self.escapes += block.count(0x1B) if 0x1B in block else 0
        self.plain = self.plain and not (self.escapes or self.returns or 0x08 in block)
        self._last = block[-1:]

    def finish(self) -> None:
        if self._last == b"\r":
            self.returns += 1

    def _count_returns(self, block: bytes) -> None:
        # A CR at the end of a piece is judged with the first byte of the next.
        if self._last == b"\r" and block[0] != 0x0A:
            self.returns += 1
        if 0x0D in block:
            paired = block.count(b"\r\n") + block.endswith(b"\r")
            self.returns += block.count(0x0D) - paired
