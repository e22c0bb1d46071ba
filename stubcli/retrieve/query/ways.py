"""How an artifact becomes the view `artifact`: each way to read it, the fastest first.

A way is tried with a connection of its own; where DuckDB cannot read the bytes so, the next is.
None passes over a record in silence: what is left out or changed is a note.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from stubcli.errors import UsageError
from stubcli.retrieve.query import delimited, documents
from stubcli.retrieve.query.shelf import Shelf

# Types are worked out over all records below this size, else over the first ones: that costs
# one more pass, a second for so many bytes.
_SMALL = 64 << 20


@dataclass(frozen=True)
class Kind:
    """What the synopsis says of the artifact: kind, form and the lines of its summary."""

    kind: str
    form: str
    summary: tuple[str, ...]
    reference: str

    @property
    def records(self) -> int | None:
        """How many records it counted; None where it says nothing of records."""
        found = re.match(r"([\d,]+) records?\b", self.summary[0]) if self.summary else None
        return int(found[1].replace(",", "")) if found else None

    def says(self, words: str) -> bool:
        return any(words in line for line in self.summary)


@dataclass(frozen=True)
class Way:
    """make creates the view and gives the notes. sure: no column can be missing."""

    make: Callable[[Any], tuple[str, ...]]
    sure: bool = True


def ways(shelf: Shelf, kind: Kind, *, thorough: bool) -> Iterator[Way]:
    """The ways to read the artifact, in order. Raises UsageError where it holds no table.

    thorough: types and names from all records, whatever the size.
    """
    thorough = thorough or shelf.artifact.size <= _SMALL
    samples = (False, True) if not thorough else (True,)
    if kind.kind in ("csv", "tsv"):
        layout = delimited.layout(shelf.artifact, kind.form, kind.says("quotes are not balanced"))
        if delimited.regular(shelf.artifact, layout, kind.says("CRLF")):
            yield from (Way(partial(delimited.as_it_is, shelf, layout, all_)) for all_ in samples)
        yield Way(partial(delimited.rewritten, shelf, layout))
        return
    if kind.kind != "json":
        raise _no_table(kind)
    if not kind.says("other line") and not kind.says("before it"):
        for all_ in samples:
            yield Way(partial(documents.as_it_is, shelf, kind.form, all_), sure=all_)
        yield Way(partial(documents.one_column, shelf, kind.form))
    yield Way(partial(documents.picked, shelf, kind.form, columns=True))
    yield Way(partial(documents.picked, shelf, kind.form, columns=False))


def _no_table(kind: Kind) -> UsageError:
    name = f"{kind.kind}/{kind.form}" if kind.form else kind.kind
    fitting = f"stub search PATTERN {kind.reference} · stub read {kind.reference}"
    if kind.form == "encoding":
        fitting = f"stub read {kind.reference} --all | iconv -f UTF-16 -t UTF-8 | stub"
    return UsageError(f"{name} holds no table; json, csv and tsv do", fitting)
