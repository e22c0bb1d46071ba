"""What is planned, and why the rest stays: one decision on every name, none of it deleted yet."""

import json
import os
import shutil
import time
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from stubcli.reference import file_name, record_name
from stubcli.retention.gc.decide import limit
from stubcli.retention.gc.model import (
    DAY,
    DENIED,
    PLANNED_DELETE,
    RETAINED_LIMIT,
    Policy,
    Verdict,
)
from stubcli.retention.leases import lease
from tests.conftest import Store
from tests.helpers import names, root_only, session_of
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
    reasons,
    states,
    waiting,
)

AGES = 10 * DAY
PAST = "2020-01-01T00:00:00+00:00"


def soon(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime(time.time() + seconds))


def test_what_is_claimed_stays_and_what_is_not_goes(store: Store) -> None:
    fill(store, 2)
    with session_of(store) as session:
        lease.prepare(session, session.find(1), transaction_id="m", count=2)
        lease.commit(session, "m")
    plan = plan_of(store)
    assert states(plan) == {"retained_referenced": 1, "planned_delete": 1}
    assert plan.decisions[0].references == 2
    assert str(store.home) not in json.dumps([asdict(one) for one in plan.decisions])
    done = applied(store, plan)
    assert states(done) == {"retained_referenced": 1, "deleted": 1}
    assert [path.name for path in store.artifacts()] == ["tool_result_001.txt"]


def test_a_plan_changes_nothing_and_takes_the_oldest_first(store: Store) -> None:
    fill(store, 2)
    put(store, body(3), age=30)
    before = names(store)
    plan = plan_of(store, Policy(older_than=60, max_deletions=1))
    assert [one.state for one in plan.decisions] == [
        "planned_delete",
        "retained_limit",
        "retained_recent",
    ]
    assert set(names(store)) - set(before) <= {"retention-leases.jsonl.lock"}


def test_an_expired_claim_lets_go_and_a_claim_on_nothing_is_told(store: Store) -> None:
    fill(store, 2)
    commit(store, 1, until=soon(1))
    commit(store, 2, "memory-2")
    make_old(store, 1)
    for path in store.results.glob("tool_result_002.*"):
        path.unlink()
    plan = plan_of(store, now=time.time() + 3)
    assert states(plan) == {"planned_delete": 1, "missing_referenced": 1}
    assert [one.number for one in plan.unclear] == [2]
    assert plan.decisions[0].reason == "expired_claim_and_old"
    assert states(applied(store, plan, time.time() + 3)) == {"deleted": 1, "missing_referenced": 1}


def test_a_corrupt_candidate_is_kept_and_the_others_go(store: Store) -> None:
    fill(store, 3)
    spoil(store.results / file_name(2), b"X" * len(body(2)))
    make_old(store, 2)
    done = collect(store)
    assert states(done) == {"retained_corrupt": 1, "deleted": 2}
    assert [one.reason for one in done.unclear] == ["not_what_was_recorded"]
    assert not done.problems
    assert [path.name for path in store.artifacts()] == [file_name(2)]


def test_hardened_what_is_claimed_stays_unread_even_where_it_was_tampered_with(
    store: Store,
) -> None:
    """Reading is for what would go; `check` reads the rest."""
    put(store, body(1))
    commit(store, 1)
    spoil(store.results / file_name(1), b"X" * len(body(1)))
    make_old(store, 1)
    assert states(collect(store)) == {"retained_referenced": 1}
    assert len(store.artifacts()) == 1


def test_what_its_claim_says_otherwise_of_is_kept_with_the_bytes_that_are_claimed(
    store: Store,
) -> None:
    fill(store, 2)
    commit(store, 1)
    old = next(store.results.glob("tool_result_001.*.json"))
    (store.results / file_name(1)).unlink()
    old.unlink()
    shutil.copy(store.results / file_name(2), store.results / file_name(1))
    (store.results / record_name(1, "0" * 16)).write_bytes(b"{}")
    make_old(store, 1)
    make_old(store, 2)
    done = collect(store)
    assert states(done) == {"retained_corrupt": 1, "deleted": 1}
    assert reasons(done)[1] == "claim_names_other_bytes"
    assert [one.number for one in done.unclear] == [1]


