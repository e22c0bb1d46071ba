"""The test cases of a report in XML: suite, class, case, status, seconds, message.

Streamed as the page streams it, in flat memory; an entity ends the reading.
"""

from collections.abc import Iterator
from xml.parsers import expat

from stubcli.detect.facts import KindFacts
from stubcli.detect.reading import blocks
from stubcli.detect.tabular import LineSource, Reader, RowTable, TableRow, columns
from stubcli.detect.xml.characters import Characters
from stubcli.detect.xml.claim import first_byte
from stubcli.detect.xml.elements import RESULTS
from stubcli.detect.xml.facts import XmlFacts

_SAMPLE = 64 * 1024
# Of what a failure says, so many characters.
_LONGEST = 64 * 1024
_OPEN = 10_000


def reader(facts: KindFacts) -> Reader | None:
    return rows if isinstance(facts, XmlFacts) and facts.junit is not None else None


def rows(lines: LineSource) -> Iterator[TableRow]:
    source = lines.source
    head = source.read_at(0, _SAMPLE)
    start = first_byte(head)
    cases = _Cases(head[:start].count(b"\n"))
    try:
        for block in Characters().allowed(blocks(source, source.size, start)):
            cases.feed(block)
            lines.at += len(block)
            lines.number = cases.line
            yield from cases.taken()
    except (expat.ExpatError, _EndOfReading):
        # The facts say where it ends.
        pass
    yield from cases.taken()


class _EndOfReading(Exception):
    pass


class _Cases:
    """Fed with XML; the cases that are complete."""

    def __init__(self, before: int) -> None:
        self._before = before
        names = ("suite", "class", "case", "status", "seconds", "message", "details", "file")
        self._table = RowTable("", *columns(*names, numbers=("seconds",)))
        self._rows: list[TableRow] = []
        self._suites: list[str] = []
        self._depth = 0
        self._number = 0
        self._case: dict[str, str] | None = None
        self._text: list[str] | None = None
        self._room = 0
        parser = self._parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.CharacterDataHandler = self._said
        parser.EntityDeclHandler = self._refuse

    @property
    def line(self) -> int:
        return self._before + self._parser.CurrentLineNumber

    def feed(self, block: bytes) -> None:
        """Raises ExpatError."""
        self._parser.Parse(block, False)

    def taken(self) -> list[TableRow]:
        """The rows since it was asked last."""
        found, self._rows = self._rows, []
        return found

    def _refuse(self, *_: object) -> None:
        raise _EndOfReading

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _OPEN:
            raise _EndOfReading
        local = name.rpartition(":")[2]
        if local.startswith("testsuite"):
            self._suites.append(attributes.get("name", ""))
        elif local == "testcase":
            self._close()
            self._number = self.line
            self._case = {
                "suite": next(filter(None, reversed(self._suites)), ""),
                "class": attributes.get("classname", ""),
                "case": attributes.get("name", ""),
                "status": "passed",
                "seconds": attributes.get("time", "").replace(",", ""),
                "file": attributes.get("file", ""),
            }
        elif local in RESULTS and self._case is not None:
            self._case["status"] = RESULTS[local]
            said = attributes.get("message", "")
            self._case["message"] = "\n".join(filter(None, (self._case.get("message"), said)))
            self._text, self._room = [], _LONGEST

    def _said(self, text: str) -> None:
        if self._text is not None and self._room > 0:
            self._text.append(text[: self._room])
            self._room -= len(text)

    def _end(self, name: str) -> None:
        self._depth -= 1
        local = name.rpartition(":")[2]
        if local.startswith("testsuite") and self._suites:
            self._suites.pop()
        elif local == "testcase":
            self._close()
        elif local in RESULTS and self._case is not None and self._text is not None:
            said = "".join(self._text).strip()
            details = "\n".join(filter(None, (self._case.get("details"), said)))
            self._case["details"] = details[:_LONGEST]
            self._text = None

    def _close(self) -> None:
        if self._case is not None:
            cells = [self._case.get(column.name, "") for column in self._table.columns]
            self._rows.append(TableRow(self._number, self._table, cells))
        self._case = self._text = None
