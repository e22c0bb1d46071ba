"""The signs of what version control, test runners, compilers and interpreters write.

They load no reader; a sign is a rule on sampled lines without colours.
"""

import re
from itertools import pairwise

from stubcli.detect.notable.stack_lines import MARKS, frame, stacks
from stubcli.detect.text.call_lines import calls
from stubcli.detect.text.finding_lines import compiler as compiler
from stubcli.text.characters import decode

COMMIT = re.compile(rb"commit [0-9a-f]{7,64}\b")
_GRAPH = re.compile(rb"[*|\\/_.-][*|\\/_. -]{0,80}?(?: (?=[^ *|\\/_])|$|(?=    ))")
ONELINE = re.compile(rb"([0-9a-f]{7,40}) (?:\(([^)]*)\) )?(\S.*)")
_CHANGED = re.compile(rb" \S.{0,300}?\s+\|\s+\d{1,9} [-+]+\s*$")
_BEGIN = re.compile(rb"(?:# )?(?:On branch |HEAD detached |Not currently on any branch|rebase in )")
STATUS_HEADING = re.compile(rb"([A-Z][\w ,'-]{5,60}):$")
STATUS_SHORT = re.compile(rb"([ MADRCUT][MDAUT ]|\?\?|!!) (\S.*)")
STATUS_ENTRY = re.compile(rb"\t(?:([a-z][a-z ]{2,20}):\s+)?(.+)")
HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
# What diff says without +++: a command of ed and lines behind < or >, whole files and folders.
NORMAL = re.compile(rb"\d+(?:,\d+)?[acd]\d+(?:,\d+)?$")
ONLY = re.compile(rb"Only in (.{1,400}?): (.+)")
DIFFER = re.compile(rb"(?:Binary files|Files) (.{1,400}?) and (.{1,400}?) differ")
_CONTEXT = re.compile(rb"\*{3} \d+(?:,\d+)? \*{4}$")
RESULT = re.compile(
    rb"^(?:\s*(PASS|FAIL|(?:not )?ok(?!:)|--- (?:PASS|FAIL|SKIP)|"
    rb"\xe2\x9c[\x93\x94\x95\x98\x97]|\xe2\x88\x9a)[:\s]\s*\S"
    rb"|(?:\S+::\S.*|test \S+ \.\.\.|.{1,200} \.\.\.) "
    rb"(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS|ok|FAIL|skipped|ignored)\b"
    rb"|(?:(PASSED|FAILED|ERROR|SKIPPED) \S+::)"
    rb"|\[ +(OK|FAILED|SKIPPED) +\] \S.*\(\d+ ms\)"
    rb"| *\d+/\d+ Test +#\d+: .{1,200}?[. *]+(Passed|Failed|Not Run|Timeout|Skipped|Exception)\b"
    rb"|\s+(Passed|Failed|Skipped) \S.* \[[<\d][^\]]*\]$"
    rb"|\S.{0,200} > .{1,200} (PASSED|FAILED|SKIPPED)$)"
)
_DOTS = re.compile(rb"\S+\.py [.FEsxX]+(?:\s+\[ *\d+%\])?$|[.FEsxX]{20,}(?:\s+\[ *\d+%\])?$")
_TESTS = re.compile(
    rb"=+ test session starts|^running \d+ tests?$|^=== RUN|^TAP version|^Ran \d+ test"
)
TRACED = re.compile(rb"Traceback \(most recent|Exception in thread|panic: |Caused by: |Unhandled ")


def ungraphed(line: bytes) -> bytes:
    """The line without the lines of a graph that git draws before it."""
    return _GRAPH.sub(b"", line, count=1) if line[:1] in b"*|\\/" else line


def history(lines: list[bytes]) -> bool:
    lines = [line for line in map(ungraphed, lines) if line.strip()] or lines
    commits = sum(1 for line in lines if COMMIT.match(line))
    authors = sum(line.startswith(b"Author: ") for line in lines)
    return commits >= 2 and authors >= 2 and lines[0].startswith(b"commit ")


