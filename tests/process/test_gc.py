"""`stub gc` as a user, a script and cron meet it: what it prints, what it deletes, its status."""

import errno
import json
import os
import shlex
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from stubcli.cli.command import Raw, read
from stubcli.cli.commands import gc as verb
from stubcli.reference import file_name
from stubcli.retention.gc import planfile, sweep
from stubcli.retention.gc.apply import apply_plan
from stubcli.retention.gc.model import Plan
from stubcli.store.posix.session import PosixSession
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


@pytest.mark.parametrize("harm", ["an artifact is gone", "the leases are damaged"])
def test_a_plan_says_why_nothing_may_be_deleted(store: Store, tmp_path: Path, harm: str) -> None:
    for number in (1, 2):
        put(store, number)
    store.stub("pin", "2")
    if harm == "an artifact is gone":
        (store.results / file_name(1)).unlink()
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
    document = json.loads(gc(store, "--all-sessions", "--json").out)
    assert document["sessions"][0]["problems"][0]["next"] == f"see: stub {advice}"
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


@pytest.mark.parametrize("data", [b"other bytes\n", None])
def test_beside_damage_gc_goes_on_once_it_was_moved_away_as_check_says(
    store: Store, tmp_path: Path, data: bytes | None
) -> None:
    fill(store, 3)
    spoiled = store.results / file_name(2)
    spoiled.unlink()
    if data is not None:
        spoiled.write_bytes(data)
    assert gc(store, "--apply", "--quiet", "--older-than", "0").status == 6
    told = forked(store, b"", "check", "--repair")
    assert told.status == 4
    assert b"gc deletes nothing beside it: restore it, or move it and its record away" in told.err
    for path in store.results.glob("tool_result_002.*"):
        path.rename(tmp_path / path.name)
    assert gc(store, "--apply", "--quiet", "--older-than", "0") == Ran(0, b"", b"")
    assert store.artifacts() == []
    assert ref_of(forked(store, LARGE).out).split(":")[2] == file_name(4)


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
    assert verb.run(read(verb.COMMAND, {**typed, "apply": True, "quiet": True})) == 0
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("stub: session test: the system refused 1 artifact, of them tool_result_")
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
