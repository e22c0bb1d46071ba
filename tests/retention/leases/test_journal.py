"""The journal on disk: appending, tails that were torn, locks, files that are not ours."""

import errno
import fcntl
import json
import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from stubcli.errors import IntegrityError, NotStoredError, RefusedError, UsageError
from stubcli.retention.leases import chain, upkeep
from stubcli.retention.leases.anchor import Anchor, encode
from stubcli.retention.leases.file_names import HEAD, JOURNAL, LOCK
from stubcli.retention.leases.journal import open_journal
from stubcli.retention.leases.lease import commit, prepare, release
from stubcli.retention.leases.model import ABORTED, COMMITTED, PREPARED, RELEASED, Claim
from stubcli.store.posix import lockedfiles
from stubcli.store.values import ACKNOWLEDGED
from tests.conftest import Store
from tests.helpers import is_root, session_of
from tests.retention.leases.made import (
    head_of,
    in_child,
    leases_in,
    lines_of,
    mixed,
    phases,
    plant,
    recovered,
    with_artifact,
)

ANY = Claim("artifact:test:tool_result_001.txt:" + "a" * 16, "a" * 64)


def sizes(store: Store) -> dict[str, int]:
    return {path.name: path.stat().st_size for path in store.folder.glob(JOURNAL + "*")}


def test_where_no_journal_was_written_it_is_empty_and_stays_unwritten(store: Store) -> None:
    with session_of(store) as session, open_journal(session) as journal:
        assert journal.leases == {}
        assert journal.find("lease-1") is None
    assert sizes(store) == {LOCK: 0}


def test_what_was_appended_is_there_for_the_next_who_opens(store: Store) -> None:
    with session_of(store) as session:
        with open_journal(session) as journal:
            first = journal.append("lease-1", PREPARED, ANY)
            second = journal.append("lease-1", COMMITTED)
            assert journal.find("lease-1") == second
            assert journal.leases == {"lease-1": second}
        with open_journal(session) as journal:
            assert journal.find("lease-1") == second
            assert journal.leases == {"lease-1": second}
    assert (first.phase, second.phase) == (PREPARED, COMMITTED)
    assert second.prepared_at == first.prepared_at == first.changed_at < second.changed_at


def test_one_lease_is_found_as_it_is_found_among_all(store: Store) -> None:
    plant(store, lines_of(mixed(30)))
    with session_of(store) as session:
        every = leases_in(session)
        for name in [*every, "lease", "lease-", "ease-1", "other"]:
            with open_journal(session) as journal:
                assert journal.find(name) == every.get(name)


def test_a_file_of_the_journal_is_for_its_owner_alone_whatever_the_umask(store: Store) -> None:
    def act() -> None:
        for umask in (0o000, 0o777):
            os.umask(umask)
            with session_of(store) as session, open_journal(session) as journal:
                journal.append(f"lease-{umask}", PREPARED, ANY)

    assert in_child(act) == 0
    assert {path.stat().st_mode & 0o777 for path in store.folder.glob(JOURNAL + "*")} == {0o600}


def test_a_record_is_never_longer_than_a_page(store: Store) -> None:
    session, name = "s" * 128, "t" * 128
    source = f"artifact:{session}:tool_result_{10**17}.txt:{'f' * 16}"
    claim = Claim(source, "f" * 64, 10**9, "9999-12-31T23:59:59.999999+00:00")
    lease = chain.enter(None, name, PREPARED, "2026-01-01T00:00:00.123456+00:00", claim)
    line, _ = chain.write(lease, session, chain.Place(10**12, "0" * 64))
    assert len(line) < chain.LONGEST


