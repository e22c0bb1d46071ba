"""Requests in the access log of a web server: who, when, what was asked for, and the answer."""

import re
from collections.abc import Iterator

from stubcli.detect.tabular import LineSource, RowTable, TableRow, columns
from stubcli.detect.text.forms.access import TIME
from stubcli.detect.text.line_signs import REQUEST
from stubcli.text.characters import decode

# The size of the answer, and quoted the page that led there and the program that asked.
_ANSWER = re.compile(rb'\s+(\d+|-)(?=\s|$)(?:\s+"((?:[^"\\]|\\.)*)"\s+"((?:[^"\\]|\\.)*)")?')
# So much of a line is looked at, as of a page.
_COMPARED = 1200
_CLIENT = re.compile(rb"\S+")
_NAMES = ("client", "time", "method", "path", "status", "size", "referer", "agent", "rest")
_NUMBERS = ("status", "size")


def rows(lines: LineSource) -> Iterator[TableRow]:
    table = RowTable("", *columns(*_NAMES, numbers=_NUMBERS))
    for number, line in lines:
        request = REQUEST.search(line[:_COMPARED])
        if request is not None:
            yield TableRow(number, table, _cells(line, request))
        elif line.strip():
            yield TableRow(number)


def _cells(line: bytes, request: re.Match[bytes]) -> list[str]:
    before, behind = line[: request.start()], line[request.end() :]
    time, client = TIME.search(line[:_COMPARED]), _CLIENT.match(before)
    answer = _ANSWER.match(behind)
    found = [client[0] if client else b"", time[0] if time else b""]
    found += [request[1] or b"", request[2] or b"", request[3]]
    found += [_value(part) for part in answer.groups()] if answer else [b""] * 3
    found.append(behind[answer.end() :].strip() if answer else behind.strip())
    return list(map(decode, found))


def _value(part: bytes | None) -> bytes:
    """What is said; a dash says that nothing is."""
    return b"" if part is None or part == b"-" else part
