"""What the tests of queries share: an artifact of any bytes, asked without a process."""

import contextlib
from collections.abc import Iterator

from stubcli.detect import registry
from stubcli.detect.facts import KindFacts, dump
from stubcli.detect.model import Sample
from stubcli.detect.reading import InMemory
from stubcli.detect.scan import Scanner
from stubcli.retrieve.query.asking import Answer, Asker
from stubcli.retrieve.query.engine import Bounds
from tests.helpers import AnyStore, artifact, session_of

BOUNDS = Bounds(1 << 30, 60)
_SLICE = 64 << 10


def facts_of(data: bytes, mime: str | None = None) -> KindFacts:
    scanner = Scanner()
    scanner.feed(data)
    sample = Sample(data[:_SLICE], (), data[-_SLICE:], len(data), mime)
    return registry.describe(sample, InMemory(data), scanner.finish(0, undecodable(data)))


def undecodable(data: bytes) -> int:
    """The bytes that are not UTF-8."""
    text = data.decode("utf-8", "surrogateescape")
    return sum("\udc80" <= char <= "\udcff" for char in text)


@contextlib.contextmanager
def asker(
    store: AnyStore, data: bytes, *, mime: str | None = None, bounds: Bounds = BOUNDS
) -> Iterator[Asker]:
    """An asker of an artifact that holds `data`, with the facts that its record has."""
    facts = facts_of(data, mime)
    with session_of(store) as session, artifact(session, data, facts=dump(facts)) as kept:
        yield Asker(kept, facts, bounds, lambda ticks: ticks)


def asked(
    store: AnyStore,
    data: bytes,
    sql: str = "FROM artifact",
    *,
    skip: int = 0,
    limit: int = 1000,
    mime: str | None = None,
) -> Answer:
    with asker(store, data, mime=mime) as one:
        return one.answer(sql, skip=skip, limit=limit)


def types_of(answer: Answer) -> dict[str, str]:
    return {column.name: column.type.name for column in answer.columns}