@pytest.mark.parametrize(
    ("done", "phase"),
    [
        ((), COMMITTED),
        ((), ABORTED),
        ((), RELEASED),
        ((PREPARED,), PREPARED),
        ((PREPARED,), RELEASED),
        ((PREPARED, COMMITTED), PREPARED),
        ((PREPARED, COMMITTED), ABORTED),
        ((PREPARED, COMMITTED), COMMITTED),
        ((PREPARED, ABORTED), COMMITTED),
        ((PREPARED, ABORTED), PREPARED),
        ((PREPARED, COMMITTED, RELEASED), COMMITTED),
        ((PREPARED, COMMITTED, RELEASED), PREPARED),
        ((PREPARED,), "finished"),
    ],
)
def test_a_lease_goes_only_where_its_phases_lead(
    store: Store, done: tuple[str, ...], phase: str
) -> None:
    with session_of(store) as session, open_journal(session) as journal:
        for before in done:
            journal.append("lease-1", before, ANY)
        size = sizes(store)
        with pytest.raises(RefusedError):
            journal.append("lease-1", phase, ANY)
        assert sizes(store) == size


def test_a_claim_that_no_reader_would_take_is_not_written(store: Store) -> None:
    other = Claim("artifact:other:tool_result_001.txt:" + "a" * 16, "a" * 64)
    unlike = Claim("artifact:test:tool_result_001.txt:" + "b" * 16, "a" * 64)
    with session_of(store) as session, open_journal(session) as journal:
        for claim, error in ((other, UsageError), (unlike, IntegrityError), (None, RefusedError)):
            with pytest.raises(error):
                journal.append("lease-1", PREPARED, claim)
        with pytest.raises(UsageError):
            journal.append("../lease", PREPARED, ANY)
        assert journal.leases == {}


# https://github.com/datalad/datalad/issues/3523
def test_a_further_field_with_line_separators_is_part_of_one_record(store: Store) -> None:
    lines = lines_of(mixed(3))
    document = json.loads(lines[2])
    del document["event_sha256"]
    document["note"] = "a\u2028b\u2029c\x85d"
    document["event_sha256"] = chain.digest(document)
    lines[2] = chain.canonical(document) + b"\n"
    plant(store, lines)
    with session_of(store) as session:
        assert len(phases(session)) == 3
        assert set(leases_in(session)) == {"lease-1", "lease-2"}
        commit(session, "lease-2")
        release(session, "lease-2")
        assert phases(session)[-2:] == [("lease-2", COMMITTED), ("lease-2", RELEASED)]


