"""Fields, records and columns in words, a line each."""

from collections.abc import Container, Iterable

from stubcli.detect.fields.facts import (
    ColumnFacts,
    Count,
    CrossedFacts,
    Differing,
    FieldFacts,
    Grave,
    ItemsFacts,
    Shared,
    Tie,
    Uneven,
)
from stubcli.detect.words import clip, counted, listed, shortened

# Beyond so many distinct values a field names things; of fewer, the values are shown.
_MANY = 12
_EMPTY = '""'


def item_lines(items: ItemsFacts) -> list[str]:
    """The records that differ, and what all of them have in common."""
    # What is short is shown whole.
    quoted = {one.row for one in items.differing if not one.values}
    grave = [one for one in items.grave if one.row not in quoted]
    said = {one.row for one in grave}
    lines = [f"  {grave_words(one, items.word)}" for one in grave]
    lines += [
        f"  differs: {differing_words(one, items.word)}"
        for one in items.differing
        if one.row not in said
    ]
    tied = {(tie.column, tie.row) for tie in items.crossed.ties} if items.crossed else set()
    for one in items.seldom:
        if any(one.row == row and one.source.startswith(f"{name} ") for name, row in tied):
            continue
        owner = f" of {clip(one.owner, 60)}" if one.owner else ""
        where = f"{place(one.row, items.word)}{owner}"
        lines.append(f"  {one.source}: {where}: {_told(one.values, 120, 90)}".rstrip(": "))
    told = {field.name for field in items.fields if field.top}
    lines += crossed_lines(items.crossed, items.word, told)
    for field in items.fields:
        words = field_words(field, items.word) if field.present else "key only"
        lines.append(f"  {clip(field.name, 60)}: {words}{_in_all(field, items)}")
        if field.seldom:
            lines.append(f"  {clip(field.name, 60)}, seldom: {_seldom(field, items.word)}")
    if items.same:
        same = [f"{clip(name, 60)} {clip(text, 40)}" for name, text in items.same]
        lines.append("  the same in all: " + listed(same, len(same), 260, 90))
    if items.brief:
        brief = [f"{clip(name, 60)} {_counts(top)}" for name, top in items.brief]
        lines.append("  few values: " + listed(brief, len(brief), 290, 90))
    if items.others:
        lines.append("  also " + listed(items.others, len(items.others), 240, 60))
    if items.plain:
        lines.append(f"  values: {field_words(items.plain, items.word)}")
    if items.unseen:
        lines.append(f"  {counted(items.unseen, 'item')} too large or too deep to look into")
    if items.later:
        first = items.count - items.later
        whole = [field.name for field in items.fields if field.whole]
        more = f", values of {listed(whole, len(whole), 150, 40)} too" if whole else ""
        lines.append(f"  types and values of the first {first:,} only; keys of all{more}")
    return lines


def crossed_lines(crossed: CrossedFacts | None, word: str, told: Container[str] = ()) -> list[str]:
    """What columns say of each other: a line for each value, each group, each column of names;
    told: columns of which more is said elsewhere.
    """
    if crossed is None:
        return []
    within = f" (of the first {crossed.looked:,} {word}s)" if crossed.looked else ""
    lines = [f"  {_tie(one, word)}{within}" for one in crossed.ties]
    lines += [f"  {_uneven(one)}" for one in crossed.uneven]
    for one in crossed.leads:
        if one.column in told:
            continue
        top = (f"{text} {times:,}" for text, times in one.top)
        lines.append(f"  {one.column} by leading part: {listed(top, one.count, 200, 60)}{within}")
    return lines


def _tie(tie: Tie, word: str) -> str:
    said = ", ".join(_shared(one, tie) for one in tie.shared)
    return f"{tie.column} {tie.text} {tie.times:,} (first {place(tie.row, word)}): {said}"


def _shared(one: Shared, tie: Tie) -> str:
    if one.times == one.having == tie.times:
        return f"{one.column} {one.text} in all {one.times:,}"
    having = f" of {one.having:,} that have one" if one.having < tie.times else f" of {tie.times:,}"
    return f"{one.column} {one.text} {one.times:,}{having}"


def _uneven(one: Uneven) -> str:
    others = f"the {one.others:,} others"
    said = f"{one.column} {one.group}: {one.times:,}"
    if one.usual:
        said += f" where {others} have about {one.usual:,}"
    if one.ending:
        said += f"; last {one.ending} {one.last} where {others} end {one.usual_last}"
    return said


def _seldom(field: FieldFacts, word: str) -> str:
    told = (f"{shortened(one.text, 70)} ({place(one.row or 0, word)})" for one in field.seldom)
    return listed(told, len(field.seldom), 275, 100)


