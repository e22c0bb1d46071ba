"""JSON for DuckDB: lines, documents and values one after the other.

Texts stay texts: read as times they lost their nanoseconds. A whole number that DOUBLE would
round stays JSON, which keeps its digits; a fraction keeps 17 of them in either.
"""

from typing import Any

from stubcli.detect.json.facts import CONCATENATED, DOCUMENT, LINES, JsonFacts
from stubcli.retrieve.query import strict
from stubcli.retrieve.query.engine import Unreadable
from stubcli.retrieve.query.onefile import URL, ArtifactFile
from stubcli.retrieve.query.types import Column, Type, below, leaves, quoted, type_of

_SAMPLE = 20_480
_OBJECT = 16 << 20
_MOST_NOTES = 4
# The column that DuckDB makes of values for which it has no columns.
_NO_COLUMNS = "json"
# DuckDB counts an object's size in 32 bits.
_LARGEST_OBJECT = (1 << 32) - 1
# No text looks like this, so none is taken for a date or a time.
_NO_TIMES = "dateformat = '~%Y~', timestampformat = '~%Y~'"
# Not each whole number beyond 2^53 is a DOUBLE, and 1e400 is infinite there.
_NO_DOUBLE = (
    "regexp_full_match(x::VARCHAR, '-?[0-9]{16,}') OR (contains(lower(x::VARCHAR), 'e') "
    "AND coalesce(isinf(TRY_CAST(x::VARCHAR AS DOUBLE)), true))"
)
# Types that DuckDB finds, the values x (in JSON) that they would change, and a type that keeps
# them.
_CHANGED = {
    "DOUBLE": (_NO_DOUBLE, "JSON"),
    "UUID": ("regexp_matches(x::VARCHAR, '[A-F]')", "VARCHAR"),
    "TIME": ("NOT regexp_full_match(x::VARCHAR, '\"[0-9:]{8}\"')", "VARCHAR"),
}


def regular(facts: JsonFacts) -> bool:
    """Whether DuckDB reads the bytes as they stand, as far as the facts tell."""
    odd = facts.other, facts.halves, facts.undecodable, facts.framed
    return not any(odd) and facts.documents > 0


def as_it_is(file: ArtifactFile, facts: JsonFacts, whole: bool, connection: Any) -> tuple[str, ...]:
    """The view over the bytes as they stand. whole: types and keys from all values, all of which
    can be read.
    """
    _show(file, facts)
    options = _options(file, _format(facts.form, facts.root), whole)
    notes = _view(connection, options, whole)
    if _has_columns(facts):
        # A single key without characters, or a value that is no object, costs all their columns.
        found = connection.sql("SELECT * FROM artifact LIMIT 0").columns
        if [str(name) for name in found] == [_NO_COLUMNS]:
            raise Unreadable("not all values are objects whose keys can be columns")
    if whole:
        _read_all(connection)
    return notes


def _has_columns(facts: JsonFacts) -> bool:
    """Whether most values are objects whose keys can be columns, one or the other not."""
    items = facts.items
    if items is None or _NO_COLUMNS in facts.names:
        return False
    return bool(facts.names) or items.count <= 2 * items.objects < 2 * items.count


def in_json(file: ArtifactFile, facts: JsonFacts, connection: Any) -> tuple[str, ...]:
    """The view whose columns are those of the facts, texts and JSON, for values of any depth."""
    _show(file, facts)
    options = _options(file, _format(facts.form, facts.root), True)
    kinds = (f"{_text(name)}: '{kind}'" for name, kind in columns_of(facts).items())
    reading = f"read_json('{URL}', {options}, records = true, columns = {{{', '.join(kinds)}}})"
    connection.execute(f"CREATE VIEW artifact AS SELECT * FROM {reading}")
    _read_all(connection)
    return ("values nest too deeply for types; each column is text or JSON",)


def columns_of(facts: JsonFacts) -> dict[str, str]:
    """The keys of the records and a type that holds any value; empty where not all are known."""
    items = facts.items
    if items is None or not facts.names or items.objects != items.count:
        return {}
    texts = {field.name for field in items.fields if not {*dict(field.types)} - {"string", "null"}}
    return {name: "VARCHAR" if name in texts else "JSON" for name in items.keys}


def _read_all(connection: Any) -> None:
    """Read each value of each record; raises where one cannot be."""
    connection.execute("SELECT count(COLUMNS(*)) FROM artifact").fetchall()


def one_column(file: ArtifactFile, facts: JsonFacts, connection: Any) -> tuple[str, ...]:
    """The view with one column of JSON, for objects that no columns hold."""
    _show(file, facts)
    _one(connection, _options(file, _format(facts.form, facts.root), True))
    return ()


