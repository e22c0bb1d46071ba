"""What a memory system has to offer so that pending leases can be settled with it.

The journal knows that a reference was to be published, only the owner knows whether it was. An
owner answers behind a fence: from its answer until what follows from it stands in the journal,
nothing else may publish or remove under that transaction.
"""

import re
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from stubcli.retention.leases.model import Lease

PUBLISHED, ABSENT, UNKNOWN = "published", "absent", "unknown"
_SHA256 = re.compile(r"[0-9a-f]{64}", re.ASCII)


class GenerationChanged(Exception):
    """What the owner holds moved between its answer and the seal; look again."""


@dataclass(frozen=True)
class Observation:
    """What an owner holds under a transaction. Raises ValueError where it contradicts itself.

    generation: grows with every change that the owner makes under this transaction.
    source_id, sha256: the reference that is published, and only that.
    absence_sealed: a tombstone stands; this transaction can never be published any more.
    """

    transaction_id: str
    generation: int
    presence: str
    source_id: str | None = None
    sha256: str | None = None
    absence_sealed: bool = False

    def __post_init__(self) -> None:
        if problem := self._problem():
            raise ValueError(f"an owner's answer {problem}")

    def _problem(self) -> str | None:
        if not isinstance(self.transaction_id, str) or not self.transaction_id:
            return "names no transaction"
        if type(self.generation) is not int or self.generation < 0:
            return "has no generation of 0 or more"
        if self.presence not in (PUBLISHED, ABSENT, UNKNOWN):
            return "is neither published, absent nor unknown"
        if type(self.absence_sealed) is not bool:
            return "neither says nor denies that the absence is sealed"
        if self.absence_sealed and self.presence != ABSENT:
            return "seals what is not absent"
        if self.presence != PUBLISHED:
            identity = self.source_id is not None or self.sha256 is not None
            return "identifies what is not published" if identity else None
        if not isinstance(self.source_id, str) or not self.source_id:
            return "publishes no source"
        if not isinstance(self.sha256, str) or not _SHA256.fullmatch(self.sha256):
            return "publishes no whole SHA-256"
        return None

    @property
    def sealed(self) -> bool:
        return self.presence == ABSENT and self.absence_sealed

    def holds(self, lease: Lease) -> bool:
        """Whether what is published is what the lease protects."""
        return (self.presence, self.source_id, self.sha256) == (
            PUBLISHED,
            lease.claim.source_id,
            lease.claim.sha256,
        )


class Fence(Protocol):
    """What can be asked while an owner holds still."""

    def observe(self) -> Observation:
        """What the owner holds under this transaction; UNKNOWN where it cannot tell."""

    def seal(self, generation: int) -> Observation:
        """Forbid this transaction for ever, where the generation is still that one.

        The tombstone is durable when this returns. Raises GenerationChanged.
        """


class Owner(Protocol):
    """A memory system. Whatever it raises leaves the lease pending."""

    def fence(self, lease: Lease) -> AbstractContextManager[Fence]:
        """Hold everything still that could publish or remove under the lease's transaction."""
