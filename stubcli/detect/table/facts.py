"""What is known of a delimited table: all that a page and a query have to agree on."""

from typing import ClassVar

from stubcli.detect.facts import KindFacts
from stubcli.detect.fields.facts import ColumnFacts, Differing
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


class TableFacts(KindFacts, kw_only=True):
    """Records of `width` cells with `delimiter` between them, in bytes start to end of the stream.

    quotes: whether they are honoured; balanced: where not, they are data. line_end: lf, crlf or
    mixed. header: the names as they stand, in line header_line; empty where there is none.
    before, after: lines that are no rows. records: all of them, of which `ragged` have another
    width, the first in line ragged_line. lines: of the stream. columns_read: the first columns,
    from the values of `detailed` records. unclosed: quotes that are not closed, the first in line
    unclosed_line: their lines are records of their own. between: lines without a delimiter.
    differing: records with what few others have. first_record, last_record: as they stand.
    undecodable: bytes that are not UTF-8, None if unknown; charset: in which they would be letters,
    "" if in none.
    """

    VERSION: ClassVar[int] = 2
    delimiter: str
    quotes: bool
    balanced: bool
    bom: bool
    line_end: str
    width: int
    header: tuple[str, ...] = ()
    header_line: int = 0
    before: Outside | None = None
    after: Outside | None = None
    start: int
    end: int
    lines: int
    records: int
    ragged: int = 0
    ragged_line: int = 0
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

    def rows(self) -> int:
        return self.records

    def names(self) -> tuple[str, ...]:
        """A name for each column, all of them different."""
        return distinct([cell.strip() for cell in self.header] or [""] * self.width)

    def columns(self) -> tuple[str, ...]:
        return columns(self.header)


FACTS = TableFacts
