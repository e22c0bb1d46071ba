"""Access logs of web servers: requests by status, and where those that failed stand."""

import re
from collections import Counter
from dataclasses import dataclass

from stubcli.detect.brief import clip, limited, listed
from stubcli.detect.forms.described import Described
from stubcli.detect.forms.plainlines import lines as lines_of
from stubcli.detect.forms.plainlines import reach
from stubcli.detect.model import NotableLine, Scan, Source
from stubcli.detect.patterns import ERROR, WEAK
from stubcli.text.decode import decode

NAME = "log"
# One regular expression a line.
_LIMIT = 12 * 1024 * 1024
_KINDS = 2000
_REQUEST = re.compile(rb'"(?:([A-Z]{3,10}) (\S{1,500})[^"]*|-|[^"]{0,500})" ([1-5]\d\d)(?![\d.])')
_TIME = re.compile(rb"\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d")
_FAILED_SHOWN = 4
_QUOTED = 6


@dataclass
class _Failed:
    """Requests of one path that failed with one status."""

    count: int
    first: int
    line: bytes
    last: int
    end: bytes


def holds(lines: list[bytes]) -> bool:
    if len(lines) < 3:
        return False
    return sum(1 for line in lines if _REQUEST.search(line[:1200])) >= 0.7 * len(lines)


def describe(source: Source, scan: Scan) -> Described:
    statuses: Counter[bytes] = Counter()
    missed: Counter[bytes] = Counter()
    failed: dict[tuple[bytes, bytes], _Failed] = {}
    begin = end = b""
    seen = reach(source, _LIMIT)
    for number, line in enumerate(lines_of(source, seen), 1):
        request = _REQUEST.search(line[:1200])
        if request is None:
            continue
        status = request[3]
        statuses[status] += 1
        begin, end = begin or line, line
        if status[:1] == b"5":
            path = b" ".join((request[1] or b"", (request[2] or b"").partition(b"?")[0]))
            one = failed.get((status, path))
            if one is not None:
                one.count, one.last, one.end = one.count + 1, number, line
            elif len(failed) < _KINDS:
                failed[status, path] = _Failed(1, number, line, number, line)
        elif status[:1] == b"4" and len(missed) < _KINDS:
            missed[b" ".join((status, request[2] or b""))] += 1
    ranked = sorted(statuses.items(), key=lambda item: (-item[1], item[0]))
    told = ["status: " + listed((f"{decode(s)} {n:,}" for s, n in ranked), len(ranked))]
    told += _spans(failed)
    told += _often(missed)
    told.append(f"time: {_time(begin)} to {_time(_last(source, seen) or end)}")
    return Described([*told, *limited(seen, source.size)], _quoted(failed))


def _time(line: bytes) -> str:
    found = _TIME.search(line[:400])
    return decode(found[0]) if found else "?"


def _last(source: Source, seen: int) -> bytes:
    """The last line with a time, where reading stopped before it."""
    if source.size <= seen:
        return b""
    ends = source.read_at(source.size - 65536, 65536).split(b"\n")[1:]
    return next((line for line in reversed(ends) if _TIME.search(line[:400])), b"")


def _spans(failed: dict[tuple[bytes, bytes], _Failed]) -> list[str]:
    often = sorted(failed.items(), key=lambda item: (-item[1].count, item[1].first))
    told = []
    for (status, path), one in often[:_FAILED_SHOWN]:
        if one.count > 1:
            where = f"lines {one.first:,} to {one.last:,}, {_time(one.line)} to {_time(one.end)}"
        else:
            where = f"line {one.first:,}, {_time(one.line)}"
        told.append(f"  {decode(status)} {one.count:,} × {clip(decode(path), 100)}: {where}")
    if len(often) > _FAILED_SHOWN:
        told.append(f"  +{len(often) - _FAILED_SHOWN:,} more of status 5xx by path")
    return told


def _often(missed: Counter[bytes]) -> list[str]:
    top = sorted(missed.items(), key=lambda item: (-item[1], item[0]))[:3]
    top = [item for item in top if item[1] > 1]
    return (
        ["  4xx most: " + ", ".join(f"{clip(decode(p), 60)} {n:,}" for p, n in top)] if top else []
    )


def _quoted(failed: dict[tuple[bytes, bytes], _Failed]) -> tuple[NotableLine, ...]:
    """The first of each failure; the rarer, the more it says."""
    rarest = sorted(failed.values(), key=lambda one: (one.count, one.first))[:_QUOTED]
    return tuple(
        NotableLine(
            one.first, decode(one.line[:190]), one.count - 1, ERROR if one.count < 3 else WEAK
        )
        for one in sorted(rarest, key=lambda one: one.first)
    )
