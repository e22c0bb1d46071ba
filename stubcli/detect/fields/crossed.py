"""Columns of the same records compared: what records with a seldom value have in common, and which
group of records is unlike the others. It knows nothing of where the records came from.
"""

from collections.abc import Mapping, Sequence

from stubcli.detect.fields.facts import CrossedFacts, LeadCounts
from stubcli.detect.fields.groups import uneven
from stubcli.detect.fields.rows import Row
from stubcli.detect.fields.sorted_column import SortedColumn
from stubcli.detect.fields.ties import ties
from stubcli.detect.words import clip

_MOSTLY = 0.9
_SHOWN = 3
_TOP = 8
_VALUES = 12


def compare(
    texts: Mapping[str, Sequence[str]], rows: Sequence[Row], whole: bool
) -> CrossedFacts | None:
    """What is told of the records, each with its cell at the same place of all columns."""
    columns = [SortedColumn(name, cells) for name, cells in texts.items()]
    known = [column for column in columns if len(column.counts) > 1]
    found = CrossedFacts(
        0 if whole else len(rows),
        ties(known, rows),
        uneven(known, columns) if whole else (),
        tuple(_leads(column) for column in known if _tells(column))[:_SHOWN],
    )
    return found if found.ties or found.uneven or found.leads else None


def few(texts: Mapping[str, Sequence[str]]) -> tuple[LeadCounts, ...]:
    """The columns of several values, but few."""
    columns = (SortedColumn(name, cells) for name, cells in texts.items())
    return tuple(
        _leads(one) for one in columns if not one.sorted and 1 < len(one.counts) <= _VALUES
    )


def _tells(column: SortedColumn) -> bool:
    """Whether the parts of its texts are worth a line: most are not one and the same."""
    if not column.sorted or column.filled < _MOSTLY * len(column.texts):
        return False
    return max(column.counts.values()) <= _MOSTLY * column.filled


def _leads(column: SortedColumn) -> LeadCounts:
    ranked = sorted(column.counts.items(), key=lambda item: (-item[1], item[0]))
    top = tuple((clip(text, 60), times) for text, times in ranked[:_TOP])
    return LeadCounts(clip(column.name, 60), top, len(ranked))
