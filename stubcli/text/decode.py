"""Bytes as characters: Unicode code points of the UTF-8 text, an undecodable byte as one.

No imports: this stands on the road of a small input.
"""


def decode(data: bytes) -> str:
    """`data` as text in which each undecodable byte is one lone surrogate; `encode` undoes it."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """The bytes that `decode` was given."""
    return text.encode("utf-8", "surrogateescape")


def characters(data: bytes | bytearray) -> int:
    """The number of characters in `data`, which is taken as a whole."""
    return len(data) if data.isascii() else len(data.decode("utf-8", "surrogateescape"))


def count(data: bytes) -> tuple[int, int]:
    """The characters in `data`, taken as a whole, and how many of its bytes are undecodable."""
    if data.isascii():
        return len(data), 0
    try:
        return len(data.decode()), 0
    except UnicodeDecodeError:
        text = decode(data)
        # What strict encoding drops are exactly the undecodable bytes.
        return len(text), len(data) - len(text.encode("utf-8", "ignore"))


def boundary(data: bytes | bytearray | memoryview) -> int:
    """Where a UTF-8 sequence begins that `data` ends in the middle of, else its length.

    Cut there, and both sides decode by themselves to what the whole decodes to: what lies before
    is complete, what lies behind is a valid beginning of at most three bytes.
    """
    end = len(data)
    for back in range(1, min(3, end) + 1):
        byte = data[end - back]
        if byte & 0xC0 == 0x80:
            continue
        need = 4 if 0xF0 <= byte <= 0xF4 else 3 if 0xE0 <= byte < 0xF0 else 2
        if byte < 0xC2 or byte > 0xF4 or back >= need:
            return end
        # A beginning that can never become valid (E0 80, ED A0, F4 90 …) is not held back:
        # the decoder too gives up on it at once.
        second = data[end - back + 1] if back > 1 else None
        low, high = {
            0xE0: (0xA0, 0xBF),
            0xED: (0x80, 0x9F),
            0xF0: (0x90, 0xBF),
            0xF4: (0x80, 0x8F),
        }.get(byte, (0x80, 0xBF))
        return end if second is not None and not low <= second <= high else end - back
    return end
