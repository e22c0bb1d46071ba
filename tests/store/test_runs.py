"""Content is kept once, and every time that it came is told: by `ls`, by `show`, by `last`."""

import errno
import json
import os
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from stubcli.errors import MissingError
from stubcli.reference import file_number
from stubcli.settings.load import load
from stubcli.settings.table import Settings
from stubcli.spill.in_memory import keep
from stubcli.spill.stream import About
from stubcli.store import open_session
from stubcli.store.records import Origin
from stubcli.text.display import amount
from tests.chance import exploring
from tests.conftest import Store
from tests.helpers import (
    LARGE,
    Calls,
    Ran,
    artifact_of,
    assert_kept,
    assert_nothing_is_wrong,
    calls_of,
    fail_at,
    findings,
    forked,
    is_stub,
    kill_at,
    mended,
    names,
    ref_of,
    session_of,
)
from tests.retention.gc.made import collect, make_old

A, B, C = LARGE[:30_000], LARGE[30_000:60_000], LARGE[60_000:90_000]
RUNS = "runs.jsonl"


def listed(store: Store, *arguments: str) -> list[dict[str, object]]:
    done = forked(store, b"", "ls", "--json", "-n", "1000", *arguments)
    assert done.status == 0, done.err
    rows = json.loads(done.out)["runs"]
    assert isinstance(rows, list)
    return rows


def order(store: Store) -> list[tuple[object, object]]:
    """Number of the content and of the run, the newest first; without what is unfinished."""
    return [(row["number"], row["run"]) for row in listed(store) if "run" in row]


def last(store: Store) -> bytes:
    return forked(store, b"", "read", "last", "--all").out


def came(store: Store, data: bytes, status: int | None = None, **settings: str) -> str:
    """Keep `data` as the output of a command that ended so; what is printed for it."""
    flags = {"home": str(store.home), "session": store.session, **settings}
    origin = Origin("sh", None, None, ("sh", "-c", "work"), "/", status)
    _, stub = keep([data], load(flags), About(origin))
    assert stub
    return stub


def run_of(store: Store, *arguments: str) -> dict[str, object]:
    done = forked(store, b"", "show", *arguments, "--json")
    assert done.status == 0, done.err
    document = json.loads(done.out)
    assert isinstance(document, dict)
    return document


def test_what_came_last_is_last_whatever_came_before(store: Store) -> None:
    printed = [forked(store, data).out for data in (A, B, A)]
    assert ref_of(printed[0]) == ref_of(printed[2])
    assert order(store) == [(1, 3), (2, 2), (1, 1)]
    assert last(store) == A
    assert forked(store, b"", "show", "last").out == printed[2]
    assert len(store.artifacts()) == 2


def test_each_run_tells_how_it_ended(store: Store) -> None:
    failed, done = came(store, A, 3), came(store, A, 0)
    assert "exit: 3" in failed
    assert "exit: 0" in done
    assert forked(store, b"", "show", "last").out.decode() == done
    assert forked(store, b"", "show", "1").out.decode() == done
    for run, status, stub in ((1, 3, failed), (2, 0, done)):
        assert forked(store, b"", "show", "last", "--run", str(run)).out.decode() == stub
        assert run_of(store, "last", "--run", str(run))["origin"]["exit_status"] == status  # type: ignore[index]
    assert [row["exit_status"] for row in listed(store)] == [0, 3]
    assert [row["command"] for row in listed(store)] == ["sh -c work"] * 2
    rows = [line.split() for line in forked(store, b"", "ls").out.decode().splitlines()]
    assert rows[0][6:8] == ["exit", "run"]
    assert [row[6:8] for row in rows[1:]] == [["0", "2"], ["3", "1"]]


def test_what_is_known_of_a_content_comes_with_its_runs(store: Store) -> None:
    for status in (3, 0, 1):
        came(store, A, status)
    known = run_of(store, "last")
    assert (known["run"], known["runs_total"], known["number"]) == (3, 3, 1)
    runs = known["runs"]
    assert isinstance(runs, list)
    assert [(run["run"], run["exit_status"]) for run in runs] == [(3, 1), (2, 0), (1, 3)]
    assert run_of(store, "last", "--run", "2")["run"] == 2


