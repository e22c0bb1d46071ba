"""How far the reading of what may go is: told to who shows it. Knows neither disk nor terminal."""

from collections.abc import Callable, Iterable

from stubcli.retention.gc.model import PLANNED_DELETE, Verdict

# Is told how many bytes of how many were read.
Watch = Callable[[int, int], None]


def unwatched(_done: int, _total: int) -> None:
    pass


class Reading:
    """The bytes of what is planned to go, read one artifact after the other."""

    def __init__(self, decisions: Iterable[Verdict], watch: Watch) -> None:
        self._total = sum(one.size for one in decisions if one.state == PLANNED_DELETE)
        self._before = 0
        self._watch = watch

    def at(self, place: int) -> None:
        """The current one was read up to there."""
        self._watch(self._before + place, self._total)

    def end(self, one: Verdict) -> None:
        """That one was read, or is not to be read."""
        self._before += one.size
        self.at(0)
