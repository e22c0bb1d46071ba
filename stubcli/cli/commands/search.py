"""`stub search`: matches in artifacts on stdout, exact totals and the next command on stderr."""

from collections.abc import Callable, Iterator

from stubcli.cli.command import ALL_SESSIONS, JSON, Command, Given
from stubcli.cli.match_lines import JsonAnswer
from stubcli.cli.matches import ArtifactAnswer, MatchAnswer, SearchAnswer
from stubcli.cli.output import on_terminal, say
from stubcli.cli.place import count_reading, home_of, open_artifact, opened, session_of, sessions_of
from stubcli.cli.progress import Progress
from stubcli.descriptors import STDERR
from stubcli.errors import NOTHING_FOUND, OK, MissingError, StubError, UsageError
from stubcli.retrieve.asked import Search
from stubcli.retrieve.kept import artifacts_of, artifacts_of_sessions, size_of
from stubcli.retrieve.near import near_matches
from stubcli.retrieve.totals import search_all
from stubcli.settings import readers
from stubcli.settings.option import Option, flag, repeated
from stubcli.settings.table import Settings
from stubcli.store.artifact import Artifact
from stubcli.store.resolve import open_reference

_PATTERN: Option[str] = Option(
    "pattern",
    (),
    "A regular expression (RE2 syntax).",
    readers.text,
    kind="argument",
    metavar="PATTERN",
    required=True,
)
_REFS = repeated(
    "refs",
    (),
    "Artifacts to search (default: all of the session).",
    readers.text,
    kind="rest",
    metavar="[REF]...",
    complete="ref",
)
_FIXED = flag("fixed_strings", ("-F", "--fixed-strings"), "Take PATTERN literally.")
_IGNORE_CASE = flag("ignore_case", ("-i", "--ignore-case"), "Ignore case.")
_WORD = flag("word_regexp", ("-w", "--word-regexp"), "Match whole words.")


def _lines(name: str, flags: tuple[str, ...], help_text: str) -> Option[int]:
    return Option(name, flags, help_text, readers.count(0, 100), default="0", metavar="N")


_AFTER = _lines("after", ("-A", "--after-context"), "Lines of context after a match, at most 100.")
_BEFORE = _lines("before", ("-B", "--before-context"), "Lines of context before a match.")
_AROUND = _lines("context", ("-C", "--context"), "Lines of context before and after.")
_SKIP: Option[int] = Option(
    "skip", "--skip", "Matches to skip.", readers.position(0), default="0", metavar="N"
)
_RAW = flag("raw", "--raw", "Match the bytes of a line, not what it displays.")
_COUNT = flag("count", ("-c", "--count"), "Print only counts of lines.")
_COUNT_MATCHES = flag("count_matches", "--count-matches", "Print only counts of matches.")
_OFFSETS = flag("offsets", ("-b", "--byte-offset"), "Print the byte offset of what is shown.")
_ONLY = flag("only", ("-o", "--only-matching"), "Print only what matches.")
_NAMES = flag("names", ("-l", "--files-with-matches"), "Print only references.")


@count_reading
def run(given: Given) -> int:
    """Print matches: line number, the line around them. 0 where any, else 1.

    What can be searched is, whatever is damaged or missing beside it; the status then says that.
    """
    asked = _asked(given)
    settings = given.settings()
    compiled = asked.compiled()
    source = _Source(settings, asked)
    answer = _answer(settings, asked)
    with Progress("searching", source.size()) as progress:
        for _ in search_all(source.artifacts(progress), compiled, answer, source.failed):
            pass
    for line in () if asked.references else answer.unfinished:
        say(line)
    near = None if answer.matches else near_matches(asked, source.reopened)
    answer.finish(source.named, near)
    return source.status or (OK if answer.matches else NOTHING_FOUND)


def _answer(settings: Settings, asked: Search) -> SearchAnswer:
    if asked.listing:
        return ArtifactAnswer(settings, asked)
    return (JsonAnswer if asked.as_json else MatchAnswer)(settings, asked)


