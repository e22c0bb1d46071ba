"""Another process prepares, reads, writes or collects while gc deletes: stopped at every step.

The other process runs to its end at each call of the collection in turn: before it, so that every
order of the two is met. Where the journal's lock makes it wait, it goes on when gc has ended.
"""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from stubcli.errors import IntegrityError, MissingError
from stubcli.reference import file_name
from stubcli.retention.gc.model import Policy
from stubcli.retention.leases.journal import open_journal
from stubcli.store.resolve import open_reference
from tests.conftest import Store
from tests.helpers import (
    Calls,
    assert_nothing_is_wrong,
    code_of,
    disturbed,
    findings,
    fork,
    keep,
    mended,
    session_of,
    sha256,
    wait_until,
)
from tests.retention.gc.made import (
    applied,
    body,
    claim_without_a_use,
    collect,
    count_calls,
    fill,
    make_old,
    plan_of,
    prepare,
    put,
    states,
    tombs,
)

ALL = Policy(3600, None)
DONE, REFUSED = 10, 11


def other_at(number: int, act: Callable[[], int]) -> tuple[Callable[[], None], Callable[[], int]]:
    """(for the collection: start another process at its call of that number and give it time, the
    other one's answer once both have ended)."""
    reader, writer = os.pipe()
    before = descriptors()
    waiting: list[int] = []

    def start(count: int, _name: str) -> None:
        if count != number:
            return
        pid = fork()
        if pid == 0:
            for descriptor in descriptors() - before:  # gc's own lock is in them
                CLOSE(descriptor)
            status = in_child_again(act)
            WRITE(writer, bytes([status]))
            os._exit(0)
        deadline = time.monotonic() + 0.05
        while time.monotonic() < deadline:
            if ended(pid):
                return
            time.sleep(0.001)
        waiting.append(pid)

    def answer() -> int:
        os.close(writer)
        found = os.read(reader, 1)
        os.close(reader)
        for pid in waiting:
            os.waitpid(pid, 0)
        return found[0] if found else 0

    return Calls(start).install, answer


WRITE, CLOSE, LIST = os.write, os.close, os.listdir


def descriptors() -> set[int]:
    """Those that are open."""
    found = set(map(int, LIST("/dev/fd")))
    return {one for one in found if os.path.exists(f"/dev/fd/{one}")}


def ended(pid: int) -> bool:
    return os.waitpid(pid, os.WNOHANG)[0] == pid


def in_child_again(act: Callable[[], int]) -> int:
    try:
        return act()
    except BaseException:
        return 99


def prepared(store: Store) -> int:
    try:
        prepare(store, 1)
    except MissingError:
        return REFUSED
    return DONE


def same(store: Store) -> int:
    """What the filter does with bytes that are kept already: that reference, or a new artifact."""
    with session_of(store) as session:
        found = session.find_same(sha256(body(1)))
        return DONE if found else REFUSED


def read(store: Store) -> int:
    try:
        with open_reference(str(store.home), store.session, f"artifact:test:{file_name(1)}") as one:
            one.verify()
            return DONE if one.read_at(0, one.size) == body(1) else 98
    except (MissingError, IntegrityError) as error:
        return REFUSED if isinstance(error, MissingError) else 97


def collected_too(store: Store) -> int:
    return REFUSED if collect(store, ALL).problems else DONE


def mended_too(store: Store) -> int:
    mended(store)
    return DONE


def written(store: Store) -> int:
    with session_of(store) as session:
        return keep(session, b"another\n" * 99).number


@pytest.mark.parametrize("act", [prepared, same, read, collected_too, mended_too, written])
def test_another_process_at_any_moment_of_a_collection(
    store: Store, ram: Path, act: Callable[[Store], int]
) -> None:
    """https://github.com/morluto/leantoken/issues/494, https://github.com/NixOS/nix/issues/141"""
    first = Store(ram / "first")
    fill(first, 2)
    calls = count_calls(lambda: applied(first, plan_of(first, ALL)))
    wrong, answers = [], set()
    for number in range(1, len(calls) + 1):
        store = Store(ram / f"store{number}")
        fill(store, 2)
        install, answer = other_at(number, lambda store=store: act(store))  # type: ignore[misc]
        with disturbed(install):
            collect(store, ALL)
        found = answer()
        answers.add(found)
        try:
            assert_both_told_the_truth(store, act, found)
        except AssertionError as failure:
            wrong.append(f"call {number} ({calls[number - 1]}): {str(failure)[:300]}")
    assert wrong == []
    if act in (prepared, same):
        assert answers == {DONE, REFUSED}, "both orders are met"


