"""The lines of a stream as a form reads them: without the escape sequences that colour them."""

import re
from collections.abc import Iterator

from stubcli.synopsis.model import Source
from stubcli.synopsis.reading import lines as raw_lines

_ANSI = re.compile(rb"\x1b(?:\[[0-9;:?]*[ -/]*[@-~]|\][^\x07\x1b]{0,400}(?:\x07|\x1b\\)|[@-Z\\-_])")


def plain(line: bytes) -> bytes:
    return _ANSI.sub(b"", line) if b"\x1b" in line else line


def lines(source: Source, limit: int) -> Iterator[bytes]:
    """Lines without their LF and without colours; of a line over 64 KiB, its beginning."""
    for line in raw_lines(source, limit):
        yield _ANSI.sub(b"", line) if b"\x1b" in line else line
