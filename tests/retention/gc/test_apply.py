"""Applied, a plan deletes what it named and only while everything that allowed it still holds."""

import errno
import fcntl
import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stubcli import durable
from stubcli.errors import MissingError
from stubcli.reference import file_name, record_name
from stubcli.retention.gc.apply import apply_plan
from stubcli.retention.gc.model import Policy, Verdict
from stubcli.retention.leases import lease
from stubcli.retention.leases.journal import open_journal
from stubcli.store.artifact import Artifact
from stubcli.store.posix import collected, repair
from stubcli.store.posix.removal import OpenCandidate
from stubcli.store.records import Record
from stubcli.store.resolve import open_reference
from stubcli.store.values import Snapshot, Tombstone
from tests.conftest import Store
from tests.helpers import (
    assert_nothing_is_wrong,
    findings,
    keep,
    mended,
    names,
    session_of,
    sha256,
)
from tests.retention.gc.made import (
    HOUR,
    applied,
    body,
    claim_without_a_use,
    collect,
    commit,
    fill,
    make_old,
    plan_of,
    prepare,
    put,
    reasons,
    states,
    tombs,
    waiting,
)

WHEN = "2026-01-01T00:00:00Z"


def tombstone_of(record: Record) -> Tombstone:
    return Tombstone(record.number, record.sha256, record.size, "unreferenced_and_old", WHEN)


def before_each(monkeypatch: pytest.MonkeyPatch, act: Callable[[], None]) -> None:
    """Let `act` run once an artifact was read again and before the lock is taken."""
    real = OpenCandidate.digest

    def digest(
        candidate: OpenCandidate, expected: Snapshot, watch: Callable[[int], None]
    ) -> object:
        found = real(candidate, expected, watch)
        act()
        return found

    monkeypatch.setattr(OpenCandidate, "digest", digest)


def test_what_was_collected_leaves_a_tombstone_and_nothing_else(store: Store) -> None:
    records = fill(store, 2)
    commit(store, 2)
    assert states(collect(store)) == {"deleted": 1, "retained_referenced": 1}
    assert not list(store.results.glob("tool_result_001*"))
    assert not os.listdir(store.folder / ".incoming")
    digest = records[1].sha256[:16]
    links = {str(path.relative_to(store.folder)) for path in store.folder.glob(".index/*")}
    assert {link for link in links if Path(store.folder, link).is_symlink()} == {
        f".index/{digest[:6]}",
        ".index/n002",
        ".index/format",
    }
    with session_of(store) as session:
        (tomb,) = collected.tombstones(session)
    assert (tomb.number, tomb.sha256, tomb.size) == (1, sha256(body(1)), len(body(1)))
    assert tomb.reason == "unreferenced_and_old"
    assert_nothing_is_wrong(store)
    assert set(findings(store)) == {"ok"}


def test_applied_twice_the_second_time_finds_nothing(store: Store) -> None:
    fill(store, 1)
    plan = plan_of(store)
    assert states(applied(store, plan)) == {"deleted": 1}
    assert states(applied(store, plan)) == {"already_missing": 1}
    assert tombs(store).count("\n") == 1


def test_another_file_of_the_same_size_and_time_is_a_race(store: Store) -> None:
    fill(store, 1)
    plan = plan_of(store)
    path = store.results / file_name(1)
    status = path.stat()
    data = body(1)[::-1]
    path.unlink()
    path.write_bytes(data)
    path.chmod(0o400)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert states(applied(store, plan)) == {"race_detected": 1}
    assert path.read_bytes() == data


def test_a_plan_that_does_not_know_of_a_claim_is_overruled(store: Store) -> None:
    fill(store, 1)
    plan = plan_of(store)
    prepare(store, 1)
    make_old(store, 1)
    found = replace(plan, decisions=plan_of_unclaimed(store, plan.decisions))
    done = applied(store, found)
    assert reasons(done) == {1: "claimed_since_the_plan"}
    assert len(store.artifacts()) == 1


def plan_of_unclaimed(store: Store, decisions: tuple[Verdict, ...]) -> tuple[Verdict, ...]:
    """The same, with snapshots of what the files are now."""
    made = []
    for one in decisions:
        status = (store.results / one.name).stat()
        assert one.snapshot
        seen = replace(
            one.snapshot,
            ctime_ns=status.st_ctime_ns,
            atime_ns=status.st_atime_ns,
            mtime_ns=status.st_mtime_ns,
        )
        made.append(replace(one, snapshot=seen))
    return tuple(made)


