"""`stub gc` as a user, a script and cron meet it: what it prints, what it deletes, its status."""

import errno
import json
import os
import shlex
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from stubcli.cli.command import Raw, read
from stubcli.cli.commands import gc as verb
from stubcli.reference import file_name, record_name
from stubcli.retention.gc import planfile, sweep
from stubcli.retention.gc.apply import apply_plan
from stubcli.retention.gc.model import Plan
from stubcli.store.posix.session import PosixSession
from stubcli.store.records import Record
from stubcli.store.surface import Session
from tests.conftest import Store
from tests.helpers import (
    LARGE,
    AnyStore,
    Ran,
    artifact_of,
    assert_kept,
    assert_one_line_of_advice,
    forked,
    names,
    ref_of,
    session_of,
    started,
)
from tests.retention.gc.made import fill

DAYS = 86_400


def put(store: AnyStore, number: int, days: float = 3) -> str:
    """One output that was kept so many days ago: its reference."""
    done = forked(store, b"%d\n" % number + LARGE)
    path = artifact_of(store, done.out)
    moment = time.time() - days * DAYS
    os.utime(path, (moment, moment))
    return ref_of(done.out)


def gc(store: AnyStore, *options: str, **environment: str) -> Ran:
    return forked(store, b"", "gc", *options, environment=environment)


def decided(store: AnyStore, *options: str) -> dict[str, int]:
    document = json.loads(gc(store, "--json", *options).out)
    counts: dict[str, int] = document["sessions"][0]["counts"]
    return counts


def test_a_dry_run_is_the_default_and_says_how_to_go_on(store: Store) -> None:
    put(store, 1)
    put(store, 2, days=0)
    before = names(store)
    done = gc(store)
    assert done.status == 0
    text = done.out.decode()
    assert "planned_delete   unreferenced and old" in text
    assert "would delete 1 " in text
    assert "retained_recent  too recent" in text
    assert "--apply" in done.err.decode()
    assert [name for name in names(store) if not name.endswith(".lock")] == before


def test_what_is_collected_is_told_to_every_kind_of_reference(store: Store) -> None:
    ref = put(store, 1)
    assert gc(store, "--apply").status == 0
    digest = ref.rpartition(":")[2]
    other = {"STUB_SESSION": "other"}
    for typed in (ref, "1", digest[:12], ref.split(":")[2]):
        done = forked(store, b"", "read", typed)
        assert_one_line_of_advice(done, 3)
        assert b"was collected by gc on 2" in done.err, typed
        assert b"unreferenced and old" in done.err
    for typed in (ref, digest[:12]):
        done = forked(store, b"", "read", typed, environment=other)
        assert b"was collected by gc on 2" in done.err
    for command in (["show", "1"], ["search", "5", "1"]):
        done = forked(store, b"", *command)
        assert_one_line_of_advice(done, 3)
        assert b"was collected by gc" in done.err


def test_the_same_output_after_its_collection_is_kept_under_a_new_number(store: Store) -> None:
    put(store, 1)
    gc(store, "--apply")
    (store.folder / ".sequence").unlink()
    done = forked(store, b"1\n" + LARGE)
    assert_kept(store, done.out, b"1\n" + LARGE)
    assert ":tool_result_002.txt:" in ref_of(done.out)


@pytest.mark.parametrize("use", ["read", "show", "filter"])
def test_a_use_makes_it_young_again(store: Store, use: str) -> None:
    put(store, 1)
    assert decided(store) == {"planned_delete": 1}
    if use == "filter":
        assert ":tool_result_001.txt:" in ref_of(forked(store, b"1\n" + LARGE).out)
    else:
        assert forked(store, b"", use, "1").status == 0
    assert decided(store) == {"retained_recent": 1}


def test_a_dry_run_is_no_use(store: Store) -> None:
    put(store, 1)
    before = (store.results / file_name(1)).stat()
    gc(store)
    gc(store, "--plan", str(store.home / "plan"))
    after = (store.results / file_name(1)).stat()
    assert (before.st_atime_ns, before.st_ctime_ns) == (after.st_atime_ns, after.st_ctime_ns)


def test_a_pinned_artifact_stays_until_it_is_unpinned(store: Store) -> None:
    put(store, 1)
    assert forked(store, b"", "pin", "1").status == 0
    os.utime(store.results / file_name(1), (0, 0))
    assert decided(store, "--apply") == {"retained_referenced": 1}
    assert "stub unpin" in gc(store).out.decode()
    assert forked(store, b"", "unpin", "1").status == 0
    os.utime(store.results / file_name(1), (0, 0))
    assert decided(store, "--apply") == {"deleted": 1}


