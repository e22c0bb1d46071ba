"""Records that are signed and cannot be: the digest that one has of itself, anybody can compute."""

import copy
import hashlib
import json
from collections.abc import Iterator
from typing import Any

import pytest

from stubcli.errors import IntegrityError
from stubcli.store.records import canonical, load
from tests.conftest import Store
from tests.helpers import LARGE, forked

WRONG: tuple[Any, ...] = (None, True, -1, 1.5, 10**30, "x", [], [1], {}, {"a": 1}, [["x"]])
CALLS = ("read 1 --lines 1", "show 1", "show 1 --json", "query 1", "search x 1", "ls", "stats")


def signed(document: dict[str, Any]) -> bytes:
    document.pop("record_sha256", None)
    document["record_sha256"] = hashlib.sha256(canonical(document)).hexdigest()
    return canonical(document) + b"\n"


def places(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value in a document."""
    pairs: Any = ()
    if isinstance(document, dict):
        pairs = document.items()
    elif isinstance(document, list):
        pairs = enumerate(document)
    for key, value in pairs:
        yield (*path, key)
        yield from places(value, (*path, key))


def mutants(document: dict[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Every value of the record in turn with each wrong one in its place, what it says of itself
    right again."""
    for path in places(document):
        if path == ("record_sha256",) or path[0] == "schema_version":
            continue
        for wrong in WRONG:
            made = copy.deepcopy(document)
            holder: Any = made
            for key in path[:-1]:
                holder = holder[key]
            holder[path[-1]] = wrong
            yield f"{path} = {wrong!r}", signed(made)


def record_of(store: Store) -> tuple[Any, dict[str, Any]]:
    assert forked(store, b"id,name\n" + LARGE.replace(b"\n", b",x\n")).status == 0
    (path,) = store.results.glob("tool_result_001.*.json")
    return path, json.loads(path.read_bytes())


def test_what_is_loaded_has_the_types_that_it_says(store: Store) -> None:
    _, document = record_of(store)
    refused = 0
    for name, data in mutants(document):
        try:
            record = load(data, "it")
        except IntegrityError:
            refused += 1
            continue
        assert isinstance(record.session, str), name
        assert isinstance(record.sha256, str), name
        assert record.run.origin.exit_status is None or isinstance(
            record.run.origin.exit_status, int
        ), name
        for point in record.checkpoints:
            assert (type(point.offset), type(point.digest)) == (int, str), name
    assert refused > 100


@pytest.mark.parametrize("call", CALLS)
def test_a_signed_record_that_cannot_be_is_damage_and_no_bug(store: Store, call: str) -> None:
    path, document = record_of(store)
    path.chmod(0o600)
    for name, data in list(mutants(document))[CALLS.index(call) :: 3 * len(CALLS)]:
        path.write_bytes(data)
        done = forked(store, b"", *call.split())
        assert done.status in (0, 1, 2, 3, 4), (name, done)
        assert b"bug" not in done.err, name
