"""JSON for DuckDB: lines, documents and values one after the other.

Texts stay texts: read as times they lost their nanoseconds. A whole number that DOUBLE would
round stays JSON, which keeps its digits; a fraction keeps 17 of them in either.
"""

from typing import Any

from stubcli.detect.json.facts import CONCATENATED, DOCUMENT, LINES, JsonFacts
from stubcli.retrieve.query import dirty
from stubcli.retrieve.query.onefile import URL, ArtifactFile
from stubcli.retrieve.query.types import Column, Type, below, leaves, quoted, type_of

_SAMPLE = 20_480
_OBJECT = 16 << 20
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
    return not (facts.other or facts.halves or facts.undecodable)


def as_it_is(file: ArtifactFile, facts: JsonFacts, whole: bool, connection: Any) -> None:
    """The view over the bytes as they stand. whole: types and keys from all values, all of which
    can be read.
    """
    _show(file, facts)
    _view(connection, _options(file, _format(facts.form, facts.root), whole), whole)
    if whole:
        _read_all(connection)


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
    outermost = (one for one in facts.groups if one.word == "item" and not one.path)
    top = next(outermost, None)
    items = facts.records or (top if facts.root == "array" else None)
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
    lines = facts.form == LINES
    read = dirty.records if lines else dirty.values
    found = read(file.artifact, facts)
    file.show(0, 0, found.data)
    form = LINES if lines else CONCATENATED if found.count > 1 else DOCUMENT
    options = _options(file, _format(form, facts.root), True)
    if columns:
        _view(connection, options, True)
        _read_all(connection)
    else:
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


def _view(connection: Any, options: str, whole: bool) -> None:
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
        _view(connection, options, True)
        return
    if changed:
        kinds = (f"{_text(c.name)}: {_text(_written(c.type, c.name, changed))}" for c in columns)
        reading = f"read_json('{URL}', {options}, columns = {{{', '.join(kinds)}}})"
    connection.execute(f"CREATE VIEW artifact AS SELECT * FROM {reading}")


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