def test_every_session_is_collected_and_an_unsafe_one_is_told_in_one_line(store: Store) -> None:
    other = Store(store.home, "other")
    broken = Store(store.home, "broken")
    for each in (store, other, broken):
        put(each, 1)
    (broken.folder / "retention-leases.jsonl").write_bytes(b"{}\n")
    done = gc(store, "--all-sessions", "--apply", "--older-than", "1d", "--quiet")
    assert_one_line_of_advice(done, 6)
    assert done.out == b""
    assert done.err.startswith(b"stub: session broken: nothing is deleted: ")
    assert [len(each.artifacts()) for each in (store, other, broken)] == [0, 0, 1]


def test_cron_hears_nothing_where_all_is_well(store: Store) -> None:
    put(store, 1, days=8)
    put(store, 2)
    options = ("--all-sessions", "--apply", "--older-than", "7d", "--quiet")
    assert gc(store, *options) == Ran(0, b"", b"")
    assert gc(store, *options) == Ran(0, b"", b"")
    assert [path.name for path in store.artifacts()] == ["tool_result_002.txt"]


def test_a_store_that_is_not_there_is_nothing_to_collect(store: Store) -> None:
    assert gc(store, "--apply", "--quiet") == Ran(0, b"", b"")
    assert gc(store, "--all-sessions", "--apply", "--quiet") == Ran(0, b"", b"")
    assert not store.home.exists()


def test_a_session_that_cannot_be_used_stops_none_of_the_others(store: Store) -> None:
    other = Store(store.home, "other")
    for each in (store, other):
        put(each, 1)
    (other.results / "..").resolve().chmod(0o777)
    done = gc(store, "--all-sessions", "--apply", "--quiet")
    assert_one_line_of_advice(done, 6)
    assert [len(each.artifacts()) for each in (store, other)] == [0, 1]


def test_cron_hears_of_what_a_limit_left_and_catches_up_as_it_is_told(store: Store) -> None:
    for number in range(8):
        put(store, number, days=8)
    options = ("--all-sessions", "--apply", "--older-than", "7d", "--quiet")
    for left in (5, 2):
        done = gc(store, *options, "--max-deletions", "3")
        assert_one_line_of_advice(done, 0)
        assert f"session test: {left} more artifacts may go".encode() in done.err
        assert len(store.artifacts()) == left
    assert gc(store, *options, "--max-deletions", "all") == Ran(0, b"", b"")
    assert store.artifacts() == []


def test_cron_hears_of_a_size_that_cannot_be_kept(store: Store) -> None:
    put(store, 1, days=0)
    done = gc(store, "--apply", "--keep-bytes", "1KiB", "--quiet")
    assert_one_line_of_advice(done, 0)
    assert b"bytes above the 1,024" in done.err


def changed(store: Store) -> None:
    path = store.results / file_name(2)
    path.chmod(0o600)
    path.write_bytes(b"other bytes" + path.read_bytes()[11:])


def linked(store: Store) -> None:
    path = store.results / file_name(2)
    other = store.home / "other"
    other.write_bytes(b"other bytes" + path.read_bytes()[11:])
    path.unlink()
    os.link(other, path)


def without_record(store: Store) -> None:
    next(store.results.glob("tool_result_002.*.json")).unlink()


def without_data(store: Store) -> None:
    (store.results / file_name(2)).unlink()


def a_folder(store: Store) -> None:
    without_data(store)
    (store.results / file_name(2)).mkdir()


def two_records(store: Store) -> None:
    (store.results / record_name(2, "0" * 64)).write_bytes(b"{}")


def left_over_twice(store: Store) -> None:
    (store.folder / ".incoming" / "tool_result_002").write_bytes(b"other bytes")


HARMS = (changed, linked, without_record, without_data, a_folder, two_records, left_over_twice)
NOT_LOST = (without_record, two_records, left_over_twice)


@pytest.mark.parametrize("harm", HARMS)
def test_what_is_unclear_is_told_with_a_status_and_the_others_go(
    store: Store, harm: Callable[[Store], None]
) -> None:
    fill(store, 3)
    harm(store)
    for _ in range(2):
        done = gc(store, "--apply", "--older-than", "0", "--quiet")
        assert_one_line_of_advice(done, 6)
        assert b"session test: tool_result_002.txt is " in done.err
        kept = {path.name.split(".")[0] for path in store.results.iterdir()}
        assert kept == {"tool_result_002"}
    document = json.loads(gc(store, "--json", "--older-than", "0", "--apply").out)
    assert (document["sessions"][0]["unclear"], document["sessions"][0]["due"]) == (1, 0)


