"""The lines by which compilers, linters and scanners say what they found, and where. It loads no
reader.
"""

import re

from stubcli.text.characters import decode
from stubcli.value import Value

_SEVERITIES = (
    rb"fatal error|internal compiler error|error|warning|warn|note|info|information|style|"
    rb"performance|portability|hint|remark|convention|refactor|suggestion|critical|severe|"
    rb"high|medium|moderate|low"
)
_PLACE = rb"([^\s:(\[][^\s:(]*)(?::|\()(\d+)(?:[:,]\d+)?(?:-\d+(?::\d+)?)?\)?"
# path:line:column: severity message, path(line,column): severity CODE: message,
# path:line:column: CODE message
PLACED = re.compile(
    _PLACE + rb"(?: - |: ?| )"
    rb"(?:\[?(" + _SEVERITIES + rb"|(?i:" + _SEVERITIES + rb")(?=[:\]]))\]?(?=[:\s\[(])[: ]?\s*|"
    rb"([A-Z]+\d{2,5}\b|[CWEFRI](?=: ))|(?=\[))(.*)"
)
# path:line:column: message
_SAID = re.compile(_PLACE + rb": (?=[^\s])(.*)")
# [ERROR] path:[line,column] message; [path:line]: (severity) message; e: path:line:column message
_LABELLED = re.compile(
    rb"\[(ERROR|WARNING|WARN|INFO)\] (\S+?):\[(\d+),\d+\] (.*)|"
    rb"\[([^\s\]]+?):(\d+)\](?: ->.{0,200})?: \((\w+)\) (.*)|"
    rb"([ewi]): (?:file://)?(\S+?)(?::(\d+):\d+|: \(\d+, \d+\):?) (.*)"
)
# error[CODE]: message, with its place on a following line
BARE = re.compile(rb"(error|warning)(?:\[([\w:-]+)\])?: (.*)")
# CODE message, with its place on a following line
CODED = re.compile(
    rb"()([A-Z]{1,6}\d{2,5}|(?:invalid|syntax)-\w+:)(?= )(?: \[\*\])? ([^\W\d].*|[`'\"].*)"
)
# The same of a message that begins with a number: one where the place follows.
CODED_NUMBER = re.compile(rb"()([A-Z]{1,6}\d{2,5})(?= )(?: \[\*\])? (\d.*)")
ARROW = re.compile(rb"\s*--> (\S+?):\d+")
# line:column severity message  rule, under the name of the file; line | severity | message
UNDER = re.compile(
    rb"\s+\d+:\d+\s+(error|warning|info|\xe2\x9c\x96|\xe2\x9a\xa0|\xc3\x97|\xe2\x84\xb9)\s+"
    rb"(.*\S)(?:\s{2,}\(?|\s\()([\w@/-]+)\)?\s*$|"
    rb"\s+\d+ \| (ERROR|WARNING) +\| (?:\[.\] )?(.*)"
)
# line:column CODE message, under the name of the file too.
_UNDER_CODED = re.compile(rb"\s+\d+:\d+:? +([A-Z]{1,6}\d{2,5})(?: \[\*\])? (.*)")
# ^-- CODE (severity): message
POINTED = re.compile(rb"\s*\^-*\^? (?:-- )?([A-Z]+\d+) \((\w+)\): (.*)")
# What stands before findings that do not say their file themselves.
HEADING = re.compile(
    rb"(?:FILE: |In )?((?:/|[A-Z]:\\|[\w.@-]+/|(?=\S+\.\w))\S*\.\w{1,8}|/\S+)(?: line \d+)?:?\s*$"
)
# Of findings in blocks: what begins one, how grave it is, where it is.
TITLE = re.compile(
    rb"[>*# -]{0,4}(?:Issue|Check|Rule|RuleID|Rule ID|Finding|Title|Category|Message|Warning Type)"
    rb"\b[: ]\s*(?:\[?([A-Z]{1,8}_?\w*\d\w*)(?::([\w-]+))?\]?:? )?(\S.*)"
)
GRAVE = re.compile(
    rb"[\s>*-]{0,8}(?:Severity|Level|Priority|Impact)\b: ?\[?(\w+)\]?(?:\s{2,}|,|$)", re.IGNORECASE
)
LOCATED = re.compile(rb"[\s>*-]{0,8}(?:Location|File|Path)\b: ?(\S+?)(?::(\d+)\S*)?\s*$")
STEP = re.compile(
    rb"(?:\S*/)?((?:[\w.-]+-)?(?:cc|gcc|g\+\+|clang|clang\+\+|c\+\+)|javac|rustc) -|"
    rb"(\[ *\d+%\]|\[\d+/\d+\]) |"
    rb" {0,12}(CC|CXX|LD|AR|HOSTCC|Compiling|Checking|Building|Linking|Downloaded) "
)
_EXCERPT = re.compile(rb"\s*(?:--> |\d* *\||[\^~]+\s*$)")
_SUM = re.compile(
    rb"generated \d+|could not compile|aborting due|previous error|\d+ (?:warning|error)s? emitted|"
    rb"build failed"
)
_CODE = re.compile(
    rb"\b([A-Z]{1,6}\d{2,5})\b|\b([A-Z]\w+/[A-Z]\w+)\b|\[((?:-W)?[a-z][\w.=,-]{2,60})\]\s*$|"
    rb"\(([a-z][a-z\d]*(?:-[a-z\d]+)*)\)\s*$"
)
_VARYING = re.compile(rb"['`\"].*?['`\"]|\xe2\x80\x98.*?\xe2\x80\x99|\d+")
_NAMES = {
    "e": "error",
    "w": "warning",
    "i": "info",
    "warn": "warning",
    "fatal error": "error",
    "internal compiler error": "error",
    "information": "info",
    "✖": "error",
    "×": "error",
    "⚠": "warning",
    "ℹ": "info",
}
# Of codes of one letter and four digits, the letter says how grave it is.
_LETTERS = {"F": "fatal", "E": "error", "W": "warning", "C": "convention", "R": "refactor"}
_LETTERED = re.compile(r"[FEWCR]\d{4}$")