def test_a_claim_that_comes_between_two_deletions_is_seen(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """https://github.com/NixOS/nix/issues/15469"""
    fill(store, 3)
    plan = plan_of(store)
    turn = 0

    def act() -> None:
        nonlocal turn
        turn += 1
        if turn == 2:
            claim_without_a_use(store, 2)
            claim_without_a_use(store, 3)

    before_each(monkeypatch, act)
    done = applied(store, plan)
    assert [one.state for one in done.decisions] == [
        "deleted",
        "retained_referenced",
        "retained_referenced",
    ]
    assert reasons(done)[3] == "claimed_since_the_plan"


def test_what_is_used_between_plan_and_deletion_stays(store: Store) -> None:
    """https://github.com/morluto/leantoken/issues/494"""
    fill(store, 3)
    plan = plan_of(store)
    open_reference(str(store.home), store.session, "1").close()
    with session_of(store) as session:
        assert session.find_same(sha256(body(2)))
    done = applied(store, plan)
    assert [one.state for one in done.decisions] == ["retained_recent"] * 2 + ["deleted"]
    assert reasons(done)[1] == "used_since_the_plan"
    assert states(plan_of(store)) == {"retained_recent": 2}


def test_a_use_after_the_last_look_before_the_rename_puts_it_back(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, 1)
    plan = plan_of(store)
    real = os.rename

    def rename(*arguments: object, **named: object) -> None:
        open_reference(str(store.home), store.session, "1").close()
        real(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "rename", rename)
    done = applied(store, plan)
    assert reasons(done) == {1: "changed_while_deleted"}
    assert (store.results / file_name(1)).read_bytes() == body(1)
    assert os.listdir(store.folder / ".incoming") == []
    assert tombs(store) == ""
    assert set(findings(store)) == {"ok"}
    opened = open_reference(str(store.home), store.session, "1")
    opened.verify()
    opened.close()


def test_the_same_bytes_are_never_found_where_gc_just_took_them(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other order: the rename comes while `find_same` verifies."""
    fill(store, 1)
    real = Artifact.verify

    def verify(artifact: Artifact) -> None:
        real(artifact)
        os.rename(store.results / file_name(1), store.folder / ".incoming" / "tool_result_001")

    monkeypatch.setattr(Artifact, "verify", verify)
    with session_of(store) as session:
        assert session.find_same(sha256(body(1))) is None


def test_a_swap_between_the_last_look_and_the_rename_is_put_back(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, 1)
    plan = plan_of(store)
    real = os.rename
    path = store.results / file_name(1)

    def rename(*arguments: object, **named: object) -> None:
        real(path, store.home / "aside")
        path.write_bytes(b"precious")
        real(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "rename", rename)
    assert states(applied(store, plan)) == {"race_detected": 1}
    assert path.read_bytes() == b"precious"
    assert os.listdir(store.folder / ".incoming") == []


def test_what_cannot_be_put_back_waits_for_a_repair(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, 1)
    plan = plan_of(store)
    real = os.rename
    path = store.results / file_name(1)

    def rename(*arguments: object, **named: object) -> None:
        os.utime(path)
        real(*arguments, **named)  # type: ignore[arg-type]
        path.write_bytes(b"precious")

    monkeypatch.setattr(os, "rename", rename)
    assert reasons(applied(store, plan)) == {1: "changed_and_not_put_back"}
    assert path.read_bytes() == b"precious"
    assert waiting(store, 1).read_bytes() == body(1)


def test_a_leftover_of_that_number_is_never_renamed_over(store: Store) -> None:
    fill(store, 1)
    waiting(store, 1).write_bytes(b"precious")
    done = collect(store)
    assert reasons(done) == {1: "second_file_in_incoming"}
    assert waiting(store, 1).read_bytes() == b"precious"
    assert (store.results / file_name(1)).read_bytes() == body(1)


def test_an_artifact_whose_writer_still_lives_stays(store: Store) -> None:
    """https://github.com/containerd/containerd/issues/8570: created, and not yet leased."""
    fill(store, 1)
    with open(store.results / file_name(1), "rb") as writer:
        fcntl.flock(writer, fcntl.LOCK_EX)
        assert reasons(collect(store, Policy(0))) == {1: "still_open_in_its_writer"}
    assert states(collect(store, Policy(0))) == {"deleted": 1}


def test_what_is_being_written_is_never_a_candidate(store: Store) -> None:
    """https://github.com/containerd/containerd/issues/8570"""
    fill(store, 1)
    with session_of(store) as session:
        incoming = session.begin()
        incoming.write(b"not yet whole\n" * 100)
        assert states(collect(store, Policy(0))) == {"deleted": 1}
        assert incoming.read_at(0, 13) == b"not yet whole"
        incoming.discard()


def test_a_claim_that_loses_the_race_is_refused_and_nothing_is_published(store: Store) -> None:
    record = put(store, body(1))
    collect(store)
    called: list[object] = []
    with session_of(store) as session, pytest.raises(MissingError, match="collected by gc"):
        lease.publish(session, record, called.append, transaction_id="late")
    assert called == []
    with session_of(store) as session, open_journal(session) as journal:
        assert journal.leases == {}


def test_gc_never_ends_a_lease(store: Store) -> None:
    """https://github.com/moby/moby/issues/53321: another client's lease is not ours to end."""
    fill(store, 3)
    prepare(store, 1, "a")
    commit(store, 2, "b", until="2020-01-01T00:00:00Z")
    for number in (1, 2):
        make_old(store, number)
    journal = (store.folder / "retention-leases.jsonl").read_bytes()
    assert states(collect(store, Policy(0, None))) == {"retained_referenced": 1, "deleted": 2}
    assert (store.folder / "retention-leases.jsonl").read_bytes() == journal


def test_the_plan_and_the_deletions_judge_by_one_look_each(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """https://github.com/gitgitgadget/git/issues/2219: two scans that disagree delete too much.

    What appears between plan and deletion is not in the plan, and is not touched.
    """
    fill(store, 2)
    plan = plan_of(store)
    put(store, body(3))
    listed: list[int] = []
    real = os.listdir

    def listdir(folder: int) -> list[str]:
        listed.append(folder)
        return real(folder)

    monkeypatch.setattr(os, "listdir", listdir)
    with session_of(store) as session:
        listed.clear()
        apply_plan(session, plan, time.time())
        # Only the session's own folder, for a journal that was given up.
        assert set(listed) == {session.folder}
    assert [path.name for path in store.artifacts()] == ["tool_result_003.txt"]


def test_two_artifacts_of_the_same_bytes_keep_their_index(store: Store) -> None:
    put(store, body(1))
    put(store, body(1))
    assert states(collect(store, Policy(3600, max_deletions=1)))["deleted"] == 1
    with session_of(store) as session:
        assert session.find_same(sha256(body(1))) == session.find(2)


def test_what_the_system_refuses_for_one_artifact_is_denied(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, 2)
    real = os.rename

    def rename(name: str, *arguments: object, **named: object) -> None:
        if name == file_name(1):
            raise PermissionError(errno.EPERM, "immutable")
        real(name, *arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "rename", rename)
    done = collect(store)
    assert reasons(done) == {1: "delete_denied", 2: "unreferenced_and_old"}
    assert states(done) == {"denied": 1, "deleted": 1}
    assert os.listdir(store.folder / ".incoming") == []
    # What stays has no tombstone, night after night, so that its loss is told as a loss.
    collect(store)
    assert '"number":1,' not in tombs(store)
    (store.results / file_name(1)).unlink()
    assert list(findings(store)) == ["damaged"]


def test_a_full_disk_at_the_tombstone_deletes_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, 2)

    def append(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(collected, "append", append)
    done = collect(store)
    assert states(done) == {"retained_unknown": 2}
    assert "No space left" in done.problems[0].what
    assert set(findings(store)) == {"ok"}


@pytest.mark.parametrize("step", ["record", "data"])
def test_a_collection_that_was_cut_short_is_finished_or_undone(store: Store, step: str) -> None:
    record = put(store, body(1))
    put(store, body(2))
    with session_of(store) as session:
        collected.append(session, tombstone_of(record))
    path = store.results / file_name(1)
    if step == "record":
        path.unlink()
        assert findings(store).get("damaged") is None
        assert mended(store) == ["tool_result_001.txt: repaired: its removal is finished"]
        assert not (store.results / record_name(1, record.sha256)).exists()
    else:
        path.rename(waiting(store, 1))
        with session_of(store) as session, pytest.raises(MissingError, match="not in its place"):
            open_reference(str(store.home), session.name, str(record.reference))
        mended(store)
        assert path.read_bytes() == body(1)
        assert states(plan_of(store)) == {"retained_recent": 1, "planned_delete": 1}
    assert_nothing_is_wrong(store)
    assert mended(store) == []


def test_the_next_collection_finishes_what_the_last_one_began(store: Store) -> None:
    record = put(store, body(1))
    with session_of(store) as session:
        collected.append(session, tombstone_of(record))
    (store.results / file_name(1)).unlink()
    assert reasons(plan_of(store)) == {1: "removal_is_unfinished"}
    assert plan_of(store).unclear == []
    assert reasons(collect(store)) == {1: "collection_finished"}
    assert os.listdir(store.results) == []
    assert names(store)


def test_numbers_are_never_used_again(store: Store) -> None:
    for _ in range(2):
        fill(store, 3)
        collect(store, Policy(0))
        (store.folder / ".sequence").unlink()
    with session_of(store) as session:
        assert keep(session, body(9)).number == 7
        (store.folder / ".sequence").write_bytes(b"%018d\n" % 2)
        assert keep(session, body(10)).number == 8
    assert states(collect(store, HOUR)) == {"retained_recent": 2}


def test_a_rename_that_fails_and_took_place_costs_no_byte(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, 1)
    plan = plan_of(store)
    real = os.rename

    def rename(*arguments: object, **named: object) -> None:
        real(*arguments, **named)  # type: ignore[arg-type]
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "rename", rename)
    done = applied(store, plan)
    assert done.problems
    assert waiting(store, 1).read_bytes() == body(1)
    monkeypatch.undo()
    mended(store)
    assert (store.results / file_name(1)).read_bytes() == body(1)


def test_what_cannot_be_unlinked_has_its_name_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, 2)
    plan = plan_of(store)
    real = os.unlink
    refused: list[str] = []

    def unlink(name: str, **named: object) -> None:
        if name == "tool_result_001" and not refused:
            refused.append(name)
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        real(name, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "unlink", unlink)
    done = applied(store, plan)
    assert states(done) == {"retained_unknown": 1, "deleted": 1}
    assert [one.reason for one in done.unclear] == ["cannot_be_deleted"]
    assert [path.read_bytes() for path in store.artifacts()] == [body(1)]
    assert os.listdir(store.folder / ".incoming") == []


@pytest.mark.parametrize("code", ["EIO", "ESTALE", "EACCES", "ETIMEDOUT"])
@pytest.mark.parametrize("call", ["open", "digest", "rename"])
def test_one_that_fails_holds_up_none_of_the_others(
    store: Store, monkeypatch: pytest.MonkeyPatch, call: str, code: str
) -> None:
    fill(store, 3)
    plan = plan_of(store)
    error = OSError(getattr(errno, code), os.strerror(getattr(errno, code)))
    place: Any = OpenCandidate if call == "digest" else os
    real = getattr(place, call)

    def fails(first: object, *arguments: object, **named: object) -> object:
        if first == file_name(2) or getattr(first, "_name", "") == file_name(2):
            raise error
        return real(first, *arguments, **named)

    monkeypatch.setattr(place, call, fails)
    done = applied(store, plan)
    monkeypatch.undo()
    assert [one.number for one in done.of("deleted")] == [1, 3]
    assert [one.number for one in done.unclear] == [2]
    assert [path.read_bytes() for path in store.artifacts()] == [body(2)]
    assert_nothing_is_wrong(store)


def test_a_repair_that_was_late_removes_no_other_file_of_that_name(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It opened the empty file that gc reserved, and gc renamed the artifact over it."""
    fill(store, 1)
    waiting(store, 1).touch()
    real = durable.try_lock

    def try_lock(descriptor: int) -> bool:
        if (store.results / file_name(1)).exists():
            (store.results / file_name(1)).rename(waiting(store, 1))
        return real(descriptor)

    monkeypatch.setattr(repair, "try_lock", try_lock)
    mended(store)
    monkeypatch.undo()
    assert waiting(store, 1).read_bytes() == body(1)
