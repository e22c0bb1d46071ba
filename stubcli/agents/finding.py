"""What the tools answer by searching and asking. Each words one bounded text."""

from collections.abc import Iterator
from contextlib import closing
from itertools import accumulate
from typing import TYPE_CHECKING

from stubcli.agents.looking import BOUND, Answer, Arguments, headed, home_of, opened, session_of
from stubcli.errors import IntegrityError, UsageError
from stubcli.retrieve.hits import TextPage
from stubcli.retrieve.pattern import compile_pattern
from stubcli.retrieve.search import search as find
from stubcli.retrieve.session import artifacts_of
from stubcli.settings.load import Settings
from stubcli.store import open_session
from stubcli.store.artifact import Artifact
from stubcli.text.escape import escape_json, one_line

if TYPE_CHECKING:
    from stubcli.retrieve.query.asking import Asker

_MATCHES = 20
# What the first line of an answer may take.
_HEAD = 1500
_ROWS = 200


def search(settings: Settings, arguments: Arguments) -> Answer:
    """Matches with the lines around them, and their exact total. Raises StubError."""
    if not arguments["pattern"]:
        # It matches everywhere: minutes to count in a large artifact, in which a server is deaf.
        raise UsageError("'pattern' is empty", "give what to find")
    compiled = compile_pattern(
        arguments["pattern"],
        literal=arguments.get("literal", False),
        ignore_case=arguments.get("ignore_case", False),
        word=False,
    )
    skip, limit = arguments.get("skip", 0), arguments.get("max_matches", _MATCHES)
    around = arguments.get("context", 0)
    page = TextPage(BOUND - _HEAD, len, around, around, named=True)
    matches = lines = artifacts = 0
    failed: list[str] = []
    text: list[str] = []
    for artifact in _artifacts(settings, arguments.get("ref"), failed):
        before, first = matches, skip - matches
        wanted = range(max(0, first), max(0, first + limit))
        with artifact:
            try:
                with closing(find(artifact, compiled, range(0) if page.full else wanted)) as parts:
                    for part in parts:
                        matches, lines = matches + part.matches, lines + part.lines
                        text.append(page.add(artifact, part.hits))
            except IntegrityError as error:
                failed.append(str(error))
            text.append(page.close(artifact))
        artifacts += matches > before
    head = f"{matches:,} matches on {lines:,} lines in {artifacts:,} artifacts"
    if page.shown < matches:
        head += f", shown {skip + 1:,}-{skip + page.shown:,}" if page.shown else ", none shown"
    head += "; ref:line:byte:text" if page.shown else ""
    head += "".join(f"; not searched: {one_line(each)[:200]}" for each in failed[:2])
    more = page.shown and skip + page.shown < matches
    return headed(head, "".join(text), arguments | {"skip": skip + page.shown} if more else None)


def _artifacts(settings: Settings, ref: str | None, failed: list[str]) -> Iterator[Artifact]:
    """The one that is named, or each of the session, oldest first; notes what cannot be read."""
    if ref is not None:
        yield opened(settings, ref)
        return
    with open_session(home_of(settings), session_of(settings)) as session:
        yield from artifacts_of(session, lambda error: failed.append(str(error)))


def query(settings: Settings, arguments: Arguments) -> Answer:
    """Rows that answer the question; without one, the columns and examples. Raises StubError."""
    from stubcli.retrieve.query.asking import Asker
    from stubcli.retrieve.query.engine import Bounds
    from stubcli.retrieve.query.ways import Kind
    from stubcli.retrieve.query.written import JSONL, lines_of

    skip = arguments.get("skip", 0)
    with opened(settings, arguments["ref"]) as artifact:
        record = artifact.record
        told = record.synopsis
        summary = tuple(str(line) for line in told.get("summary", ()))
        kind = Kind(
            str(told.get("kind", "")), str(told.get("form", "")), summary, record.reference.short
        )
        bounds = Bounds(settings.query_memory, settings.query_seconds)
        asker = Asker(artifact, kind, bounds, lambda ticks: ticks)
        if "sql" not in arguments:
            return _schema(asker, str(record.reference))
        found = asker.answer(arguments["sql"], skip=skip, limit=_ROWS)
    lines = _fitting(lines_of(found, JSONL, BOUND - _HEAD)[0])
    shown = len(lines)
    head = f"rows {skip + 1:,}-{skip + shown:,} of {found.total:,}" if shown else "no rows"
    head += "".join(f"; {one_line(note)[:200]}" for note in found.notes[:3])
    more = shown and skip + shown < found.total
    return headed(head, "\n".join(lines), arguments | {"skip": skip + shown} if more else None)


def _fitting(rows: list[str]) -> list[str]:
    """The first of the rows, made safe to show, as many as fit then. Raises UsageError."""
    safe = [escape_json(row) for row in rows]
    count = sum(size <= BOUND - _HEAD for size in accumulate(len(row) + 1 for row in safe))
    if safe and not count:
        raise UsageError(f"one row takes {len(safe[0]):,} characters", "select a part of it")
    return safe[:count]


def _schema(asker: "Asker", reference: str) -> Answer:
    from stubcli.retrieve.query.shape import schema_of

    schema, notes = asker.ask(schema_of, thorough=True)
    lines = [f"{one_line(c.name)} {one_line(c.type.name)[:500]}" for c in schema.columns]
    for entity in schema.entities:
        lines.append(f"{one_line(entity.name)}, {entity.rows:,} rows: {one_line(entity.sql)}")
    lines += [f"example: {one_line(sql)}" for sql in schema.examples]
    lines += [f"note: {one_line(note)}" for note in notes]
    body = "\n".join(line[:1000] for line in lines)
    head = f"{reference}: table artifact, {schema.rows:,} rows; columns and types"
    if len(body) > BOUND - _HEAD:
        body = body[: BOUND - _HEAD]
        head += " (the first of them)"
    return headed(head, body, None)
