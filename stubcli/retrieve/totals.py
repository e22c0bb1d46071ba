"""The totals of a search through several artifacts, and the loop that every search runs.

What is shown of it, and where, its caller decides; nothing is printed here.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing

from stubcli.errors import IntegrityError, StubError
from stubcli.retrieve.pattern import Pattern
from stubcli.retrieve.search import Part, search
from stubcli.store.artifact import Artifact, Unfinished


class Totals:
    """What was counted. Who shows some of it too extends this.

    matches, lines with a match, and artifacts with one; here: what the current artifact has.
    searched: how many artifacts, size and all_lines: their bytes and lines, all of them.
    unfinished: what is to be known of those that are, in a line each.
    """

    def __init__(self) -> None:
        self.matches = self.lines = self.artifacts = 0
        self.searched = self.size = self.all_lines = 0
        self.unfinished: list[str] = []
        self.here = Part(0, 0, ())

    def wanted(self) -> range:
        """The numbers, in the next artifact, of the matches that are to be shown."""
        return range(0)

    def open(self, artifact: Artifact) -> None:
        """The next artifact."""
        self.searched += 1
        self.size += artifact.size
        self.all_lines += artifact.record.lines
        if isinstance(artifact, Unfinished):
            self.unfinished.append(f"{artifact.record.reference.file} is {artifact.notice}")

    def take(self, artifact: Artifact, part: Part) -> None:
        """One more part of it."""
        self.matches += part.matches
        self.lines += part.lines
        self.here = Part(self.here.matches + part.matches, self.here.lines + part.lines, ())

    def enough(self) -> bool:
        """Whether the rest of it is of no interest."""
        return False

    def close(self, artifact: Artifact) -> None:
        """All of it was searched."""

    def end(self) -> None:
        """The next artifact follows."""
        self.artifacts += self.here.matches > 0
        self.here = Part(0, 0, ())


def search_all(
    artifacts: Iterable[Artifact],
    pattern: Pattern,
    totals: Totals,
    failed: Callable[[StubError], None],
) -> Iterator[None]:
    """Search each of these open artifacts and close it; one step for each block.

    failed: takes the error of one that is damaged; the others are searched.
    """
    for artifact in artifacts:
        with artifact:
            totals.open(artifact)
            try:
                with closing(search(artifact, pattern, totals.wanted())) as parts:
                    for part in parts:
                        totals.take(artifact, part)
                        yield
                        if totals.enough():
                            break
                totals.close(artifact)
            except IntegrityError as error:
                failed(error)
            totals.end()
