"""What to search for, and the command that goes on with it."""

from dataclasses import dataclass

from stubcli.advice import Advice
from stubcli.retrieve.hits import Around
from stubcli.retrieve.pattern import Pattern, compile_pattern
from stubcli.settings.table import Settings

# A longer pattern is not repeated in what is printed.
LONG_PATTERN = 1000


@dataclass(frozen=True)
class Search:
    """What is sought and how it is shown.

    raw: bytes alone, not what is displayed. before, after: lines of context. skip: matches to pass
    over; artifacts, where only counts or names are shown. offsets: of bytes; only: the matches
    without the rest of their lines. everywhere: in all sessions; references: in these, else all of
    the session.
    """

    pattern: str
    references: tuple[str, ...] = ()
    literal: bool = False
    ignore_case: bool = False
    word: bool = False
    raw: bool = False
    before: int = 0
    after: int = 0
    skip: int = 0
    count: bool = False
    count_matches: bool = False
    names_only: bool = False
    offsets: bool = False
    only: bool = False
    everywhere: bool = False
    as_json: bool = False

    @property
    def listing(self) -> bool:
        """Whether artifacts are shown, and not matches."""
        return self.counting or self.names_only

    @property
    def counting(self) -> bool:
        return self.count or self.count_matches

    @property
    def around(self) -> Around:
        return Around(self.before, self.after, self.raw)

    def compiled(self) -> Pattern:
        """Raises UsageError that says what is wrong with the pattern."""
        return compile_pattern(
            self.pattern,
            literal=self.literal,
            ignore_case=self.ignore_case,
            word=self.word,
            raw=self.raw,
        )

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
            raw=self.raw,
            count=self.count,
            count_matches=self.count_matches,
            files_with_matches=self.names_only,
            byte_offset=self.offsets,
            only_matching=self.only,
            all_sessions=self.everywhere,
            before_context=self.before or None,
            after_context=self.after or None,
            max_count=settings.matches if typed else None,
            skip=skip or None,
        )
