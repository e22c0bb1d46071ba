"""What the tests of queries share: an artifact of any bytes, asked without a process."""

import contextlib
from collections.abc import Iterator
from dataclasses import asdict

from stubcli.detect import registry
from stubcli.detect.model import Sample, Synopsis
from stubcli.detect.reading import Held
from stubcli.detect.scan import Scanner
from stubcli.retrieve.query.asking import Answer, Asker
from stubcli.retrieve.query.engine import Bounds
from stubcli.retrieve.query.ways import Kind
from tests.helpers import AnyStore, artifact, session_of

BOUNDS = Bounds(1 << 30, 60)
_SLICE = 64 << 10


def synopsis(data: bytes, mime: str | None = None) -> Synopsis:
    scanner = Scanner()
    scanner.feed(data)
    sample = Sample(data[:_SLICE], (), data[-_SLICE:], len(data), mime)
    return registry.summarise(sample, Held(data), scanner.finish())


@contextlib.contextmanager
def asker(
    store: AnyStore, data: bytes, *, mime: str | None = None, bounds: Bounds = BOUNDS
) -> Iterator[Asker]:
    """An asker of an artifact that holds `data`, of the kind that its synopsis says."""
    told = synopsis(data, mime)
    with session_of(store) as session, artifact(session, data, synopsis=asdict(told)) as kept:
        kind = Kind(told.kind, told.form, told.summary, kept.record.reference.short)
        yield Asker(kept, kind, bounds, lambda ticks: ticks)


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
