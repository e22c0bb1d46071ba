"""How far the journal was acknowledged: two checksummed slots beside it, written in turn.

A chain of digests alone cannot show that lines are missing at its end: every one of 3,381 ways to
cut a journal short left a valid one. Bytes in, values out; no disk here.
"""

import hashlib
import json
from dataclasses import dataclass

from stubcli.errors import IntegrityError
from stubcli.retention.leases.chain import NONE_BEFORE, Chain, canonical, damage_error
from stubcli.text.display import amount

SLOT = 512
# Apart by a page: a write that is torn by a power cut tears one of them.
STRIDE = 4096


@dataclass(frozen=True)
class Anchor:
    """A journal's state: its records, its bytes, the digest of the last record and of all bytes."""

    session_id: str
    sequence: int = 0
    size: int = 0
    event_sha256: str = NONE_BEFORE
    prefix_sha256: str = hashlib.sha256().hexdigest()


def encode(anchor: Anchor) -> bytes:
    """One slot: canonical JSON, its digest, spaces, LF."""
    document = canonical(vars(anchor))
    check = hashlib.sha256(document).hexdigest().encode("ascii")
    return (document + b" " + check).ljust(SLOT - 1) + b"\n"


def _decode(slot: bytes) -> Anchor | None:
    try:
        document = json.loads(slot.split(b"} ")[0] + b"}")
        anchor = Anchor(**document)
        good = type(anchor.sequence) is int and type(anchor.size) is int and encode(anchor) == slot
    except (ValueError, TypeError, RecursionError):
        return None
    return anchor if good else None


def newest(head: bytes) -> tuple[Anchor | None, int]:
    """The newest anchor that is whole, and the slot that the next one goes to.

    Never the slot that holds the newest: a write that fails must leave it. Where none is whole,
    each line end may have become CR LF on the way through an editor or a copy.
    """
    slots = _slots(head)
    if not any(slots):
        slots = _slots(head.replace(b"\r\n", b"\n"))
    whole = [(anchor.sequence, place) for place, anchor in enumerate(slots) if anchor]
    if not whole:
        return None, 0
    place = max(whole)[1]
    return slots[place], 1 - place


def _slots(head: bytes) -> list[Anchor | None]:
    return [_decode(head[start : start + SLOT]) for start in (0, STRIDE)]


@dataclass(frozen=True)
class Standing:
    """A journal that agrees with its anchor.

    anchor: None where none was written. slot: where the next one goes. lines: the bytes up to the
    last LF, of which digest is the SHA-256. torn: what follows. chain: read where records stand
    behind the anchor. restored: the file has other line ends than were written.
    """

    anchor: Anchor | None
    slot: int
    lines: bytes
    torn: bytes
    digest: "hashlib._Hash"
    chain: Chain | None
    restored: bool


def examine(journal: bytes | None, head: bytes | None, marked: bool, session: str) -> Standing:
    """Whether this journal is all that was acknowledged. Raises IntegrityError where it is not.

    journal, head: the files' bytes, None where one is missing. marked: a record was once
    acknowledged here. The anchored lines are compared as a whole, and only what stands behind
    them is read.
    """
    anchor, slot = newest(head or b"")
    if anchor is None:
        if journal or marked:
            raise damage_error(session, _unanchored(journal, head))
        return Standing(None, 0, b"", b"", hashlib.sha256(), None, restored=False)
    if anchor.session_id != session:
        raise damage_error(session, "the anchor is of another session")
    data = _as_written(journal or b"", anchor)
    if data is None:
        raise _damage(journal, anchor)
    found = hashlib.sha256(memoryview(data)[: anchor.size])
    complete, chain = data.rfind(b"\n") + 1, None
    if complete > anchor.size:
        chain = Chain(session)
        chain.read(data[:complete])
        found.update(memoryview(data)[anchor.size : complete])
    if marked and not complete:
        raise damage_error(session, "every record is gone")
    restored = data != (journal or b"")
    return Standing(anchor, slot, data[:complete], data[complete:], found, chain, restored)


def _as_written(data: bytes, anchor: Anchor) -> bytes | None:
    """The journal where its beginning is what was acknowledged, perhaps but for its line ends.

    A record holds neither CR nor LF, so that the digest proves all of it: CR LF stood for LF, or
    the last LF was lost. None where it is anything else.
    """
    if _begins(data, anchor):
        return data
    unix = data.replace(b"\r\n", b"\n")
    ended = unix.removesuffix(b"\r") + b"\n"
    return next((one for one in (unix, ended) if _begins(one, anchor)), None)


def _begins(data: bytes, anchor: Anchor) -> bool:
    """Whether these bytes begin with all that was acknowledged."""
    found = hashlib.sha256(memoryview(data)[: anchor.size]).hexdigest()
    return len(data) >= anchor.size and found == anchor.prefix_sha256


def _damage(journal: bytes | None, anchor: Anchor) -> IntegrityError:
    """What is wrong with a journal that does not begin with what was acknowledged."""
    session, data = anchor.session_id, journal or b""
    if len(data) < anchor.size:
        return damage_error(session, _shorter(journal, anchor))
    # The digest says that something is wrong; the lines say what.
    try:
        Chain(session).read(data[: anchor.size])
    except IntegrityError as error:
        return error
    return damage_error(session, "these lines are not the ones that were acknowledged")


def _unanchored(journal: bytes | None, head: bytes | None) -> str:
    if journal is None:
        return "the journal is gone"
    return "its anchor is gone" if head is None else "its anchor is broken"


def _shorter(journal: bytes | None, anchor: Anchor) -> str:
    if journal is None:
        return f"the journal is gone, and with it {amount(anchor.sequence, 'record')}"
    missing = amount(anchor.size - len(journal), "byte is", "bytes are")
    return f"{missing} missing at the end of {anchor.size:,}"
