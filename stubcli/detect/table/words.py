"""A table in words: how many records, in which columns, and what stands outside of it."""

from stubcli.detect.fields.words import column_words, differing_words
from stubcli.detect.table.facts import Outside, TableFacts
from stubcli.detect.words import clip, counted, listed, undecodable

_SHOWN_COLUMNS = 16


def summary(facts: TableFacts) -> list[str]:
    header = "" if facts.header else " (no header)"
    records = counted(facts.records, f"record{header}", f"records{header}")
    said = [f"{records}, {facts.width} columns, delimiter {facts.form}"]
    said += outside(facts)
    others = bool(facts.header) + sum(one.lines for one in (facts.before, facts.after) if one)
    if facts.lines > facts.records + others:
        said.append(f"{facts.lines:,} physical lines: cells hold line ends or lines are blank")
    if facts.ragged:
        what = "record has" if facts.ragged == 1 else "records have"
        line = f"the first at line {facts.ragged_line:,}"
        said.append(f"{facts.ragged:,} {what} another width, {line}")
    ends = {"crlf": "CRLF line ends", "mixed": "mixed line ends"}.get(facts.line_end, "")
    marks = [mark for mark in ("BOM" if facts.bom else "", ends) if mark]
    if marks:
        said.append("with " + " and ".join(marks))
    if not facts.balanced:
        line = f"the quote in line {facts.unclosed_line:,} is not closed"
        said.append(f"{line}: quotes are read as data")
    if facts.unclosed:
        what = "a quote is" if facts.unclosed == 1 else f"{facts.unclosed:,} quotes are"
        line = f"{what} not closed, the first in line {facts.unclosed_line:,}"
        said.append(f"{line}: up to the next quote each line is read as a record of its own")
    if facts.undecodable:
        said.append(undecodable(facts.undecodable, facts.charset))
    if facts.detailed < facts.records - facts.ragged:
        said.append(f"values of the first {facts.detailed:,} records only; records of all")
    return said


def outside(facts: TableFacts) -> list[str]:
    """The lines that are no rows: a page and every answer of a query say so."""
    return [
        f"{counted(one.lines, 'line')} {where} the table: {clip(one.text)}"
        for where, one in (("before", facts.before), ("after", facts.after))
        if isinstance(one, Outside)
    ]


def structure(facts: TableFacts) -> list[str]:
    said = [f"line {one.line:,}: {clip(one.text, 120)}" for one in facts.between]
    said += [f"differs: {differing_words(one, 'record')}" for one in facts.differing]
    header = [cell.strip() or "(blank)" for cell in facts.header]
    names = header or [f"column {at}" for at in range(1, facts.width + 1)]
    if header:
        said.insert(0, f"columns: {listed(header, len(header), 290, 60)}")
    for name, column in list(zip(names, facts.columns_read, strict=False))[:_SHOWN_COLUMNS]:
        said.append(f"  {clip(name, 60)}: {column_words(column)}")
    if facts.first_record:
        said.append(f"first record: {facts.first_record}")
    if facts.last_record:
        said.append(f"last record: {facts.last_record}")
    return said
