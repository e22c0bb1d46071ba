"""Output of compilers and linters: errors and warnings, by file and by code."""

import re
from collections import Counter

from stubcli.synopsis.brief import counted, limited, listed
from stubcli.synopsis.model import Scan, Source
from stubcli.synopsis.reading import lines as lines_of
from stubcli.text.decode import decode

NAME = "compiler"
_LIMIT = 32 * 1024 * 1024
_KINDS = 4000
_ANSI = re.compile(rb"\x1b\[[0-9;]*[A-Za-z]")
_PLACED = re.compile(
    rb"([^\s:(][^\s:(]*)(?::|\()(\d+)(?:[:,]\d+)?\)?(?: - |: ?| )"
    rb"(?:(fatal error|error|warning|note)\b[: ]?\s*|([A-Z]+\d{2,5}\b)|(?=\[))(.*)"
)
_BARE = re.compile(rb"(error|warning)(?:\[([A-Z]\d+)\])?: (.*)")
_CODE = re.compile(rb"\b([A-Z]{1,6}\d{2,5})\b|\[((?:-W)?[a-z][\w-]{2,60})\]\s*$")


def holds(lines: list[bytes]) -> bool:
    placed = arrows = 0
    for line in lines:
        line = _ANSI.sub(b"", line[:400])
        placed += bool(_PLACED.match(line) or _BARE.match(line))
        arrows += line.lstrip().startswith((b"--> ", b"|", b"^"))
    return placed >= 3 and (placed >= 0.25 * len(lines) or placed + arrows >= 0.3 * len(lines))


def describe(source: Source, scan: Scan) -> list[str]:
    severities: Counter[str] = Counter()
    files: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    messages: Counter[str] = Counter()
    for line in lines_of(source, _LIMIT):
        line = _ANSI.sub(b"", line[:400])
        placed = _PLACED.match(line)
        bare = None if placed else _BARE.match(line)
        if placed is None and bare is None:
            continue
        severity, code, message = _parts(placed, bare)
        if severity == "note":
            continue
        severities[severity] += 1
        if placed and len(files) < _KINDS:
            files[decode(placed[1])] += 1
        if code and len(codes) < _KINDS:
            codes[code] += 1
        if len(messages) < _KINDS:
            messages[message] += 1
    return _told(severities, files, codes, messages, source)


def _parts(placed: re.Match[bytes] | None, bare: re.Match[bytes] | None) -> tuple[str, str, str]:
    if placed:
        severity, message = decode(placed[3] or b"finding"), placed[5]
        code = placed[4] or b""
    else:
        assert bare
        severity, code, message = decode(bare[1]), bare[2] or b"", bare[3]
    if not code:
        found = _CODE.search(message)
        code = (found[1] or found[2]) if found else b""
    head = re.sub(rb"['`\"].*?['`\"]|\d+", b"~", message).split(b": ")[0]
    return severity.replace("fatal error", "error"), decode(code), decode(head).strip()[:60]


def _told(
    severities: Counter[str],
    files: Counter[str],
    codes: Counter[str],
    messages: Counter[str],
    source: Source,
) -> list[str]:
    def ranked(counter: Counter[str]) -> str:
        items = sorted(counter.items(), key=lambda item: (-item[1], item[0]))
        return listed((f"{name} {n:,}" for name, n in items), len(items), 290, 110)

    told = ["lines: " + ", ".join(counted(n, word) for word, n in sorted(severities.items()))]
    for name, counter in (("codes", codes), ("messages", messages), ("files", files)):
        if counter:
            told.append(f"{name} ({len(counter):,}): {ranked(counter)}")
    return told + list(limited(min(source.size, _LIMIT), source.size))
