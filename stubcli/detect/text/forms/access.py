"""Access logs of web servers: requests by status, and where those that failed stand."""

import re
from collections import Counter
from dataclasses import dataclass

from stubcli.detect.model import ByteSource, NotableLine, Scan
from stubcli.detect.notable.patterns import ERROR, WEAK
from stubcli.detect.reading import plain_lines, reach
from stubcli.detect.text.facts import FormFacts
from stubcli.detect.text.line_signs import REQUEST
from stubcli.detect.text.read import FormReading
from stubcli.detect.words import clip, limited, listed
from stubcli.text.characters import decode
from stubcli.value import Value

NAME = "log"
QUOTES = True
# One regular expression a line.
_LIMIT = 12 * 1024 * 1024
_KINDS = 2000
TIME = re.compile(rb"\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d")
_FAILED_SHOWN = 4
_QUOTED = 6


class Failed(Value):
    """Requests of one path that failed with one status: how many, the first and the last line
    with their times.
    """

    status: str
    path: str
    count: int
    first: int
    last: int
    first_time: str
    last_time: str


class AccessFacts(FormFacts):
    """statuses: each with its requests. failed: the most frequent ones, of failed_count by status
    and path. missed: paths of status 4xx with how often, the most frequent. first, last: times.
    """

    statuses: tuple[tuple[str, int], ...] = ()
    failed: tuple[Failed, ...] = ()
    failed_count: int = 0
    missed: tuple[tuple[str, int], ...] = ()
    first: str = ""
    last: str = ""


FACTS = AccessFacts


@dataclass
class _FailedRequests:
    """Requests of one path that failed with one status, so far."""

    count: int
    first: int
    line: bytes
    last: int
    end: bytes


def read(source: ByteSource, scan: Scan) -> FormReading:
    statuses: Counter[bytes] = Counter()
    missed: Counter[bytes] = Counter()
    failed: dict[tuple[bytes, bytes], _FailedRequests] = {}
    begin = end = b""
    seen = reach(source, _LIMIT)
    for number, line in enumerate(plain_lines(source, seen), 1):
        request = REQUEST.search(line[:1200])
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
                failed[status, path] = _FailedRequests(1, number, line, number, line)
        elif status[:1] == b"4" and len(missed) < _KINDS:
            missed[b" ".join((status, request[2] or b""))] += 1
    ranked = sorted(statuses.items(), key=lambda item: (-item[1], item[0]))
    facts = AccessFacts(
        seen,
        source.size,
        tuple((decode(status), number) for status, number in ranked),
        _most_failed(failed),
        len(failed),
        _often(missed),
        _time(begin),
        _time(_last(source, seen) or end),
    )
    return FormReading(facts, _quoted(failed))


def words(facts: AccessFacts) -> list[str]:
    statuses = (f"{status} {number:,}" for status, number in facts.statuses)
    said = ["status: " + listed(statuses, len(facts.statuses))]
    said += [_failed_words(one) for one in facts.failed]
    if facts.failed_count > len(facts.failed):
        more = facts.failed_count - len(facts.failed)
        said.append(f"  +{more:,} more of status 5xx by path")
    if facts.missed:
        missed = ", ".join(f"{clip(path, 60)} {number:,}" for path, number in facts.missed)
        said.append(f"  4xx most: {missed}")
    said.append(f"time: {facts.first} to {facts.last}")
    return [*said, *limited(facts.seen, facts.size)]


def _failed_words(one: Failed) -> str:
    if one.count > 1:
        where = f"lines {one.first:,} to {one.last:,}, {one.first_time} to {one.last_time}"
    else:
        where = f"line {one.first:,}, {one.first_time}"
    return f"  {one.status} {one.count:,} × {clip(one.path, 100)}: {where}"


def _time(line: bytes) -> str:
    found = TIME.search(line[:400])
    return decode(found[0]) if found else "?"


def _last(source: ByteSource, seen: int) -> bytes:
    """The last line with a time, where reading stopped before it."""
    if source.size <= seen:
        return b""
    ends = source.read_at(source.size - 65536, 65536).split(b"\n")[1:]
    return next((line for line in reversed(ends) if TIME.search(line[:400])), b"")


def _most_failed(failed: dict[tuple[bytes, bytes], _FailedRequests]) -> tuple[Failed, ...]:
    often = sorted(failed.items(), key=lambda item: (-item[1].count, item[1].first))
    return tuple(
        Failed(
            decode(status),
            clip(decode(path)),
            one.count,
            one.first,
            one.last,
            _time(one.line),
            _time(one.end),
        )
        for (status, path), one in often[:_FAILED_SHOWN]
    )


def _often(missed: Counter[bytes]) -> tuple[tuple[str, int], ...]:
    top = sorted(missed.items(), key=lambda item: (-item[1], item[0]))[:3]
    return tuple((clip(decode(path)), number) for path, number in top if number > 1)


def _quoted(failed: dict[tuple[bytes, bytes], _FailedRequests]) -> tuple[NotableLine, ...]:
    """The first of each failure; the rarer, the more it says."""
    rarest = sorted(failed.values(), key=lambda one: (one.count, one.first))[:_QUOTED]
    return tuple(
        NotableLine(
            one.first, decode(one.line[:190]), one.count - 1, ERROR if one.count < 3 else WEAK
        )
        for one in sorted(rarest, key=lambda one: one.first)
    )
