"""What is known of a stream that is no text, or text in an encoding that has to be decoded."""

from stubcli.detect.facts import KindFacts
from stubcli.detect.text.facts import Heading, TextFacts


class UnknownFacts(KindFacts, kw_only=True):
    """Empty, binary, or text in UTF-16, in frames of a container runtime or ended by NULs.

    magic: what it begins as, "" where that is not known. pixels: width and height of an image.
    undecodable: bytes that are not UTF-8, None where they were not counted. Of UTF-16: marked by
    a BOM or not; lines and characters of its first `seen` bytes; text: what it is once decoded.
    wrapping: frames or nul-ended; pieces: how many there are in the first `seen` bytes. streams:
    bytes of each stream of a program; broken: where no frame is any more. named: odd ones among
    names ended by NULs, by their place in the list.
    """

    VERSION = 2

    size: int
    nul: int = 0
    undecodable: int | None = 0
    magic: str = ""
    pixels: tuple[int, int] | None = None
    marked: bool = False
    seen: int = 0
    lines: int = 0
    characters: int = 0
    text: TextFacts | None = None
    wrapping: str = ""
    pieces: int = 0
    streams: tuple[int, ...] = ()
    broken: int | None = None
    named: tuple[Heading, ...] = ()


FACTS = UnknownFacts
