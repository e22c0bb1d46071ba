"""Which texts are stub's own: those that the store says were printed for what it keeps.

Anybody can write two lines that look like a stub's. Filter, run, hooks, messages and library all
ask here, and here nothing is believed for its form.
"""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass

from stubcli.debug import swallowed
from stubcli.errors import StubError
from stubcli.settings.load import home_of, session_of
from stubcli.settings.table import Settings
from stubcli.store.records import Record, Run
from stubcli.store.resolve import find_runs, open_reference

REFERENCE = re.compile(r"artifact:[A-Za-z0-9._-]+:tool_result_[0-9]+\.txt:[0-9a-f]{16}")
# In the frames of a stub, whatever a host put around them, or in a stub as JSON.
_NAMED = re.compile(
    rf"\[stub (?:end |history )?({REFERENCE.pattern})\]|\A\s*\{{\"ref\":\"({REFERENCE.pattern})\""
)
# A reference stands in the first 200 characters of a stub, and in its last line.
_NEAR = 400


@dataclass(frozen=True, slots=True)
class StubCandidate:
    """A text that seems to be a stub.

    ref: of which artifact. digest: of the text without the blanks around it, which hosts add and
    take away.
    """

    ref: str
    digest: bytes


def candidate_of(text: str) -> StubCandidate | None:
    """What a text is a candidate for; None where it names no artifact at either end."""
    found = _NAMED.search(text[:_NEAR]) or _NAMED.search(text[-_NEAR:])
    return StubCandidate(found[1] or found[2], _digest(text)) if found else None


class OwnTexts:
    """The texts of stub's own in the store that the settings mean; each artifact is asked once.

    words: what else stands for an artifact, besides what the store remembers.
    """

    def __init__(
        self, settings: Settings, words: Callable[[Record], tuple[str, ...]] = lambda _: ()
    ) -> None:
        self._settings = settings
        self._words = words
        self._records: dict[str, Record | None] = {}

    def record(self, ref: str) -> Record | None:
        """The record of an artifact that is there. It counts as used."""
        if ref not in self._records:
            self._records[ref] = self._open(ref)
        return self._records[ref]

    def _open(self, ref: str) -> Record | None:
        try:
            home, session = home_of(self._settings), session_of(self._settings)
            with open_reference(home, session, ref) as artifact:
                return artifact.record
        except (StubError, OSError) as error:
            swallowed(f"looking for {ref}", error)
            return None

    def runs(self, record: Record) -> list[Run]:
        """Every run of an artifact that is there, with what was printed for it."""
        try:
            return find_runs(home_of(self._settings), record)
        except (StubError, OSError) as error:
            swallowed("looking for what was printed", error)
            return [record.run]

    def find(self, candidate: StubCandidate | None) -> Record | None:
        """The artifact that a text stands for, if it is what was printed for that."""
        record = self.record(candidate.ref) if candidate else None
        if candidate is None or record is None:
            return None
        printed = (run.stub for run in self.runs(record) if run.stub)
        ours = (*printed, *self._words(record))
        return record if candidate.digest in map(_digest, ours) else None


def is_own(data: bytes, settings: Settings) -> bool:
    """Whether `data` is a stub of the store's own and nothing else."""
    candidate = candidate_of(data.decode("utf-8", "surrogateescape"))
    return OwnTexts(settings).find(candidate) is not None


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.strip().encode("utf-8", "surrogatepass")).digest()
