"""What of a text is counted to tell languages apart: words, how lines begin, signs in company.

A word keeps a sign before it (`$this`, `-eq`, `.map`), the first word of a line whether it is
indented. Signs are seen in the shape of the text, where a name is `a`, a number `0`: `a: a`, `(a)`.
The counts of a text are those of at most MOST bytes.
"""

import re
from collections import Counter

MOST = 32 * 1024
_INDENT = re.compile(rb"\n[ \t]+")
_WORD = re.compile(rb"[@$#:&%.-]?[A-Za-z_]\w{0,24}")
_FIRST = re.compile(rb"\n\t?[^\s\w]{0,3} ?[A-Za-z_]\w{0,24}")
_NAME = re.compile(rb"a[a0]*")
_NUMBER = re.compile(rb"0+")
_SPACE = re.compile(rb" +")
_EDGE = re.compile(rb" ?\n ?")
_SIGNS = re.compile(rb"([a0 \n][^a0 \n]{1,4})(?=(.))", re.DOTALL)
_SHAPE = bytes(
    97
    if byte > 127 or chr(byte).isalpha() or byte == 95
    else 48
    if chr(byte).isdigit()
    else 32
    if byte in b" \t\f\v"
    else byte
    for byte in range(256)
)


def features(data: bytes) -> Counter[bytes]:
    """How often each feature stands in the text."""
    text = b"\n" + data[:MOST].replace(b"\r", b"") + b"\n"
    shape = _EDGE.sub(
        b"\n", _SPACE.sub(b" ", _NUMBER.sub(b"0", _NAME.sub(b"a", text.translate(_SHAPE))))
    )
    found = Counter(_WORD.findall(text))
    found.update(_FIRST.findall(_INDENT.sub(b"\n\t", text)))
    for (signs, after), count in Counter(_SIGNS.findall(shape)).items():
        found[b"\0" + signs + after] = count
    return found
