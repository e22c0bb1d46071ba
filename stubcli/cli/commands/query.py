"""`stub query`: a question to an artifact that holds tables; without one, what there is to ask."""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial

from stubcli.advice import Advice
from stubcli.cli.command import JSON as AS_JSON
from stubcli.cli.command import REF, Command, Given
from stubcli.cli.output import emit, emit_json, emit_rows, emit_text, on_terminal, say
from stubcli.cli.place import count_reading, open_kept
from stubcli.cli.progress import Progress
from stubcli.retrieve.query.asking import Answer, Asker
from stubcli.retrieve.query.engine import Bounds
from stubcli.retrieve.query.shape import COMPARED, Entity, Link, Schema
from stubcli.retrieve.query.types import leaves
from stubcli.retrieve.query.written import FORMS, JSON, JSONL, TABLE, cut, lines_of
from stubcli.settings import readers
from stubcli.settings.option import Option, optional
from stubcli.settings.table import Settings, settings_of
from stubcli.spill.stub import facts_of
from stubcli.store.artifact import Artifact
from stubcli.text.characters import clip
from stubcli.text.display import amount, escape_json, mark, one_line

ROWS = 200
_MOST_FIELDS = 100
_LONGEST_LINE = 300
# What the interpreter, its libraries and what is read ahead may take beside the query.
_OWN = 1 << 30
_SQL = optional(
    "sql",
    (),
    "One SELECT from the table artifact (default: print what there is to ask).",
    readers.text,
    kind="argument",
    metavar="[SQL]",
)
_SKIP: Option[int] = Option(
    "skip", "--skip", "Rows to skip.", readers.position(0), default="0", metavar="N"
)
_LIMIT: Option[int] = Option(
    "limit",
    ("-n", "--limit"),
    "Rows to print, from 1 to 100000.",
    readers.count(1, 100_000),
    default=str(ROWS),
    metavar="N",
)
_FORMAT: Option[str] = Option(
    "form",
    "--format",
    "How to print rows; only a table cuts wide cells.",
    readers.choice(*FORMS),
    default=TABLE,
    choices=FORMS,
)


@count_reading
def run(given: Given) -> int:
    """Print rows that answer the SQL; without it the schema. Every byte was verified before."""
    settings, sql = given.settings(), given[_SQL]
    form = JSON if given[AS_JSON] else given[_FORMAT]
    with open_kept(settings, given[REF]) as artifact:
        _bound(settings.query_memory)
        bounds = Bounds(settings.query_memory, settings.query_seconds)
        asker = Asker(artifact, facts_of(artifact), bounds, partial(_watched, artifact))
        if sql is None:
            _print_schema(settings, artifact, asker.schema(), as_json=form == JSON)
            return 0
        answer = asker.answer(sql, skip=given[_SKIP], limit=given[_LIMIT])
        again = partial(_again, settings, artifact, sql, given[_LIMIT], form)
    shown = _print(settings, artifact, sql, answer, form, again)
    for note in (*answer.notes, *(_folded(answer) if form == TABLE else ())):
        say(note)
    if form != JSON:
        say(_position(answer, shown, again))
    return 0


def _bound(memory: int) -> None:
    """Bound the process too: within one call of a function DuckDB counts nothing, and a vector of
    a billion numbers took 7.6 GB under a limit of 2."""
    import resource

    if memory:
        most, hard = 2 * memory + _OWN, resource.getrlimit(resource.RLIMIT_DATA)[1]
        if hard == resource.RLIM_INFINITY or most < hard:
            resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def _folded(answer: Answer) -> tuple[str, ...]:
    """On a narrow terminal the last columns of a table are not drawn, which has to be said."""
    if not on_terminal() or len(answer.columns) <= 2:
        return ()
    from shutil import get_terminal_size

    narrowest = sum(max(3, min(len(c.name), _LONGEST_LINE)) + 3 for c in answer.columns)
    if narrowest <= get_terminal_size().columns:
        return ()
    return ("the terminal is too narrow for all columns; all of them: --format json",)


