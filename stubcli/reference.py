"""The grammar of references: how an artifact is named, and how a pasted name is read.

Knows no disk: whether an artifact of that name exists is the store's to say.
"""

import re

from stubcli.errors import UsageError
from stubcli.value import Value

SHORT = 12
# The largest number, for whoever gives, writes or reads one; no count of outputs comes near it.
DIGITS = 18
LARGEST = 10**DIGITS - 1
_NUMBER = f"[0-9]{{3,{DIGITS}}}"
SESSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}", re.ASCII)
# Without a digest it names what is unfinished and has none yet; one that was cut off is no name.
_FULL = re.compile(
    rf"artifact:([A-Za-z0-9][A-Za-z0-9._-]{{0,127}}):tool_result_({_NUMBER})\.txt"
    r"(?::([0-9a-f]{12,64})|(?![\w:]))",
    re.ASCII,
)
# What may be typed where a reference is asked for.
FORMS = (
    "give a number, a digest prefix of 6 or more, 'last', @NAME, the id of a call, a path, or a "
    "whole reference"
)
_FILE = re.compile(rf"tool_result_({_NUMBER})\.txt", re.ASCII)
_RECORD = re.compile(rf"tool_result_({_NUMBER})\.([0-9a-f]{{16}})\.json", re.ASCII)
# The longest run that begins with a slash and ends as a file of ours: paths may hold spaces.
_PATH = re.compile(rf"/.*/tool_result_{_NUMBER}\.(?:txt|[0-9a-f]{{16}}\.json)", re.ASCII)
_PREFIX = re.compile(r"[0-9a-f]{6,64}", re.ASCII)
# What a run is called; a dot at its end would be the end of a sentence.
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?", re.ASCII)
# As hosts make them; longer than that is none of theirs.
_CALL_ID = re.compile(r"[!-~]{1,256}", re.ASCII)


def file_name(number: int) -> str:
    return f"tool_result_{number:03d}.txt"


def record_name(number: int, digest: str) -> str:
    """The name of a record; `digest` is the full or the 16-digit SHA-256 in hexadecimal."""
    return f"tool_result_{number:03d}.{digest[:16]}.json"


def parse_digits(text: str) -> int | None:
    """The number in these decimal digits, None where they are none or more than any number has."""
    ours = text.isascii() and text.isdigit() and len(text) <= DIGITS
    return int(text) if ours else None


def file_number(name: str) -> int | None:
    """The number in an artifact's file name, None where it is none of ours."""
    found = _FILE.fullmatch(name)
    return int(found[1]) if found and file_name(int(found[1])) == name else None


def parse_record_name(name: str) -> tuple[int, str] | None:
    """Number and 16-digit digest in a record's file name, None where it is none of ours."""
    found = _RECORD.fullmatch(name)
    if not found or record_name(int(found[1]), found[2]) != name:
        return None
    return int(found[1]), found[2]


class Reference(Value):
    """The name by which an artifact is found again: session, number, SHA-256 (hexadecimal).

    sha256 is empty for what is unfinished.
    """

    session: str
    number: int
    sha256: str

    @property
    def file(self) -> str:
        return file_name(self.number)

    @property
    def short(self) -> str:
        """What a command line needs: one word that is found in any session."""
        return self.sha256[:SHORT] or str(self)

    def __str__(self) -> str:
        digest = f":{self.sha256[:16]}" if self.sha256 else ""
        return f"artifact:{self.session}:{self.file}{digest}"


class Wanted(Value):
    """What was asked for: session, number and digest, or just one of the others.

    number: also of a path that is a file's name alone. call_id: what it may be besides, or alone.
    """

    session: str | None = None
    number: int | None = None
    digest: str | None = None
    last: bool = False
    path: str | None = None
    name: str | None = None
    call_id: str | None = None


def parse(typed: str) -> Wanted:
    """Read a reference in any accepted form, also pasted with what stood around it.

    Raises UsageError where it can be none.
    """
    text = typed.strip()
    if full := _FULL.search(text):
        return Wanted(session=full[1], number=int(full[2]), digest=full[3])
    word = text.lstrip("[({<\"'`,;: ").rstrip("])}>\"'`.,;: ")
    if word == "last":
        return Wanted(last=True)
    if word.isascii() and word.isdigit() and len(word) < 6:
        return Wanted(number=int(word))
    if word.startswith("@"):
        return Wanted(name=check_name(word[1:]))
    call_id = word if _CALL_ID.fullmatch(word) else None
    if _PREFIX.fullmatch(word.lower()):
        return Wanted(digest=word.lower(), number=parse_digits(word), call_id=call_id)
    if path := _path(text, word):
        return Wanted(path=path, number=file_number(path), call_id=call_id)
    pasted = re.findall(r"\b[0-9a-f]{12,64}\b", text)
    if len(set(pasted)) == 1:
        return Wanted(digest=pasted[0], call_id=call_id)
    if call_id is None:
        raise UsageError(f"invalid reference {typed!r}", FORMS)
    return Wanted(call_id=call_id)


def _path(text: str, word: str) -> str | None:
    """A path to a file of ours: all that was typed, or the one that stands in it."""
    name = word.rpartition("/")[2]
    ours = _FILE.fullmatch(name) or (_RECORD.fullmatch(name) and "/" in word)
    if ours and (word.startswith((".", "/")) or " " not in word):
        return word
    if found := _PATH.search(text):
        return found[0]
    return word if "/" in word else None


def check_name(name: str) -> str:
    """`name` where a run may be called so. Raises UsageError."""
    if not _NAME.fullmatch(name):
        shown = name if len(name) <= 40 else name[:40] + "…"
        raise UsageError(
            f"invalid name {shown!r}",
            "use letters, digits, '.', '_' and '-', beginning with a letter or digit and not "
            "ending with '.', at most 64",
        )
    return name


def check_session(name: str) -> str:
    """`name` where it may name a session. Raises UsageError."""
    if not SESSION.fullmatch(name):
        shown = name if len(name) <= 40 else name[:40] + "…"
        raise UsageError(
            f"{shown!r} cannot name a session",
            "use letters, digits, '.', '_' and '-', beginning with a letter or digit, at most 128",
        )
    return name


def session_folder(name: str) -> str:
    """The folder of a session, one to one, and apart on a file system that folds case.

    The lower-case name, and where it had capitals a '+' (no session name holds one) with their
    positions as a hexadecimal number: at most 161 bytes.
    """
    capitals = sum(1 << place for place, letter in enumerate(name) if letter.isupper())
    return f"{name.lower()}+{capitals:x}" if capitals else name


def session_of_folder(folder: str) -> str | None:
    """The session whose folder this is, None where it is none of ours."""
    lower, _, digits = folder.partition("+")
    try:
        capitals = int(digits, 16) if digits else 0
    except ValueError:
        return None
    name = "".join(c.upper() if capitals >> place & 1 else c for place, c in enumerate(lower))
    return name if SESSION.fullmatch(name) and session_folder(name) == folder else None
