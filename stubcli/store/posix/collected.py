"""What gc deleted: one line for each artifact, durable before its data goes.

So a later reference can be told what became of it, and no number is used twice, even where the
hint is lost. Knows no claim and decides nothing.
"""

from dataclasses import asdict, replace

from stubcli.debug import swallowed
from stubcli.errors import IntegrityError, MissingError, StubError
from stubcli.reference import file_name
from stubcli.store.posix.folders import COLLECTED, Folders
from stubcli.store.posix.lines import Lines, seal, unseal
from stubcli.store.posix.runs import highest_run
from stubcli.store.values import Tombstone

SCHEMA = 2
# The reason of what was not collected: it was damaged, and the user gave it up.
GIVEN_UP = "damaged_and_given_up"


def append(session: Folders, tombstone: Tombstone) -> Tombstone:
    """Write a tombstone; it is durable on return. The caller holds the journal's lock.

    Raises OSError, and IntegrityError where the file is none of ours.
    """
    with Lines(session, COLLECTED, write=True) as lines:
        # The runs of what is collected go too, and with them the highest number of any.
        highest = max(tombstone.number, _highest(lines), highest_run(session))
        found = replace(tombstone, highest=highest)
        lines.append(seal({"schema_version": SCHEMA, **asdict(found)}))
    return found


def tombstones(session: Folders) -> list[Tombstone]:
    """Every tombstone, oldest first. Raises IntegrityError where a whole line is not as written."""
    found = [_load(line) for line in _read(session)]
    for place, one in enumerate(found, 1):
        if one is None:
            raise IntegrityError(
                f"line {place} of {COLLECTED} is not what was written",
                "restore it, or move it away: the numbers stay used",
            )
    return [one for one in found if one]


def graves(session: Folders) -> set[tuple[int, str]]:
    """Number and digest (16 digits) of all that was collected, as far as it can be read."""
    return {(one.number, one.sha256[:16]) for line in _read(session) if (one := _load(line))}


def find(session: Folders, number: int | None = None, digest: str = "") -> Tombstone | None:
    """The last tombstone of that number, or of that digest prefix, or of both; damage is no hit."""
    needle = b'"number":%d,' % number if number is not None else b'"sha256":"' + digest.encode()
    try:
        lines = [line for line in _read(session) if needle in line]
    except (OSError, IntegrityError) as error:
        swallowed(f"reading {COLLECTED}", error)
        return None
    for line in reversed(lines):
        one = _load(line)
        if one and one.sha256.startswith(digest) and number in (None, one.number):
            return one
    return None


def explain_missing(
    session: Folders, number: int | None = None, digest: str = ""
) -> MissingError | None:
    """The error that says when and why gc collected that artifact; None where it did not."""
    one = find(session, number, digest)
    if one is None:
        return None
    if one.reason == GIVEN_UP:
        return MissingError(
            f"{file_name(one.number)} of session {session.name} was damaged, and given up on"
            f" {one.when}",
            f"run its command again; what was left of it is kept in {session.path}",
        )
    return MissingError(
        f"{file_name(one.number)} of session {session.name} was collected by gc on {one.when}"
        f" ({one.reason.replace('_', ' ')})",
        "run its command again",
    )


def highest_collected(session: Folders) -> int:
    """The highest number that is known to be gone; 0 where nothing tells."""
    try:
        with Lines(session, COLLECTED) as lines:
            return _highest(lines)
    except FileNotFoundError:
        return 0
    except (OSError, StubError) as error:
        swallowed(f"reading {COLLECTED}", error)
        return 0


def is_whole(line: bytes) -> bool:
    """Whether a line is a tombstone as it was written."""
    return _load(line) is not None


def _highest(lines: Lines) -> int:
    return next((one.highest for line in lines.backwards() if (one := _load(line))), 0)


def _read(session: Folders) -> list[bytes]:
    try:
        with Lines(session, COLLECTED) as lines:
            return lines.read().split(b"\n")[:-1]
    except FileNotFoundError:
        return []


def _load(line: bytes) -> Tombstone | None:
    document = unseal(line)
    if document is None or document.pop("schema_version", None) != SCHEMA:
        return None
    try:
        one = Tombstone(**document)
    except TypeError:
        return None
    counts = (one.number, one.size, one.highest)
    texts = (one.sha256, one.reason, one.when)
    whole = all(type(count) is int for count in counts)
    return one if whole and all(isinstance(text, str) for text in texts) else None
