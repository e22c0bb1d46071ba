"""What was replaced by what, remembered: a decision is made once, and repeated byte for byte.

A text that changed under a model's eyes would break its prompt cache each turn. One line a
decision in the session's `replacements.jsonl`, each with a digest of itself; a line that is
damaged is no decision, and costs a cache, never a text.
"""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from stubcli.errors import IntegrityError, NotStoredError
from stubcli.store.surface import Keeping, LogLines

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

    log: the file that remembers them; without one there are none, and none is noted.
    """

    def __init__(self, log: LogLines | None = None) -> None:
        self._log = log
        self.decided: dict[str, ReplayDecision] = {}
        for line in log.read().split(b"\n")[:-1] if log else ():
            if found := _read(line):
                # Decided anew only where the artifact of the first was gone.
                self.decided[found[0]] = found[1]

    def get(self, key: str) -> ReplayDecision | None:
        return self.decided.get(key)

    def note(self, decisions: dict[str, ReplayDecision]) -> None:
        """Remember, durably. Raises OSError."""
        fresh = {key: one for key, one in decisions.items() if self.decided.get(key) != one}
        if not fresh or self._log is None:
            return
        self._log.append(b"".join(_line(key, decision) for key, decision in fresh.items()))
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
def replacements(session: Keeping, *, pretend: bool = False) -> Iterator[Replacements]:
    """The decisions of the session, locked while they are open.

    pretend: as they are now, and nothing is written. Raises StubError, OSError.
    """
    try:
        log = session.open_lines(NAME, write=not pretend)
    except FileNotFoundError:
        yield Replacements()
        return
    except IntegrityError as error:
        raise NotStoredError(error.message, error.hint) from None
    try:
        if not pretend and not log.lock(_PATIENCE):
            raise NotStoredError(f"session {session.name} is busy", "try again")
        yield Replacements(log)
    finally:
        log.close()
