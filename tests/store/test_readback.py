"""What was read back is counted, in a file that never grows and never stops a reading."""

import os
import threading
from pathlib import Path

import pytest

from stubcli.store.posix import readback
from stubcli.store.posix.readback import count_read, read_back
from tests.conftest import Store
from tests.helpers import LARGE, documents, forked, keep, session_of


def counts(store: Store) -> tuple[object, object]:
    (document,) = documents(forked(store, b"", "stats", "--json").out)
    return document["answers_read_back"], document["bytes_read_back"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("read", "last"),
        ("read", "last", "--all"),
        ("read", "last", "--json"),
        ("search", "4999", "last"),
        ("search", "4999", "--json"),
        ("show", "last"),
    ],
)
def test_what_is_printed_of_an_artifact_is_counted(
    arguments: tuple[str, ...], store: Store
) -> None:
    forked(store, LARGE)
    assert counts(store) == (0, 0)
    size = len(forked(store, b"", *arguments).out)
    assert size > 0
    assert counts(store) == (1, size)
    assert counts(store) == (1, size)  # looking at the sums is no reading
    size += len(forked(store, b"", "read", "last", "--limit", "7").out)
    assert counts(store) == (2, size)


def test_an_answer_that_prints_nothing_is_none(store: Store) -> None:
    forked(store, LARGE)
    assert forked(store, b"", "search", "nowhere", "last").status == 1
    assert forked(store, b"", "read", "9").status == 3
    assert counts(store) == (0, 0)


def test_many_at_once_are_all_counted(store: Store) -> None:
    with session_of(store) as session:
        threads = [threading.Thread(target=count_read, args=(session, 10)) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert read_back(session) == (20, 200)
        assert (store.folder / readback.NAME).stat().st_size == 38


@pytest.mark.parametrize("damage", [b"", b"x" * 38, b"1 2\n", b"9" * 10_000])
def test_a_damaged_count_begins_anew(damage: bytes, store: Store) -> None:
    with session_of(store) as session:
        (store.folder / readback.NAME).write_bytes(damage)
        assert read_back(session) == (0, 0)
        count_read(session, 5)
        assert read_back(session) == (1, 5)


def test_the_largest_count_stays_one(store: Store) -> None:
    with session_of(store) as session:
        (store.folder / readback.NAME).write_bytes(b"9" * 18 + b" " + b"9" * 18 + b"\n")
        count_read(session, 5)
        assert read_back(session) == (10**18 - 1, 10**18 - 1)


@pytest.mark.parametrize("kind", ["symlink", "hardlink", "fifo", "folder"])
def test_what_is_planted_under_its_name_is_not_touched(
    kind: str, store: Store, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("precious\n")
    with session_of(store) as session:
        keep(session, LARGE)
    path = store.folder / readback.NAME
    if kind == "symlink":
        path.symlink_to(elsewhere)
    elif kind == "hardlink":
        os.link(elsewhere, path)
    elif kind == "fifo":
        os.mkfifo(path)
    else:
        path.mkdir()
    assert forked(store, b"", "read", "last", "--limit", "4").out == LARGE[:4]
    assert elsewhere.read_text() == "precious\n"
    assert counts(store) == (0, 0)