class SaidFinding(Value):
    """path: "" where a following line has it, or the file was named above. under: it was.
    message: what the same rule says of every place. said: what the line says.
    """

    severity: str
    code: str
    message: str
    path: bytes = b""
    under: bool = False
    said: bytes = b""


def finding(line: bytes) -> SaidFinding | None:
    """What the line says was found; None where it says nothing of the sort."""
    placed = PLACED.match(line)
    if placed and placed[4] and len(placed[4]) == 1:
        return _made(_LETTERS.get(decode(placed[4]), "info").encode(), b"", placed[5], placed[1])
    if placed:
        return _made(placed[3] or b"finding", placed[4] or b"", placed[5], placed[1])
    bare = BARE.match(line) or CODED.match(line)
    if bare:
        if (not bare[1] and not bare[2]) or _SUM.search(bare[3]):
            return None
        return _made(bare[1] or b"finding", (bare[2] or b"").rstrip(b":"), bare[3])
    under = UNDER.match(line)
    if under:
        return _made(under[1] or under[4], under[3] or b"", under[2] or under[5], under=True)
    under = _UNDER_CODED.match(line)
    if under:
        return _made(b"finding", under[1], under[2], under=True)
    pointed = POINTED.match(line)
    if pointed:
        return _made(pointed[2], pointed[1], pointed[3], under=True)
    labelled = _LABELLED.match(line)
    if labelled:
        found = [part for part in labelled.groups() if part is not None]
        if labelled[5]:
            return _made(labelled[7], b"", labelled[8], labelled[5])
        return _made(found[0], b"", found[-1], found[1])
    said = _SAID.match(line)
    return _made(b"finding", b"", said[3], said[1]) if said and _is_file(said[1]) else None


def coded_number(line: bytes) -> SaidFinding | None:
    match = CODED_NUMBER.match(line)
    return _made(b"finding", match[2], match[3]) if match else None


def _is_file(path: bytes) -> bool:
    name = path.rpartition(b"/")[2]
    return b"." in name.lstrip(b".") and not name[:1].isdigit()


def _made(
    severity: bytes, code: bytes, message: bytes, path: bytes = b"", under: bool = False
) -> SaidFinding:
    if not code:
        found = _CODE.search(message)
        code = next(filter(None, found.groups()), b"") if found else b""
    name = severity.decode("utf-8", "replace").lower()
    name, text = _NAMES.get(name, name), code.decode("utf-8", "surrogateescape")
    if name == "finding" and _LETTERED.match(text):
        name = _LETTERS[text[0]]
    head = _VARYING.sub(b"~", message).split(b": ")[0]
    plain = head.decode("utf-8", "surrogateescape").strip()[:60]
    return SaidFinding(name, text, plain, path, under, message)


_ANY = (PLACED, BARE, CODED, UNDER, _UNDER_CODED, POINTED, _LABELLED)


def compiler(lines: list[bytes]) -> bool:
    placed = others = said = ruled = graded = located = 0
    for line in lines:
        line = line[:400]
        # A place has a colon or a bracket.
        patterns = _ANY if b":" in line or b"(" in line or b"|" in line else (CODED,)
        if any(p.match(line) for p in patterns):
            placed += 1
        elif (match := _SAID.match(line)) and _is_file(match[1]):
            said += 1
            ruled += bool(_CODE.search(match[3]))
        else:
            others += bool(STEP.match(line) or _EXCERPT.match(line))
            graded += bool(GRAVE.match(line))
            located += bool(LOCATED.match(line))
    # Lines of the source may stand between them; each names its rule then.
    if said >= 3 and (said >= 0.7 * len(lines) or 0.9 * said <= ruled >= 0.25 * len(lines)):
        return True
    if graded >= 3 and located >= 0.5 * graded and graded >= 0.03 * len(lines):
        return True
    return placed >= 3 and (placed >= 0.25 * len(lines) or placed + others >= 0.3 * len(lines))
