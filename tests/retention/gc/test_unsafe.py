"""Where it is not known what is claimed, or what time it is, nothing is deleted in a session."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from stubcli.errors import IntegrityError
from stubcli.reference import file_name
from stubcli.retention.gc import safety
from stubcli.retention.gc.model import DAY, Policy
from stubcli.retention.leases.lease import prepare as prepare_lease
from stubcli.store.posix.collected import tombstones
from stubcli.store.posix.removal import OpenCandidate
from stubcli.store.posix.session import PosixSession
from stubcli.store.values import Snapshot
from tests.conftest import Store
from tests.helpers import linux_only, session_of
from tests.retention.gc.made import (
    HOUR,
    applied,
    body,
    collect,
    commit,
    fill,
    make_old,
    plan_of,
    prepare,
    put,
    states,
)

YEARS = 3652 * DAY


def soon(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime(time.time() + seconds))


@pytest.mark.parametrize("jump", [-YEARS, -3600, -61, 0, 3600, YEARS])
def test_a_clock_that_jumps_costs_nothing_that_is_claimed(store: Store, jump: float) -> None:
    """https://github.com/borgbackup/borg/issues/10077"""
    fill(store, 3)
    prepare(store, 1, "a", until=soon(1))
    commit(store, 2, "b", until=soon(2 * DAY))
    for number in (1, 2, 3):
        make_old(store, number, age=10)
    now = time.time() + jump
    done = collect(store, Policy(5, None), now)
    left = [path.name for path in store.artifacts()]
    assert left[:2] == [file_name(1), file_name(2)]
    if jump < -60:
        assert "the clock ran backwards" in done.problems[0].what
        assert len(left) == 3
    else:
        assert states(done) == {"retained_referenced": 2, "deleted": 1}


def test_a_clock_that_ran_backwards_between_plan_and_deletion_stops_it(store: Store) -> None:
    fill(store, 1)
    done = applied(store, plan_of(store), time.time() - 120)
    assert states(done) == {"retained_unknown": 1}
    assert "ran backwards" in done.problems[0].what


@pytest.mark.parametrize("which", ["mtime", "atime", "a tombstone", "a lease"])
def test_a_time_in_the_future_stops_every_deletion(store: Store, which: str) -> None:
    fill(store, 2)
    now = time.time()
    if which == "a tombstone":
        collect(store, Policy(0, max_deletions=1))
        now -= 3600
        make_old(store, 2, DAY)
    elif which == "a lease":
        commit(store, 1)
        now -= 3600
        make_old(store, 1, DAY)
        make_old(store, 2, DAY)
    else:
        late, early = (now + 90, now - DAY) if which == "atime" else (now - DAY, now + 90)
        os.utime(store.results / file_name(1), (late, early))
    done = collect(store, HOUR, now)
    assert done.of("deleted") == []
    assert "in the future" in done.problems[0].what
    # Whoever moved the journal away would give up what it protects.
    way = {"a tombstone": "move collected.jsonl away", "a lease": "wait until then"}
    assert way.get(which, "touch its file") in str(done.problems[0].hint)
    assert done.of("planned_delete") == []


def test_a_minute_of_skew_is_forgiven(store: Store) -> None:
    fill(store, 2)
    now = time.time()
    os.utime(store.results / file_name(1), (now + 50, now + 50))
    assert states(collect(store, HOUR, now)) == {"retained_recent": 1, "deleted": 1}


def damage_journal(store: Store, how: str) -> None:
    journal = store.folder / "retention-leases.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    if how == "a bad line":
        journal.write_bytes(lines[0] + b"{}\n" + b"".join(lines[1:]))
    elif how == "a record less":
        journal.write_bytes(b"".join(lines[:-1]))
    elif how == "no journal":
        journal.unlink()
    elif how == "no journal and no anchor":
        journal.unlink()
        (store.folder / "retention-leases.jsonl.head").unlink()
    elif how == "no file of it":
        for path in store.folder.glob("*lease*"):
            path.unlink()
    elif how == "nothing beside the folders":
        for path in store.folder.iterdir():
            if path.is_file():
                path.unlink()
    elif how == "an empty journal":
        journal.write_bytes(b"")
    elif how == "a symbolic link":
        journal.rename(store.home / "aside")
        journal.symlink_to(store.home / "aside")
    elif how == "unreadable":
        journal.unlink()
        journal.mkdir()


@pytest.mark.parametrize(
    "how",
    [
        "a bad line",
        "a record less",
        "no journal",
        "no journal and no anchor",
        "no file of it",
        "nothing beside the folders",
        "an empty journal",
        "a symbolic link",
        "unreadable",
    ],
)
def test_a_damaged_or_rolled_back_journal_deletes_nothing(store: Store, how: str) -> None:
    """https://github.com/containerd/containerd/issues/1674: collecting by a half-loaded state."""
    fill(store, 3)
    commit(store, 1, "a")
    commit(store, 2, "b")
    for number in (1, 2, 3):
        make_old(store, number)
    damage_journal(store, how)
    for _ in range(2):
        done = collect(store, Policy(0, None))
        assert done.problems
        assert done.of("deleted") == []
        assert len(store.artifacts()) == 3
    with session_of(store) as session, pytest.raises(IntegrityError):
        prepare_lease(session, session.find(3))


