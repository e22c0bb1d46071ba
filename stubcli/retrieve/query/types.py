"""The types of columns as values of our own: what is nested in what, and under which path."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_NUMBERS = (
    *("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT"),
    *("UINTEGER", "UBIGINT", "UHUGEINT", "BIGNUM", "FLOAT", "DOUBLE", "DECIMAL"),
)


@dataclass(frozen=True)
class Type:
    """name as DuckDB writes it. shape: scalar, struct, list or map.

    fields: of a struct, by name; of a list its items and of a map its values, under an empty name.
    """

    name: str
    shape: str
    fields: tuple[tuple[str, "Type"], ...] = ()

    @property
    def number(self) -> bool:
        return self.name.startswith(_NUMBERS) and self.shape == "scalar"

    @property
    def nested(self) -> bool:
        return self.shape != "scalar"


@dataclass(frozen=True)
class Column:
    name: str
    type: Type


@dataclass(frozen=True)
class Leaf:
    """A value inside a column. path is how it is shown, json the same as a JSONPath without `$`;
    sql is how it is written from the column on, empty where a list or a map lies between; outer is
    then the SQL of a list that holds it directly."""

    path: str
    json: str
    sql: str
    type: Type
    outer: str = ""


def type_of(found: Any) -> Type:
    """The value of a DuckDBPyType."""
    name, kind = str(found), found.id
    if kind == "struct":
        return Type(name, "struct", tuple((str(n), type_of(t)) for n, t in found.children))
    if kind in ("list", "array"):
        return Type(name, "list", (("", type_of(found.children[0][1])),))
    if kind == "map":
        return Type(name, "map", (("", type_of(found.children[1][1])),))
    return Type(name, "nested" if kind in ("union", "variant") else "scalar")


def quoted(name: str) -> str:
    """A name in SQL."""
    plain = name.isascii() and name.isidentifier() and name.islower() and name not in _WORDS
    return name if plain else '"' + name.replace('"', '""') + '"'


# Reserved in SQL.
_RESERVED = (
    "all analyse analyze and any array as asc at asymmetric both by case cast check collate "
    "column constraint create cross default deferrable desc describe distinct do else end "
    "except exists false fetch filter for foreign from full glob grant group having in "
    "initially inner intersect into is join lambda lateral leading left like limit map "
    "natural not null offset on only or order outer pivot placing positional primary qualify "
    "references returning right row rows select semi set show similar some struct summarize "
    "symmetric table tablesample then to trailing true union unique unnest unpivot using "
    "values variadic when where window with"
)
_WORDS = frozenset(_RESERVED.split())


def leaves(column: Column) -> Iterator[Leaf]:
    """The scalars of a column, at any depth, in order."""
    start = Leaf(column.name, f".{_json(column.name)}", quoted(column.name), column.type)
    yield from _leaves(start)


def _leaves(at: Leaf) -> Iterator[Leaf]:
    kind = at.type
    if not kind.fields:
        yield at
    for name, inner in kind.fields:
        path = below(kind, at.path, name)
        if kind.shape == "struct":
            sql = at.sql and f"{at.sql}.{quoted(name)}"
            yield from _leaves(Leaf(path, f"{at.json}.{_json(name)}", sql, inner))
        else:
            step = "[*]" if kind.shape == "list" else ".*"
            outer = at.sql if kind.shape == "list" else ""
            yield from _leaves(Leaf(path, at.json + step, "", inner, outer))


def below(kind: Type, path: str, name: str) -> str:
    """The path of what is inside a value of that type: a.b, a[] or a{}."""
    return {"struct": f"{path}.{name}", "list": f"{path}[]", "map": f"{path}{{}}"}[kind.shape]


def _json(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