def assert_both_told_the_truth(store: Store, act: Callable[[Store], int], found: int) -> None:
    path = store.results / file_name(1)
    if act is written:
        assert found == 3
        assert (store.results / file_name(3)).read_bytes() == b"another\n" * 99
    else:
        assert found in (DONE, REFUSED)
    if act is prepared and found == DONE:
        assert path.read_bytes() == body(1)
        with session_of(store) as session, open_journal(session) as journal:
            assert journal.leases["memory-1"].phase == "prepared"
    if act is same and found == DONE:
        assert path.read_bytes() == body(1), "a reference was given to what is gone"
    for number in (1, 2):
        assert (store.results / file_name(number)).exists() or f'"number":{number},' in tombs(store)
    mended(store)
    assert_nothing_is_wrong(store)
    assert set(findings(store)) <= {"ok"}
    for number in (1, 2):
        if (store.results / file_name(number)).exists():
            make_old(store, number)
    again = collect(store, ALL)
    assert again.problems == ()
    assert set(states(again)) <= {"deleted", "retained_referenced", "retained_recent"}
    assert put(store, body(8)).number > 2


def test_two_collections_at_once_delete_each_artifact_once(store: Store) -> None:
    fill(store, 12)
    pids = []
    for _ in range(3):
        pid = fork()
        if pid == 0:
            done = collect(store, ALL)
            fine = not done.problems and set(states(done)) <= {
                "deleted",
                "already_missing",
                "retained_unknown",
                "race_detected",
            }
            os._exit(0 if fine else 1)
        pids.append(pid)
    assert [code_of(os.waitpid(pid, 0)[1]) for pid in pids] == [0, 0, 0]
    assert store.artifacts() == []
    assert tombs(store).count("\n") == 12
    assert os.listdir(store.folder / ".incoming") == []
    assert set(findings(store)) <= {"ok"}


def test_a_holder_of_the_lock_that_is_stopped_stays_its_holder(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """https://github.com/restic/restic/issues/3984: no lock is ever judged to be stale."""
    fill(store, 1)
    monkeypatch.setattr("stubcli.store.posix.lockedfiles.PATIENCE", 0.3)
    ready, tell = os.pipe()
    pid = fork()
    if pid == 0:
        with session_of(store) as session, open_journal(session):
            os.write(tell, b".")
            time.sleep(60)
        os._exit(0)
    try:
        assert os.read(ready, 1) == b"."
        os.kill(pid, signal.SIGSTOP)
        done = collect(store, ALL)
        assert states(done) == {"retained_unknown": 1}
        assert "another process holds the leases" in done.problems[0].what
        assert len(store.artifacts()) == 1
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(ready)
        os.close(tell)
    wait_until(lambda: states(collect(store, ALL)) == {"deleted": 1})


def test_a_collection_that_is_stopped_for_long_looks_again_when_it_goes_on(store: Store) -> None:
    """https://github.com/kopia/kopia/issues/1402: a client slept for hours, then went on."""
    fill(store, 1)
    plan = plan_of(store, ALL)
    ready, tell = os.pipe()
    pid = fork()
    if pid == 0:
        os.write(tell, b".")
        os.kill(os.getpid(), signal.SIGSTOP)
        done = applied(store, plan)
        os._exit(0 if states(done) == {"retained_referenced": 1} else 1)
    assert os.read(ready, 1) == b"."
    os.waitpid(pid, os.WUNTRACED)
    claim_without_a_use(store, 1)
    os.kill(pid, signal.SIGCONT)
    assert code_of(os.waitpid(pid, 0)[1]) == 0
    assert len(store.artifacts()) == 1
    os.close(ready)
    os.close(tell)
