"""What is known of fields, of records that resemble each other, and of columns: values only.

Texts are slices of the input, as they were written; a row is a number or the key of a map.
"""

from stubcli.value import Value


class Count(Value):
    """A value and how often it came; row: where first, for one that came once or twice."""

    text: str
    times: int
    row: int | str | None = None


class Outlier(Value):
    """A number far from all others of its place, as it is written, and where it stands."""

    text: str
    row: int | str


class FieldFacts(Value):
    """One field of many records.

    types: each with its number, the most frequent first. present: in so many of `rows` records,
    first in `first`. distinct: None where there were too many to count. low, high: numbers as
    written. special: what of the numbers is compared with none. lengths: the shortest and the
    longest array or object. top: values worth naming; more: how many others there are. in_all: so
    many of all records have the key, where the values of the first ones only are known; their
    number has changed from the record `stopped` on. outliers: numbers far from all others, which
    reach from rest[0] to rest[1]. missing: the first record without it, where few are. apart: of
    `top`, texts that differ in numbers, names and places only are counted as one, the first. blank:
    how many texts beside these are empty. seldom: texts that came once or twice, beside `top`.
    apart_of: all this of the first so many texts, 0 for all.
    largest: the record that alone holds the largest number; largest_of: what it is called.
    """

    name: str
    types: tuple[tuple[str, int], ...]
    present: int
    rows: int
    first: int | str = 0
    distinct: int | None = None
    low: str | None = None
    high: str | None = None
    special: tuple[str, ...] = ()
    lengths: tuple[int, int] | None = None
    top: tuple[Count, ...] = ()
    more: int = 0
    whole: bool = False
    in_all: int | None = None
    stopped: int | str | None = None
    outliers: tuple[Outlier, ...] = ()
    rest: tuple[str, str] | None = None
    missing: int | str | None = None
    apart: bool = False
    blank: int = 0
    seldom: tuple[Count, ...] = ()
    apart_of: int = 0
    largest: int | str | None = None
    largest_of: str = ""


class Differing(Value):
    """A record that has what few others have: where it is, and the beginning of its source; of one
    whose source is long, what names it and what differs, by path. lacks: what all others have.
    owner: what the record is called that it is inside of.
    """

    row: int | str
    source: str
    values: tuple[tuple[str, str], ...] = ()
    lacks: tuple[str, ...] = ()
    owner: str = ""


class Grave(Value):
    """Records that say something grave of themselves: what, so many alike, and of the first, where
    it is and its telling members by path.
    """

    said: str
    count: int
    row: int | str
    values: tuple[tuple[str, str], ...] = ()


class Shared(Value):
    """In the column, so many of the records have the value, of those that have one there."""

    column: str
    text: str
    times: int
    having: int


class Tie(Value):
    """What records with one value of a column have in common, unlike the others: the value, how
    many have it, the first of them, and what they share.
    """

    column: str
    text: str
    times: int
    row: int | str
    shared: tuple[Shared, ...]


class Uneven(Value):
    """A group of records unlike the others of its column: how many it has where `others` have about
    `usual`, and where it ends by the column `ending` while they end at `usual_last`; "" where it
    ends like them.
    """

    column: str
    group: str
    times: int
    others: int
    usual: int
    ending: str = ""
    last: str = ""
    usual_last: str = ""


class LeadCounts(Value):
    """The largest of `count` parts by which the names of a column are sorted."""

    column: str
    top: tuple[tuple[str, int], ...]
    count: int


class CrossedFacts(Value):
    """What columns say of each other. looked: of the first so many records, 0 for all."""

    looked: int = 0
    ties: tuple[Tie, ...] = ()
    uneven: tuple[Uneven, ...] = ()
    leads: tuple[LeadCounts, ...] = ()


class ItemsFacts(Value):
    """Records that resemble each other: items of an array, values of a map, lines, documents.

    path: of the array or map in its document. word: what a record is called. unseen: too large or
    too deep to look into. later: those after the ones whose values were looked at. fields: the
    most telling; others: the names of the rest. keys: all names, in order. plain: values that are
    no objects. names: by which a query finds a value in each record. same: what all of them have
    alike. lists: so many lists these are the items of, 0 for one. brief: further fields of few
    values, with their counts. grave: what few of them say of themselves, the gravest first.
    seldom: states that few have, as source, and the first record that has it. crossed: what fields
    say of each other.
    """

    path: str
    word: str
    count: int
    objects: int
    unseen: int = 0
    later: int = 0
    fields: tuple[FieldFacts, ...] = ()
    others: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    plain: FieldFacts | None = None
    differing: tuple[Differing, ...] = ()
    names: tuple[str, ...] = ()
    same: tuple[tuple[str, str], ...] = ()
    lists: int = 0
    brief: tuple[tuple[str, tuple[Count, ...]], ...] = ()
    grave: tuple[Grave, ...] = ()
    seldom: tuple[Differing, ...] = ()
    crossed: CrossedFacts | None = None


class ColumnFacts(Value):
    """One column of a table.

    type: integer, number, decimal comma, date, day, clock, text, or "" where all cells are empty.
    other: cells that have another type, the first of them `other_text` in record `other_record`.
    low, high: extremes of numbers, sizes and dates, as written; outliers and rest as of a field.
    distinct: None where there were too many to count. apart: as of a field.
    """

    type: str
    filled: int
    empty: int
    low: str | None = None
    high: str | None = None
    other: int = 0
    other_record: int = 0
    other_text: str = ""
    top: tuple[Count, ...] = ()
    more: int = 0
    outliers: tuple[Outlier, ...] = ()
    rest: tuple[str, str] | None = None
    distinct: int | None = None
    apart: bool = False
    apart_of: int = 0
    largest: int | str | None = None
    largest_of: str = ""
