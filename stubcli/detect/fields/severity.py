"""How grave is what a record says of itself: by its level, by an outcome, by the error it carries.

A word is judged alone and as a whole, whatever the tool: a level, an outcome or a state is one word
in most. It knows no format and no lines.
"""

from collections import Counter
from typing import Any

NONE, WARNING, ERROR, FATAL = range(4)

_LONGEST = 24
# Words, not patterns: what records hold is compared with them at every start.
_FATAL = frozenset(
    ("fatal", "critical", "crit", "emergency", "emerg", "panic", "panicked", "crash", "crashed")
) | {"blocker"}
_ERROR = frozenset(
    (
        *("err", "severe", "high", "down", "dead", "lost", "broken", "degraded", "offline"),
        *(
            "alert",
            "stale",
            "oom",
            "oomkill",
            "defunct",
            "missing",
            "timeout",
            "timed_out",
            "timedout",
        ),
    )
)
# A state may be made of several words: OOMKilled, ImagePullBackOff; will_not_fix is none.
_ENDS = (
    *("error", "failed", "failure", "failing", "fail", "fatal", "crashed", "backoff", "back-off"),
    *("killed", "corrupt", "corrupted", "aborted", "abort", "refused", "rejected", "denied"),
    *(
        "unreachable",
        "unhealthy",
        "expired",
        "evicted",
        "violation",
        "notready",
        "crash",
        "of_memory",
    ),
)
_WARNING = frozenset(("warn", "warning"))
_NEGATIONS = ("no", "not", "non", "without", "ignore")

# Members by which records say their level; below `log`, as nested ones do.
_LEVELS = (
    *("level", "severity", "lvl", "loglevel", "log.level", "levelname", "level_name", "@l"),
    *("severity_text", "severityText", "log_level", "logLevel", "Level", "Severity"),
    *("priority", "PRIORITY", "sev", "severityNumber", "s"),
)
# Members that are there where something went wrong.
_FAULTS = ("error", "err", "exception", "failure", "crash", "fault", "ename", "panic")
# Where the status of an answer stands, itself or below.
_STATUSES = ("status", "statusCode", "status_code", "res", "response")
# What holds any word at all.
_NAMES = frozenset(
    ("name", "id", "title", "label", "key", "path", "file", "message", "msg", "tag", "text")
)
_NOTHING = (None, False, "", "0", "null", "none", "None")
# Numbers stand for levels in tens, with what is usual at 30 or at 20, or as those of syslog do.
_TENS = frozenset(map(str, range(10, 70, 10)))
_SYSLOG = frozenset("01234567")
_LETTERS = frozenset("TDIWEFC")


def of_word(text: str) -> int:
    """How grave a state, an outcome or a level of one word is."""
    if not 2 < len(text) <= _LONGEST or not text[0].isalpha() or " " in text:
        return NONE
    word = text.casefold()
    if word in _FATAL:
        return FATAL
    if word in _ERROR or (word.endswith(_ENDS) and not _is_negated(word)):
        return ERROR
    return WARNING if word in _WARNING else NONE


def _is_negated(word: str) -> bool:
    return word.startswith(_NEGATIONS) and not word.startswith("notready")


_known: dict[str, int] = {}


def _of_word(text: str) -> int:
    """The same for words that come again and again."""
    rank = _known.get(text)
    if rank is None:
        rank = of_word(text)
        if len(_known) < 1000:
            _known[text] = rank
    return rank


def level_of(record: dict[str, Any]) -> str:
    """The level that a record carries, as it is written; "" where it carries none."""
    for key in _LEVELS:
        if key in record:
            level = record[key]
            known = isinstance(level, str) and (key != "s" or level in _LETTERS)
            return level if known else ""
    inner = record.get("log")
    level = inner.get("level") if isinstance(inner, dict) else None
    return level if isinstance(level, str) else ""


def of_level(level: str, levels: Counter[str]) -> int:
    """How grave a level is, among all that came."""
    if not level.isdecimal():
        return (
            WARNING
            if level in ("W", "w")
            else ERROR
            if level in ("E", "F", "C")
            else of_word(level)
        )
    usual, number = levels.most_common(1)[0][0], int(level)
    if levels.keys() <= _TENS:
        error = 40 if usual == "20" else 50
        return FATAL if number > error else ERROR if number == error else number == error - 10
    if levels.keys() <= _SYSLOG and usual in ("5", "6", "7"):
        return FATAL if number < 3 else ERROR if number == 3 else number == 4
    return NONE


def status_of(record: dict[str, Any]) -> str:
    """The status of HTTP by which a server says that it failed; "" where there is none."""
    for key in _STATUSES:
        status = record.get(key)
        if isinstance(status, dict):
            status = next((status[one] for one in _STATUSES if one in status), None)
        if isinstance(status, str) and len(status) == 3 and status[0] == "5" and status.isdecimal():
            return status
    return ""


def outcome_of(record: dict[str, Any]) -> tuple[int, str]:
    """The gravest that members of one word say, and the word; an error that is carried along."""
    gravest, said = NONE, ""
    for key, value in record.items():
        if type(value) is str and len(value) <= _LONGEST:
            rank = _of_word(value)
            if rank > gravest and key.lower() not in _NAMES:
                gravest, said = rank, value
        elif type(value) is dict and key in ("status", "state", "result"):
            rank, word = outcome_of(value)
            if rank > gravest:
                gravest, said = rank, word
    if gravest < ERROR:
        for key in _FAULTS:
            if key in record and record[key] not in (*_NOTHING, [], {}):
                return ERROR, key
    return gravest, said
