"""A page is found and verified anywhere in an artifact of any size, by its own blocks alone."""

import json
import os
from collections.abc import Iterator

import pytest

from stubcli.retrieve.page import BYTES, CHARS, LINES, Window, read_page
from stubcli.store.artifact import Artifact
from stubcli.store.records import BLOCK, Record
from tests.conftest import Store
from tests.helpers import findings, forked, session_of
from tests.retrieve.sparse import sparse

MIB = 1 << 20
SIZE = 256 * MIB
LAND = "first line\nsecond, with 中文\nthird\n".encode()
AT = 200 * MIB + 100


@pytest.fixture
def huge(store: Store) -> Record:
    """256 MiB of NUL with three lines near its end; tests/bench/pages.py has one of 10 GiB."""
    with session_of(store) as session:
        return sparse(session, SIZE, {AT: LAND})


@pytest.fixture
def blocks_read(huge: Record, store: Store) -> Iterator[tuple[Artifact, set[int]]]:
    """The artifact, and which of its blocks were read."""
    with session_of(store) as session, session.open(huge) as opened:
        read: set[int] = set()
        block = opened.block

        def counting(index: int) -> bytes:
            read.add(index)
            return block(index)

        opened.block = counting  # type: ignore[method-assign]
        yield opened, read


@pytest.mark.parametrize(
    ("unit", "offset", "limit", "expected"),
    [
        (BYTES, 0, 9, bytes(9)),
        (BYTES, AT, 10, LAND[:10]),
        (BYTES, SIZE - 5, 10_000, bytes(5)),
        (CHARS, AT + 11, 14, "second, with 中".encode()),
        (CHARS, SIZE - 4 - 3, 10_000, bytes(3)),
        (LINES, 1, 1, "second, with 中文\n".encode()),
        (LINES, 1, 10**17, "second, with 中文\nthird\n".encode()),
        (BYTES, 2**80, 2**80, b""),
        (CHARS, 2**80, 2**80, b""),
        (LINES, 2**80, 2**80, b""),
    ],
)
def test_a_page_anywhere_reads_only_the_blocks_that_it_lies_in(
    blocks_read: tuple[Artifact, set[int]], unit: str, offset: int, limit: int, expected: bytes
) -> None:
    opened, read = blocks_read
    assert read_page(opened, Window(offset, limit, unit, 10_000)).data == expected
    assert len(read) <= 2


def test_a_page_that_lies_across_two_blocks_reads_both(
    blocks_read: tuple[Artifact, set[int]],
) -> None:
    opened, read = blocks_read
    page = read_page(opened, Window(7 * BLOCK - 3, 6, BYTES, 10_000))
    assert page.data == bytes(6)
    assert read == {6, 7}


def test_the_process_serves_the_same_page_and_names_the_next(store: Store, huge: Record) -> None:
    done = forked(store, b"", "read", "last", "--lines", "2-2")
    assert done.out == LAND.splitlines(keepends=True)[1]
    assert b"lines 2-2 of 4, bytes 209,715,311-209,715,331 of 268,435,456; next: " in done.err
    found = json.loads(
        forked(store, b"", "read", "last", "--json", "--offset", str(AT), "--limit", "10").out
    )
    assert (found["content"], found["total"]) == ("first line", huge.characters)
    assert found["next"] == {"offset": AT + 10, "limit": 10, "unit": "chars"}


def test_one_changed_byte_withholds_its_own_block_and_no_other(store: Store, huge: Record) -> None:
    path = store.artifacts()[0]
    os.chmod(path, 0o600)
    with path.open("r+b") as file:
        file.seek(AT + 5_000)
        file.write(b"\1")
    inside = forked(store, b"", "read", "last", "--offset", str(AT), "--unit", "bytes")
    assert (inside.status, inside.out) == (4, b"")
    assert inside.err.count(b"\n") == 1
    assert b"damaged between bytes 209,715,200 and 210,763,776" in inside.err
    for offset in (0, 200 * MIB - 20_000, 201 * MIB, SIZE - 10):
        done = forked(store, b"", "read", "last", "--offset", str(offset), "--unit", "bytes")
        assert (done.status, done.out) == (0, bytes(min(10_000, SIZE - offset)))


def test_check_finds_the_changed_byte_and_says_so_by_its_status(store: Store) -> None:
    with session_of(store) as session:
        sparse(session, 40 * MIB, {3 * MIB: LAND})
    assert list(findings(store)) == ["ok"]
    path = store.artifacts()[0]
    os.chmod(path, 0o600)
    with path.open("r+b") as file:
        file.seek(30 * MIB)
        file.write(b"\1")
    done = forked(store, b"", "check")
    assert done.status == 4
    assert b"is damaged between bytes 31,457,280 and 32,505,856" in done.out
