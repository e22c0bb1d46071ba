"""stub_search: matches with the lines around them, and their exact total."""

from collections.abc import Iterator
from contextlib import closing

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
from stubcli.errors import IntegrityError, StubError, UsageError
from stubcli.retrieve.hits import TextPage
from stubcli.retrieve.pattern import Pattern, compile_pattern
from stubcli.retrieve.search import search
from stubcli.retrieve.session import artifacts_of
from stubcli.settings.load import home_of, session_of
from stubcli.settings.table import Settings
from stubcli.store import open_session
from stubcli.store.artifact import Artifact
from stubcli.text.display import one_line

_NAME = "stub_search"
_MATCHES = 20


def _answer(settings: Settings, arguments: Arguments) -> ToolAnswer:
    """Raises StubError."""
    pattern = _compile(arguments)
    skip, limit = arguments.get("skip", 0), arguments.get("max_matches", _MATCHES)
    around = arguments.get("context", 0)
    page = TextPage(BOUND - HEAD, len, around, around, named=True)
    matches = lines = artifacts = 0
    failed: list[StubError] = []
    text: list[str] = []
    for artifact in _open_artifacts(settings, arguments.get("ref"), failed):
        before, first = matches, skip - matches
        wanted = range(max(0, first), max(0, first + limit))
        with artifact:
            try:
                with closing(search(artifact, pattern, range(0) if page.full else wanted)) as parts:
                    for part in parts:
                        matches, lines = matches + part.matches, lines + part.lines
                        text.append(page.add(artifact, part.hits))
            except IntegrityError as error:
                failed.append(error)
            text.append(page.close(artifact))
        artifacts += matches > before
    head = f"{matches:,} matches on {lines:,} lines in {artifacts:,} artifacts"
    if page.shown < matches:
        head += f", shown {skip + 1:,}-{skip + page.shown:,}" if page.shown else ", none shown"
    head += "; ref:line:byte:text" if page.shown else ""
    for reason in failed[:2]:
        head += f"; not searched: {one_line(describe_error(reason, settings))[:200]}"
    more = page.shown and skip + page.shown < matches
    follow = arguments | {"skip": skip + page.shown} if more else None
    return format_answer(_NAME, head, "".join(text), follow)


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
