"""Streams that are no text: empty, binary, or text in UTF-16. Named and measured, not judged.

It knows the first bytes of common formats and decodes nothing but UTF-16.
"""

import struct

from stubcli.detect.brief import counted
from stubcli.detect.model import Claim, Sample, Scan, Source, Synopsis
from stubcli.detect.reading import BOM, Held, blocks

# A single NUL in a log does not make it binary.
_NUL_SHARE = 0.005
_CONTROL_SHARE = 0.10
_UTF16_BYTES = 32 * 1024 * 1024
# Of the decoded text, what is looked at for its form.
_HELD = 8 * 1024 * 1024
_SLICE = 64 * 1024
_CONTROLS = bytes(byte for byte in range(32) if byte not in b"\t\n\r\x0b\x0c\x08\x1b")

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "PNG image"),
    (b"\xff\xd8\xff", "JPEG image"),
    (b"GIF8", "GIF image"),
    (b"%PDF-", "PDF document"),
    (b"PK\x03\x04", "ZIP archive (also jar, docx, xlsx, whl)"),
    (b"\x1f\x8b", "gzip data"),
    (b"BZh", "bzip2 data"),
    (b"\xfd7zXZ\x00", "xz data"),
    (b"\x28\xb5\x2f\xfd", "Zstandard data"),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip archive"),
    (b"\x7fELF", "ELF binary"),
    (b"\xcf\xfa\xed\xfe", "Mach-O binary"),
    (b"\xca\xfe\xba\xbe", "Java class or Mach-O universal binary"),
    (b"MZ", "Windows executable"),
    (b"SQLite format 3\x00", "SQLite database"),
    (b"\x00asm", "WebAssembly module"),
    (b"OggS", "Ogg media"),
    (b"fLaC", "FLAC audio"),
    (b"ID3", "MP3 audio"),
    (b"RIFF", "RIFF media (wav, avi, webp)"),
    (b"PAR1", "Parquet data"),
    (b"\x80\x04\x95", "Python pickle"),
)


def detect(sample: Sample) -> Claim | None:
    if not sample.size:
        return Claim("unknown", "empty", "no bytes")
    encoding = _utf16(sample.head)
    if encoding:
        return Claim("unknown", "encoding", encoding)
    pieces = (sample.head, *sample.middle, sample.tail)
    total = sum(map(len, pieces))
    nul = sum(piece.count(0) for piece in pieces)
    control = sum(len(piece) - len(piece.translate(None, _CONTROLS)) for piece in pieces)
    if nul > total * _NUL_SHARE and nul > 1:
        return Claim("unknown", "binary", "NUL bytes")
    if control > total * _CONTROL_SHARE:
        return Claim("unknown", "binary", "control bytes")
    if _magic(sample.head) and _invalid(sample.head) > 0.02:
        return Claim("unknown", "binary", "first bytes")
    if _invalid(sample.head) > 0.30 and control:
        return Claim("unknown", "binary", "bytes that are no UTF-8")
    return None


def summarise(claim: Claim, sample: Sample, source: Source, scan: Scan) -> Synopsis | None:
    if claim.form == "empty":
        return Synopsis("unknown", "empty", ("0 bytes",))
    if claim.form == "encoding":
        return _decoded(claim.evidence, source)
    undecodable = "" if scan.invalid is None else f", {scan.invalid:,} not UTF-8"
    summary = [f"{counted(sample.size, 'byte')}, {scan.nul:,} NUL{undecodable}"]
    name = _magic(sample.head)
    if name:
        summary.insert(0, name + _dimensions(sample.head))
    return Synopsis("unknown", "binary", tuple(summary))


def _magic(head: bytes) -> str:
    if head[257:262] == b"ustar":
        return "tar archive"
    return next((name for magic, name in _MAGIC if head.startswith(magic)), "")


def _dimensions(head: bytes) -> str:
    if head.startswith(b"\x89PNG") and head[12:16] == b"IHDR" and len(head) >= 24:
        width, height = struct.unpack(">II", head[16:24])
        return f", {width} × {height} pixels"
    if head.startswith(b"GIF8") and len(head) >= 10:
        width, height = struct.unpack("<HH", head[6:10])
        return f", {width} × {height} pixels"
    return ""


def _invalid(head: bytes) -> float:
    text = head.decode("utf-8", "ignore")
    return 1 - len(text.encode()) / max(1, len(head))


def _utf16(head: bytes) -> str:
    """The encoding, by its BOM or by where the NULs stand in mostly Latin text."""
    if head.startswith(b"\xff\xfe") and not head.startswith(b"\xff\xfe\0\0"):
        return "utf-16-le"
    if head.startswith(b"\xfe\xff"):
        return "utf-16-be"
    head = head[: len(head) // 2 * 2]
    if len(head) < 16 or head.startswith(BOM):
        return ""
    even, odd, half = head[::2].count(0), head[1::2].count(0), len(head) // 2
    if odd > half * 0.7 and even < half * 0.02:
        return "utf-16-le" if _readable(head, "utf-16-le") else ""
    if even > half * 0.7 and odd < half * 0.02:
        return "utf-16-be" if _readable(head, "utf-16-be") else ""
    return ""


def _readable(head: bytes, encoding: str) -> bool:
    text = head.decode(encoding, "replace")
    plain = sum(char.isprintable() or char in "\r\n\t" for char in text)
    return plain > len(text) * 0.95


def _decoded(encoding: str, source: Source) -> Synopsis:
    """Text in UTF-16: scanned as the UTF-8 that it would be."""
    import codecs

    from stubcli.detect.scan import Scanner

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
    first = min(source.size, _UTF16_BYTES)
    summary = [
        f"text in {encoding.upper()}, {'with' if marked else 'no'} BOM, {source.size:,} bytes",
        f"{counted(scan.lines, 'line')}, {characters - marked:,} characters when decoded",
    ]
    if first < source.size:
        summary.append(f"looked at the first {first:,} bytes")
    told = _as_text(bytes(held[3:] if marked else held), scan)
    structure: tuple[str, ...] = ()
    if told is not None:
        # The lines are counted above, over the whole.
        summary += [f"as text: {told.form}", *told.summary[1:]]
        structure = told.structure
    notable = told.notable if told is not None else scan.notable
    return Synopsis("unknown", "encoding", tuple(summary), structure, notable, encoding)


def _as_text(data: bytes, scan: Scan) -> Synopsis | None:
    """What the text would be told to be if it had come in UTF-8; its beginning only."""
    from stubcli.detect.kinds import textkind

    middle = data[len(data) // 2 : len(data) // 2 + _SLICE // 4] if len(data) > 2 * _SLICE else b""
    pieces = (middle,) if middle else ()
    sample = Sample(data[:_SLICE], pieces, data[-_SLICE:], len(data))
    claim = textkind.detect(sample)
    return None if claim is None else textkind.summarise(claim, sample, Held(data), scan)
