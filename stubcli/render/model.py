"""What a rendering is made from. Values only; who fills them knows the store, these do not."""

from dataclasses import dataclass

from stubcli.advice import Where
from stubcli.detect.model import Synopsis
from stubcli.reference import Reference


@dataclass(frozen=True)
class Facts:
    """One artifact, as far as its stub tells of it.

    reference: None where the bytes were not stored. size: bytes of the artifact. state: complete,
    interrupted or capped; dropped: bytes of the input beyond a cap that were not kept. head and
    tail: its first and last bytes, both the whole of it where it has at most 64 KiB. where: the
    options that printed commands repeat. notice: one line of warning, or "".
    """

    reference: Reference | None
    path: str | None
    sha256: str
    size: int
    characters: int
    lines: int
    tool: str | None
    exit_status: int | None
    signal: str | None
    reason: str
    state: str
    dropped: int
    synopsis: Synopsis
    head: bytes
    tail: bytes
    where: Where = ()
    notice: str = ""


@dataclass(frozen=True)
class Limits:
    """How long a rendering may be.

    budget: characters. head and tail: characters of preview that are wanted. below: characters and
    bytes that it must be strictly shorter than, None where nothing is compared.
    """

    budget: int
    head: int = 1000
    tail: int = 2000
    below: tuple[int, int] | None = None

    @property
    def characters(self) -> int:
        """The longest that a rendering may be, in characters."""
        return self.budget if self.below is None else min(self.budget, self.below[0] - 1)

    def excess(self, rendering: str) -> int:
        """By how much `rendering` is too long, in characters or in bytes; 0 where it is not."""
        over = len(rendering) - self.characters
        if self.below is not None:
            over = max(over, len(rendering.encode()) - self.below[1] + 1)
        return max(0, over)
