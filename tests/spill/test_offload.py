"""A whole output that is in memory: kept as the filter keeps it, and never lost by what fails."""

import errno
import os
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.settings.load import load
from stubcli.settings.table import Settings
from stubcli.spill.in_memory import Outcome, offload
from stubcli.store.posix.artifacts import find_record
from stubcli.store.posix.incoming import IncomingFile
from stubcli.store.records import CAPPED, Origin
from tests.chance import examples
from tests.conftest import Store
from tests.helpers import BULK, LARGE, LARGE_SHA, artifact_of, assert_nothing_is_wrong, session_of

ORIGIN = Origin(tool="seq", call_id="c1")


def settings(store: Store, **flags: str) -> Settings:
    return load({"home": str(store.home), "session": store.session, **flags})


def kept(done: Outcome) -> bytes:
    assert done.stub is not None, done
    return done.stub.encode()


def test_it_prints_what_the_filter_prints(store: Store) -> None:
    stub = kept(offload(LARGE, settings(store), Origin(tool="seq")))
    again = store.stub("--tool", "seq", stdin=LARGE)
    # The same bytes are one artifact; its options name the store, which was a flag here.
    assert stub.splitlines()[0] == again.out.splitlines()[0]
    assert len(store.artifacts()) == 1
    assert_nothing_is_wrong(store)


def test_the_record_tells_the_origin_and_the_notice_is_shown(store: Store) -> None:
    stub = kept(offload(LARGE, settings(store), ORIGIN, "as it was handed over"))
    assert b"as it was handed over" in stub
    with session_of(store) as session:
        record = find_record(session, 1)
    assert (record.sha256, record.run.origin, record.run.stub) == (LARGE_SHA, ORIGIN, stub.decode())


@given(st.binary(max_size=2000))
@examples(30)
def test_any_bytes_are_kept_as_they_are(store: Store, part: bytes) -> None:
    data = part * 3 + BULK + part
    assert artifact_of(store, kept(offload(data, settings(store), ORIGIN))).read_bytes() == data


@pytest.mark.parametrize("data", [b"", b"small\n", b"x" * 20_000])
def test_what_is_small_passes_and_nothing_is_stored(store: Store, data: bytes) -> None:
    assert offload(data, settings(store), ORIGIN) == Outcome()
    assert not store.home.exists()


def test_stub_disable_passes_everything(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUB_DISABLE", "1")
    assert offload(LARGE, settings(store), ORIGIN) == Outcome()


def test_what_is_beyond_max_bytes_is_announced(store: Store) -> None:
    stub = kept(offload(LARGE, settings(store, max_bytes="100000"), ORIGIN))
    assert artifact_of(store, stub).read_bytes() == LARGE[:100_000]
    with session_of(store) as session:
        record = find_record(session, 1)
    assert (record.run.state, record.run.dropped) == (CAPPED, len(LARGE) - 100_000)


@pytest.mark.parametrize("home", ["/proc/nowhere", "relative", "/dev/null/x"])
def test_a_store_that_cannot_be_opened_is_a_reason_and_no_error(home: str) -> None:
    done = offload(LARGE, load({"home": home, "session": "s"}), ORIGIN)
    assert done.stub is None
    assert done.failure


def test_a_failed_sync_leaves_nothing_behind(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(IncomingFile, "publish", fail)
    done = offload(LARGE, settings(store), ORIGIN)
    assert done == Outcome(failure="Input/output error")
    assert not store.artifacts()
    assert not list((store.folder / ".incoming").iterdir())


def test_a_bug_is_a_reason_too(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(IncomingFile, "publish", fail)
    assert offload(LARGE, settings(store), ORIGIN).failure == "ZeroDivisionError"


def test_a_process_that_lives_on_keeps_no_descriptor_and_no_thread(store: Store) -> None:
    offload(LARGE, settings(store), ORIGIN)
    before, threads = len(os.listdir("/dev/fd")), threading.active_count()
    for number in range(20):
        kept(offload(LARGE + b"%d" % number, settings(store), ORIGIN))
        offload(LARGE, load({"home": "/proc/nowhere"}), ORIGIN)
    assert len(os.listdir("/dev/fd")) == before
    assert threading.active_count() == threads


def test_threads_may_do_it_at_once(store: Store, tmp_path: Path) -> None:
    stubs: list[bytes] = []

    def one(number: int) -> None:
        stubs.append(kept(offload(BULK + b"%d" % number, settings(store), ORIGIN)))

    threads = [threading.Thread(target=one, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({artifact_of(store, stub) for stub in stubs}) == 8
    assert_nothing_is_wrong(store)