def test_a_claim_of_another_session_blocks_all(store: Store) -> None:
    put(store, body(1))
    other = replace(store, session="other")
    put(other, body(2))
    commit(other, 1)
    for path in other.folder.glob("retention-leases*"):
        shutil.copy(path, store.folder / path.name)
    done = collect(store)
    assert done.problems
    assert states(done) == {"retained_unknown": 1}


@pytest.mark.parametrize("age", [3599, 3600, 3601])
def test_an_age_that_equals_the_limit_is_eligible(store: Store, age: int) -> None:
    put(store, body(1))
    moment = int(time.time()) - 10_000
    os.utime(store.results / file_name(1), (moment, moment))
    expected = "planned_delete" if age >= 3600 else "retained_recent"
    assert states(plan_of(store, now=float(moment + age))) == {expected: 1}


def test_the_age_counts_from_the_last_use_and_is_never_negative(store: Store) -> None:
    put(store, body(1))
    now = time.time()
    os.utime(store.results / file_name(1), (now + 30, now - AGES))
    plan = plan_of(store, now=now)
    assert states(plan) == {"retained_recent": 1}
    assert plan.decisions[0].age == 0


def test_nine_hundred_and_ninety_nine_goes_before_one_thousand(store: Store) -> None:
    put(store, body(1))
    (store.folder / ".sequence").write_bytes(b"%018d\n" % 998)
    put(store, body(999))
    put(store, body(1000))
    plan = plan_of(store, Policy(3600, max_deletions=2))
    assert [one.number for one in plan.of("planned_delete")] == [1, 999]
    assert [one.number for one in plan.of("retained_limit")] == [1000]


def test_keep_bytes_only_reduces_what_may_go(store: Store) -> None:
    sizes = [len(body(number)) for number in range(1, 5)]
    fill(store, 4)
    make_old(store, 3, age=10)
    plan = plan_of(store, Policy(3600, keep_bytes=sum(sizes) - 1))
    assert [one.number for one in plan.of("planned_delete")] == [1]
    assert [one.reason for one in plan.of("retained_limit")] == ["session_fits"] * 2
    assert plan.over == 0
    plan = plan_of(store, Policy(3600, keep_bytes=10))
    assert [one.number for one in plan.of("planned_delete")] == [1, 2, 4]
    assert plan.over == sizes[2] - 10
    assert states(plan_of(store, Policy(3600, keep_bytes=10**9))) == {
        "retained_limit": 3,
        "retained_recent": 1,
    }


def test_no_deletion_is_allowed_where_none_is_asked_for(store: Store) -> None:
    fill(store, 1)
    assert states(collect(store, Policy(0, max_deletions=0))) == {"retained_limit": 1}
    assert states(collect(store, Policy(0, max_deletions=None))) == {"deleted": 1}


def test_planted_names_are_refused_and_their_targets_untouched(store: Store) -> None:
    fill(store, 1)
    target = store.home / "mine.txt"
    target.write_bytes(b"mine")
    (store.results / file_name(11)).symlink_to(target)
    (store.results / file_name(12)).mkdir()
    os.mkfifo(store.results / file_name(13))
    (store.results / "notes.txt").write_bytes(b"")
    (store.results / "tool_result_1.txt").write_bytes(b"")
    done = collect(store, Policy(0))
    assert reasons(done) | {None: ""} == {
        1: "unreferenced_and_old",
        11: "symbolic_link",
        12: "not_a_regular_file",
        13: "not_a_regular_file",
        None: "",
    }
    assert states(done) == {"deleted": 1, "denied": 1, "retained_unknown": 4}
    assert [one.number for one in done.unclear] == [11, 12, 13]
    assert target.read_bytes() == b"mine"


def test_an_artifact_with_a_second_name_elsewhere_is_denied(store: Store) -> None:
    fill(store, 2)
    os.link(store.results / file_name(1), store.home / "backup")
    done = collect(store)
    assert states(done) == {"denied": 1, "deleted": 1}
    assert reasons(done)[1] == "second_name"
    assert [one.number for one in done.unclear] == [1]
    assert (store.home / "backup").read_bytes() == body(1)