# https://github.com/pmcfadin/cqlite/issues/1390
# https://github.com/HarperFast/rocksdb-js/issues/748
@pytest.mark.parametrize("records", [0, 5])
def test_a_record_torn_at_any_byte_is_moved_aside_and_more_follow(
    store: Store, records: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("fsync", "fdatasync"):
        monkeypatch.setattr(os, name, lambda _descriptor: None)  # 2,000 of them, to no purpose
    lines = lines_of(mixed(records + 1))
    head = head_of(lines[:records]) if records else encode(Anchor("test"))
    before = recovered(b"".join(lines[:records]), head, marked=records > 0)
    assert before is not None
    with session_of(store) as session:
        for size in range(1, len(lines[-1])):
            for path in store.folder.glob(JOURNAL + "*"):
                path.unlink()
            plant(store, [*lines[:records], lines[-1][:size]], head)
            if not records:
                (store.folder / LOCK).write_bytes(b"")
                (store.folder / ACKNOWLEDGED).unlink()
            assert leases_in(session) == before.leases
            after = [f"after-{number}" for number in range(1 if size % 100 else 100)]
            for name in after:
                with open_journal(session) as journal:
                    journal.append(name, PREPARED, ANY)
            assert [*leases_in(session)] == [*before.leases, *after]
            assert (store.folder / f"{JOURNAL}.torn-1").read_bytes() == lines[-1][:size]


def test_half_a_character_at_the_end_is_a_torn_record(store: Store) -> None:
    with with_artifact(store) as (session, record):
        prepare(session, record, transaction_id="lease-1")
        commit(session, "lease-1")
        with (store.folder / JOURNAL).open("ab") as journal:
            journal.write('{"note":"é'.encode()[:-1])
        assert leases_in(session)["lease-1"].phase == COMMITTED
        release(session, "lease-1")
        assert phases(session) == [
            ("lease-1", PREPARED),
            ("lease-1", COMMITTED),
            ("lease-1", RELEASED),
        ]


def test_a_complete_line_that_is_no_record_blocks_everything(store: Store) -> None:
    plant(store, lines_of(mixed(3)))
    with (store.folder / JOURNAL).open("ab") as journal:
        journal.write(b"{}\n")
    with session_of(store) as session:
        with pytest.raises(IntegrityError, match="line 4 is not what was written"):
            leases_in(session)
        with pytest.raises(IntegrityError):
            commit(session, "lease-1")


def test_a_claim_that_was_changed_is_told_by_its_line(store: Store) -> None:
    plant(store, lines_of(mixed(3)))
    path = store.folder / JOURNAL
    path.write_bytes(path.read_bytes().replace(b'"reference_count":1', b'"reference_count":2', 1))
    with session_of(store) as session, pytest.raises(IntegrityError, match="line 1 is not what"):
        leases_in(session)


def test_a_claim_that_was_changed_with_its_digest_breaks_the_chain(store: Store) -> None:
    lines = lines_of(mixed(3))
    document = json.loads(lines[0])
    del document["event_sha256"]
    document["intent"]["claim"]["reference_count"] = 2
    document["intent_sha256"] = chain.digest(document["intent"])
    document["event_sha256"] = chain.digest(document)
    plant(store, lines)
    (store.folder / JOURNAL).write_bytes(b"".join([chain.canonical(document) + b"\n", *lines[1:]]))
    with session_of(store) as session, pytest.raises(IntegrityError, match="line 2 does not foll"):
        leases_in(session)


def test_the_journal_of_another_session_is_refused(store: Store) -> None:
    other = Store(store.home, "other")
    plant(store, lines_of(mixed(3)))
    with session_of(other):
        pass
    for name in (JOURNAL, HEAD, LOCK):
        shutil.copy(store.folder / name, other.folder / name)
    with session_of(other) as session, pytest.raises(IntegrityError, match="of another session"):
        leases_in(session)


@pytest.mark.parametrize("name", [JOURNAL, HEAD, LOCK])
@pytest.mark.parametrize("kind", ["link", "hard link", "folder", "fifo", "dangling link"])
def test_what_is_planted_under_a_name_of_the_journal_is_refused_and_untouched(
    store: Store, tmp_path: Path, name: str, kind: str
) -> None:
    plant(store, lines_of(mixed(3)))
    place, target = store.folder / name, tmp_path / "target"
    target.write_bytes(place.read_bytes())
    place.unlink()
    before = target.read_bytes()
    if kind == "link":
        place.symlink_to(target)
    elif kind == "hard link":
        os.link(target, place)
    elif kind == "folder":
        place.mkdir()
    elif kind == "fifo":
        os.mkfifo(place)
    else:
        place.symlink_to(tmp_path / "nowhere")
    with session_of(store) as session:
        with pytest.raises(IntegrityError):
            leases_in(session)
        with pytest.raises(IntegrityError):
            commit(session, "lease-3")
    assert target.read_bytes() == before
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.skipif(not is_root, reason="only root may give files away")
@pytest.mark.parametrize("name", [JOURNAL, HEAD, LOCK])
def test_a_file_of_another_user_is_refused(store: Store, name: str) -> None:
    plant(store, lines_of(mixed(3)))
    os.chown(store.folder / name, 12345, 12345)
    with session_of(store) as session, pytest.raises(IntegrityError):
        leases_in(session)


def test_the_lock_excludes_and_a_holder_that_stays_is_not_waited_for_for_ever(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lockedfiles, "PATIENCE", 0.05)
    with session_of(store) as session, open_journal(session) as journal:
        journal.append("lease-1", PREPARED, ANY)
        with pytest.raises(RefusedError, match="another process holds"):
            commit(session, "lease-1")
        assert [(found.status, found.name) for found in upkeep.verify(session)] == [
            ("being written", JOURNAL)
        ]
        assert list(upkeep.repair(session, accept_loss=True)) == []
        journal.append("lease-1", COMMITTED)


def test_closing_another_descriptor_of_the_lock_frees_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lockedfiles, "PATIENCE", 0.05)
    with session_of(store) as session, open_journal(session):
        os.close(os.open(store.folder / LOCK, os.O_RDWR))
        with pytest.raises(RefusedError):
            leases_in(session)


