"""Fields, records and columns in words, a line each."""

from collections.abc import Iterable

from stubcli.detect.fields.facts import ColumnFacts, Count, FieldFacts, ItemsFacts, Row
from stubcli.detect.words import clip, counted, listed

# Beyond so many distinct values a field names things; of fewer, the values are shown.
_MANY = 12


def item_lines(items: ItemsFacts) -> list[str]:
    """What the records have in common, and those that differ."""
    lines = []
    for field in items.fields:
        words = field_words(field, items.word) if field.present else "key only"
        lines.append(f"  {clip(field.name, 60)}: {words}{_in_all(field, items)}")
    if items.others:
        lines.append("  also " + listed(items.others, len(items.others), 240, 40))
    if items.plain:
        lines.append(f"  values: {field_words(items.plain, items.word)}")
    if items.unseen:
        lines.append(f"  {counted(items.unseen, 'item')} too large or too deep to look into")
    if items.later:
        first = items.count - items.later
        whole = [field.name for field in items.fields if field.whole]
        more = f", values of {listed(whole, len(whole), 150, 40)} too" if whole else ""
        lines.append(f"  types and values of the first {first:,} only; keys of all{more}")
    return lines + [
        f"  differs: {place(one.row, items.word)}: {clip(one.source, 240)}"
        for one in items.differing
    ]


def _in_all(field: FieldFacts, items: ItemsFacts) -> str:
    """What is known of the field in records after those looked at."""
    if field.in_all is None:
        return ""
    more = f"; in {field.in_all:,} of all {items.objects:,}"
    if field.stopped is not None:
        more += f", others from {place(field.stopped, items.word)}"
    return more


def field_words(field: FieldFacts, word: str) -> str:
    """The field in one line, without its name."""
    several = len(field.types) > 1
    parts = [" | ".join(f"{name} {n:,}" if several else name for name, n in field.types)]
    if field.distinct is not None and _MANY < field.distinct < field.present:
        parts.append(f"{field.distinct:,} distinct")
    if field.present < field.rows:
        parts.append(f"in {field.present:,} of {field.rows:,}")
        if field.present <= 2:
            parts.append(place(field.first, word))
    if field.low is not None and field.high is not None:
        low, high = clip(field.low, 40), clip(field.high, 40)
        parts.append(f"{low}–{high}" if low != high else f"all {low}")
    if field.special:
        parts.append("some " + " or ".join(field.special))
    if field.lengths:
        least, most = field.lengths
        parts.append(f"of {least:,}–{most:,}" if least != most else f"of {least:,}")
    return ", ".join(parts) + _named(field.top, field.more, 40, word)


def column_words(column: ColumnFacts) -> str:
    """The column in one line, without its name."""
    parts = [column.type or "empty"]
    if column.empty and column.filled:
        parts.append(f"{column.empty:,} empty")
    if column.low is not None and column.high is not None:
        parts.append(f"{clip(column.low, 40)}–{clip(column.high, 40)}")
    if column.other:
        other = clip(column.other_text, 30)
        parts.append(f"{column.other:,} other, first {other} in record {column.other_record:,}")
    return ", ".join(parts) + _named(column.top, column.more, 30, "record")


def _named(top: Iterable[Count], more: int, width: int, word: str) -> str:
    words = []
    for one in top:
        where = f" ({place(one.row, word)})" if one.row is not None else ""
        words.append(f"{clip(one.text, width)} {one.times:,}{where}")
    rest = f" +{more:,} more values" if more > 0 else ""
    return ": " + ", ".join(words) + rest if words else ""


def place(row: Row, word: str) -> str:
    """Where a record is: `line 1,204`, `key admin`."""
    return f"{word} {row:,}" if isinstance(row, int) else f"{word} {clip(row, 60)}"
