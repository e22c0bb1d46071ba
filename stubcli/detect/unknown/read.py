"""Reads a stream that is no text: its magic and its measures; text in UTF-16, in frames or between
NULs as the text that it is.
"""

import codecs
import struct

from stubcli.detect.model import ByteSource, KindClaim, Sample, Scan
from stubcli.detect.reading import InMemory, blocks
from stubcli.detect.scan import Scanner
from stubcli.detect.text import claim as text_claim
from stubcli.detect.text import read as text_read
from stubcli.detect.text.facts import Heading, TextFacts
from stubcli.detect.unknown import wrapped
from stubcli.detect.unknown.claim import magic_of
from stubcli.detect.unknown.facts import UnknownFacts
from stubcli.text.characters import decode

_UTF16_BYTES = 32 * 1024 * 1024
# Of the decoded text, what is looked at for its form.
_HELD = 8 * 1024 * 1024
_SLICE = 64 * 1024
_WRAPPED_BYTES = 16 * 1024 * 1024


def read(claim: KindClaim, sample: Sample, source: ByteSource, scan: Scan) -> UnknownFacts:
    if claim.form == "empty":
        return UnknownFacts(kind="unknown", form="empty", size=0)
    if claim.form == "encoding":
        return _decoded(claim.evidence, source)
    if claim.form == wrapped.FRAMED:
        return _unframed(source)
    if claim.form == wrapped.NUL_ENDED:
        return _names(source)
    return UnknownFacts(
        kind="unknown",
        form="binary",
        size=sample.size,
        nul=scan.nul,
        undecodable=scan.invalid,
        magic=magic_of(sample.head),
        pixels=_pixels(sample.head),
    )


def _pixels(head: bytes) -> tuple[int, int] | None:
    if head.startswith(b"\x89PNG") and head[12:16] == b"IHDR" and len(head) >= 24:
        width, height = struct.unpack(">II", head[16:24])
        return width, height
    if head.startswith(b"GIF8") and len(head) >= 10:
        width, height = struct.unpack("<HH", head[6:10])
        return width, height
    return None


def _decoded(encoding: str, source: ByteSource) -> UnknownFacts:
    """Text in UTF-16: scanned as the UTF-8 that it would be."""
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    scanner, characters, held = Scanner(), 0, bytearray()
    for block in blocks(source, _UTF16_BYTES):
        text = decoder.decode(block)
        characters += len(text)
        data = text.encode("utf-8", "surrogatepass")
        scanner.feed(data)
        if len(held) < _HELD:
            held += data
    scan = scanner.finish()
    marked = source.read_at(0, 2) in (b"\xff\xfe", b"\xfe\xff")
    facts = _as_text(bytes(held[3:] if marked else held), scan)
    return UnknownFacts(
        kind="text" if facts else "unknown",
        form=facts.form if facts else "encoding",
        notable=facts.notable if facts else scan.notable,
        encoding=encoding,
        size=source.size,
        marked=marked,
        seen=min(source.size, _UTF16_BYTES),
        lines=scan.lines,
        characters=characters - marked,
        text=facts.replace(notable=()) if facts else None,
    )


def _unframed(source: ByteSource) -> UnknownFacts:
    """Text in frames: scanned without them; its lines are numbered as they stand in the stream."""
    data = source.read_at(0, _WRAPPED_BYTES)
    frames = wrapped.unframed(data)
    scan = _scanned(frames.text)
    facts = _as_text(frames.text, scan)
    cut = frames.broken >= 0 and len(data) == source.size
    return UnknownFacts(
        kind="text",
        form=facts.form if facts else "plain",
        notable=tuple(
            line.replace(number=frames.line(line.number))
            for line in (facts.notable if facts else scan.notable)
        ),
        size=source.size,
        seen=len(data),
        lines=scan.lines,
        characters=len(decode(frames.text)),
        text=facts.replace(notable=()) if facts else None,
        wrapping=wrapped.FRAMED,
        pieces=frames.count,
        streams=frames.streams,
        broken=frames.broken if cut else None,
    )


def _names(source: ByteSource) -> UnknownFacts:
    """Texts ended by NULs, as if each were a line; a name may hold a line end."""
    data = source.read_at(0, _WRAPPED_BYTES)
    text = data.replace(b"\n", b" ").replace(b"\0", b"\n")
    scan = _scanned(text)
    facts = _as_text(text, scan)
    notable = facts.notable if facts else ()
    return UnknownFacts(
        kind="text",
        form=facts.form if facts else "plain",
        size=source.size,
        seen=len(data),
        lines=scan.lines,
        characters=len(decode(text)),
        text=facts.replace(notable=()) if facts else None,
        wrapping=wrapped.NUL_ENDED,
        pieces=data.count(0),
        named=tuple(Heading(line.number, line.text) for line in notable),
    )


def _scanned(data: bytes) -> Scan:
    scanner = Scanner()
    scanner.feed(data)
    return scanner.finish()


def _as_text(data: bytes, scan: Scan) -> TextFacts | None:
    """What the text would be if it had come in UTF-8; its beginning only."""
    middle = data[len(data) // 2 : len(data) // 2 + _SLICE // 4] if len(data) > 2 * _SLICE else b""
    pieces = (middle,) if middle else ()
    sample = Sample(data[:_SLICE], pieces, data[-_SLICE:], len(data))
    claim = text_claim.claim(sample)
    return text_read.read(claim, sample, InMemory(data), scan) if claim.holds else None
