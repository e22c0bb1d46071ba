"""What is sought, as it was asked for, and the command that goes on with it."""

from dataclasses import dataclass

from stubcli.settings.load import Settings

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

    def again(self, settings: Settings, named: list[str], skip: int) -> str:
        """The command that goes on behind `skip`."""
        from shlex import quote

        if len(self.pattern) > LONG_PATTERN:
            return f"the same with --skip {skip}"
        flags = {
            "-F": self.literal,
            "-i": self.ignore_case,
            "-w": self.word,
            "--count": self.count,
            "-l": self.names_only,
            "--all-sessions": self.everywhere,
        }
        numbers = {"-B": self.before, "-A": self.after, "-m": 0}
        if settings.sources["matches"] == "--matches" and not self.listing:
            numbers["-m"] = settings.matches
        given = [flag for flag, on in flags.items() if on]
        given += [f"{flag} {number}" for flag, number in numbers.items() if number]
        options = "".join(f" {option}" for option in (*given, f"--skip {skip}"))
        end = " --" if self.pattern.startswith("-") else ""
        words = " ".join(quote(word) for word in (self.pattern, *named))
        return f"stub search{options}{settings.suffix(session=True)}{end} {words}"
