"""stub_query: rows that answer a question in SQL; without one, the columns and examples."""

from itertools import accumulate
from typing import TYPE_CHECKING

from stubcli.agents.tools.tool import (
    BOUND,
    HEAD,
    REF,
    SKIP,
    Arguments,
    Tool,
    ToolAnswer,
    format_answer,
    open_artifact,
)
from stubcli.errors import UsageError
from stubcli.settings.table import Settings
from stubcli.spill.stub import facts_of
from stubcli.text.display import amount, escape_json, one_line

if TYPE_CHECKING:
    from stubcli.retrieve.query.asking import Asker

_NAME = "stub_query"
_ROWS = 200


def _answer(settings: Settings, arguments: Arguments) -> ToolAnswer:
    """Raises StubError."""
    from stubcli.retrieve.query.asking import Asker
    from stubcli.retrieve.query.engine import Bounds
    from stubcli.retrieve.query.written import JSONL, lines_of

    skip = arguments.get("skip", 0)
    with open_artifact(settings, arguments["ref"]) as artifact:
        record = artifact.record
        bounds = Bounds(settings.query_memory, settings.query_seconds)
        asker = Asker(artifact, facts_of(artifact), bounds, lambda ticks: ticks)
        if "sql" not in arguments:
            return _describe_schema(asker, str(record.reference))
        found = asker.answer(arguments["sql"], skip=skip, limit=_ROWS)
    lines = _take_fitting(lines_of(found, JSONL, BOUND - HEAD)[0])
    shown = len(lines)
    head = f"rows {skip + 1:,}-{skip + shown:,} of {found.total:,}" if shown else "no rows"
    head += "".join(f"; {one_line(note)[:200]}" for note in found.notes[:3])
    more = shown and skip + shown < found.total
    follow = arguments | {"skip": skip + shown} if more else None
    return format_answer(_NAME, head, "\n".join(lines), follow)


def _take_fitting(rows: list[str]) -> list[str]:
    """The first of the rows, made safe to show, as many as fit then. Raises UsageError."""
    safe = [escape_json(row) for row in rows]
    count = sum(size <= BOUND - HEAD for size in accumulate(len(row) + 1 for row in safe))
    if safe and not count:
        raise UsageError(
            f"one row takes {amount(len(safe[0]), 'character')}", "select a part of it"
        )
    return safe[:count]


def _describe_schema(asker: "Asker", reference: str) -> ToolAnswer:
    from stubcli.retrieve.query.types import quoted

    schema = asker.schema()
    # Names as SQL has them: in quotes, none passes for a note.
    lines = [f"{one_line(quoted(c.name))} {one_line(c.type.name)[:500]}" for c in schema.columns]
    for entity in schema.entities:
        name = one_line(quoted(entity.name))
        lines.append(f"{name}, {amount(entity.rows, 'row')}: {one_line(entity.sql)}")
        if entity.beside:
            columns = ", ".join(f"{quoted(c.path)} {c.type.name}" for c in entity.fields)
            lines.append(f"{name} has {one_line(columns)}")
    lines += [f"example: {one_line(sql)}" for sql in schema.examples]
    lines += [f"note: {one_line(note)}" for note in schema.notes]
    body = "\n".join(line[:1000] for line in lines)
    head = f"{reference}: table artifact, {amount(schema.rows, 'row')}; columns and types"
    if len(body) > BOUND - HEAD:
        body = body[: BOUND - HEAD]
        head += " (the first of them)"
    return format_answer(_NAME, head, body)


TOOL = Tool(
    _NAME,
    "Ask a stored output that holds a table (JSON, CSV, logs, tables, matches, listings, diffs, "
    "test reports, findings) a question in SQL: one SELECT over the table artifact. Without sql: "
    "its tables, their columns and example questions.",
    {
        "ref": REF,
        "sql": {"type": "string", "description": "One SELECT ... FROM artifact ..."},
        "skip": SKIP,
    },
    ("ref",),
    _answer,
)
