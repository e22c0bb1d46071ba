"""`stub lease`: what it says, what it leaves in the journal, and how it ends."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from stubcli.retention.leases.sqlite_owner import SqliteOwner
from tests.conftest import Result, Store
from tests.helpers import BULK, COMMAND, ended, forked, started, wait_until

PENDING = "stub lease reconcile --owner OWNER --transaction t"


@pytest.fixture
def kept(store: Store) -> Store:
    """A store with one artifact, number 1."""
    assert forked(store, BULK, "--tool", "seq").status == 0
    return store


def lease(store: Store, *arguments: str, **environment: str) -> Result:
    done = forked(store, b"", "lease", *arguments, environment=environment)
    return Result(done.status, done.out, done.err)


def phases(store: Store) -> dict[str, str]:
    listed = json.loads(lease(store, "ls", "--json", "-n", "1000").out)["leases"]
    return {each["transaction_id"]: each["phase"] for each in listed}


def assert_refused(done: Result, status: int, *words: str) -> None:
    """Nothing on stdout, and one line that says all of `words`."""
    assert (done.status, done.out) == (status, b"")
    lines = done.err.decode().splitlines()
    assert len(lines) == 1
    for word in ("stub: ", *words):
        assert word in lines[0]


def shell(script: str) -> tuple[str, ...]:
    return ("--", "sh", "-c", script)


def publish(store: Store, script: str, *options: str) -> Result:
    return lease(store, "publish", "1", "--transaction", "t", *options, *shell(script))


def test_a_lease_goes_from_prepared_to_released(kept: Store) -> None:
    done = lease(kept, "prepare", "1")
    name = done.out.decode().strip()
    assert f"stub lease commit {name}" in done.err.decode()
    assert phases(kept) == {name: "prepared"}
    assert lease(kept, "commit", name).status == 0
    assert lease(kept, "commit", name).status == 0
    assert lease(kept, "release", name).status == 0
    assert phases(kept) == {name: "released"}
    assert_refused(lease(kept, "commit", name), 6, name, "released")


def test_a_prepared_lease_is_aborted(kept: Store) -> None:
    lease(kept, "prepare", "1", "--transaction", "t")
    assert json.loads(lease(kept, "abort", "t", "--json").out)["phase"] == "aborted"
    assert_refused(lease(kept, "prepare", "1", "--transaction", "t"), 6, "aborted")


def test_preparing_again_with_the_same_claim_changes_nothing(kept: Store) -> None:
    claim = ("--transaction", "t", "--count", "2", "--retain-until", "2030-01-01T02:00:00+02:00")
    first = json.loads(lease(kept, "prepare", "1", *claim, "--json").out)
    assert first["created"] is True
    assert first["reference_count"] == 2
    assert first["retain_until"] == "2030-01-01T00:00:00+00:00"
    before = (kept.folder / "retention-leases.jsonl").read_bytes()
    again = json.loads(lease(kept, "prepare", "1", *claim, "--json").out)
    assert again == {**first, "created": False}
    assert_refused(lease(kept, "prepare", "1", "--transaction", "t"), 6, "another claim")
    assert (kept.folder / "retention-leases.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "status", "word"),
    [
        ((), 2, "lease --help"),
        (("prepair", "1"), 2, "prepair"),
        (("prepare",), 2, "REF"),
        (("prepare", "1", "--transaction", "a/b"), 2, "a/b"),
        (("prepare", "1", "--transaction", ".."), 2, ".."),
        (("prepare", "1", "--transaction", "pin.1.1"), 2, "pin"),
        (("prepare", "1", "--count", "0"), 2, "--count"),
        (("prepare", "1", "--count", "x"), 2, "--count"),
        (("prepare", "1", "--retain-until", "tomorrow"), 2, "tomorrow"),
        (("prepare", "1", "--retain-until", "2030-01-01"), 2, "zone"),
        (("prepare", "7"), 3, "7"),
        (("commit", "never"), 3, "never"),
        (("abort", "never"), 3, "never"),
        (("release", "never"), 3, "never"),
        (("remove", "never", "--", "true"), 3, "never"),
        (("remove", "never"), 2, "CMD"),
        (("publish", "1", "--transaction", "t"), 2, "CMD"),
        (("publish", "1", "--", "true"), 2, "--transaction"),
        (("reconcile",), 2, "--owner"),
        (("reconcile", "--owner", "redis:x"), 2, "sqlite:FILE"),
        (("reconcile", "--owner", "sqlite:"), 2, "sqlite:FILE"),
        (("reconcile", "--owner", "exec:'"), 2, "quotes"),
        (("reconcile", "--owner", "exec:no-such-program"), 127, "no-such-program"),
        (("reconcile", "--owner", "sqlite:/nowhere/memory.db"), 2, "/nowhere/memory.db"),
        (("reconcile", "--owner", "exec:cat", "--transaction", "never"), 3, "never"),
    ],
)
def test_a_mistake_is_one_line_and_prepares_nothing(
    kept: Store, arguments: tuple[str, ...], status: int, word: str
) -> None:
    assert_refused(lease(kept, *arguments), status, word)
    assert phases(kept) == {}


def test_a_session_without_artifacts_lists_nothing(store: Store) -> None:
    done = lease(store, "ls", "--json")
    assert json.loads(done.out) == {"total": 0, "skip": 0, "leases": []}
    assert_refused(lease(store, "commit", "t"), 3)


def test_a_listing_shows_the_newest_first_a_page_at_a_time(kept: Store) -> None:
    for number in range(4):
        lease(kept, "prepare", "1", "--transaction", f"t{number}")
    lease(kept, "commit", "t3")
    lines = lease(kept, "ls").text.splitlines()
    assert lines[0].split() == ["transaction", "phase", "artifact", "count", "until", "age"]
    assert [line.split()[:2] for line in lines[1:]] == [
        ["t3", "committed"],
        ["t2", "prepared"],
        ["t1", "prepared"],
        ["t0", "prepared"],
    ]
    done = lease(kept, "ls", "--pending", "-n", "2")
    assert [line.split()[0] for line in done.text.splitlines()[1:]] == ["t2", "t1"]
    command = done.err.decode().strip().partition("next: stub ")[2].split()
    more = kept.stub(*command)
    assert [line.split()[0] for line in more.text.splitlines()[1:]] == ["t0"]
    assert b"next:" not in more.err


def test_every_session_is_listed_when_asked_for(kept: Store) -> None:
    lease(kept, "prepare", "1", "--transaction", "t")
    done = lease(kept, "ls", "--all-sessions", "--json", STUB_SESSION="other")
    (listed,) = json.loads(done.out)["leases"]
    assert (listed["session"], listed["transaction_id"]) == ("test", "t")


def test_an_artifact_of_another_session_is_claimed_in_its_own(kept: Store) -> None:
    digest = kept.digests()[0][:12]
    done = lease(kept, "prepare", digest, "--transaction", "t", STUB_SESSION="other")
    command = done.err.decode().partition("next: stub ")[2].partition(",")[0].split()
    assert command == ["lease", "commit", "t", "--session", "test"]
    assert kept.stub(*command, STUB_SESSION="other").status == 0
    assert phases(kept) == {"t": "committed"}


def test_a_publisher_is_given_the_memory_reference(kept: Store, tmp_path: Path) -> None:
    got = tmp_path / "got"
    done = publish(kept, f"cat > {got}; echo printed", "--json")
    assert done.status == 0
    assert json.loads(done.out)["phase"] == "committed"
    assert b"printed\n" in done.err
    (line,) = got.read_text().splitlines()
    thin = json.loads(kept.stub("show", "1", "--memory").out)
    assert json.loads(line) == {"transaction_id": "t", **thin}


def test_a_known_transaction_is_never_published_again(kept: Store, tmp_path: Path) -> None:
    called = tmp_path / "called"
    assert publish(kept, "exit 0").status == 0
    assert_refused(publish(kept, f"touch {called}"), 6, "committed already", "reconcile")
    lease(kept, "prepare", "1", "--transaction", "pending")
    again = lease(kept, "publish", "1", "--transaction", "pending", *shell(f"touch {called}"))
    assert_refused(again, 6, "prepared already")
    assert not called.exists()


def test_a_publisher_that_rejects_aborts_the_lease(kept: Store) -> None:
    assert_refused(publish(kept, "exit 195"), 6, "aborted")
    assert phases(kept) == {"t": "aborted"}


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("exit 1", "status 1"),
        ("exit 6", "status 6"),
        ("exit 126", "status 126"),
        ("exit 127", "status 127"),
        ("exit 255", "status 255"),
        ("kill -9 $$", "signal 9"),
        ("kill -15 $$", "signal 15"),
        ("exec no-such-program 2>/dev/null", "status 127"),
    ],
)
def test_any_other_end_of_a_publisher_leaves_the_lease_prepared(
    kept: Store, script: str, said: str
) -> None:
    assert_refused(publish(kept, script), 6, said, "stays prepared", PENDING)
    assert phases(kept) == {"t": "prepared"}


def test_a_publisher_that_takes_too_long_leaves_the_lease_prepared(kept: Store) -> None:
    done = publish(kept, "exec sleep 60", "--timeout", "0.3")
    assert_refused(done, 6, "longer than 300 ms", PENDING)
    assert phases(kept) == {"t": "prepared"}


def test_a_publisher_that_reads_nothing_is_no_failure(kept: Store) -> None:
    assert publish(kept, "exec 0<&-").status == 0
    assert phases(kept) == {"t": "committed"}


@pytest.mark.parametrize(("program", "status"), [("no-such-program", 127), ("/etc/passwd", 126)])
def test_a_program_that_is_not_there_prepares_nothing(
    kept: Store, program: str, status: int
) -> None:
    done = lease(kept, "publish", "1", "--transaction", "t", "--", program)
    assert_refused(done, status, program)
    assert phases(kept) == {}


def test_a_program_that_the_system_does_not_start_wrote_nothing(
    kept: Store, tmp_path: Path
) -> None:
    """It is there and may be executed, and so passes the look; what runs it is missing."""
    script = tmp_path / "publisher"
    script.write_text("#!/nowhere/interpreter\n")
    script.chmod(0o755)
    done = lease(kept, "publish", "1", "--transaction", "t", "--", str(script))
    assert_refused(done, 6, "cannot be started", "aborted")
    assert phases(kept) == {"t": "aborted"}


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_killed_while_its_publisher_runs_the_lease_stays_prepared(
    kept: Store, tmp_path: Path, number: signal.Signals
) -> None:
    begun = tmp_path / "begun"
    script = f"touch {begun}; exec sleep 30"
    command = ("lease", "publish", "1", "--transaction", "t", *shell(script))
    with started(kept, *command) as process:
        wait_until(begun.exists)
        process.send_signal(number)
        assert process.wait() == -number
        os.killpg(process.pid, signal.SIGKILL)
    assert phases(kept) == {"t": "prepared"}
    assert lease(kept, "ls", "--pending").text.count("\n") == 2


def test_ctrl_c_while_its_publisher_runs_leaves_the_lease_prepared(
    kept: Store, tmp_path: Path
) -> None:
    begun = tmp_path / "begun"
    script = f"touch {begun}; exec sleep 30"
    command = ("lease", "publish", "1", "--transaction", "t", *shell(script))
    with started(kept, *command) as process:
        wait_until(begun.exists)
        os.killpg(process.pid, signal.SIGINT)
        done = ended(process)
    assert (done.status, done.out) == (6, b"")
    assert "interrupted" in done.lines[0]
    assert PENDING in done.lines[0]
    assert phases(kept) == {"t": "prepared"}


def test_a_remover_is_run_before_the_lease_is_released(kept: Store, tmp_path: Path) -> None:
    publish(kept, "exit 0")
    got = tmp_path / "got"
    look = " ".join([*COMMAND, "lease", "ls"])
    done = lease(kept, "remove", "t", *shell(f"cat > {got}; {look}"))
    assert done.status == 0
    assert b"committed" in done.err  # as the remover saw it
    assert set(json.loads(got.read_text())) == {"transaction_id", "source_id", "content_sha256"}
    assert phases(kept) == {"t": "released"}
    assert_refused(lease(kept, "remove", "t", "--", "true"), 6, "released")


@pytest.mark.parametrize("script", ["exit 1", "exit 195", "kill -9 $$"])
def test_a_remover_that_fails_leaves_the_lease_committed(kept: Store, script: str) -> None:
    publish(kept, "exit 0")
    assert_refused(lease(kept, "remove", "t", *shell(script)), 6, "stays committed")
    assert phases(kept) == {"t": "committed"}


def test_what_is_only_prepared_is_not_removed(kept: Store, tmp_path: Path) -> None:
    publish(kept, "exit 1")
    called = tmp_path / "called"
    assert_refused(lease(kept, "remove", "t", *shell(f"touch {called}")), 6, "prepared")
    assert not called.exists()


PUBLISHER = """
import json, sys
from stubcli.retention.leases.memory import MemoryReference
from stubcli.retention.leases.sqlite_owner import SqliteOwner
given = json.load(sys.stdin)
SqliteOwner(sys.argv[1]).publish(MemoryReference.from_dict(given), given["transaction_id"])
sys.exit(int(sys.argv[2]))
"""


def test_what_is_pending_is_settled_by_the_memory(kept: Store, tmp_path: Path) -> None:
    path = str(tmp_path / "memory.db")
    memory = SqliteOwner(path, create=True)
    for name, status, program in (
        ("written", "1", (sys.executable, "-c", PUBLISHER, path)),
        ("unwritten", "1", ("false",)),
        ("clean", "0", (sys.executable, "-c", PUBLISHER, path)),
    ):
        lease(kept, "publish", "1", "--transaction", name, "--", *program, status)
    assert phases(kept) == {"written": "prepared", "unwritten": "prepared", "clean": "committed"}
    done = lease(kept, "reconcile", "--owner", f"sqlite:{path}", "--json")
    assert done.status == 0
    document = json.loads(done.out)
    assert document["pending"] == 0
    assert [(each["transaction_id"], each["status"]) for each in document["reports"]] == [
        ("written", "committed"),
        ("unwritten", "aborted"),
    ]
    assert str(tmp_path) not in done.text
    assert phases(kept) == {"written": "committed", "unwritten": "aborted", "clean": "committed"}
    assert [entry.transaction_id for entry in memory.entries()] == ["clean", "written"]
    again = lease(kept, "reconcile", "--owner", f"sqlite:{path}", "--transaction", "written")
    assert again.status == 0
    assert "already_committed" in again.text
    assert (
        "nothing is pending" in lease(kept, "reconcile", "--owner", f"sqlite:{path}").err.decode()
    )


def test_what_cannot_be_settled_says_why_and_stays_pending(kept: Store, tmp_path: Path) -> None:
    for name in ("t", "u"):
        lease(kept, "prepare", "1", "--transaction", name)
    done = lease(kept, "reconcile", "--owner", "exec:cat")
    assert done.status == 6
    assert done.text.count("owner_failed") == 2
    said = done.err.decode().splitlines()
    assert "transaction t: the owner failed: " in said[0]
    assert "2 stay pending" in said[-1]
    locked = str(tmp_path / "memory.db")
    SqliteOwner(locked, create=True)
    holder = sqlite3.connect(locked, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    done = lease(kept, "reconcile", "--owner", f"sqlite:{locked}", "--timeout", "0.1")
    holder.close()
    assert done.status == 6
    assert "locked" in done.err.decode()
    assert set(phases(kept).values()) == {"prepared"}


def test_processes_that_reconcile_at_once_settle_each_lease_once(
    kept: Store, tmp_path: Path
) -> None:
    path = str(tmp_path / "memory.db")
    SqliteOwner(path, create=True)
    for number in range(4):
        lease(kept, "prepare", "1", "--transaction", f"t{number}")
    command = [*COMMAND, "lease", "reconcile", "--owner", f"sqlite:{path}", "--json"]
    both = [
        subprocess.Popen(command, stdout=subprocess.PIPE, env=kept.environment()) for _ in range(3)
    ]
    outs = [process.communicate()[0] for process in both]
    assert [process.returncode for process in both] == [0, 0, 0]
    reports = [each for out in outs for each in json.loads(out)["reports"]]
    settled = [each["transaction_id"] for each in reports if each["status"] == "aborted"]
    assert sorted(settled) == ["t0", "t1", "t2", "t3"]
    assert {each["status"] for each in reports} <= {"aborted", "already_aborted"}
    assert set(phases(kept).values()) == {"aborted"}


def test_a_damaged_journal_stops_every_lease_and_no_output(kept: Store) -> None:
    lease(kept, "prepare", "1", "--transaction", "t")
    path = kept.folder / "retention-leases.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"phase":"prepared"', b'"phase":"released"'))
    for command in (
        ("ls",),
        ("prepare", "1"),
        ("commit", "t"),
        ("publish", "1", "--transaction", "u", "--", "true"),
        ("reconcile", "--owner", "exec:cat"),
    ):
        assert_refused(lease(kept, *command), 4)
    assert_refused(kept.stub("pin", "1", check=False), 4)
    assert forked(kept, BULK + b"more").status == 0


def test_names_from_outside_cannot_break_the_one_line(kept: Store) -> None:
    for name in ("a\nb", "\x1b[2J", "x" * 3000):
        done = lease(kept, "commit", name)
        assert done.status == 2
        assert done.err.count(b"\n") == 1
        assert b"\x1b" not in done.err


def test_help_says_which_status_rejects(store: Store) -> None:
    assert "195" in store.stub("lease", "publish", "--help").text
