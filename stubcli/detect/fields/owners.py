"""What a record is called that holds the largest number of a field: its name, its place."""

from collections.abc import Sequence

from stubcli.detect.fields.facts import ColumnFacts
from stubcli.detect.fields.values import NAMING

# Numbers that name or place a record, and measure nothing.
_NO_MEASURES = frozenset(
    ("id", "lat", "latitude", "lon", "lng", "long", "longitude", "year", "port", "pid", "zip")
)
_NAMES = (
    *NAMING,
    *("place", "location", "city", "station", "host", "hostname", "customer", "product", "item"),
    *("merchant", "company", "user", "label", "description", "country"),
)
_MEASURES = frozenset(("integer", "number", "decimal comma", "size", "rate", "duration", "money"))
# Of fewer values each is counted.
_LEAST = 12


def measures(name: str) -> bool:
    """Whether numbers of that name measure something."""
    last = name.rpartition(".")[2].strip().lower()
    return last not in _NO_MEASURES and not last.endswith(("_id", "id"))


def is_measured(name: str, column: ColumnFacts) -> bool:
    """Whether a column is of numbers whose largest is worth a name."""
    many = column.distinct is None or column.distinct > _LEAST
    return column.type in _MEASURES and many and column.low != column.high and measures(name)


def naming_column(names: Sequence[str], columns: Sequence[ColumnFacts]) -> int:
    """The column that says which record it is: called as names are; or -1."""
    texts = [at for at, column in enumerate(columns) if column.type == "text"]
    for word in _NAMES:
        for at in texts:
            if names[at].strip().lower().split("_")[-1] == word and word != "id":
                return at
    return -1
