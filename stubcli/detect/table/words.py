"""A table in words: how many records, in which columns, and what stands outside of it."""

from stubcli.detect.fields.words import column_words, crossed_lines, differing_words
from stubcli.detect.table.facts import Affected, Further, Keyed, Outside, TableFacts
from stubcli.detect.words import clip, counted, listed, undecodable

_SHOWN_COLUMNS = 16
_SHOWN_TABLES = 6


def summary(facts: TableFacts) -> list[str]:
    header = "" if facts.header else " (no header)"
    records = counted(facts.records, f"record{header}", f"records{header}")
    said = [f"{records}, {facts.width} columns, delimiter {facts.form}"]
    said += outside(facts)
    repeats = facts.repeats.records if facts.repeats else 0
    others = (
        facts.header_rows + repeats + sum(one.lines for one in (facts.before, facts.after) if one)
    )
    if facts.lines > facts.records + others:
        said.append(f"{facts.lines:,} physical lines: cells hold line ends or lines are blank")
    said += irregular(facts)
    ends = {
        "cr": "lines that end in CR alone",
        "crlf": "CRLF line ends",
        "mixed": "mixed line ends",
    }.get(facts.line_end, "")
    marks = [mark for mark in ("BOM" if facts.bom else "", ends) if mark]
    if marks:
        said.append("with " + " and ".join(marks))
    if facts.undecodable:
        said.append(undecodable(facts.undecodable, facts.charset))
    if facts.detailed < facts.records - facts.ragged:
        said.append(f"values of the first {facts.detailed:,} records only; records of all")
    return said


def irregular(facts: TableFacts) -> list[str]:
    """Records that could not be read as they stand: a page and every answer of a query say so."""
    said = []
    if facts.widest > facts.width and facts.wide:
        more = facts.widest - facts.width
        names = "column more1" if more == 1 else f"columns more1 to more{more}"
        said.append(f"{_having(facts.wide)} extra fields, in {names}")
    elif facts.wide:
        said.append(f"{_having(facts.wide)} extra fields, which are empty")
    if facts.short:
        said.append(f"{_having(facts.short)} missing fields, which are NULL")
    if facts.loose:
        said.append(f"{_having(facts.loose)} quotes that are not doubled or not closed; kept")
    if facts.folded and facts.dialect.overflow:
        name = clip(facts.names()[facts.dialect.overflow.column], 60)
        said.append(f"{_having(facts.folded)} delimiters without quotes, taken into column {name}")
    if facts.repeats:
        lines = counted(facts.repeats.records, "line is", "lines are")
        said.append(f"{lines} the header again, the first in line {facts.repeats.line:,}")
    if not facts.balanced:
        line = f"the quote in line {facts.unclosed_line:,} is not closed"
        said.append(f"{line}: quotes are read as data")
    if facts.unclosed:
        what = "a quote is" if facts.unclosed == 1 else f"{facts.unclosed:,} quotes are"
        line = f"{what} not closed, the first in line {facts.unclosed_line:,}"
        said.append(f"{line}: up to the next quote each line is read as a record of its own")
    return said


def _having(affected: Affected) -> str:
    if affected.records == 1:
        return f"1 record (line {affected.line:,}) has"
    return f"{affected.records:,} records (the first in line {affected.line:,}) have"


def outside(facts: TableFacts) -> list[str]:
    """The lines that are no rows: a page and every answer of a query say so."""
    return [
        f"{counted(one.lines, 'line')} {where} the table: {clip(one.text)}"
        for where, one in (("before", facts.before), ("after", facts.after))
        if isinstance(one, Outside)
    ]


def _keyed(one: Keyed, name: str) -> str:
    within = f" (of the first {one.looked:,} records)" if one.looked else ""
    return f"{clip(name, 60)}.{one.name}: {column_words(one.column)}{within}"


def _further(table: Further) -> str:
    names = listed(table.names, len(table.names), 200, 40) if table.names else "no header"
    many = counted(table.records, "record")
    return f"another table in lines {table.line:,}–{table.last:,}: {many}: {names}"


def structure(facts: TableFacts) -> list[str]:
    said = [f"line {one.line:,}: {clip(one.text, 120)}" for one in facts.between]
    said += [f"differs: {differing_words(one, 'record')}" for one in facts.differing]
    header = [cell.strip() or "(blank)" for cell in facts.header]
    said += [_further(one) for one in facts.tables[:_SHOWN_TABLES]]
    if more := len(facts.tables) - _SHOWN_TABLES:
        said += [f"{more:,} more tables"] if more > 0 else []
    names = header or [f"column {at}" for at in range(1, facts.width + 1)]
    told = {
        clip(name, 60)
        for name, column in zip(names, facts.columns_read, strict=False)
        if column.top
    }
    said += crossed_lines(facts.crossed, "record", told)
    if header:
        said.insert(0, f"columns: {listed(header, len(header), 290, 60)}")
    shown = list(zip(names, facts.columns_read, strict=False))[:_SHOWN_COLUMNS]
    for at, (name, column) in enumerate(shown):
        inside = [one for one in facts.keyed if one.at == at]
        words = f"{column.type}, lists of {len(inside)} keys" if inside else column_words(column)
        said.append(f"  {clip(name, 60)}: {words}")
        said += [f"    {_keyed(one, name)}" for one in inside[:_SHOWN_COLUMNS]]
    few = [
        f"{clip(name, 60)} {' '.join(f'{clip(one.text, 30)} {one.times:,}' for one in column.top)}"
        for name, column in list(zip(names, facts.columns_read, strict=False))[_SHOWN_COLUMNS:]
        if column.top
    ]
    if few:
        said.append("  few values: " + listed(few, len(few), 290, 90))
    if facts.first_record:
        said.append(f"first record: {facts.first_record}")
    if facts.last_record:
        said.append(f"last record: {facts.last_record}")
    return said
