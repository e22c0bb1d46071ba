"""Records that are signed and cannot be: the digest that one has of itself, anybody can compute."""

import copy
import hashlib
import json
from collections.abc import Iterator
from typing import Any

import pytest

from stubcli.errors import IntegrityError
from stubcli.store.measure import Blocks, Meter
from stubcli.store.records import BLOCK, canonical, load
from tests.conftest import Store
from tests.helpers import LARGE, findings, forked, ref_of

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


def forge(store: Store, given: bytes, pieces: int = 0) -> tuple[str, bytes]:
    """Keeps `given`, then changes bytes and record so that both agree: the reference, and the bytes
    that are there. pieces: cut into so many blocks, whatever the size."""
    ref = ref_of(forked(store, given).out)
    (data_file,), (record_file,) = (
        store.results.glob(f"tool_result_001.{ending}") for ending in ("txt", "*.json")
    )
    data = b"EVIL" + given[4:]
    meter = Meter()
    if pieces:
        for start in range(0, len(data), len(data) // pieces):
            meter.feed(data[start : start + len(data) // pieces])
    else:
        blocks = Blocks()
        for block in [*blocks.add(data), blocks.rest()]:
            meter.feed(block)
    document = json.loads(record_file.read_bytes())
    document["checkpoints"] = [list(vars(point).values()) for point in meter.finish().checkpoints]
    for path, content in ((data_file, data), (record_file, signed(document))):
        path.chmod(0o600)
        path.write_bytes(content)
    return ref, data


@pytest.mark.parametrize("pieces", [0, 2, 100])
@pytest.mark.parametrize(
    "call",
    ["read {}", "read {} --all", "read {} --lines 40000", "read {} --json", "read last", "read 1",
     "search EVIL {}", "search -c 7 {}", "query {}", "lease prepare {}", "pin {}"],
)  # fmt: skip
def test_bytes_and_record_that_agree_are_held_against_the_reference(
    store: Store, call: str, pieces: int
) -> None:
    ref, _ = forge(store, b"id,name\n" + LARGE.replace(b"\n", b",x\n"), pieces)
    done = forked(store, b"", *call.format(ref).split())
    assert done.status == 4, done
    assert done.out == b""
    assert len(findings(store)["damaged"]) == 1


def test_what_is_larger_than_a_block_is_held_against_the_reference_as_a_whole(
    store: Store,
) -> None:
    large = LARGE * 10
    ref, data = forge(store, large)
    done = forked(store, b"", "read", ref, "--all")
    assert done.status == 4
    assert data.startswith(done.out)
    assert len(data) - BLOCK <= len(done.out) < len(data), "the last block is not handed out"
    assert len(findings(store)["damaged"]) == 1
    assert forked(store, large).out.startswith(b"[stub artifact:"), "the same bytes are kept anew"
    assert forked(store, b"", "read", "last", "--all").out == large