@pytest.mark.parametrize("harm", HARMS)
def test_what_is_damaged_is_given_up_by_one_command_and_all_is_well(
    store: Store, harm: Callable[[Store], None]
) -> None:
    fill(store, 3)
    ref = str(record_of(store, 2).reference)
    harm(store)
    before = {path.name: path.read_bytes() for path in entries(store)}
    assert forked(store, b"", "check", "--repair", "--accept-loss").status == 0
    assert forked(store, b"", "check").status == 0
    assert gc(store, "--quiet") == Ran(0, b"", b"")
    if harm not in NOT_LOST:
        for word in (ref, ref.split(":")[3], "2"):
            gone = forked(store, b"", "read", word)
            assert_one_line_of_advice(gone, 3)
            assert b"was damaged, and given up on 20" in gone.err
        assert forked(store, LARGE).status == 0
        assert forked(store, b"", "read", "2").status == 3, "the number is not given again"
    kept = {path.name.split(".lost")[0]: path.read_bytes() for path in entries(store)}
    assert kept.items() >= before.items()
    once = names(store)
    assert forked(store, b"", "check", "--repair", "--accept-loss").status == 0
    assert names(store) == once


def entries(store: Store) -> list[Path]:
    """Every file of artifacts, where they belong and where they were moved."""
    places = (store.results, store.folder / ".incoming", store.folder)
    found = [path for place in places for path in place.glob("tool_result_*")]
    return [path for path in found if path.is_file()]


def record_of(store: Store, number: int) -> Record:
    with session_of(store) as session:
        return session.find(number)


def test_a_claim_on_what_is_given_up_is_told_and_settles(store: Store) -> None:
    fill(store, 3)
    store.stub("pin", "2")
    changed(store)
    assert forked(store, b"", "check", "--repair", "--accept-loss").status == 0
    done = gc(store, "--apply", "--older-than", "0")
    assert done.status == 0
    assert b"claim on what was given up" in done.out
    assert forked(store, b"", "lease", "release", "pin.2.1").status == 0
    assert gc(store, "--apply", "--older-than", "0", "--quiet") == Ran(0, b"", b"")


def test_a_claim_whose_artifact_is_gone_is_told_with_a_status(store: Store) -> None:
    fill(store, 2)
    store.stub("pin", "2")
    for path in store.results.glob("tool_result_002.*"):
        path.unlink()
    done = gc(store, "--apply", "--older-than", "0", "--quiet")
    assert_one_line_of_advice(done, 6)
    assert b"tool_result_002.txt is claimed and missing" in done.err


@pytest.mark.parametrize("log", ["collected.jsonl", "runs.jsonl"])
@pytest.mark.parametrize("how", ["a bad line", "a link", "a folder"])
def test_a_damaged_log_is_given_up_by_the_same_command(store: Store, log: str, how: str) -> None:
    for number in range(3):
        put(store, number, days=8)
    assert gc(store, "--apply", "--older-than", "7d", "--max-deletions", "2").status == 0
    path = store.folder / log
    data = path.read_bytes()
    if how == "a bad line":
        path.write_bytes(data.replace(b'"number":1', b'"number":7').replace(b"run", b"ran", 1))
    else:
        path.unlink()
        path.mkdir() if how == "a folder" else path.symlink_to(store.home / "nowhere")
    assert forked(store, b"", "check", "--repair").status == 4
    done = forked(store, b"", "check", "--repair", "--accept-loss")
    assert done.status == 0, done
    assert forked(store, b"", "check").status == 0
    assert gc(store, "--apply", "--older-than", "7d", "--quiet") == Ran(0, b"", b"")
    assert f"{log}.lost-1" in os.listdir(store.folder)
    assert int(ref_of(forked(store, LARGE).out).split("_")[2][:3]) == 4


def test_the_json_is_complete_and_names_no_path(store: Store) -> None:
    put(store, 1)
    put(store, 2, days=0)
    done = gc(store, "--json")
    document = json.loads(done.out)
    (session,) = document["sessions"]
    assert session["counts"] == {"planned_delete": 1, "retained_recent": 1}
    assert session["problems"] == []
    assert session["bytes"] == sum(path.stat().st_size for path in store.artifacts())
    assert [one["number"] for one in session["decisions"]] == [1, 2]
    assert session["decisions"][0]["age_seconds"] >= 3 * DAYS
    assert str(store.home).encode() not in done.out


