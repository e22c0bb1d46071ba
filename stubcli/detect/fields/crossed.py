"""Columns of the same records compared: what records with a seldom value have in common, and which
group of records is unlike the others. It knows nothing of where the records came from.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice

from stubcli.detect.fields.facts import CrossedFacts, LeadCounts
from stubcli.detect.fields.groups import uneven
from stubcli.detect.fields.leads import leads
from stubcli.detect.fields.measure import measured
from stubcli.detect.fields.rows import Row
from stubcli.detect.fields.ties import ties
from stubcli.detect.words import clip

# Of more values a column names things.
_FEW = 40
_EACH = 3
_NONE = frozenset(("-", "--", "<none>", "<unknown>", "n/a", "N/A", "null", "None", "(null)"))
_SAMPLED = 60
_MOSTLY = 0.9
_SHOWN = 3
_TOP = 8
_VALUES = 12


class Column:
    """The cells of a column, as values of which each is in several records; "" for none.

    filled: how many have one. sorted: whether the values are parts of the texts that were found.
    dates: of all texts, in place of values.
    """

    __slots__ = ("cells", "counts", "dates", "filled", "name", "sorted", "texts")

    def __init__(self, name: str, texts: Sequence[str]) -> None:
        self.name, self.texts = name, texts
        self.cells: Sequence[str] = ()
        self.counts: Counter[str] = Counter()
        self.dates: list[float | None] | None = None
        self.sorted = False
        found = Counter(texts)
        none = [text for text in found if not text or text in _NONE]
        for text in none:
            del found[text]
        self.filled = found.total()
        if not found:
            return
        sample = list(islice(found, _SAMPLED))
        if _dated(sample):
            self.dates = list(map(_when, self.texts))
        elif len(found) <= _FEW and _EACH * len(found) <= self.filled:
            self.counts = found
            self.cells = ["" if text in _NONE else text for text in texts] if none else texts
        else:
            self._sort(sample)

    def _sort(self, sample: list[str]) -> None:
        """Find the parts of names; what are no numbers are names."""
        if sum(measured(text) is not None for text in sample) < len(sample) / 2:
            texts = ["" if text in _NONE else text for text in self.texts]
            part = leads(texts)
            if part is not None:
                self.counts, self.sorted = part.counts, True
                self.cells = list(map(part.cut, texts))
                self.filled = part.counts.total()


def _dated(sample: list[str]) -> bool:
    return sum(_when(text) is not None for text in sample) >= _MOSTLY * len(sample)


def _when(text: str) -> float | None:
    """The date as a number to compare; of few columns more is loaded, for names of months."""
    found = measured(text)
    if found is not None:
        return found[1] if found[0] == "date" else None
    if ":" not in text or not text[-1:].isdigit():
        return None
    from stubcli.detect.fields.moments import moment

    return moment(text)


def compare(
    texts: Mapping[str, Sequence[str]], rows: Sequence[Row], whole: bool
) -> CrossedFacts | None:
    """What is told of the records, each with its cell at the same place of all columns."""
    columns = [Column(name, cells) for name, cells in texts.items()]
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
    columns = (Column(name, cells) for name, cells in texts.items())
    return tuple(
        _leads(one) for one in columns if not one.sorted and 1 < len(one.counts) <= _VALUES
    )


def _tells(column: Column) -> bool:
    """Whether the parts of its texts are worth a line: most are not one and the same."""
    if not column.sorted or column.filled < _MOSTLY * len(column.texts):
        return False
    return max(column.counts.values()) <= _MOSTLY * column.filled


def _leads(column: Column) -> LeadCounts:
    ranked = sorted(column.counts.items(), key=lambda item: (-item[1], item[0]))
    top = tuple((clip(text, 60), times) for text, times in ranked[:_TOP])
    return LeadCounts(clip(column.name, 60), top, len(ranked))
