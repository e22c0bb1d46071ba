"""The columns of a table for human eyes in words, and the rows of its seldom states."""

from stubcli.detect.text.laid_out import LaidColumn, LaidTable
from stubcli.detect.words import clip, listed

_COLUMNS = 14
# Of more values than this, those that came once are not all told.
_MANY = 8
_LONE = 2


def seldom_lines(table: LaidTable) -> list[str]:
    """The states that few rows have, each with the first row that has it."""
    said = []
    for one in table.seldom:
        where = f"{one.column} {one.state}" if one.column else one.state
        many = f" ({one.count:,}, first)" if one.count > 1 else ""
        number, text = one.rows[0]
        said.append(f"  {where}{many}: line {number:,}: {text}")
    return said


def column_lines(table: LaidTable) -> list[str]:
    said: list[str] = []
    plain: list[str] = []
    for column in table.columns:
        named = _column(column)
        if named and len(said) < _COLUMNS:
            said.append(f"  {clip(column.name, 40) or '(no name)'}: {named}")
        else:
            plain.append(column.name or "(no name)")
    if plain:
        said.append("  names and free text: " + listed(plain, len(plain), 200, 40))
    return said


def _column(column: LaidColumn) -> str:
    parts = []
    if column.low is not None and column.high is not None:
        same = column.low == column.high
        span = f"all {column.low}" if same else f"{column.low}–{column.high}"
        parts.append(f"{column.type} {span}")
    if column.empty and column.filled:
        parts.append(f"{column.empty:,} empty")
    if column.values:
        # What stands once among many names something.
        often = sum(times > 1 for _, times in column.values)
        most = often + _LONE if column.distinct > _MANY else len(column.values)
        values = (f"{clip(text, 34)} {times:,}" for text, times in column.values[:most])
        parts.append(listed(values, column.distinct, 200, 40))
    elif column.tails:
        parts.append("ends in " + ", ".join(f"{text} {n:,}" for text, n in column.tails))
    elif not column.filled:
        parts.append("empty")
    return ", ".join(parts)