def test_a_long_list_is_cut_and_its_totals_are_whole(store: Store) -> None:
    fill(store, 25, age=3 * DAYS)
    text = gc(store).out.decode()
    assert text.count("would delete ") == 20
    assert "and 5 more" in text
    row = next(line for line in text.splitlines() if line.startswith("planned_delete"))
    assert " 25 " in row
    assert len(text) < 10_000


def test_a_limit_of_bytes_that_cannot_be_met_is_told_with_numbers(store: Store) -> None:
    put(store, 1)
    put(store, 2, days=0)
    size = (store.results / file_name(2)).stat().st_size
    done = gc(store, "--apply", "--keep-bytes", "1KiB")
    assert f"stays {size - 1024:,} bytes above the 1,024" in done.err.decode()
    assert len(store.artifacts()) == 1


# https://github.com/anthropics/claude-code/issues/42388
# https://github.com/anomalyco/opencode/issues/29694
def test_a_store_that_grew_too_large_is_brought_back(store: Store) -> None:
    for number in range(6):
        put(store, number, days=10 - number)
    size = sum(path.stat().st_size for path in store.artifacts())
    done = gc(store, "--apply", "--keep-bytes", str(size // 2))
    assert done.status == 0
    left = store.artifacts()
    assert [path.name for path in left] == [file_name(number) for number in (4, 5, 6)]
    assert sum(path.stat().st_size for path in left) <= size // 2
    assert gc(store, "--apply", "--keep-bytes", str(size // 2)).status == 0
    assert len(store.artifacts()) == 3


def test_gc_frees_what_a_capped_output_took(store: Store) -> None:
    """https://github.com/anthropics/claude-code/issues/42388"""
    done = forked(store, LARGE * 4, "--max-bytes", "500kB")
    assert len(artifact_of(store, done.out).read_bytes()) == 500_000
    assert gc(store, "--apply", "--older-than", "0").status == 0
    assert store.artifacts() == []


def test_a_plan_on_paper_is_applied_as_it_stands(store: Store, tmp_path: Path) -> None:
    for number in (1, 2, 3):
        put(store, number)
    plan = tmp_path / "plan.json"
    done = gc(store, "--plan", str(plan), "--max-deletions", "2")
    assert plan.stat().st_mode & 0o777 == 0o600
    assert f"stub gc --apply --plan {plan}" in done.err.decode()
    forked(store, b"", "read", "1")
    done = gc(store, "--apply", "--plan", str(plan), "--json")
    assert [one["state"] for one in json.loads(done.out)["sessions"][0]["decisions"]] == [
        "retained_recent",
        "deleted",
        "retained_limit",
    ]
    again = json.loads(gc(store, "--apply", "--plan", str(plan), "--json").out)
    assert again["sessions"][0]["counts"]["already_missing"] == 1


def test_an_artifact_that_was_replaced_since_the_plan_on_paper_stays(
    store: Store, tmp_path: Path
) -> None:
    put(store, 1)
    plan = tmp_path / "plan.json"
    gc(store, "--plan", str(plan))
    path = store.results / file_name(1)
    data, status = path.read_bytes(), path.stat()
    path.unlink()
    path.write_bytes(data)
    path.chmod(0o400)
    os.utime(path, ns=(status.st_mtime_ns, status.st_mtime_ns))
    done = json.loads(gc(store, "--apply", "--plan", str(plan), "--json").out)
    assert done["sessions"][0]["counts"] == {"race_detected": 1}


@pytest.mark.parametrize("how", ["edited", "of another store", "too old", "of the future"])
def test_a_plan_that_cannot_be_trusted_is_refused(store: Store, tmp_path: Path, how: str) -> None:
    put(store, 1)
    plan = tmp_path / "plan.json"
    gc(store, "--plan", str(plan))
    where = store
    if how == "edited":
        plan.write_text(plan.read_text().replace('"number": 1', '"number": 2'))
    elif how == "of another store":
        where = Store(tmp_path / "elsewhere")
        put(where, 1)
    else:
        document = json.loads(plan.read_text())
        document.pop("plan_sha256")
        document["plans"][0]["made"] += 3600 if how == "of the future" else -2 * DAYS
        document["plan_sha256"] = planfile._digest(document)
        plan.write_text(json.dumps(document))
    assert_one_line_of_advice(gc(where, "--apply", "--plan", str(plan)), 6)
    assert len(store.artifacts()) == 1


@pytest.mark.parametrize("text", [b"", b"{}", b"[1]", b"\xff", b'{"plan_sha256": 1}'])
def test_what_is_no_plan_is_a_mistake_in_usage(store: Store, tmp_path: Path, text: bytes) -> None:
    put(store, 1)
    (tmp_path / "plan").write_bytes(text)
    assert_one_line_of_advice(gc(store, "--apply", "--plan", str(tmp_path / "plan")), 2)
    assert_one_line_of_advice(gc(store, "--apply", "--plan", str(tmp_path / "absent")), 2)


def test_a_plan_never_replaces_a_file(store: Store, tmp_path: Path) -> None:
    put(store, 1)
    mine = tmp_path / "mine"
    mine.write_bytes(b"mine")
    assert_one_line_of_advice(gc(store, "--plan", str(mine)), 2)
    assert mine.read_bytes() == b"mine"


def test_a_plan_of_another_session_is_refused(store: Store, tmp_path: Path) -> None:
    other = Store(store.home, "other")
    put(other, 1)
    put(store, 1)
    plan = str(tmp_path / "plan")
    gc(other, "--plan", plan)
    assert_one_line_of_advice(gc(store, "--apply", "--plan", plan), 2)
    assert gc(store, "--apply", "--plan", plan, "--all-sessions").status == 0
    assert [len(each.artifacts()) for each in (store, other)] == [1, 0]


@pytest.mark.parametrize("harm", ["the tombstones are damaged", "the leases are damaged"])
def test_a_plan_says_why_nothing_may_be_deleted(store: Store, tmp_path: Path, harm: str) -> None:
    for number in (1, 2):
        put(store, number)
    store.stub("pin", "2")
    if harm == "the tombstones are damaged":
        (store.folder / "collected.jsonl").write_bytes(b"{}\n")
    else:
        (store.folder / "retention-leases.jsonl").write_bytes(b"{}")
    done = gc(store, "--plan", str(tmp_path / "plan"))
    assert done.status == 6, done
    (plan,) = json.loads((tmp_path / "plan").read_text())["plans"]
    assert plan["problems"]
    assert all(problem in done.err.decode() for problem in plan["problems"][:1])


@pytest.mark.parametrize(
    "options",
    [
        ["--older-than", "24"],
        ["--older-than", "-1h"],
        ["--older-than", "1.5.h"],
        ["--older-than", "1y"],
        ["--older-than", "h"],
        ["--older-than", "9999999w"],
        ["--older-than", "١h"],
        ["--max-deletions", "-1"],
        ["--max-deletions", "none"],
        ["--keep-bytes", "much"],
        ["--nonsense"],
    ],
)
def test_a_bad_option_is_one_line_and_deletes_nothing(store: Store, options: list[str]) -> None:
    put(store, 1)
    assert_one_line_of_advice(gc(store, "--apply", *options), 2)
    assert len(store.artifacts()) == 1


def test_limits_beside_a_plan_on_paper_are_refused(store: Store, tmp_path: Path) -> None:
    put(store, 1)
    plan = str(tmp_path / "plan")
    gc(store, "--plan", plan)
    done = gc(store, "--apply", "--plan", plan, "--older-than", "0")
    assert_one_line_of_advice(done, 2)


def test_a_network_file_system_is_collected_only_where_that_is_said(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, 1)
    monkeypatch.setattr(PosixSession, "file_system", lambda _session: "nfs4")
    assert gc(store, "--quiet").status == 0
    done = gc(store, "--apply", "--quiet")
    assert_one_line_of_advice(done, 6)
    assert b"nfs4" in done.err
    assert len(store.artifacts()) == 1
    assert gc(store, "--apply", "--network", "--quiet") == Ran(0, b"", b"")
    assert store.artifacts() == []


def test_a_writer_that_runs_is_left_alone(store: Store) -> None:
    """https://github.com/distribution/distribution/issues/3045: collecting while others write."""
    with started(store) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(LARGE)
        while not (store.folder / ".incoming").exists():
            time.sleep(0.01)
        for _ in range(3):
            assert gc(store, "--apply", "--older-than", "0", "--quiet") == Ran(0, b"", b"")
        process.stdin.close()
        out = process.stdout.read()
        assert process.wait() == 0
    assert_kept(store, out, LARGE)


def test_names_from_outside_drive_no_terminal(store: Store) -> None:
    put(store, 1)
    (store.results / "\x1b[2Jtool").write_bytes(b"")
    for options in ([], ["--json"]):
        done = gc(store, *options)
        assert done.status == 0
        assert b"\x1b" not in done.out + done.err


def elsewhere(store: Store, name: str) -> Store:
    return replace(store, session=name)


def test_what_was_written_while_other_sessions_were_read_is_not_of_the_future(
    store: Store, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in ("first", "second"):
        fill(elsewhere(store, name), 2)
    moment = time.time()

    def slowly(session: Session, plan: Plan, now: float, **options: Any) -> Plan:
        nonlocal moment
        done = apply_plan(session, plan, now, **options)
        moment += 3600
        if session.name == "first":
            used = elsewhere(store, "second").results / file_name(2)
            os.utime(used, (moment, moment))
        return done

    monkeypatch.setattr(sweep, "apply_plan", slowly)
    monkeypatch.setattr(verb, "time", SimpleNamespace(time=lambda: moment))
    typed: Raw = {"home": str(store.home), "older_than": "1h", "all_sessions": True}
    status = verb.run(read(verb.COMMAND, typed | {"apply": True, "quiet": True}))
    assert (status, *capfd.readouterr()) == (0, "", "")
    assert [path.name for path in elsewhere(store, "second").artifacts()] == [file_name(2)]


def test_the_advice_on_an_unsafe_session_means_that_session(store: Store) -> None:
    other = elsewhere(store, "other")
    fill(other, 1)
    next(other.results.glob("*.json")).unlink()
    done = gc(store, "--all-sessions", "--apply", "--quiet")
    assert done.status == 6
    advice = done.err.decode().strip().rpartition("; see: stub ")[2]
    assert advice == "check --repair --session other"
    assert forked(store, b"", *advice.split()).status == 0
    assert gc(store, "--all-sessions", "--apply", "--quiet").status == 0


def test_the_advice_in_the_table_repeats_where_it_looked(store: Store) -> None:
    fill(store, 1)
    (store.folder / ".incoming" / "tool_result_001").touch()
    done = gc(store, "--older-than", "0", "--apply", "--all-sessions")
    assert "see: stub check --repair --all-sessions" in done.out.decode()


def test_the_advice_on_a_plan_on_paper_can_be_pasted(store: Store, tmp_path: Path) -> None:
    put(elsewhere(store, "other"), 1)
    paper = tmp_path / "my plan; really.json"
    done = gc(store, "--session", "other", "--plan", str(paper))
    advice = done.err.decode().rpartition("do it with: stub ")[2]
    assert forked(store, b"", *shlex.split(advice)).status == 0
    assert elsewhere(store, "other").artifacts() == []


def test_damage_is_given_up_by_the_command_that_check_and_gc_print(store: Store) -> None:
    fill(store, 3)
    changed(store)
    for call, status in (("check --repair", 4), ("gc --apply --older-than 0 --quiet", 6)):
        told = forked(store, b"", *call.split())
        assert told.status == status
        assert b"restore it, or give it up" in told.err
        advice = told.err.decode().strip().rpartition("stub ")[2]
        assert advice == "check --repair --accept-loss"


def test_cron_hears_of_what_the_system_refuses(
    store: Store, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    fill(store, 2)
    real = os.rename

    def rename(name: str, *arguments: Any, **named: Any) -> None:
        if name == file_name(1):
            raise PermissionError(errno.EPERM, "immutable")
        real(name, *arguments, **named)

    monkeypatch.setattr(os, "rename", rename)
    typed: Raw = {"home": str(store.home), "session": store.session, "older_than": "1h"}
    assert verb.run(read(verb.COMMAND, {**typed, "apply": True, "quiet": True})) == 6
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith(
        "stub: session test: tool_result_001.txt is kept, since deleting it is de"
    )
    assert err.count("\n") == 1
    assert [path.name for path in store.artifacts()] == [file_name(1)]


@pytest.mark.parametrize("plans", [5, [5], [{}], [{"session": "test", "made": "now"}]])
def test_a_paper_that_only_looks_like_a_plan_is_a_mistake_in_usage(
    store: Store, tmp_path: Path, plans: object
) -> None:
    put(store, 1)
    document = {"schema_version": 1, "home": os.path.realpath(store.home), "plans": plans}
    digest = planfile._digest(document)
    paper = tmp_path / "plan.json"
    paper.write_text(json.dumps({**document, "plan_sha256": digest}))
    assert_one_line_of_advice(gc(store, "--apply", "--plan", str(paper)), 2)
    assert len(store.artifacts()) == 1