def test_a_torn_tail_of_the_journal_is_no_damage_and_its_claims_count(store: Store) -> None:
    fill(store, 2)
    prepare(store, 1)
    make_old(store, 1)
    with open(store.folder / "retention-leases.jsonl", "ab") as journal:
        journal.write(b'{"half":"\xc3')
    assert states(collect(store)) == {"retained_referenced": 1, "deleted": 1}


def test_damage_that_comes_between_two_deletions_stops_the_rest(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, 3)
    commit(store, 3)
    make_old(store, 3)
    plan = plan_of(store, Policy(0, None))
    real = OpenCandidate.digest
    turns = []

    def digest(
        candidate: OpenCandidate, expected: Snapshot, watch: Callable[[int], None]
    ) -> object:
        turns.append(1)
        if len(turns) == 2:
            damage_journal(store, "a record less")
        return real(candidate, expected, watch)

    monkeypatch.setattr(OpenCandidate, "digest", digest)
    done = applied(store, plan)
    assert [one.state for one in done.decisions] == [
        "deleted",
        "retained_unknown",
        "retained_referenced",
    ]
    assert done.problems


@pytest.mark.parametrize("how", ["a flipped digit", "a bad line", "a symbolic link", "a folder"])
def test_damaged_tombstones_stop_every_deletion_and_no_writing(store: Store, how: str) -> None:
    fill(store, 3)
    collect(store, Policy(0, max_deletions=2))
    path = store.folder / "collected.jsonl"
    text = path.read_text()
    if how == "a flipped digit":
        path.write_text(text.replace('"number":1', '"number":9'))
    elif how == "a bad line":
        path.write_text("garbage\n" + text)
    else:
        path.rename(store.home / "aside")
        path.symlink_to(store.home / "aside") if how == "a symbolic link" else path.mkdir()
    done = collect(store, Policy(0))
    assert done.problems
    assert done.of("deleted") == []
    assert put(store, body(7)).number == 4


def test_a_torn_tombstone_is_forgiven_and_cut_off_by_the_next(store: Store) -> None:
    fill(store, 2)
    collect(store, Policy(0, max_deletions=1))
    path = store.folder / "collected.jsonl"
    path.write_bytes(path.read_bytes() + b'{"number":2,"sha')
    assert states(collect(store, Policy(0))) == {"deleted": 1}
    with session_of(store) as session:
        assert [one.number for one in tombstones(session)] == [1, 2]


def test_what_is_damaged_keeps_itself_and_none_of_the_others(store: Store) -> None:
    fill(store, 3)
    path = store.results / file_name(2)
    path.chmod(0o600)
    path.write_bytes(b"cut short")
    path.chmod(0o400)
    make_old(store, 2)
    for left in (2, 0):
        done = collect(store, Policy(0, None))
        assert states(done) == {"retained_corrupt": 1} | ({"deleted": left} if left else {})
        assert (done.problems, [one.number for one in done.unclear]) == ((), [2])
    assert [path.read_bytes() for path in store.artifacts()] == [b"cut short"]


def test_a_record_that_cannot_be_read_keeps_its_artifact(store: Store) -> None:
    fill(store, 2)
    record = next(store.results.glob("tool_result_002.*.json"))
    record.chmod(0o600)
    record.write_bytes(record.read_bytes().replace(b'"size"', b'"sixe"'))
    done = collect(store, Policy(0, None))
    assert states(done) == {"deleted": 1, "retained_corrupt": 1}
    assert [one.number for one in done.unclear] == [2]


@linux_only
def test_the_file_system_is_what_the_kernel_names(store: Store, ram: Path) -> None:
    kinds = set()
    for place in (store, Store(ram / "store")):
        with session_of(place) as session:
            kinds.add(session.file_system())
    assert "" not in kinds
    if str(ram).startswith("/dev/shm"):
        assert "tmpfs" in kinds


@linux_only
@pytest.mark.parametrize("kind", ["nfs4", "cifs", "fuse.sshfs", "lustre", ""])
def test_a_network_file_system_is_not_trusted(
    store: Store, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Nor is one that cannot be named."""

    monkeypatch.setattr(PosixSession, "file_system", lambda _session: kind)
    with session_of(store) as session:
        problem = safety.remote(session)
    assert problem
    assert "--network" in str(problem.hint)


@linux_only
@pytest.mark.parametrize("kind", ["ext4", "btrfs", "xfs", "tmpfs", "overlay", "zfs"])
def test_a_local_file_system_is_trusted(
    store: Store, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(PosixSession, "file_system", lambda _session: kind)
    with session_of(store) as session:
        assert safety.remote(session) is None