@pytest.mark.parametrize("number", ["2", "7"])
def test_a_run_that_is_not_of_this_content_is_status_3_and_says_which_are(
    store: Store, number: str
) -> None:
    for data in (A, B, A):
        came(store, data)
    done = forked(store, b"", "show", "1", "--run", number)
    assert (done.status, done.out) == (3, b"")
    assert done.err.startswith(b"stub: artifact 1 has no run %s; it has 3, 1; see: stub show "
                               % number.encode())  # fmt: skip
    assert done.err.count(b"\n") == 1


def test_killed_and_then_complete_is_complete(store: Store) -> None:
    def cut_off() -> None:
        from stubcli.descriptors import Input

        Input.cut_off = property(lambda _self: True)  # type: ignore[assignment]

    forked(store, A, prepare=cut_off)
    assert b"interrupted" in forked(store, b"", "read", "last").err
    forked(store, A)
    assert b"interrupted" not in forked(store, b"", "read", "last").err
    assert json.loads(forked(store, b"", "read", "1", "--json").out)["state"] == "complete"
    assert [row["state"] for row in listed(store)] == ["complete", "interrupted"]
    assert len(store.artifacts()) == 1


def test_what_was_cut_at_max_bytes_and_then_came_whole_is_complete(store: Store) -> None:
    stub = forked(store, A + B, STUB_MAX_BYTES=str(len(A))).out
    assert b"30,000 more bytes were not kept" in stub
    assert b"capped: 30,000 more bytes" in forked(store, b"", "read", "last").err
    assert ref_of(forked(store, A).out) == ref_of(stub)
    assert [row["state"] for row in listed(store)] == ["complete", "capped"]
    assert [run_of(store, "1", "--run", run)["dropped"] for run in "12"] == [len(B), 0]
    assert b"capped" not in forked(store, b"", "read", "last").err


def test_what_is_cut_at_max_bytes_is_not_taken_for_what_begins_alike(store: Store) -> None:
    whole = came(store, A)
    cut = forked(store, A + B, STUB_MAX_BYTES=str(len(A))).out
    assert ref_of(cut) != ref_of(whole.encode())
    assert order(store) == [(2, 2), (1, 1)]


def test_of_two_that_overlap_that_which_ends_last_is_last(store: Store) -> None:
    flags = load({"home": str(store.home), "session": store.session})
    with session_of(store) as session:
        began = session.begin()
        keep([B], flags, About(Origin()))
        record = session.find(2)
        assert session.newest() == 2
        from stubcli.store.measure import Meter

        meter = Meter()
        meter.feed(A)
        began.write(A)
        began.publish(meter.finish().record(session.name, 1, record.run.__class__(
            1, "complete", "single_threshold", "", "")))  # fmt: skip
        began.close()
        assert session.newest() == 1
    assert last(store) == A
    assert order(store) == [(1, 1), (2, 2)]


def test_an_output_that_passes_is_no_run(store: Store) -> None:
    forked(store, b"small")
    assert not store.home.exists()
    forked(store, A)
    forked(store, b"small")
    assert order(store) == [(1, 1)]


def test_a_text_that_was_printed_before_is_not_written_again(store: Store) -> None:
    printed = [came(store, A, status) for status in (0, 0, 3, 0, 3, 3)]
    log = (store.folder / RUNS).read_text()
    assert log.count("stub end") == 1  # the 3; the 0 stands in the record
    for run, stub in enumerate(printed, 1):
        assert forked(store, b"", "show", "1", "--run", str(run)).out.decode() == stub


def test_an_unreadable_run_hides_none_of_the_others(store: Store) -> None:
    for data, status in ((A, 1), (B, 2), (A, 3), (C, 4), (B, 5)):
        came(store, data, status)
    log = store.folder / RUNS
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join([*lines[:2], lines[2].replace(b"complete", b"complote"), *lines[3:]]))
    rows = listed(store)
    assert [(row["number"], row["run"]) for row in rows] == [(2, 5), (4, 4), (1, 3), (2, 2), (1, 1)]
    assert [row["state"] for row in rows] == ["complete", "complete", "damaged", *["complete"] * 2]
    assert [row.get("exit_status") for row in rows] == [5, 4, None, 2, 1]
    assert "damaged" in forked(store, b"", "ls").out.decode()
    assert json.loads(forked(store, b"", "stats", "--json").out)["runs"] == 4


