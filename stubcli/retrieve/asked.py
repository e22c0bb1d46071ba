"""What to search for, and the command that goes on with it."""

from dataclasses import dataclass

from stubcli.advice import Advice
from stubcli.settings.table import Settings

# A longer pattern is not repeated in what is printed.
LONG_PATTERN = 1000


@dataclass(frozen=True)
class Search:
    """What is sought and how it is shown.

    before, after: lines of context. skip: matches to pass over; artifacts, where only counts or
    names are shown. everywhere: in all sessions; references: in these, else all of the session.
    """

    pattern: str
    references: tuple[str, ...] = ()
    literal: bool = False
    ignore_case: bool = False
    word: bool = False
    before: int = 0
    after: int = 0
    skip: int = 0
    count: bool = False
    names_only: bool = False
    everywhere: bool = False
    as_json: bool = False

    @property
    def listing(self) -> bool:
        """Whether artifacts are shown, and not matches."""
        return self.count or self.names_only

    def again(self, settings: Settings, named: list[str], skip: int) -> Advice | None:
        """The command that goes on after `skip`; None where the pattern is too long to repeat."""
        if len(self.pattern) > LONG_PATTERN:
            return None
        typed = settings.typed("matches") and not self.listing
        return Advice(
            "search",
            self.pattern,
            *named,
            fixed_strings=self.literal,
            ignore_case=self.ignore_case,
            word_regexp=self.word,
            count=self.count,
            files_with_matches=self.names_only,
            all_sessions=self.everywhere,
            before_context=self.before or None,
            after_context=self.after or None,
            max_count=settings.matches if typed else None,
            skip=skip,
        )
