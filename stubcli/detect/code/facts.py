"""What is known of source code. Lines are counted from 1."""

from stubcli.detect.facts import KindFacts
from stubcli.value import Value


class CodeLine(Value):
    """A line as it stands, without its indentation. inner: whether it is indented."""

    line: int
    text: str
    inner: bool = False


class Remarkable(Value):
    """Statements of one class (panics, unsafe, exits, remarks): how many, and the first of them."""

    name: str
    count: int
    lines: tuple[CodeLine, ...]


class Filled(Value):
    """A table of SQL: so many INSERT statements, and rows of COPY; None where there is no COPY."""

    table: str
    inserts: int
    copied: int | None = None


class CodeFacts(KindFacts, kw_only=True):
    """imports, symbols: the first of import_count and symbol_count. looked_at: so many of `size`
    bytes were read. filled: the tables that a script of SQL puts rows into.
    """

    size: int
    looked_at: int
    lines: int
    imports: tuple[str, ...] = ()
    import_count: int = 0
    remarkable: tuple[Remarkable, ...] = ()
    filled: tuple[Filled, ...] = ()
    symbols: tuple[CodeLine, ...] = ()
    symbol_count: int = 0


FACTS = CodeFacts
