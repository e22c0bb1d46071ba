"""A digest is found through the index, whatever the number of records; without it as well."""

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from stubcli.reference import file_name, record_name
from stubcli.store.posix.index import find_noted, is_whole
from tests.conftest import Store
from tests.helpers import (
    LARGE,
    LARGE_SHA,
    Calls,
    forked,
    keep,
    mended,
    ref_of,
    session_of,
    sha256,
)

PREFIXES = (6, 7, 11, 12, 13, 16, 20, 64)


def other(store: Store) -> Store:
    return Store(store.home, "other")


def fill(store: Store, count: int) -> None:
    """Names as so many artifacts leave them, without a place in the index."""
    for number in range(2, count + 2):
        (store.results / file_name(number)).touch()
        (store.results / record_name(number, f"{number * 7919:064x}")).touch()


def listings(store: Store, *arguments: str) -> list[str]:
    """The calls by which folders are listed."""
    with tempfile.NamedTemporaryFile() as log:
        descriptor = os.open(log.name, os.O_WRONLY | os.O_APPEND)
        real = os.write

        def act(_count: int, name: str) -> None:
            real(descriptor, name.encode() + b"\n")

        done = forked(store, b"", *arguments, prepare=Calls(act).install)
        os.close(descriptor)
        assert done.status == 0, done.err
        return [name for name in Path(log.name).read_text().split() if name == "listdir"]


def first(store: Store, reference: str) -> bytes:
    return forked(store, b"", "read", reference, "--limit", "3").out


@pytest.mark.parametrize("digits", PREFIXES)
@pytest.mark.parametrize("where", ["test", "other"])
def test_a_prefix_is_found_from_any_session(store: Store, digits: int, where: str) -> None:
    forked(store, LARGE)
    forked(other(store), b"elsewhere\n" * 3000)
    assert first(Store(store.home, where), LARGE_SHA[:digits]) == b"1\n2"


@pytest.mark.parametrize("digits", PREFIXES)
def test_no_record_is_listed_for_a_prefix(store: Store, digits: int) -> None:
    """But the names of the sessions, where it is so short that others may have it too."""
    forked(store, LARGE)
    forked(other(store), b"elsewhere\n" * 3000)
    fill(other(store), 50)
    fill(store, 50)
    expected = [] if digits >= 12 else ["listdir"]
    assert listings(store, "read", LARGE_SHA[:digits]) == expected
    assert listings(other(store), "read", LARGE_SHA[:digits]) == ["listdir"]


def no_index(store: Store) -> None:
    shutil.rmtree(store.folder / ".index")


def no_links(store: Store) -> None:
    """As a copy without symbolic links leaves it."""
    for path in (store.folder / ".index").iterdir():
        path.unlink()


def a_link_is_lost(store: Store) -> None:
    """As a power cut leaves it."""
    (store.folder / ".index" / LARGE_SHA[:6]).unlink()


def a_link_leads_astray(store: Store) -> None:
    a_link_is_lost(store)
    (store.folder / ".index" / LARGE_SHA[:6]).symlink_to("999 x 2 -1")


def numbers_are_lost(store: Store) -> None:
    (store.folder / ".index" / "n001").unlink()


LOSSES = (no_index, no_links, a_link_is_lost, a_link_leads_astray, numbers_are_lost)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("digits", [6, 12, 64])
def test_without_a_hint_a_listing_answers(
    store: Store, loss: Callable[[Store], None], digits: int
) -> None:
    forked(store, LARGE)
    loss(store)
    for session in ("test", "other"):
        assert first(Store(store.home, session), LARGE_SHA[:digits]) == b"1\n2"
    assert first(store, "1") == first(store, "last") == b"1\n2"
    assert forked(store, b"", "check").status == 0


@pytest.mark.parametrize("loss", LOSSES)
def test_a_repair_restores_what_was_lost(store: Store, loss: Callable[[Store], None]) -> None:
    forked(store, LARGE)
    loss(store)
    mended(store)
    with session_of(store) as session:
        assert is_whole(session)
        assert find_noted(session, LARGE_SHA[:6]) == [(1, LARGE_SHA[:16])]
    assert ref_of(forked(store, LARGE).out).startswith("artifact:test:tool_result_001.txt:")


def alike() -> tuple[bytes, bytes, str]:
    """Two inputs whose digests begin with the same six digits."""
    seen: dict[str, bytes] = {}
    for number in range(200_000):
        data = b"%d" % number
        prefix = sha256(data)[:6]
        if prefix in seen:
            return seen[prefix], data, prefix
        seen[prefix] = data
    raise AssertionError("no two are alike")


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize("loss", [None, no_index, no_links])
def test_what_is_ambiguous_is_so_with_and_without_hints(
    store: Store, together: bool, loss: Callable[[Store], None] | None
) -> None:
    one, two, prefix = alike()
    second = store if together else other(store)
    with session_of(store) as session:
        keep(session, one)
    with session_of(second) as session:
        keep(session, two)
    if loss:
        loss(second)
    done = forked(store, b"", "read", prefix)
    assert (done.status, done.out) == (2, b"")
    assert b"is ambiguous" in done.err
    for data in (one, two):
        assert sha256(data)[:16].encode() in done.err
        assert forked(store, b"", "read", sha256(data)[:12]).out == data


def test_two_digests_that_begin_alike_are_both_noted_and_forgotten_one_by_one(store: Store) -> None:
    from stubcli.store.posix.index import forget

    one, two, prefix = alike()
    with session_of(store) as session:
        records = [keep(session, data) for data in (one, two)]
        keys = [(record.number, record.sha256[:16]) for record in records]
        assert find_noted(session, prefix) == keys
        assert [session.find_same(sha256(data)) for data in (one, two)] == records
        forget(session, *keys[0])
        assert find_noted(session, prefix) == keys[1:]
        forget(session, *keys[1])
        assert not list((store.folder / ".index").glob(prefix))


def test_bytes_that_were_kept_anew_since_the_first_were_damaged_are_the_newest(
    store: Store,
) -> None:
    with session_of(store) as session:
        old = keep(session, LARGE)
    path = store.artifacts()[0]
    path.chmod(0o600)
    path.write_bytes(LARGE[:-2] + b"X\n")
    new = forked(store, LARGE)
    assert ref_of(new.out).startswith("artifact:test:tool_result_002.txt:")
    for digits in (6, 12, 16, 64):
        assert first(store, old.sha256[:digits]) == b"1\n2"
