"""Delimited tables for DuckDB: the view over the records that the facts say are there.

Where they begin and end, the delimiter, the quotes and the names are those of the facts. A column
has a type only where writing its values gives the text that was read: 007 is text, and so is a
date that could be read in two ways.
"""

from collections.abc import Sequence
from typing import Any

from stubcli.detect.table.facts import TableFacts
from stubcli.detect.table.header import distinct
from stubcli.retrieve.query import dirty
from stubcli.retrieve.query.onefile import URL, ArtifactFile
from stubcli.retrieve.query.types import quoted

_SAMPLE = 20_480
# DuckDB takes a longer line for a quote that is not closed.
_LONGEST_LINE = 8 << 20
# Read at once. DuckDB's own choice, sixteen of the longest lines, took twice the time.
_BUFFER = 16 << 20
_LINE_ENDS = {"lf": "\\n", "crlf": "\\r\\n"}

# $c is the cell. Empty cells are NULL and take no part.
_TYPES = (
    ("BIGINT", "regexp_full_match($c, '0|-?[1-9][0-9]{0,17}')"),
    ("HUGEINT", "regexp_full_match($c, '0|-?[1-9][0-9]{0,37}')"),
    (
        "DOUBLE",
        r"regexp_full_match($c, '-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]{1,2})?') AND "
        r"(length(regexp_replace(regexp_replace($c, '[eE].*', ''), '[-.]', '', 'g')) <= 15 "
        "OR TRY_CAST($c AS DOUBLE)::VARCHAR = $c)",
    ),
    ("BOOLEAN", "lower($c) IN ('true', 'false')"),
    ("DATE", "TRY_CAST($c AS DATE)::VARCHAR = $c"),
    (
        "TIMESTAMP",
        r"regexp_full_match($c, '\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d{1,6})?') "
        "AND TRY_CAST($c AS TIMESTAMP) IS NOT NULL",
    ),
)
# Versions: as numbers 1.10 and 1.1 were one. All with as many places, 2.50 is another than 2.5.
_PLACES = "length($c) - strpos($c, '.')"
_APART = {
    "DOUBLE": r"NOT coalesce(bool_or(regexp_matches($c, '\.[0-9]+0$')), false) OR "
    f"min({_PLACES}) FILTER (contains($c, '.')) = max({_PLACES}) FILTER (contains($c, '.'))"
}


def regular(facts: TableFacts) -> bool:
    """Whether DuckDB reads the bytes as they stand, as far as the facts tell."""
    odd = facts.ragged, facts.undecodable, facts.unclosed
    return facts.line_end in _LINE_ENDS and refusable(facts) and not any(odd)


def refusable(facts: TableFacts) -> bool:
    """Whether DuckDB reads the bytes so or refuses them; other records it would misread."""
    return facts.dialect.plain and not (facts.loose or facts.folded or facts.repeats)


def as_it_is(file: ArtifactFile, facts: TableFacts, whole: bool, connection: Any) -> None:
    """The view over the bytes as they stand. whole: types from all records, not from the first."""
    file.show(facts.start, facts.end)
    line_end = _LINE_ENDS.get(facts.line_end, _LINE_ENDS["lf"])
    reading = _reading(facts.delimiter, facts.dialect.quote, line_end)
    _view(connection, reading, _shown(facts.names()), whole)


def rewritten(file: ArtifactFile, facts: TableFacts, connection: Any) -> None:
    """The view over the same records, written anew: whatever is irregular is resolved first."""
    file.show(0, 0, dirty.table(file.artifact, facts))
    more = [f"more{n}" for n in range(1, facts.widest - facts.width + 1)]
    names = distinct([*facts.names(), *more])
    _view(connection, _reading(",", '"', "\\n"), _shown(names), True)


def _shown(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(dirty.shown, names))


def _reading(delimiter: str, quote: str, line_end: str) -> str:
    """The table function, up to the columns."""
    return (
        f"read_csv('{URL}', auto_detect = false, header = false, delim = {_text(delimiter)}, "
        f"quote = {_text(quote)}, escape = {_text(quote)}, new_line = '{line_end}', "
        f"max_line_size = {_LONGEST_LINE}, buffer_size = {_BUFFER}, compression = 'none', "
        "columns = "
    )


def decimal_commas(facts: TableFacts) -> dict[str, str]:
    """The columns that hold decimal commas, and each as a number in SQL."""
    names = zip(_shown(facts.names()), facts.columns_read, strict=False)
    found = [name for name, column in names if column.type == "decimal comma"]
    return {name: _as_number(quoted(name)) for name in found}


def _as_number(cell: str) -> str:
    return f"TRY_CAST(replace(replace({cell}, '.', ''), ',', '.') AS DOUBLE)"


def _view(connection: Any, reading: str, names: tuple[str, ...], whole: bool) -> None:
    texts = _struct(names, ["VARCHAR"] * len(names))
    kinds = _kinds(connection, f"{reading}{texts})", names, whole)
    typed = _struct(names, kinds)
    connection.execute(f"CREATE VIEW artifact AS SELECT * FROM {reading}{typed})")


def _struct(names: tuple[str, ...], kinds: list[str]) -> str:
    pairs = (f"{_text(name)}: '{kind}'" for name, kind in zip(names, kinds, strict=True))
    return "{" + ", ".join(pairs) + "}"


def _text(name: str) -> str:
    return "'" + name.replace("'", "''") + "'"


def _kinds(connection: Any, reading: str, names: tuple[str, ...], whole: bool) -> list[str]:
    tests = [test for name in names for test in type_tests(quoted(name))]
    bound = "" if whole else f" LIMIT {_SAMPLE}"
    row = connection.execute(f"SELECT {', '.join(tests)} FROM (FROM {reading}{bound})").fetchone()
    each = len(_TYPES)
    return [type_of_tests(row[at : at + each]) for at in range(0, len(row), each)]


def type_tests(cell: str) -> list[str]:
    """An aggregate in SQL for each type: whether all cells that are not empty have it."""
    return [
        f"coalesce(bool_and(coalesce({test}, $c IS NULL)), false) "
        f"AND ({_APART.get(kind, 'true')})".replace("$c", cell)
        for kind, test in _TYPES
    ]


def type_of_tests(passed: Sequence[bool]) -> str:
    """The type of a column whose tests had these results."""
    return next((kind for (kind, _), yes in zip(_TYPES, passed, strict=True) if yes), "VARCHAR")
