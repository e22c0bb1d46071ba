"""What is known of a delimited table: all that a page and a query have to agree on."""

from typing import ClassVar

from stubcli.detect.facts import KindFacts
from stubcli.detect.fields.facts import ColumnFacts, CrossedFacts, Differing
from stubcli.detect.table.dialect import Dialect
from stubcli.detect.table.header import distinct
from stubcli.detect.words import columns
from stubcli.value import Value


class Outside(Value):
    """Lines of the stream that are no rows: how many, without the empty ones; the first of them by
    number, and its text.
    """

    lines: int
    line: int
    text: str


class Further(Value):
    """Another table of the stream: its first and last line, its records, and its columns' names."""

    line: int
    last: int
    records: int
    width: int
    names: tuple[str, ...]


class Affected(Value):
    """So many records are as it is said, the first of them in that line."""

    records: int
    line: int


class Keyed(Value):
    """A key in the cells of a column, which has the place `at`, and its values; looked: of so many
    records, 0 for all.
    """

    at: int
    name: str
    column: ColumnFacts
    looked: int = 0


class TableFacts(KindFacts, kw_only=True):
    """Records of `width` cells in that dialect, in bytes start to end of the stream.

    balanced: whether quotes are closed; where not, they are data. line_end: lf, crlf, cr or mixed.
    header: the names as they stand, in header_rows lines from header_line on; empty where there is
    none. before, after: lines that are no rows; lines: of the stream. records: all of them, of
    which `ragged` have another width: the wide ones up to `widest` cells. columns_read: the first
    columns, from the values of `detailed` records. unclosed: quotes that are not closed, the first
    in line unclosed_line: their lines are records of their own. loose: records with other quotes
    that are not as they should be. folded: those with delimiters in a cell without quotes.
    repeats: lines that are the header again, and no records. between: lines without a delimiter.
    differing: records with what few others have. first_record, last_record: as they stand.
    undecodable: bytes that are not UTF-8, None if unknown; charset: in which they would be
    letters, "" if in none. tables: others of the stream, outside of this one. crossed: what
    columns say of each other. keyed: what cells hold that are lists of keys with values.
    """

    VERSION: ClassVar[int] = 5
    dialect: Dialect
    balanced: bool
    bom: bool
    line_end: str
    width: int
    header: tuple[str, ...] = ()
    header_line: int = 0
    header_rows: int = 0
    before: Outside | None = None
    after: Outside | None = None
    start: int
    end: int
    lines: int
    records: int
    ragged: int = 0
    widest: int
    detailed: int
    columns_read: tuple[ColumnFacts, ...] = ()
    first_record: str = ""
    last_record: str = ""
    unclosed: int = 0
    unclosed_line: int = 0
    between: tuple[Outside, ...] = ()
    differing: tuple[Differing, ...] = ()
    undecodable: int | None = 0
    charset: str = ""
    wide: Affected | None = None
    short: Affected | None = None
    loose: Affected | None = None
    folded: Affected | None = None
    repeats: Affected | None = None
    tables: tuple[Further, ...] = ()
    crossed: CrossedFacts | None = None
    keyed: tuple[Keyed, ...] = ()

    @property
    def delimiter(self) -> str:
        return self.dialect.delimiter

    @property
    def quotes(self) -> bool:
        """Whether quotes are honoured."""
        return bool(self.dialect.quote)

    def rows(self) -> int:
        return self.records

    def names(self) -> tuple[str, ...]:
        """A name for each column, all of them different."""
        return distinct([cell.strip() for cell in self.header] or [""] * self.width)

    def columns(self) -> tuple[str, ...]:
        return columns(self.header)


FACTS = TableFacts
