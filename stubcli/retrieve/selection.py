"""Which runs are wanted: by when they ended, what was run, how that ended, what it printed first.

Knows the summary of a run and nothing of where it is kept.
"""

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property

from stubcli.store.values import IN_PROGRESS, Sighting, Summary

# What stands in JSON as it is.
_FIRST_LINE = b'"first_line":'
_PLAIN = re.compile(r"[ !#-\[\]-~]+")


@dataclass(frozen=True)
class Selection:
    """The runs for which all of this holds; by default every one.

    since: not before that, as runs record it. tool: of that name, or pattern: `browser_*`. command:
    a part of the command, text: a part of command, tool, name or first line, whatever their case.
    failed: the status was not 0, or a signal ended it.
    """

    since: str = ""
    tool: str = ""
    command: str = ""
    text: str = ""
    failed: bool = False

    @cached_property
    def is_everything(self) -> bool:
        return self == Selection()

    @cached_property
    def is_by_time(self) -> bool:
        """Whether nothing but the time counts."""
        return self == Selection(since=self.since)

    def takes(self, run: Summary) -> bool:
        return (
            run.finished >= self.since
            and (not self.failed or run.failed)
            and (not self.tool or fnmatchcase(run.tool, self.tool))
            and _is_in(self.command, run.command)
            and any(
                _is_in(self.text, part)
                for part in (run.command, run.first_line or "", run.tool, run.name)
            )
        )

    def may_take(self, summary: bytes) -> bool:
        """Whether it may take a run of that summary in JSON, of which some may not be known."""
        # Decoding 20,000 takes a third of the time of a search, looking into them a tenth of that.
        written = summary.lower()
        return _FIRST_LINE not in written or all(part in written for part in self._parts)

    @cached_property
    def _parts(self) -> list[bytes]:
        """What has to stand in the summary of every run that it takes."""
        found = (_PLAIN.findall(text) for text in (self.command, self.text))
        return [max(parts, key=len).lower().encode("ascii") for parts in found if parts]

    def takes_unfinished(self, sighting: Sighting) -> bool:
        """Of what is unfinished nothing is known but that it is written now, or was."""
        now = self.is_by_time and sighting.state == IN_PROGRESS
        return self.is_everything or now


def _is_in(part: str, text: str) -> bool:
    return not part or part.lower() in text.lower()