def test_a_damaged_record_hides_no_run_of_the_others(store: Store) -> None:
    for data in (A, B, A):
        came(store, data)
    (record,) = store.results.glob("tool_result_001.*.json")
    record.chmod(0o600)
    record.write_bytes(record.read_bytes().replace(b'"lines"', b'"linez"'))
    assert [row["state"] for row in listed(store)] == ["damaged", "complete", "damaged"]


def test_the_sums_count_each_content_once_and_each_run(store: Store) -> None:
    stubs = [came(store, data) for data in (A, B, A)]
    sums = json.loads(forked(store, b"", "stats", "--json").out)
    assert (sums["artifacts"], sums["runs"], sums["bytes_kept"]) == (2, 3, len(A) + len(B))
    assert sums["characters_printed"] == sum(map(len, stubs))
    assert sums["characters_saved"] == 2 * len(A) + len(B) - sum(map(len, stubs))


@pytest.mark.parametrize("what", ["the log", "the hint", "the index", "all of them"])
def test_without_what_was_not_copied_along_everything_is_found(store: Store, what: str) -> None:
    for data in (A, B, C):
        came(store, data)
    for name, path in (("the log", RUNS), ("the hint", ".sequence"), ("the index", ".index")):
        if what in (name, "all of them"):
            place = store.folder / path
            shutil.rmtree(place) if place.is_dir() else place.unlink()
    assert last(store) == C
    assert [number for number, _ in order(store)] == [3, 2, 1]
    assert forked(store, b"", "check").status == 0
    came(store, LARGE)
    assert last(store) == LARGE
    assert [number for number, _ in order(store)] == [4, 3, 2, 1]


def test_a_first_run_without_a_line_stands_where_it_began(store: Store) -> None:
    for data in (A, B, C, A):
        came(store, data)
    log = store.folder / RUNS
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(lines[0] + lines[2] + lines[3])
    assert order(store) == [(1, 4), (3, 3), (2, 2), (1, 1)]
    log.write_bytes(lines[0])
    assert order(store) == [(3, 3), (2, 2), (1, 1)]
    assert last(store) == C


def test_a_number_of_a_run_is_not_used_again_where_the_hint_is_lost(store: Store) -> None:
    for data in (A, A, A):
        came(store, data)
    (store.folder / ".sequence").unlink()
    came(store, B)
    assert order(store)[0] == (4, 4)
    for number in (1, 4):
        make_old(store, number)
    came(store, B)
    make_old(store, 4)
    assert len(collect(store).of("deleted")) == 2
    assert (store.folder / RUNS).read_bytes() == b""
    assert listed(store) == []
    (store.folder / ".sequence").unlink()
    came(store, C)
    assert order(store) == [(6, 6)]


def test_what_is_collected_takes_its_runs_along_and_no_others(store: Store) -> None:
    for data, status in ((A, 0), (B, 0), (A, 3), (B, 3)):
        came(store, data, status)
    make_old(store, 1)
    assert collect(store).of("deleted")
    assert order(store) == [(2, 4), (2, 2)]
    assert "exit: 3" in forked(store, b"", "show", "last").out.decode()
    assert set(findings(store)) == {"ok"}
    assert mended(store) == []


def test_runs_of_what_is_gone_are_passed_over_until_they_are_dropped(store: Store) -> None:
    """Collected, and killed before its runs were dropped."""
    for data in (A, B, A):
        came(store, data)
    before = (store.folder / RUNS).read_bytes()
    make_old(store, 1)
    collect(store)
    (store.folder / RUNS).write_bytes(before)
    assert order(store) == [(2, 2)]
    assert last(store) == B
    assert set(findings(store)) == {"ok"}
    mended(store)
    assert len((store.folder / RUNS).read_bytes().splitlines()) == 1