def picked(
    file: ArtifactFile, facts: JsonFacts, connection: Any, *, columns: bool
) -> tuple[str, ...]:
    """The view over the values alone, as strict JSON, in columns or in one of JSON."""
    found = strict.values(file.artifact, facts)
    file.show(0, 0, found.data)
    options = _options(file, _format(CONCATENATED, facts.root), True)
    if columns:
        notes = _view(connection, options, True)
        _read_all(connection)
        return (*found.notes, *notes)
    _one(connection, options)
    return found.notes


def _show(file: ArtifactFile, facts: JsonFacts) -> None:
    """The values as far as they are complete; beyond what was read nobody knows."""
    file.show(facts.start, facts.end if facts.looked_at is None else facts.size)


def _one(connection: Any, options: str) -> None:
    reading = f"read_json('{URL}', {options}, records = false, columns = {{json: 'JSON'}})"
    connection.execute(f"CREATE VIEW artifact AS SELECT * FROM {reading}")


def _format(form: str, root: str) -> str:
    if form == LINES:
        return "newline_delimited"
    return "array" if root == "array" and form == DOCUMENT else "unstructured"


def _options(file: ArtifactFile, how: str, whole: bool) -> str:
    large = whole or how == "unstructured"
    largest = min(max(_OBJECT, file.size + 1 if large else 0), _LARGEST_OBJECT)
    if how != "unstructured":
        largest = min(largest, 16 * _OBJECT)
    return f"format = '{how}', maximum_object_size = {largest}, compression = 'none'"


def _view(connection: Any, options: str, whole: bool) -> tuple[str, ...]:
    """Make the view; the notes say which numbers have no type, and how they are some."""
    sample = -1 if whole else _SAMPLE
    reading = f"read_json('{URL}', {options}, {_NO_TIMES}, sample_size = {sample})"
    found = connection.sql(f"SELECT * FROM {reading} LIMIT 0")
    columns = [
        Column(str(name), type_of(kind))
        for name, kind in zip(found.columns, found.types, strict=True)
    ]
    changed = _changed(connection, options, columns, whole)
    if changed and not whole:
        # With types of our own an unknown key is no error, so every key has to be known first.
        return _view(connection, options, True)
    if changed:
        kinds = (f"{_text(c.name)}: {_text(_written(c.type, c.name, changed))}" for c in columns)
        reading = f"read_json('{URL}', {options}, columns = {{{', '.join(kinds)}}})"
    connection.execute(f"CREATE VIEW artifact AS SELECT * FROM {reading}")
    texts = [leaf for c in columns for leaf in leaves(c) if changed.get(leaf.path) == "JSON"]
    return tuple(
        f"{leaf.path} holds numbers that no type keeps; as a number: TRY_CAST({leaf.sql} AS DOUBLE)"
        for leaf in texts[:_MOST_NOTES]
        if leaf.sql
    )


def _changed(connection: Any, options: str, columns: list[Column], whole: bool) -> dict[str, str]:
    """The leaves whose type would change a value, by path, and the type that does not."""
    suspects = [leaf for c in columns for leaf in leaves(c) if leaf.type.name in _CHANGED]
    if not suspects:
        return {}
    tests = []
    for leaf in suspects:
        cells = f"json_extract(json, {_text('$' + leaf.json)})"
        cells = cells if "*" in leaf.json else f"[{cells}]"
        found = f"list_filter({cells}, lambda x: {_CHANGED[leaf.type.name][0]})"
        tests.append(f"coalesce(bool_or(len({found}) > 0), false)")
    bound = "" if whole else f" LIMIT {_SAMPLE}"
    objects = f"read_json_objects('{URL}', {options})"
    row = connection.execute(f"SELECT {', '.join(tests)} FROM (FROM {objects}{bound})").fetchone()
    pairs = zip(suspects, row, strict=True)
    return {leaf.path: _CHANGED[leaf.type.name][1] for leaf, yes in pairs if yes}


def _written(kind: Type, path: str, changed: dict[str, str]) -> str:
    """The type in SQL, with another one for the leaves that it would change."""
    inner = [(name, _written(one, below(kind, path, name), changed)) for name, one in kind.fields]
    if kind.shape == "struct":
        return f"STRUCT({', '.join(f'{quoted(name)} {one}' for name, one in inner)})"
    if kind.shape == "list":
        return f"{inner[0][1]}[]"
    if kind.shape == "map":
        return f"MAP(VARCHAR, {inner[0][1]})"
    return changed.get(path, kind.name)


def _text(name: str) -> str:
    return "'" + name.replace("'", "''") + "'"