def test_a_lock_that_was_replaced_is_taken_anew(store: Store) -> None:
    """Who waited for a file that is gone must not hold it beside the holder of the new one."""
    entered = threading.Event()

    def wait() -> None:
        leases_in(session)
        entered.set()

    with session_of(store) as session:
        with open_journal(session):
            waiter = threading.Thread(target=wait)
            waiter.start()
            assert not entered.wait(0.1)
            (store.folder / LOCK).unlink()
        waiter.join(20)
        assert entered.is_set()
        assert (store.folder / LOCK).exists()


def test_a_file_system_without_locks_is_refused(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(_descriptor: int, _operation: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", flock)
    with session_of(store) as session, pytest.raises(RefusedError, match="has no locks"):
        leases_in(session)


def test_what_was_not_acknowledged_is_written_again_before_it_is_believed(store: Store) -> None:
    """Its writer may have died of a failed sync, behind which another sync would lie."""
    lines = lines_of(mixed(5))
    plant(store, lines, head_of(lines[:-1]))
    written: list[str] = []
    with session_of(store) as session:
        assert [finding.status for finding in upkeep.verify(session)] == ["leftover"]
        with pytest.MonkeyPatch.context() as patch:
            for name in ("pwrite", "fdatasync"):
                patch.setattr(os, name, noting(written, name))
            assert len(leases_in(session)) == 3
        assert written == ["pwrite", "fdatasync"] * 2
        assert [finding.status for finding in upkeep.verify(session)] == ["ok"]
    assert (store.folder / JOURNAL).read_bytes() == b"".join(lines)
    assert recovered(b"".join(lines[:-1]), (store.folder / HEAD).read_bytes()) is None


def lost_last_lf(data: bytes) -> bytes:
    return data[:-1]


def with_cr(data: bytes) -> bytes:
    return data.replace(b"\n", b"\r\n")


LINE_ENDS = pytest.mark.parametrize("change", [lost_last_lf, with_cr])


@LINE_ENDS
def test_other_line_ends_are_read_as_they_are_and_written_back_by_the_next_record(
    store: Store, change: Callable[[bytes], bytes]
) -> None:
    lines = lines_of(mixed(5))
    plant(store, [change(b"".join(lines))], head_of(lines))
    before = (store.folder / JOURNAL).read_bytes()
    with session_of(store) as session:
        assert len(leases_in(session)) == 3
        assert (store.folder / JOURNAL).read_bytes() == before
        with open_journal(session) as journal:
            journal.append("after", PREPARED, ANY)
        assert [*leases_in(session)][-1] == "after"
        assert (store.folder / JOURNAL).read_bytes().startswith(b"".join(lines))
        assert [finding.status for finding in upkeep.verify(session)] == ["ok"]


@LINE_ENDS
def test_a_repair_writes_line_ends_back_and_accepts_no_loss(
    store: Store, change: Callable[[bytes], bytes]
) -> None:
    lines = lines_of(mixed(5))
    plant(store, [change(b"".join(lines))], head_of(lines))
    with session_of(store) as session:
        assert [finding.status for finding in upkeep.verify(session)] == ["leftover"]
        done = upkeep.repair(session, accept_loss=True)
        assert [finding.status for finding in done] == ["repaired"]
        assert [*upkeep.repair(session, accept_loss=True)] == []
        assert [finding.status for finding in upkeep.verify(session)] == ["ok"]
    assert (store.folder / JOURNAL).read_bytes() == b"".join(lines)
    assert sorted(path.name for path in store.folder.glob(JOURNAL + "*")) == [JOURNAL, HEAD, LOCK]


def test_other_line_ends_and_a_record_that_was_not_acknowledged_are_both_mended(
    store: Store,
) -> None:
    lines = lines_of(mixed(5))
    plant(store, [with_cr(b"".join(lines)) + b'{"torn'], head_of(lines[:-1]))
    with session_of(store) as session:
        assert len(leases_in(session)) == 3
        assert len([*upkeep.repair(session, accept_loss=False)]) == 1
    assert (store.folder / JOURNAL).read_bytes() == b"".join(lines)
    assert (store.folder / f"{JOURNAL}.torn-1").read_bytes() == b'{"torn'


def noting(log: list[str], name: str) -> object:
    real = getattr(os, name)

    def call(*arguments: object) -> object:
        log.append(name)
        return real(*arguments)

    return call


def test_reading_needs_no_write_where_everything_is_acknowledged(store: Store) -> None:
    plant(store, lines_of(mixed(5)))
    written: list[str] = []
    with session_of(store) as session, pytest.MonkeyPatch.context() as patch:
        for name in ("pwrite", "fdatasync", "fsync", "ftruncate", "rename"):
            patch.setattr(os, name, noting(written, name))
        assert len(leases_in(session)) == 3
    assert written == []


def test_a_journal_that_failed_once_takes_nothing_more(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fdatasync(_descriptor: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with session_of(store) as session:
        with open_journal(session) as journal:
            journal.append("lease-1", PREPARED, ANY)
            monkeypatch.setattr(os, "fdatasync", fdatasync)
            with pytest.raises(NotStoredError, match="Input/output error; nothing is ack"):
                journal.append("lease-2", PREPARED, ANY)
            monkeypatch.undo()
            with pytest.raises(NotStoredError):
                journal.append("lease-3", PREPARED, ANY)
        assert set(leases_in(session)) == {"lease-1"}
        with open_journal(session) as journal:
            journal.append("lease-3", PREPARED, ANY)
        assert phases(session) == [("lease-1", PREPARED), ("lease-3", PREPARED)]


def test_a_journal_that_was_interrupted_takes_nothing_more(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fdatasync(_descriptor: int) -> None:
        raise KeyboardInterrupt

    with session_of(store) as session:
        with open_journal(session) as journal:
            journal.append("lease-1", PREPARED, ANY)
            monkeypatch.setattr(os, "fdatasync", fdatasync)
            with pytest.raises(KeyboardInterrupt):
                journal.append("lease-2-with-a-long-name", PREPARED, ANY)
            monkeypatch.undo()
            with pytest.raises(NotStoredError):
                journal.append("lease-3", PREPARED, ANY)
        assert set(leases_in(session)) == {"lease-1", "lease-2-with-a-long-name"}


def test_processes_and_threads_that_append_at_once_lose_no_record(store: Store) -> None:
    def act() -> None:
        with session_of(store) as session:
            for number in range(10):
                with open_journal(session) as journal:
                    journal.append(f"{os.getpid()}-{number}", PREPARED, ANY)

    children = [threading.Thread(target=lambda: statuses.append(in_child(act))) for _ in range(4)]
    statuses: list[int] = []
    with session_of(store) as session:
        for child in children:
            child.start()
        for child in children:
            child.join()
        assert statuses == [0] * 4
        assert len(phases(session)) == 40
        assert len(leases_in(session)) == 40


def test_each_append_is_anchored_and_keeps_the_anchor_before_it(store: Store) -> None:
    with session_of(store) as session:
        for number in range(1, 6):
            with open_journal(session) as journal:
                journal.append(f"lease-{number}", PREPARED, ANY)
            lines = (store.folder / JOURNAL).read_bytes().splitlines(keepends=True)
            assert len(lines) == number
            if number > 1:
                assert (store.folder / HEAD).read_bytes() == head_of(lines)
