"""The lines of a trace of calls: a name, arguments, what came of it, as tracers of system and
library calls write them. It loads no reader.
"""

import re
from typing import NamedTuple

# 2213  12:49:02.769575 name(arguments) = -1 ENOENT (No such file) <0.000002>
# 0.049 ( 0.015 ms): ls/15300 name(argument: value)            = 0
_CALL = re.compile(
    rb"(?P<before>|.{0,120}?[\s:>\]])(?:<\.\.\. )?(?P<name>[A-Za-z_][\w.@]{0,60})"
    rb"(?:\(| resumed>)(?P<arguments>.*)\)\s+= (?P<result>\S.*)$"
)
# What comes of a call is a number, an address, nothing, or a text.
_RESULT = re.compile(
    rb"(?:-?\d[\d,]*|0x[0-9a-f]+|\?|NULL|nil|<void>|\"|-?E[A-Z]{3,})(?=$|[\s<(,.]|.*\"$)"
)
_ERROR = re.compile(rb"-?(?:\d+ )?(?:Err#\d+ )?-?(E[A-Z][A-Z0-9]{2,14}|Err#\d+)\b")
# What a socket or a child left behind is told as a value.
_TOLD = re.compile(rb"\[(E[A-Z][A-Z0-9]{2,14})\]")
_PATH = re.compile(rb'"((?:[^"\\]|\\.)+)"')
_TIMES = (
    (re.compile(rb"<(\d+\.\d+)>$"), 1.0),
    (re.compile(rb"\( *(\d+\.\d+) ms\)"), 0.001),
)
_PROCESS = re.compile(rb"(?:\[pid +)?(\d{1,8})(?:\]|\b(?![.:]))|.{0,60}\): (\S{1,60}/\d+) ")
_ENDED = re.compile(
    rb"\+\+\+ (?:exited with [1-9]|killed by )|--- SIG(?:SEGV|ABRT|BUS|ILL|FPE|SYS)\b|"
    rb"\bexit(?:_group)?\((?:\w+: )?[1-9]"
)


class Call(NamedTuple):
    """error: the name of what went wrong, empty where nothing did. seconds: how long it took, -1
    where it is not said. path: the first quoted argument. process: what called.
    """

    name: bytes
    error: bytes
    path: bytes
    seconds: float
    process: bytes


def call(line: bytes) -> Call | None:
    """The call that the line tells of, with what came of it."""
    match = _CALL.match(line)
    if match is None:
        return None
    result, before = match["result"], match["before"]
    error = _ERROR.match(result) or _TOLD.search(match["arguments"])
    path = _PATH.search(match["arguments"])
    process = _PROCESS.match(before)
    return Call(
        match["name"],
        error[1] if error else b"",
        path[1] if path else b"",
        _seconds(line),
        (process[1] or process[2]) if process else b"",
    )


def _seconds(line: bytes) -> float:
    for pattern, unit in _TIMES:
        match = pattern.search(line)
        if match:
            return float(match[1]) * unit
    return -1.0


def ends_badly(line: bytes) -> bool:
    """Whether a process ends here otherwise than with 0."""
    return _ENDED.search(line) is not None


def calls(lines: list[bytes]) -> bool:
    if len(lines) < 5 or sum(b") " in line and b"= " in line for line in lines) < 0.6 * len(lines):
        return False
    found = [match for line in lines if (match := _CALL.match(line[:1000]))]
    return sum(_RESULT.match(match["result"]) is not None for match in found) >= 0.6 * len(lines)