def oneline(lines: list[bytes]) -> bool:
    lines = [line for line in map(ungraphed, lines) if line.strip()]
    if len(lines) < 5:
        return False
    found = [match for line in lines if (match := ONELINE.match(line[:400]))]
    # Words of letters alone may be names; hashes hold digits.
    digits = sum(any(48 <= byte <= 57 for byte in match[1]) for match in found)
    widths = {len(match[1]) for match in found}
    # As md5sum and sha1sum mark files that were read as binary ones.
    if sum(match[3][:1] == b"*" for match in found) > 0.5 * len(found):
        return False
    # Addresses begin alike, padded with noughts or not; where a commit comes line after line, lines
    # of a file are told apart by it.
    padded = sum(match[1][:4] == b"0000" for match in found)
    alike = sum(a[1][:8] == b[1][:8] and len(a[1]) <= 16 for a, b in pairwise(found))
    if max(padded, alike) > 0.2 * len(found):
        return False
    return len(found) >= 0.85 * len(lines) and digits >= 0.8 * len(found) and len(widths) <= 3


_BAR = "│".encode()
_BARS = re.compile("(?:│ ?)+".encode())
# What is compared, where the parts of a whole are drawn as a tree.
PART = re.compile("(?:├|└)(?:─)+ (.+)".encode())


def opened_by(line: bytes) -> str:
    """The file that a line opens."""
    text = decode(line)
    if text.startswith("diff --cc "):
        return text[10:].strip()
    if text.startswith("diff --git "):
        return text.rpartition(" b/")[2].strip() if " b/" in text else text.split()[-1]
    return text.split()[-1]


def diffstat(lines: list[bytes]) -> bool:
    changed = sum(1 for line in lines if b"|" in line and _CHANGED.match(line[:600]))
    return changed >= 3 and changed >= 0.7 * len(lines)


def status(lines: list[bytes]) -> bool:
    short = sum(1 for line in lines if line[:2].strip() and STATUS_SHORT.match(line))
    if short >= 5 and short >= 0.95 * len(lines):
        return True
    if not any(_BEGIN.match(line) for line in lines[:5]):
        return False
    entries = sum(1 for line in lines if STATUS_ENTRY.match(line))
    return entries >= 1 and any(STATUS_HEADING.match(line) for line in lines)


def undressed(line: bytes) -> bytes:
    """A line of a diff without the bars that are drawn beside it, as under what it is a part of."""
    return _BARS.sub(b"", line) if line[:3] == _BAR else line


def diff(lines: list[bytes]) -> bool:
    lines = [undressed(line) for line in lines]
    hunks = sum(1 for line in lines if HUNK.match(line))
    git = sum(line.startswith(b"diff --git ") for line in lines)
    files = sum(line.startswith((b"--- ", b"+++ ")) for line in lines)
    if (hunks and (files or git)) or git > 1:
        return True
    whole = sum(1 for line in lines if ONLY.match(line[:900]) or DIFFER.match(line[:900]))
    context = sum(1 for line in lines if _CONTEXT.match(line))
    commands = sum(1 for line in lines if NORMAL.match(line))
    beside = sum(line[:2] in (b"< ", b"> ", b"--") or line[:6] == b"diff -" for line in lines)
    normal = commands >= 2 and commands + beside + whole >= 0.8 * len(lines)
    return normal or (whole >= 3 and whole >= 0.5 * len(lines)) or (context >= 1 and files >= 1)


def testreport(lines: list[bytes]) -> bool:
    if not lines:
        return False
    results = sum(1 for line in lines if RESULT.match(line[:400]) or _DOTS.match(line[:400]))
    banner = any(_TESTS.match(line) for line in lines)
    return results >= 3 and results > (0.02 if banner else 0.3) * len(lines)


def traceback(lines: list[bytes]) -> bool:
    whole = b"\n".join(lines)
    if not any(mark in whole for mark in MARKS):
        return False
    framed = [frame(line[:400]) is not None for line in lines]
    frames = sum(framed)
    begins = sum(1 for line in lines if TRACED.search(line[:200]))
    traced = frames >= 3 and frames >= 0.25 * len(lines) and begins + frames > 3
    return traced or stacks(lines, framed)


# The file of the form, its precedence, and whether lines are of it.
SIGNS = (
    ("calls", 0, calls),
    ("history", 10, history),
    ("oneline", 20, oneline),
    ("diffstat", 30, diffstat),
    ("status", 40, status),
    ("diff", 50, diff),
    ("testreport", 60, testreport),
    ("compiler", 70, compiler),
    ("traceback", 80, traceback),
)
