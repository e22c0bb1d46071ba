"""stub_search: matches with the lines around them, and their exact total."""

from collections.abc import Iterator

from stubcli.agents.tools.tool import (
    BOUND,
    HEAD,
    REF,
    SKIP,
    Arguments,
    Tool,
    ToolAnswer,
    describe_error,
    format_answer,
    integer,
    open_artifact,
)
from stubcli.errors import StubError, UsageError
from stubcli.retrieve.hits import TextPage
from stubcli.retrieve.kept import artifacts_of
from stubcli.retrieve.pattern import Pattern, compile_pattern
from stubcli.retrieve.search import Part
from stubcli.retrieve.totals import Totals, search_all
from stubcli.settings.load import home_of, session_of
from stubcli.settings.table import Settings
from stubcli.store import open_session
from stubcli.store.artifact import Artifact
from stubcli.text.display import amount, one_line

_NAME = "stub_search"
_MATCHES = 20


class _Shown(Totals):
    """The totals, and a page of text."""

    def __init__(self, skip: int, limit: int, around: int) -> None:
        super().__init__()
        self._skip, self._limit = skip, limit
        self.page = TextPage(BOUND - HEAD, len, around, around, named=True)
        self.text: list[str] = []

    def wanted(self) -> range:
        first = self._skip - self.matches
        return range(0) if self.page.full else range(max(0, first), max(0, first + self._limit))

    def take(self, artifact: Artifact, part: Part) -> None:
        super().take(artifact, part)
        self.text.append(self.page.add(artifact, part.hits))

    def close(self, artifact: Artifact) -> None:
        self.text.append(self.page.close(artifact))


def _answer(settings: Settings, arguments: Arguments) -> ToolAnswer:
    """Raises StubError."""
    pattern = _compile(arguments)
    skip = arguments.get("skip", 0)
    found = _Shown(skip, arguments.get("max_matches", _MATCHES), arguments.get("context", 0))
    failed: list[StubError] = []
    artifacts = _open_artifacts(settings, arguments.get("ref"), failed)
    for _ in search_all(artifacts, pattern, found, failed.append):
        pass
    shown = found.page.shown
    head = (
        f"{amount(found.matches, 'match', 'matches')} on {amount(found.lines, 'line')}"
        f" in {amount(found.artifacts, 'artifact')}"
    )
    if shown < found.matches:
        head += f", shown {skip + 1:,}-{skip + shown:,}" if shown else ", none shown"
    head += "; ref:line:byte:text" if shown else ""
    for reason in failed[:2]:
        head += f"; not searched: {one_line(describe_error(reason, settings))[:200]}"
    more = shown and skip + shown < found.matches
    follow = arguments | {"skip": skip + shown} if more else None
    return format_answer(_NAME, head, "".join(found.text), follow)


def _compile(arguments: Arguments) -> Pattern:
    """Raises UsageError."""
    if not arguments["pattern"]:
        # It matches everywhere: minutes to count in a large artifact, in which a server is deaf.
        raise UsageError("'pattern' is empty", "give what to find")
    try:
        return compile_pattern(
            arguments["pattern"],
            literal=arguments.get("literal", False),
            ignore_case=arguments.get("ignore_case", False),
            word=False,
        )
    except UsageError as error:
        raise UsageError(error.message, '"literal": true finds it as plain text') from None


def _open_artifacts(
    settings: Settings, ref: str | None, failed: list[StubError]
) -> Iterator[Artifact]:
    """The one that is named, or each of the session, oldest first; collects what fails."""
    if ref is not None:
        yield open_artifact(settings, ref)
        return
    with open_session(home_of(settings), session_of(settings)) as session:
        yield from artifacts_of(session, failed.append)


TOOL = Tool(
    _NAME,
    "Find a pattern in stored outputs. Answers with line number, byte offset and the "
    "text around each match, and with the exact total.",
    {
        "pattern": {
            "type": "string",
            "description": "A regular expression (RE2 syntax), matched within lines.",
        },
        "ref": REF | {"description": f"{REF['description']} None: all of the session."},
        "literal": {"type": "boolean", "description": "Take the pattern literally."},
        "ignore_case": {"type": "boolean", "description": "Ignore case."},
        "context": integer("Lines around each match (default 0).", 0, 5),
        "max_matches": integer("Matches to show (default 20).", 1, 100),
        "skip": SKIP,
    },
    ("pattern",),
    _answer,
)