def _watched(artifact: Artifact, percents: Iterator[int]) -> Iterator[int]:
    """What is read of the artifact, or that part of it which the query has behind it."""
    with Progress("asking", artifact.size) as progress:
        progress.follow(artifact)
        for percent in percents:
            progress.reach(artifact.size * percent // 100)
            yield percent


def _print(
    settings: Settings,
    artifact: Artifact,
    sql: str,
    answer: Answer,
    form: str,
    again: Callable[[int], str],
) -> int:
    """Print the page; the number of rows on it."""
    if form == TABLE:
        header, cells = cut(answer, settings.page)
        right = [
            name for name, column in zip(header, answer.columns, strict=True) if column.type.number
        ]
        emit_rows(header, cells, right=right)
        return len(cells)
    lines, shown = lines_of(answer, form, settings.page)
    if form == JSON:
        end = answer.skip + shown
        document = {
            "ref": str(artifact.record.reference),
            "sql": sql,
            "columns": [
                {"name": column.name, "type": column.type.name} for column in answer.columns
            ],
            "skip": answer.skip,
            "total": answer.total,
            "has_more": shown > 0 and end < answer.total,
            "next": again(end) if shown and end < answer.total else None,
            "notes": answer.notes,
        }
        # The rows are JSON already: as Python values a number would lose its digits.
        rows = ",\n    ".join(lines)
        text = json.dumps(document, indent=2, ensure_ascii=False).removesuffix("\n}")
        text += f',\n  "rows": [\n    {rows}\n  ]\n}}\n' if lines else ',\n  "rows": []\n}\n'
        emit(escape_json(text).encode("utf-8"))
    elif form == JSONL:
        emit(escape_json("".join(line + "\n" for line in lines)).encode("utf-8"))
    else:
        emit_text("".join(line + "\n" for line in lines))
    return shown


def _again(
    settings: Settings, artifact: Artifact, sql: str, limit: int, form: str, skip: int
) -> str:
    """The command that asks the same and shows the rows from `skip` on."""
    typed = {
        row.flag[2:]: settings.texts[row.name]
        for row in settings_of("query")
        if settings.typed(row.name)
    }
    return Advice(
        "query",
        artifact.record.reference.short,
        sql,
        limit=limit if limit != ROWS else None,
        format=form if form != TABLE else None,
        skip=skip,
        **typed,
    ).shell(settings.where)


def _position(answer: Answer, shown: int, again: Callable[[int], str]) -> str:
    total = amount(answer.total, "row")
    end = answer.skip + shown
    if not shown:
        return f"nothing here: {total}" if answer.total else "0 rows"
    if shown == answer.total:
        return total
    line = f"rows {answer.skip + 1:,}-{end:,} of {answer.total:,}"
    return f"{line}; next: {again(end)}" if end < answer.total else f"{line}; end"


def _print_schema(settings: Settings, artifact: Artifact, schema: Schema, *, as_json: bool) -> None:
    ref = artifact.record.reference.short
    examples = [Advice("query", ref, sql).shell(settings.where) for sql in schema.examples]
    if as_json:
        emit_json(
            {
                "ref": str(artifact.record.reference),
                "rows": schema.rows,
                "columns": [{"name": c.name, "type": c.type.name} for c in schema.columns],
                "fields": [{"path": p, "type": t} for p, t in _fields(schema)],
                "tables": [_table(entity) for entity in schema.entities],
                "references": [asdict(link) for link in schema.links],
                "examples": examples,
                "notes": schema.notes,
            }
        )
        return
    emit_text(
        "\n".join([*_schema_lines(schema), "Ask:", *(f"  {line}" for line in examples)]) + "\n"
    )
    for note in schema.notes:
        say(note)
    say(_size(schema))


def _table(entity: Entity) -> dict[str, object]:
    columns = [{"name": leaf.path, "type": leaf.type.name} for leaf in entity.fields]
    return {"name": entity.name, "rows": entity.rows, "sql": entity.sql, "columns": columns}


def _size(schema: Schema) -> str:
    return f"{amount(schema.rows, 'row')}, {amount(len(schema.columns), 'column')}"


def _fields(schema: Schema) -> list[tuple[str, str]]:
    return [(leaf.path, leaf.type.name) for column in schema.columns for leaf in leaves(column)]


def _schema_lines(schema: Schema) -> list[str]:
    fields = _fields(schema)
    lines = [f"Table artifact: {_size(schema)}"]
    shown = fields[:_MOST_FIELDS]
    width = min(40, max((len(_short(path)) for path, _ in shown), default=0))
    lines += [f"  {mark(_short(path).ljust(width))}  {_short(kind)}" for path, kind in shown]
    if len(fields) > len(shown):
        lines.append(f"  … {amount(len(fields) - len(shown), 'more field')}: --json")
    for beside, heading in ((True, "Tables beside it:"), (False, "Tables inside it:")):
        found = [entity for entity in schema.entities if entity.beside == beside]
        lines += [heading] if found else []
        for entity in found:
            rows = amount(entity.rows, "row")
            lines.append(f"  {mark(_short(entity.name))}: {rows}: {_short(entity.sql)}")
            if beside:
                columns = (f"{leaf.path} {leaf.type.name}" for leaf in entity.fields)
                lines.append(f"    {_short(', '.join(columns))}")
    if schema.links:
        lines.append("Keys that look like references, by their names, and the values that agree:")
        lines += [f"  {mark(_short(_link(link)))}" for link in schema.links]
    return lines


def _short(text: str) -> str:
    """A name from outside or a statement made of names, in one line; --json has it whole."""
    shown = one_line(text)
    return shown if len(shown) <= _LONGEST_LINE else clip(shown, _LONGEST_LINE) + "… (--json)"


def _link(link: Link) -> str:
    bounded = f" (in the first {amount(COMPARED, 'row')})" if link.bounded else ""
    values = f"{link.found:,} of {amount(link.distinct, 'value')}"
    return f"{link.source} -> {link.target}: {values} stand there{bounded}"


COMMAND = Command(
    "query",
    """Query JSON, CSV, logs and other tables with SQL.

    The table artifact holds the records of JSON, CSV or TSV, the entries of a log (time, level,
    source, message), the rows of a table as ps or kubectl print it, matches of grep or rg, files
    of a listing or of a diff, test cases, compiler findings, requests of a server, or blocks of
    keys and values. All but records have a line_number, which stub read --lines takes. Nested
    lists are tables of their own: FROM items, FROM items.spec.containers.

    Needs DuckDB: pip install 'stubcli[query]'. Without SQL it prints the tables and their columns,
    the keys that refer to others, and three queries to start from.
    """,
    run,
    (REF, _SQL, _SKIP, _LIMIT, _FORMAT, AS_JSON),
    examples=(
        ("The columns, and queries to start from:", "stub query last"),
        ("Count its records:", "stub query last 'SELECT count(*) FROM artifact'"),
    ),
)
