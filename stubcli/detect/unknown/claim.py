"""Whether a stream is no text: empty, binary by its bytes, or text in UTF-16, in frames or with
NULs.
"""

from stubcli.detect.model import KindClaim, Sample, refused
from stubcli.detect.reading import BOM

# A single NUL in a log does not make it binary.
_NUL_SHARE = 0.005
_CONTROL_SHARE = 0.10
_CONTROLS = bytes(byte for byte in range(32) if byte not in b"\t\n\r\x0b\x0c\x08\x1b")

MAGIC: tuple[tuple[bytes, str], ...] = (
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


def claim(sample: Sample) -> KindClaim:
    if not sample.size:
        return KindClaim("unknown", "empty", "no bytes", 1.0, sure=True)
    encoding = _utf16(sample.head)
    if encoding:
        return KindClaim("unknown", "encoding", encoding, 0.99, sure=True)
    if 0 in sample.head and (wrapping := _wrapping(sample)):
        return KindClaim("unknown", wrapping, f"text in {wrapping}", 0.99, sure=True)
    pieces = (sample.head, *sample.middle, sample.tail)
    total = sum(map(len, pieces))
    nul = sum(piece.count(0) for piece in pieces)
    control = sum(len(piece) - len(piece.translate(None, _CONTROLS)) for piece in pieces)
    if nul > total * _NUL_SHARE and nul > 1:
        return _binary(f"{nul} NUL bytes of {total}")
    if control > total * _CONTROL_SHARE:
        return _binary(f"{control} control bytes of {total}")
    if magic_of(sample.head) and _invalid(sample.head) > 0.02:
        return _binary(f"it begins as a {magic_of(sample.head)}")
    if _invalid(sample.head) > 0.30 and control:
        return _binary("bytes that are not UTF-8")
    return refused(f"{nul} NUL and {control} control bytes of {total}")


# It looks at few bytes.
quick = claim


def _wrapping(sample: Sample) -> str:
    from stubcli.detect.unknown.wrapped import wrapping

    return wrapping(sample.head, len(sample.head) >= sample.size)


def _binary(evidence: str) -> KindClaim:
    return KindClaim("unknown", "binary", evidence, 0.99, sure=True)


def magic_of(head: bytes) -> str:
    """What begins with these bytes, "" where nothing known does."""
    if head[257:262] == b"ustar":
        return "tar archive"
    return next((name for magic, name in MAGIC if head.startswith(magic)), "")


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
