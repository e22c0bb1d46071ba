"""What was replaced by what, remembered: a decision is made once, and repeated byte for byte.

A text that changed under a model's eyes would break its prompt cache each turn. One line a
decision in the session's `replacements.jsonl`, each with a digest of itself; a line that is
damaged is no decision, and costs a cache, never a text.
"""

import hashlib
import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from stubcli.descriptors import write_all
from stubcli.durable import lock_within, sync_data
from stubcli.errors import NotStoredError
from stubcli.store.posix.layout import Session

NAME = "replacements.jsonl"
# Another process decides for this very session; storing 100 MB takes a few seconds.
_PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class ReplayDecision:
    """What became of a text: text and ref of its replacement, or None where it stays."""

    text: str | None
    ref: str = ""


class Replacements:
    """The decisions of a session, under the lock of whoever decides.

    descriptor: of the file that remembers them; without one there are none, and none is noted.
    """

    def __init__(self, descriptor: int | None = None) -> None:
        self._descriptor = descriptor
        self.decided: dict[str, ReplayDecision] = {}
        if descriptor is not None:
            self._load(descriptor)

    def _load(self, descriptor: int) -> None:
        offset, torn = 0, b""
        while data := os.pread(descriptor, 1 << 20, offset):
            offset += len(data)
            *lines, torn = (torn + data).split(b"\n")
            for line in lines:
                if found := _read(line):
                    # Decided anew only where the artifact of the first was gone.
                    self.decided[found[0]] = found[1]
        self._whole = not torn

    def get(self, key: str) -> ReplayDecision | None:
        return self.decided.get(key)

    def note(self, decisions: dict[str, ReplayDecision]) -> None:
        """Remember, durably. Raises OSError."""
        fresh = {key: one for key, one in decisions.items() if self.decided.get(key) != one}
        if not fresh or self._descriptor is None:
            return
        lines = b"".join(_line(key, decision) for key, decision in fresh.items())
        write_all(self._descriptor, lines if self._whole else b"\n" + lines)
        sync_data(self._descriptor)
        self._whole = True
        self.decided.update(fresh)


def _line(key: str, decision: ReplayDecision) -> bytes:
    document: dict[str, object] = {"key": key, "text": decision.text, "ref": decision.ref}
    return json.dumps({**document, "check": _check(document)}).encode("ascii") + b"\n"


def _check(document: dict[str, object]) -> str:
    data = json.dumps(document, sort_keys=True).encode("ascii")
    return hashlib.sha256(data).hexdigest()[:32]


def _read(line: bytes) -> tuple[str, ReplayDecision] | None:
    try:
        document = json.loads(line)
        check = document.pop("check")
        if _check(document) != check:
            return None
        return str(document["key"]), ReplayDecision(document["text"], str(document["ref"]))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


@contextmanager
def replacements(session: Session, *, pretend: bool = False) -> Iterator[Replacements]:
    """The decisions of the session, locked while they are open. Raises NotStoredError, OSError.

    pretend: as they are now, and nothing is written.
    """
    try:
        descriptor = _open(session, create=not pretend)
    except FileNotFoundError:
        yield Replacements()
        return
    try:
        if not pretend and not lock_within(descriptor, _PATIENCE):
            raise NotStoredError(f"session {session.name} is busy", "try again")
        yield Replacements(descriptor)
    finally:
        os.close(descriptor)


def _open(session: Session, *, create: bool) -> int:
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND if create else os.O_RDONLY
    flags |= os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
    descriptor = os.open(NAME, flags, 0o600, dir_fd=session.folder)
    status = os.fstat(descriptor)
    if stat.S_ISREG(status.st_mode) and status.st_nlink == 1:
        return descriptor
    os.close(descriptor)
    raise NotStoredError(f"{NAME} of session {session.name} is not a file of ours")
