"""How an artifact becomes the view `artifact`: each way to read it, the fastest first.

Which of them may work the facts say; where DuckDB cannot read the bytes so, the next is tried with
a connection of its own. None passes over a record in silence: what is left out or changed is a
note, and what stands outside of the records is a note of each.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from stubcli.advice import Advice
from stubcli.detect.facts import KindFacts
from stubcli.detect.json import words as json_words
from stubcli.detect.json.facts import JsonFacts
from stubcli.detect.table import words as table_words
from stubcli.detect.table.facts import TableFacts
from stubcli.detect.words import undecodable
from stubcli.errors import UsageError
from stubcli.retrieve.query import delimited, dirty, documents
from stubcli.retrieve.query.onefile import ArtifactFile
from stubcli.text.display import amount

# Types are worked out over all records below this size, else over the first ones: that costs
# one more pass, a second for so many bytes.
_SMALL = 64 << 20
_NO_COLUMNS = "objects have no common columns; each is in column `json`"


@dataclass(frozen=True)
class Way:
    """make creates the view, and gives notes where this way has some of its own. whole: names and
    types are those of all records, and all can be read. columns: whether the names are those that
    the records have.
    """

    make: Callable[[Any], tuple[str, ...] | None]
    whole: bool = True
    columns: bool = True


def ways(file: ArtifactFile, facts: KindFacts, *, thorough: bool) -> Iterator[Way]:
    """The ways to read the artifact, in order. Raises UsageError where it holds no table.

    thorough: types and names from all records, whatever the size.
    """
    samples = (True,) if thorough or file.artifact.size <= _SMALL else (False, True)
    if isinstance(facts, TableFacts):
        return _table_ways(file, facts, samples)
    if isinstance(facts, JsonFacts):
        if not facts.rows() and not facts.documents and facts.looked_at is None:
            raise UsageError(
                f"no JSON value is complete from byte {facts.start:,} on",
                Advice("read", file.artifact.record.reference.short),
            )
        return _json_ways(file, facts, samples)
    raise no_table(facts, file.artifact.record.reference.short)


def _table_ways(file: ArtifactFile, facts: TableFacts, samples: tuple[bool, ...]) -> Iterator[Way]:
    # What is too large to be written anew may still answer from its beginning.
    large = delimited.refusable(facts) and not dirty.fits(file.artifact)
    if delimited.regular(facts) or large:
        for whole in samples:
            yield Way(partial(delimited.as_it_is, file, facts, whole), whole)
    yield Way(partial(delimited.rewritten, file, facts))


def _json_ways(file: ArtifactFile, facts: JsonFacts, samples: tuple[bool, ...]) -> Iterator[Way]:
    fits = dirty.fits(file.artifact)
    raw = documents.regular(facts) or not fits
    if raw:
        for whole in samples:
            yield Way(partial(documents.as_it_is, file, facts, whole), whole)
    if fits:
        yield Way(partial(documents.picked, file, facts, columns=True))
    if raw and documents.columns_of(facts):
        yield Way(partial(documents.in_json, file, facts))
    if raw:
        yield Way(partial(_in_one_column, documents.one_column, file, facts), columns=False)
    picked = partial(documents.picked, columns=False)
    yield Way(partial(_in_one_column, picked, file, facts), columns=False)


def _in_one_column(
    read: Callable[..., tuple[str, ...]], file: ArtifactFile, facts: JsonFacts, connection: Any
) -> tuple[str, ...]:
    return (*read(file, facts, connection), _NO_COLUMNS)


def notes_of(facts: KindFacts) -> tuple[str, ...]:
    """What of the artifact is no row, or not as it was, whatever is asked."""
    if isinstance(facts, TableFacts):
        said = (*table_words.outside(facts), *table_words.irregular(facts))
        return (*said, *_undecodable(facts), *_decimal_commas(facts))
    if isinstance(facts, JsonFacts):
        return (*json_words.outside(facts), *_undecodable(facts))
    return ()


def _undecodable(facts: TableFacts | JsonFacts) -> Iterator[str]:
    if facts.undecodable:
        yield f"{undecodable(facts.undecodable, facts.charset)}; shown as \\xNN"


def _decimal_commas(facts: TableFacts) -> Iterator[str]:
    commas = delimited.decimal_commas(facts)
    if commas:
        names, as_number = list(commas), next(iter(commas.values()))
        which = f"{names[0]} holds" if len(names) == 1 else f"{amount(len(names), 'column')} hold"
        yield f"{which} decimal commas; as a number: {as_number}"


def no_table(facts: KindFacts, reference: str) -> UsageError:
    fitting: str | Advice = Advice("search", "PATTERN", reference, lead="search it with")
    if facts.encoding != "utf-8":
        fitting = f"stub read {reference} --all | iconv -f UTF-16 -t UTF-8 | stub"
    return UsageError(f"{facts.label} holds no table", fitting)