def _asked(given: Given) -> Search:
    """Raises UsageError for options that exclude each other."""
    if given[ALL_SESSIONS] and given[_REFS]:
        raise UsageError("--all-sessions goes with no REF")
    listing = [option.flag for option in (_COUNT, _COUNT_MATCHES, _NAMES) if given[option]]
    if len(listing) > 1:
        raise UsageError(f"{listing[0]} goes with no {listing[1]}")
    return Search(
        given[_PATTERN],
        given[_REFS],
        literal=given[_FIXED],
        ignore_case=given[_IGNORE_CASE],
        word=given[_WORD],
        raw=given[_RAW],
        before=max(given[_BEFORE], given[_AROUND]),
        after=max(given[_AFTER], given[_AROUND]),
        skip=given[_SKIP],
        count=given[_COUNT],
        count_matches=given[_COUNT_MATCHES],
        names_only=given[_NAMES],
        offsets=given[_OFFSETS],
        only=given[_ONLY],
        everywhere=given[ALL_SESSIONS],
        as_json=given[JSON],
    )


class _Source:
    """The artifacts to search. status: OK, or that of what could not be searched."""

    def __init__(self, settings: Settings, asked: Search) -> None:
        self._settings = settings
        self._asked = asked
        self.status = OK
        self.named: list[str] = []
        # The only one that is named: without it there is no search.
        single = len(asked.references) == 1
        self._single = open_artifact(settings, asked.references[0]) if single else None

    def failed(self, error: StubError) -> None:
        """One cannot be searched, or not to its end: the others are."""
        say(str(error))
        # What was collected in this moment is no failure, unless it was named.
        if self._asked.references or not isinstance(error, MissingError):
            self.status = max(self.status, error.status)

    def artifacts(self, progress: Progress) -> Iterator[Artifact]:
        """Each of them, open; progress follows what is read of it."""
        for artifact in self._each():
            progress.follow(artifact)
            yield artifact

    def _each(self) -> Iterator[Artifact]:
        if not self._asked.references:
            yield from self._of_sessions(everywhere=self._asked.everywhere, failed=self.failed)
        for typed in self._asked.references:
            try:
                artifact = self._single or open_artifact(self._settings, typed)
            except StubError as error:
                self.failed(error)
                continue
            self.named.append(artifact.record.reference.short)
            yield artifact

    def reopened(self, asked: Search) -> Iterator[Artifact]:
        """Each of them once more, or those of `asked` in all sessions; what fails was said."""
        home, current = home_of(self._settings), session_of(self._settings)
        if asked.references:
            for name in self.named:
                yield open_reference(home, current, name)
            return
        yield from self._of_sessions(everywhere=asked.everywhere, failed=lambda _: None)

    def _of_sessions(
        self, *, everywhere: bool, failed: Callable[[StubError], None]
    ) -> Iterator[Artifact]:
        names = sessions_of(self._settings, everywhere=everywhere)
        if everywhere:
            yield from artifacts_of_sessions(home_of(self._settings), names, failed)
            return
        with opened(self._settings, names[0]) as session:
            yield from artifacts_of(session, failed)

    def size(self) -> int | None:
        """How many bytes are to be searched; None where nobody watches, or nobody knows."""
        if self._single:
            return self._single.size
        if self._asked.references or self._asked.everywhere or not on_terminal(STDERR):
            return None
        with opened(self._settings, sessions_of(self._settings, everywhere=False)[0]) as session:
            return size_of(session)


COMMAND = Command(
    "search",
    """Find matches in artifacts.

    A line is matched as it is displayed: without escape sequences, overstrike and frames that were
    overwritten; and as its bytes where those alone match. ^ and $ mean the ends of what is shown.

    Prints the number and the text of each line; exact totals on standard error. With --json it
    prints the events of rg --json, one a line.
    """,
    run,
    (
        *(_PATTERN, _REFS, _FIXED, _IGNORE_CASE, _WORD, _RAW, _AFTER, _BEFORE, _AROUND, _SKIP),
        *(_COUNT, _COUNT_MATCHES, _NAMES, _ONLY, _OFFSETS, ALL_SESSIONS, JSON),
    ),
    examples=(
        ("In the newest output, with a line around each match:", "stub search -C 1 error last"),
        ("In everything that this session keeps:", "stub search -i 'timed? ?out'"),
        ("How many lines end so, as they are displayed:", "stub search -c 'failed$' last"),
    ),
    statuses=(("1", "No match."),),
)