def settings_of(store: Store) -> Settings:
    return load({"home": str(store.home), "session": store.session})


def test_a_run_of_a_content_that_was_just_collected_is_not_noted(store: Store) -> None:
    came(store, A)
    make_old(store, 1)
    with session_of(store) as session:
        record = session.find(1)
        collect(store)
        assert session.find_same(record.sha256) is None
        with pytest.raises(MissingError, match="collected by gc"):
            session.find(1)
    came(store, A)
    assert order(store) == [(2, 2)]


# --- What a crash, a full disk or a power cut leaves is told by the tests below.


def synced(store: Store, data: bytes) -> Counter[str]:
    return Counter(name for name in calls_of(store, data) if name in ("fsync", "fdatasync"))


def test_a_new_content_costs_no_sync_for_its_run_and_a_further_run_one(store: Store) -> None:
    came(store, LARGE)
    # The data, the record, and the folder that has their names.
    assert synced(store, A) == {"fsync": 3}
    for _ in range(2):
        assert synced(store, A) == {"fdatasync": 1}


# Of the calls of a process, every second one; the proof has all of them.
EACH = 1 if exploring() else 2


def copies(store: Store, tmp_path: Path, count: int) -> list[Store]:
    made = []
    for number in range(count):
        home = tmp_path / f"copy{number}"
        shutil.copytree(store.home, home, symlinks=True)
        made.append(Store(home))
    return made


def assert_in_order(store: Store) -> None:
    mended(store)
    assert_nothing_is_wrong(store)
    assert set(findings(store)) <= {"ok"}
    once = names(store)
    assert mended(store) == []
    assert names(store) == once
    assert [path.read_bytes() for path in store.artifacts()] == [A, B]


def test_killed_at_any_call_a_further_run_is_there_or_is_not(store: Store, tmp_path: Path) -> None:
    for data in (A, B):
        came(store, data)
    calls = calls_of(copies(store, tmp_path, 1)[0], A)
    assert "fdatasync" in calls
    wrong = []
    numbers = range(1, len(calls) + 1, EACH)
    for number, spoiled in zip(numbers, copies(store, tmp_path / "k", len(numbers)), strict=True):
        done = forked(spoiled, A, prepare=kill_at(number))
        try:
            assert done == Ran(137, b"", b"")
            assert order(spoiled) in ([(1, 3), (2, 2), (1, 1)], [(2, 2), (1, 1)])
            assert_in_order(spoiled)
            again = forked(spoiled, A)
            assert_kept(spoiled, again.out, A)
            assert last(spoiled) == A
            found = order(spoiled)
            assert found[0][1] in (3, 4)
            assert len(set(found)) == len(found)
        except AssertionError as failure:
            wrong.append(f"call {number} ({calls[number - 1]}): {str(failure)[:300]}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("error", "onwards"), [(errno.EIO, False), (errno.ENOSPC, True)], ids=["once", "for good"]
)
def test_a_call_that_fails_in_a_further_run_costs_no_byte(
    store: Store, tmp_path: Path, error: int, onwards: bool
) -> None:
    for data in (A, B):
        came(store, data)
    calls = calls_of(copies(store, tmp_path, 1)[0], A)
    wrong = []
    numbers = range(1, len(calls) + 1, EACH)
    for number, spoiled in zip(numbers, copies(store, tmp_path / "f", len(numbers)), strict=True):
        done = forked(spoiled, A, prepare=fail_at(number, error, onwards=onwards))
        try:
            assert done.status == 0
            if is_stub(done.out):
                assert_kept(spoiled, done.out, A)
                assert last(spoiled) == A
                assert forked(spoiled, b"", "show", ref_of(done.out)).out == done.out
            else:
                assert done.out == A
                assert done.err.startswith(b"stub: not stored: ")
            after = forked(spoiled, C)
            assert_kept(spoiled, after.out, C)
            assert (file_number(artifact_of(spoiled, after.out).name) or 0) > 2
            assert order(spoiled)[0][0] == file_number(artifact_of(spoiled, after.out).name)
        except AssertionError as failure:
            wrong.append(f"call {number} ({calls[number - 1]}): {str(failure)[:300]}")
    assert not wrong, "\n".join(wrong)