def _counts(top: tuple[Count, ...]) -> str:
    return " ".join(f"{clip(one.text, 30)} {one.times:,}" for one in top)


def grave_words(one: Grave, word: str) -> str:
    """What such records say of themselves, how many do, and what the first one tells."""
    many = f" ({one.count:,}, first)" if one.count > 1 else ""
    values = tuple(value for value in one.values if value[1] != one.said)
    return f"{clip(one.said, 30)}{many}: {place(one.row, word)}: {_told(values, 270, 160)}"


def _told(values: tuple[tuple[str, str], ...], most: int, each: int) -> str:
    """Values with the last part of their names, or all of it where two would be called alike."""
    names = [name.rpartition(".")[2] for name, _ in values]
    alone = (
        last if names.count(last) == 1 else name
        for (name, _), last in zip(values, names, strict=True)
    )
    short = (shortened(text, each - 20) for _, text in values)
    told = (f"{name}: {text}" if name else text for name, text in zip(alone, short, strict=True))
    return listed(told, 0, most, each)


def differing_words(one: Differing, word: str) -> str:
    """Where the record is, and its source, or what it is called and what differs."""
    said = place(one.row, word)
    if one.owner:
        said += f" of {clip(one.owner, 60)}"
    if one.lacks:
        said += f" (without {listed(one.lacks, len(one.lacks), 120, 60)})"
    if not one.values:
        return f"{said}: {clip(one.source, 240)}"
    return f"{said}: {_told(one.values, 240, 90)}"


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
        elif field.missing is not None:
            parts.append(f"not in {place(field.missing, word)}")
    parts += _range(field, word)
    if field.special:
        parts.append("some " + " or ".join(field.special))
    if field.lengths:
        least, most = field.lengths
        parts.append(f"of {least:,}–{most:,}" if least != most else f"of {least:,}")
    if field.blank:
        parts.append(f"{field.blank:,} empty")
    parts += _apart(field)
    return ", ".join(parts) + _named(field.top, field.more, _width(field.top), word)


def _width(top: tuple[Count, ...]) -> int:
    """So many characters of each value: a few share what is left of a line."""
    return max(40, min(160, 200 // max(1, len(top))))


def column_words(column: ColumnFacts) -> str:
    """The column in one line, without its name."""
    parts = [column.type or "empty"]
    if column.empty and column.filled:
        parts.append(f"{column.empty:,} empty")
    parts += _range(column, "record")
    if column.other:
        other = clip(column.other_text, 30)
        parts.append(f"{column.other:,} other, first {other} in record {column.other_record:,}")
    parts += _apart(column)
    width = 90 if column.apart else 30
    return ", ".join(parts) + _named(column.top, column.more, width, "record")


def _apart(found: FieldFacts | ColumnFacts) -> list[str]:
    if not found.apart:
        return []
    within = f" in the first {found.apart_of:,}" if found.apart_of else ""
    return [f"by what they say{within}"]


def _range(found: FieldFacts | ColumnFacts, word: str) -> list[str]:
    """From the smallest to the largest, and which of them lie far from all others."""
    if found.low is None or found.high is None:
        return []
    low, high = clip(found.low, 40), clip(found.high, 40)
    if low == high and found.top:
        return []
    said = [f"{low}–{high}" if low != high else f"all {low}"]
    counted_ones = {one.text for one in found.top}
    if found.rest and not {one.text for one in found.outliers} <= counted_ones:
        lone = ", ".join(f"{one.text} ({_owned(found, one.row, word)})" for one in found.outliers)
        least, most = (clip(end, 40) for end in found.rest)
        said.append(f"far from {f'{least}–{most}' if least != most else least}: {lone}")
    elif found.largest_of and found.largest is not None:
        said[0] += f" ({_owned(found, found.largest, word)})"
    return said


def _owned(found: FieldFacts | ColumnFacts, row: int | str, word: str) -> str:
    """Where a number is; of the largest, what its record is called."""
    owner = found.largest_of if row == found.largest else ""
    return f"{place(row, word)}: {clip(owner, 50)}" if owner else place(row, word)


def _named(top: Iterable[Count], more: int, width: int, word: str) -> str:
    words = []
    for one in top:
        where = f" ({place(one.row, word)})" if one.row is not None else ""
        words.append(f"{shortened(one.text, width) or _EMPTY} {one.times:,}{where}")
    rest = f" +{more:,} more values" if more > 0 else ""
    return ": " + ", ".join(words) + rest if words else ""


def place(row: int | str, word: str) -> str:
    """Where a record is: `line 1,204`, `key admin`."""
    return f"{word} {row:,}" if isinstance(row, int) else f"{word} {clip(row, 60)}"
