"""Of a record, the members that tell what happened: its message, its error, where, to what.

They are chosen by what they are called and stay as they stand. It does not know how grave it is.
"""

import re
from itertools import chain
from typing import Any

from stubcli.detect.fields import severity
from stubcli.detect.fields.values import text_of
from stubcli.detect.words import ELIDED, shortened

# So many leaves of a record are looked at, so deep.
_LEAVES = 80
_DEPTH = 5
# By the last part of their path, the most telling first.
_ORDER = tuple(
    frozenset(words.split())
    for words in (
        "msg message evalue error err reason cause detail details description summary event "
        "errormessage errmsg errormsg failuremessage exceptionmessage @m @mt",
        "level severity lvl loglevel levelname severitytext outcome conclusion @l",
        "name id nodeid title testname key uri url resource instance target",
        "stack stacktrace traceback longrepr backtrace stderr excinfo @x",
        "ename type class exception status statuscode state result code",
        "method component logger caller file path line lineno host service package",
    )
)
_LEVEL, _STACK = 1, 3
_FIRST = 120
# Of a longer text, its beginning and its end are told.
_LONG = 160
# Where and by what it ran, not what it was about.
_SURROUNDINGS = ("thread.", "process.", "service.", "agent.", "host.", "container.", "ecs.", "os.")
_FAULTS = ("err", "error", "exception", "failure", "crash", "fault")
_TYPES = ("type", "class", "name", "code")
# How longer names end of what says why.
_SAYS = ("error", "message", "reason", "errmsg")
_ARROW = re.compile(r"\s*-{1,6}> ?\d* *\S")
_ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_PLACE = re.compile(r"[\w./\\~<>+-]*[\w-]\.[A-Za-z]\w{0,5}:\d+|\bline \d+")
_LIBRARY = re.compile(
    r"(?:^|[\s(@])(?:/usr/|/opt/|/nix/|/rustc/|node:|[A-Z]:\\Program)|"
    r"/(?:site-packages|node_modules|\.cargo|rustlib)/|^\s*at (?:java|javax|jdk|sun|kotlin|scala)"
    r"[./]"
)

Leaf = tuple[str, str]


def telling(record: Any) -> tuple[Leaf, ...]:
    """The telling leaves by path, the most telling first; of a stack, its first own place."""
    found: list[Leaf] = []
    _gather(record, "", found, 0)
    ranked = [(_rank(*leaf), at, leaf) for at, leaf in enumerate(found) if leaf[1].strip()]
    ranked = sorted(one for one in ranked if one[0] < len(_ORDER))
    said = [text for rank, _, (_, text) in ranked if rank < _LEVEL and "\n" not in text]
    told: list[Leaf] = []
    for rank, _, (path, text) in ranked:
        if "\n" in text and (rank == _STACK or rank < _LEVEL):
            text, stated = _stack(text.split("\n"), said)
            told = [leaf for leaf in told if leaf[1] not in stated]
        if text:
            told.append((path, text if "\n" in text else shortened(text, _LONG)))
    return tuple(told)


def _rank(path: str, text: str) -> int:
    """How telling a leaf is, by what it is called; 0 is most."""
    above, _, last = path.lower().rpartition(".")
    name = "".join(char for char in last if char.isalpha() or char == "@")
    rank = next((n for n, words in enumerate(_ORDER) if name in words), len(_ORDER))
    if rank == len(_ORDER) and name.endswith("status"):
        rank = len(_ORDER) - 2
    elif rank == len(_ORDER) and name.endswith(_SAYS):
        rank = 0
    surrounding = any(f"{above}.".endswith(one) for one in _SURROUNDINGS)
    if surrounding or (rank == _LEVEL and not (text.isdecimal() or severity.of_word(text))):
        return len(_ORDER)
    is_type = name in _TYPES and above.rpartition(".")[2].startswith(_FAULTS)
    return _STACK if is_type else rank


def _stack(rows: list[str], said: list[str]) -> tuple[str, list[str]]:
    """What a stack tells, and which texts stand in it already: its first row repeats the message,
    where that is told elsewhere too.
    """
    place = own_place(rows)
    first = rows[0].strip()
    stated = [text for text in said if text in first and len(first) <= _FIRST]
    return (f"{first}{ELIDED}{place}" if stated and place != first else place), stated


def own_place(rows: list[str]) -> str:
    """The row of a stack that an arrow points out, or the first that is in no library, or any."""
    rows = [_ESCAPES.sub("", row).strip() for row in rows]
    rows = [row for row in rows if any(map(str.isalpha, row))]
    pointed = (row for row in rows if _ARROW.match(row))
    own = (row for row in rows if _PLACE.search(row) and not _LIBRARY.search(row))
    return next(chain(pointed, own, rows), "")


def _gather(value: Any, path: str, found: list[Leaf], depth: int) -> None:
    if len(found) >= _LEAVES or depth > _DEPTH:
        return
    if isinstance(value, dict):
        for key, child in value.items():
            _gather(child, f"{path}.{key}" if path else key, found, depth + 1)
    elif isinstance(value, list):
        if value and all(isinstance(one, str) for one in value[:_LEAVES]):
            found.append((path, "\n".join(value[:_LEAVES])))
        elif value:
            _gather(value[0], f"{path}[0]", found, depth + 1)
    else:
        found.append((path, text_of(value)))