def test_a_torn_line_is_cut_off_wherever_it_was_torn_and_nothing_else(store: Store) -> None:
    for data in (A, B):
        came(store, data)
    log = store.folder / RUNS
    before = log.read_bytes()
    came(store, A, 3)
    line = log.read_bytes()[len(before) :]
    for size in [*range(1, len(line), 97), len(line) - 1]:
        log.write_bytes(before + line[:size])
        assert order(store) == [(2, 2), (1, 1)]
        assert set(findings(store)) == {"ok", "leftover"}
        assert came(store, A, 5)
        assert log.read_bytes().startswith(before + b'{"check"')
        assert order(store)[0][0] == 1
        assert set(findings(store)) == {"ok"}
        log.write_bytes(before + line[:size])
        assert mended(store) == [f"{RUNS}: repaired: cut off {amount(size, 'byte')} of a torn line"]
        assert log.read_bytes() == before
        assert mended(store) == []


@pytest.mark.parametrize("bad", [b"", b"{}", b"nonsense", b"\x00" * 90, "a flipped bit"])
def test_a_bad_line_is_damage_that_stops_no_output(store: Store, bad: bytes | str) -> None:
    for data in (A, B, A):
        came(store, data)
    log = store.folder / RUNS
    lines = log.read_bytes().splitlines(keepends=True)
    if isinstance(bad, str):
        lines[2] = lines[2].replace(b'"exit_status":null', b'"exit_status":0')
    else:
        lines.insert(2, bad + b"\n")
    log.write_bytes(b"".join(lines))
    assert findings(store)["damaged"] == [f"{RUNS}: line 3 is not what was written"]
    assert forked(store, b"", "check").status == 4
    assert mended(store) == []
    for data in (A, C):
        assert_kept(store, forked(store, data).out, data)
        assert last(store) == data
    assert order(store)[:2] == [(5, 5), (1, 4)]
    assert findings(store)["damaged"] == [f"{RUNS}: line 3 is not what was written"]
    make_old(store, 1)
    assert collect(store).of("deleted")
    if not isinstance(bad, str):  # it is not known what it was
        assert bad + b"\n" in log.read_bytes()


def test_a_line_that_gc_writes_anew_is_not_lost_to_a_writer(store: Store) -> None:
    """The log is put in place of itself while somebody waits for its lock."""
    for data in (A, B, A):
        came(store, data)
    make_old(store, 1)
    acted: list[int] = []

    def collects() -> None:
        import stubcli.store.posix.lines as lines

        real = lines.Lines.lock

        def lock(self: lines.Lines, seconds: float) -> bool:
            if not acted and self.name == RUNS:
                acted.append(1)
                collect(store)
            return real(self, seconds)

        lines.Lines.lock = lock  # type: ignore[method-assign]

    done = forked(store, B, prepare=collects)
    assert ref_of(done.out).split(":")[2] == "tool_result_002.txt"
    assert order(store) == [(2, 4), (2, 2)]


def test_a_process_that_stops_with_the_lock_stops_no_new_content(store: Store) -> None:
    came(store, A)
    from stubcli.durable import try_lock

    holder = os.open(store.folder / RUNS, os.O_RDONLY)
    assert try_lock(holder)
    done = forked(store, B)
    assert_kept(store, done.out, B)
    os.close(holder)
    assert last(store) == B
    assert order(store) == [(2, 2), (1, 1)]


def test_the_calls_are_counted(store: Store) -> None:
    """A control of the two tests that go through them all."""
    came(store, A)
    assert {"pread", "open", "fdatasync"} <= set(calls_of(store, A)) <= set(Calls.NAMES)
    assert re.fullmatch(rb"\[stub artifact:.*", forked(store, A).out.splitlines()[0])
    with open_session(str(store.home), store.session) as session:
        assert [run.number for run in session.runs(session.find(1))] == [1, 2, 3]
