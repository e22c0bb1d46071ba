"""Paths that a statement reads FROM: each becomes a view, which stands in place of the path.

SQL reads a.b as a table of a schema, and has no word for a path of more than three parts. Knows
tokens alone: what the statement means is DuckDB's.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

from stubcli.detect.facts import KindFacts
from stubcli.errors import nearest
from stubcli.retrieve.query import nested
from stubcli.retrieve.query.engine import Unbound
from stubcli.retrieve.query.types import quoted
from stubcli.text.display import one_line

_BEGINS_QUERY = frozenset(("select", "from", "with", "describe", "summarize", "values", "table"))
_BEFORE_NAME = frozenset(("from", "join", "describe", "summarize", "table"))
# What ends a list of tables.
_AFTER_TABLES = frozenset(
    (
        *("where", "group", "having", "window", "qualify", "order", "limit", "offset", "sample"),
        *("union", "intersect", "except", "on", "using", "select"),
    )
)
_MOST_NAMED = 20
_NO_ALIAS = frozenset(("describe", "summarize", "table"))


@dataclass(frozen=True)
class _Token:
    """kind: as DuckDB calls it. start, end: in bytes."""

    kind: str
    text: str
    start: int
    end: int

    @property
    def word(self) -> str:
        return self.text.lower() if self.kind == "keyword" else ""

    @property
    def names(self) -> bool:
        return self.kind in ("identifier", "keyword") and self.text[:1] not in "(),;.*"

    @property
    def name(self) -> str:
        """The identifier without its quotes."""
        return self.text[1:-1].replace('""', '"') if self.text[:1] == '"' else self.text


@dataclass(frozen=True)
class _Named:
    """A path where a table is expected: its tokens, the word before it, the token behind it."""

    tokens: tuple[_Token, ...]
    before: str
    behind: _Token | None

    @property
    def path(self) -> tuple[str, ...]:
        return tuple(token.name for token in self.tokens)


def resolved(connection: Any, sql: str, facts: KindFacts) -> str:
    """`sql` with each path of nested values as the name of their view, which is made here."""
    found = [named for named in _tables(_tokens(sql)) if named.path != (nested.ROOT,)]
    if not found:
        return sql
    start = nested.outer(connection, facts)
    known = {name.casefold() for name in nested.views(connection)}
    raw = sql.encode("utf-8")
    for named in reversed(found):
        if len(named.path) == 1 and named.path[0].casefold() in known:
            continue
        table = nested.resolve(start, named.path)
        if table is None:
            _check(named, start)
            continue
        table.create(connection)
        if len(named.path) > 1:
            written = table.view + _alias(named)
            raw = raw[: named.tokens[0].start] + written.encode() + raw[named.tokens[-1].end :]
    return raw.decode("utf-8")


def _check(named: _Named, start: nested.Outer) -> None:
    """Raises Unbound where the path goes wrong below a column, which no schema is called as."""
    first = named.path[0].casefold()
    if len(named.path) > 1 and any(one.name.casefold() == first for one in start.columns):
        path = ".".join(map(quoted, named.path))
        known = [table.name for table in islice(nested.listed(start), _MOST_NAMED)]
        hint = nearest(path, known) if known else "it holds no lists"
        raise Unbound(f"no list or object stands at {one_line(path)}", hint)


def _alias(named: _Named) -> str:
    """The last part of the path as the table's name, where the statement gives it none."""
    behind = named.behind
    if named.before in _NO_ALIAS or (behind and behind.kind == "identifier"):
        return ""
    return "" if behind and behind.word == "as" else f" AS {quoted(named.path[-1])}"


def _tokens(sql: str) -> list[_Token]:
    import duckdb

    raw = sql.encode("utf-8")
    found = [(int(start), kind.name) for start, kind in duckdb.tokenize(sql)]
    tokens = []
    for (start, kind), (end, _) in pairwise([*found, (len(raw), "")]):
        text = raw[start:end].decode("utf-8", "replace").rstrip()
        if kind != "comment":
            tokens.append(_Token(kind, text, start, start + len(text.encode("utf-8"))))
    return tokens


def _tables(tokens: list[_Token]) -> Iterator[_Named]:
    """The paths that stand where a table is expected, in order."""
    # Of each open bracket, whether it holds a query and whether its tables are being listed.
    open_brackets = [[True, False]]
    expected = ""
    at = 0
    for before, token in pairwise((_Token("operator", "(", 0, 0), *tokens)):
        index, at = at, at + 1
        if before.text == "(" and index:
            open_brackets[-1][0] = token.word in _BEGINS_QUERY or token.text == "("
        inside = open_brackets[-1]
        if token.text == "(":
            open_brackets.append([False, False])
        elif token.text == ")" and len(open_brackets) > 1:
            open_brackets.pop()
        elif token.word in _BEFORE_NAME and inside[0] and before.word != "distinct":
            expected, inside[1] = token.word, True
            continue
        elif token.text == "," and inside[1]:
            expected = ","
            continue
        elif token.word in _AFTER_TABLES:
            inside[1] = False
        elif expected and token.names and before.text != ".":
            named = _path_from(tokens, index, expected)
            if named is not None:
                yield named
        expected = ""


def _path_from(tokens: list[_Token], index: int, before: str) -> _Named | None:
    """The path that begins at the index; None where it is the name of a function."""
    path = [tokens[index]]
    at = index + 1
    while at + 1 < len(tokens) and tokens[at].text == "." and tokens[at + 1].names:
        path.append(tokens[at + 1])
        at += 2
    behind = tokens[at] if at < len(tokens) else None
    return None if behind and behind.text == "(" else _Named(tuple(path), before, behind)
