"""Characters that XML 1.0 does not allow, raw or as a reference, told and taken out of the way.

Reports hold them where a program printed colours. Each is replaced by as many question marks as it
has bytes, so that offsets and lines stay true; what is shown comes from the stream itself.
"""

import re
from collections.abc import Iterable, Iterator

_RAW = bytes(byte for byte in range(32) if byte not in b"\t\n\r")
_REPLACED = bytes(0x3F if byte in _RAW else byte for byte in range(256))
_NONCHARACTER = re.compile(rb"\xef\xbf[\xbe\xbf]|\xed[\xa0-\xbf][\x80-\xbf]")
_REFERENCE = re.compile(
    rb"&#(?:x0*(1?[0-9a-f]|fff[ef]|d[89a-f][0-9a-f]{2})|0*([0-9]|[12][0-9]|3[01]|6553[45]));", re.I
)
_ALLOWED = {9, 10, 13}
# No reference is longer.
_HELD = 12


class Characters:
    """How many of them there are, and the line of the first."""

    def __init__(self) -> None:
        self.count = 0
        self.line = 0
        self._lines = 1

    def allowed(self, blocks: Iterable[bytes]) -> Iterator[bytes]:
        """The blocks, of the same length together, without what is not allowed."""
        held = b""
        for block in blocks:
            data = held + block
            cut = data.rfind(b"&", max(0, len(data) - _HELD))
            if cut < 0 or b";" in data[cut:]:
                cut = len(data)
            while cut and data[cut - 1] >= 0x80 and len(data) - cut < 3:
                cut -= 1
            held = data[cut:]
            yield self._without(data[:cut])
        yield self._without(held)

    def _without(self, data: bytes) -> bytes:
        before = self.count
        first = len(data)
        clean = data.translate(_REPLACED)
        if clean != data:
            raw = re.compile(b"[" + re.escape(_RAW) + b"]")
            self.count += len(data) - len(data.translate(None, _RAW))
            first = next(raw.finditer(data)).start()
        for pattern in (_NONCHARACTER, _REFERENCE):
            if pattern is _REFERENCE and b"&#" not in clean:
                continue
            for found in pattern.finditer(clean):
                if pattern is _REFERENCE and _is_allowed(found):
                    continue
                self.count += 1
                first = min(first, found.start())
            clean = pattern.sub(_marks, clean)
        if not self.line and self.count > before:
            self.line = self._lines + data.count(b"\n", 0, first)
        self._lines += data.count(b"\n")
        return clean


def _is_allowed(found: re.Match[bytes]) -> bool:
    return (int(found[1], 16) if found[1] is not None else int(found[2])) in _ALLOWED


def _marks(found: re.Match[bytes]) -> bytes:
    if found[0][:1] == b"&" and _is_allowed(found):
        return found[0]
    return b"?" * len(found[0])
