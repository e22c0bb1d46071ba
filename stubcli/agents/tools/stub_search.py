"""stub_search: matches with the lines around them, and their exact total."""

from collections.abc import Iterator
from dataclasses import replace

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
from stubcli.render.hints import tool_call
from stubcli.retrieve.asked import Search
from stubcli.retrieve.grep_form import GrepForm
from stubcli.retrieve.hits import Around, LinePage
from stubcli.retrieve.kept import artifacts_of, artifacts_of_sessions
from stubcli.retrieve.near import near_matches
from stubcli.retrieve.pattern import Pattern
from stubcli.retrieve.search import Part
from stubcli.retrieve.totals import Totals, search_all
from stubcli.settings.load import home_of, session_of
from stubcli.settings.table import Settings
from stubcli.store import open_session, session_names
from stubcli.store.artifact import Artifact
from stubcli.text.display import amount, one_line

_NAME = "stub_search"
_MATCHES = 20
# Of what the first line names, so many; of a call in it, so many characters.
_NAMED, _LONGEST_CALL = 2, 400


class _Shown(Totals):
    """The totals, and a page of text."""

    def __init__(self, skip: int, limit: int, around: int) -> None:
        super().__init__()
        self._skip, self._limit = skip, limit
        form = GrepForm(named=True, offsets=True)
        self.page = LinePage(BOUND - HEAD, len, Around(around, around), form)
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
    asked = _asked(arguments)
    pattern = _compile(asked)
    found = _Shown(asked.skip, arguments.get("max_matches", _MATCHES), asked.before)
    failed: list[StubError] = []
    for _ in search_all(_open_artifacts(settings, asked, failed), pattern, found, failed.append):
        pass
    shown = found.page.shown
    head = _total(found)
    if shown < found.matches:
        head += f", shown {asked.skip + 1:,}-{asked.skip + shown:,}" if shown else ", none shown"
    head += "; ref:line:byte:text" if shown else ""
    for line in found.unfinished[:_NAMED]:
        head += f"; {line}"
    for reason in failed[:_NAMED]:
        head += f"; not searched: {one_line(describe_error(reason, settings))[:200]}"
    if not found.matches:
        head += _near(settings, asked)
    more = shown and asked.skip + shown < found.matches
    follow = arguments | {"skip": asked.skip + shown} if more else None
    return format_answer(_NAME, head, "".join(found.text), follow)


def _asked(arguments: Arguments) -> Search:
    """Raises UsageError."""
    if not arguments["pattern"]:
        # It matches everywhere: minutes to count in a large artifact, in which a server is deaf.
        raise UsageError("'pattern' is empty", "give what to find")
    ref, around = arguments.get("ref"), arguments.get("context", 0)
    return Search(
        arguments["pattern"],
        () if ref is None else (ref,),
        literal=arguments.get("literal", False),
        ignore_case=arguments.get("ignore_case", False),
        before=around,
        after=around,
        skip=arguments.get("skip", 0),
    )


def _compile(asked: Search) -> Pattern:
    """Raises UsageError."""
    try:
        return asked.compiled()
    except UsageError as error:
        raise UsageError(error.message, '"literal": true finds it as plain text') from None


def _total(found: Totals) -> str:
    total = amount(found.matches, "match", "matches")
    if not found.matches:
        size = f"{amount(found.all_lines, 'line')}, {amount(found.size, 'byte')}"
        return f"{total} in {amount(found.searched, 'artifact')} ({size})"
    return f"{total} on {amount(found.lines, 'line')} in {amount(found.artifacts, 'artifact')}"


def _near(settings: Settings, asked: Search) -> str:
    """What would match instead."""

    def reopened(other: Search) -> Iterator[Artifact]:
        return _open_artifacts(settings, other, [])

    near = near_matches(replace(asked, before=0, after=0, skip=0), reopened)
    if not near:
        return ""
    command = near.asked.again(settings, list(asked.references), 0)
    where = f"; next: {tool_call(command, settings.where)}" if command else ""
    return f"; {near.how} there are some{where}" if len(where) <= _LONGEST_CALL else ""


def _open_artifacts(
    settings: Settings, asked: Search, failed: list[StubError]
) -> Iterator[Artifact]:
    """The one that is named, or each of the session, or of all, oldest first; collects what
    fails."""
    home = home_of(settings)
    if asked.references:
        yield open_artifact(settings, asked.references[0])
    elif asked.everywhere:
        yield from artifacts_of_sessions(home, session_names(home), failed.append)
    else:
        with open_session(home, session_of(settings)) as session:
            yield from artifacts_of(session, failed.append)


TOOL = Tool(
    _NAME,
    "Find a pattern in stored outputs, in lines as they are displayed. Answers with line number, "
    "byte offset and text of each, and with the exact total.",
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
