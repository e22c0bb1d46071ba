"""Mails, one or a mailbox: from, to, date, subject."""

from collections.abc import Iterator

from stubcli.detect.tabular import LineSource, RowTable, TableRow, columns
from stubcli.detect.text.mail_lines import HEADER, SEPARATOR
from stubcli.text.characters import decode

_NAMES = ("from", "to", "date", "subject")


def rows(lines: LineSource) -> Iterator[TableRow]:
    table = RowTable("", *columns(*_NAMES))
    began, separated, header = 1, False, True
    cells: dict[str, str] = dict.fromkeys(_NAMES, "")
    field = ""
    for number, line in lines:
        if SEPARATOR.match(line):
            if separated:
                yield TableRow(began, table, list(cells.values()))
            began, separated, header, field = number, True, True, ""
            cells = dict.fromkeys(_NAMES, "")
            continue
        header = header and bool(line.strip())
        if not header:
            continue
        match = HEADER.match(line)
        if match is not None:
            name = decode(match[1]).lower()
            field = name if name in cells and not cells[name] else ""
            if field:
                cells[field] = decode(match[2]).strip()
        elif field and line[:1] in b" \t":
            cells[field] += " " + decode(line.strip())
    yield TableRow(began, table, list(cells.values()))
