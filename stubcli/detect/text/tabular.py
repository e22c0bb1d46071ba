"""The tables in a text: each form whose lines have columns has a file of its name in rows/."""

from collections.abc import Iterator
from importlib import import_module
from typing import Protocol, cast

from stubcli.detect.facts import KindFacts
from stubcli.detect.tabular import LineSource, Reader, TableRow
from stubcli.detect.text import rows
from stubcli.detect.text.facts import TextFacts
from stubcli.discover import modules


class FormRows(Protocol):
    """What a file of rows/ offers: the rows, the main table being that of most of them."""

    def rows(self, lines: LineSource) -> Iterator[TableRow]: ...


def reader(facts: KindFacts) -> Reader | None:
    form = facts.body.file if isinstance(facts, TextFacts) and facts.body else ""
    if form not in modules(rows.__path__):
        return None
    return cast(FormRows, import_module(f"stubcli.detect.text.rows.{form}")).rows