@root_only
def test_an_artifact_of_another_user_is_denied(store: Store) -> None:
    fill(store, 1)
    os.chown(store.results / file_name(1), 1234, 1234)
    assert reasons(plan_of(store)) == {1: "of_another_user"}


def test_data_that_replaced_an_artifact_by_a_link_is_damage(store: Store) -> None:
    fill(store, 2)
    (store.results / file_name(1)).unlink()
    (store.results / file_name(1)).symlink_to("/etc/passwd")
    done = collect(store)
    assert [one.number for one in done.unclear] == [1]
    assert states(done) == {"denied": 1, "deleted": 1}


@pytest.mark.parametrize("lost", ["data", "record"])
def test_a_companion_is_never_swept_as_an_orphan(store: Store, lost: str) -> None:
    """https://github.com/eclipse-jgit/jgit/issues/246"""
    fill(store, 2)
    pattern = "tool_result_001.txt" if lost == "data" else "tool_result_001.*.json"
    next(store.results.glob(pattern)).unlink()
    (left,) = store.results.glob("tool_result_001.*")
    before = left.read_bytes()
    done = collect(store, Policy(0))
    assert states(done) == {"retained_unknown": 1, "deleted": 1}
    assert [one.number for one in done.unclear] == [1]
    assert (os.listdir(store.results), left.read_bytes()) == ([left.name], before)


def test_the_last_readable_copy_of_claimed_bytes_is_kept(store: Store) -> None:
    """The claimed artifact was damaged, so the same bytes were kept anew: nothing claims those."""
    put(store, body(1))
    commit(store, 1)
    spoil(store.results / file_name(1), b"")
    put(store, body(1))
    done = collect(store, Policy(0))
    assert reasons(done) == {1: "active_claim", 2: "same_bytes_as_a_claim"}


def test_what_a_lost_journal_may_have_protected_waits_as_long_as_anything_new(
    store: Store,
) -> None:
    fill(store, 1)
    (store.folder / "retention-leases.jsonl.lost-1").write_bytes(b"")
    put(store, body(2), age=-1)
    now = time.time()
    plan = plan_of(store, HOUR, now + 1800)
    assert reasons(plan) == {1: "lost_journal", 2: "too_recent"}
    assert states(plan_of(store, HOUR, now + 3700)) == {"planned_delete": 2}


def test_a_prepared_claim_protects_after_its_time_and_names_its_transaction(store: Store) -> None:
    put(store, body(1))
    prepare(store, 1, until=PAST)
    make_old(store, 1)
    plan = plan_of(store)
    assert [(one.state, one.reason) for one in plan.decisions] == [
        ("retained_referenced", "pending_claim")
    ]
    assert plan.decisions[0].transactions == ("memory-1",)


def spoil(path: Path, data: bytes) -> None:
    path.chmod(0o600)
    path.write_bytes(data)
    path.chmod(0o400)


def test_a_publication_that_was_cut_short_waits_for_a_repair(store: Store) -> None:
    fill(store, 1)
    os.link(store.results / file_name(1), waiting(store, 1))
    done = collect(store)
    assert (states(done), reasons(done)[1]) == ({"retained_unknown": 1}, "is_moved_or_left_over")


def test_what_turns_out_to_stay_takes_nobodys_place() -> None:
    # A hundred that cannot be read would else use up every night's deletions.
    planned = [
        Verdict(number, file_name(number), PLANNED_DELETE, "old", size=10) for number in (1, 2, 3)
    ]

    def look(one: Verdict) -> Verdict:
        return replace(one, state=DENIED) if one.number == 1 else one

    one_only = list(limit(planned, Policy(max_deletions=1), 30, None, look))
    assert [one.state for one in one_only] == [DENIED, PLANNED_DELETE, RETAINED_LIMIT]
    until_it_fits = list(limit(planned, Policy(keep_bytes=20), 30, None, look))
    assert [one.state for one in until_it_fits] == [DENIED, PLANNED_DELETE, RETAINED_LIMIT]
