"""A memory behind a program: what it says is weighed, and whatever it does the lease stays safe."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from stubcli.retention.leases import lease as leases
from stubcli.retention.leases import program
from stubcli.retention.leases.exec_owner import ExecOwner
from stubcli.retention.leases.journal import open_journal
from stubcli.retention.leases.reconcile import Settlement, reconcile
from stubcli.store.surface import Session
from tests.conftest import Store
from tests.helpers import keep, session_of, wait_until

# A whole memory in a few lines: a JSON file, and flock as the fence.
MEMORY = """
import fcntl, json, os, sys
path = sys.argv[1]
fence = open(path + ".fence", "w")
for line in sys.stdin:
    asked = json.loads(line)
    name = asked["transaction_id"]
    if asked["request"] == "inspect":
        fcntl.flock(fence, fcntl.LOCK_EX)
    try:
        with open(path) as file:
            held = json.load(file)
    except FileNotFoundError:
        held = {}
    entry = held.get(name, {"generation": 0, "presence": "absent"})
    if asked["request"] == "seal":
        if entry["generation"] != asked["generation"]:
            print(json.dumps({"error": "generation_changed"}), flush=True)
            continue
        entry = {
            "generation": entry["generation"] + 1, "presence": "absent", "absence_sealed": True
        }
        with open(path + ".new", "w") as file:
            json.dump({**held, name: entry}, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(path + ".new", path)
    with open(path + ".log", "a") as log:
        log.write(asked["request"] + "\\n")
    answer = {} if asked["request"] == "release" else {"transaction_id": name, **entry}
    print(json.dumps(answer), flush=True)
"""
# Behaves by its first argument; always knows what was asked in `asked`.
ODD = """
import json, os, sys, time
asked = json.loads(sys.stdin.readline())
name, kind = asked["transaction_id"], sys.argv[1]
absent = {"transaction_id": name, "generation": 0, "presence": "absent"}
published = {
    "transaction_id": name, "generation": 1, "presence": "published",
    "source_id": asked["source_id"], "content_sha256": asked["content_sha256"],
}
def say(answer):
    sys.stdout.write((answer if isinstance(answer, str) else json.dumps(answer)) + "\\n")
    sys.stdout.flush()
"""


@pytest.fixture(autouse=True)
def _no_long_farewell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "_GRACE", 0.3)


@pytest.fixture
def session(store: Store) -> Iterator[Session]:
    with session_of(store) as opened:
        leases.prepare(opened, keep(opened, b"kept\n" * 2000), transaction_id="t")
        yield opened


def phase(session: Session) -> str:
    with open_journal(session) as journal:
        return journal.leases["t"].phase


def asked_of(
    session: Session, argv: list[str], timeout: float = 20
) -> tuple[Settlement, list[str]]:
    """The report, and what was said of the owner."""
    told: list[str] = []
    (report,) = reconcile(
        session,
        ExecOwner(argv, timeout=timeout),
        ["t"],
        failed=lambda _, error: told.append(str(error)),
    )
    assert (phase(session) == "prepared") == report.pending
    return report, told


def odd(kind: str, *lines: str) -> list[str]:
    return [sys.executable, "-c", ODD + "\n".join(lines), kind]


def test_a_memory_that_holds_the_reference_commits_the_lease(
    session: Session, tmp_path: Path
) -> None:
    with open_journal(session) as journal:
        claim = journal.leases["t"].claim
    entry = {
        "generation": 4,
        "presence": "published",
        "source_id": claim.source_id,
        "content_sha256": claim.sha256,
    }
    path = tmp_path / "memory.json"
    path.write_text(json.dumps({"t": entry}))
    report, told = asked_of(session, [sys.executable, "-c", MEMORY, str(path)])
    assert report == Settlement("t", "committed", "owner_confirmed_reference", 4)
    assert told == []
    assert (tmp_path / "memory.json.log").read_text() == "inspect\nrelease\n"


def test_a_memory_that_does_not_seals_before_the_lease_is_aborted(
    session: Session, tmp_path: Path
) -> None:
    path = tmp_path / "memory.json"
    report, told = asked_of(session, [sys.executable, "-c", MEMORY, str(path)])
    assert report == Settlement("t", "aborted", "owner_sealed_absence", 1)
    assert told == []
    assert json.loads(path.read_text())["t"]["absence_sealed"] is True
    assert (tmp_path / "memory.json.log").read_text() == "inspect\nseal\nrelease\n"


NEVER: dict[str, tuple[str, str]] = {
    "exits at once": ("sys.exit(0)", "ended without an answer"),
    "is killed": ("os.kill(os.getpid(), 9)", "ended without an answer"),
    "closes its output": ("os.close(1); time.sleep(60)", "ended without an answer"),
    "prints garbage": ("say('no such thing')", "no JSON object"),
    "prints bytes that are no text": (
        "sys.stdout.buffer.write(b'\\xff\\xfe\\n')\nsys.stdout.flush()",
        "no JSON object",
    ),
    "prints a list": ("say([])", "no JSON object"),
    "prints nothing but a line end": ("say('')", "no JSON object"),
    "nests without end": ("say('[' * 60000)", "no JSON object"),
    "prints a line without end": ("while True: sys.stdout.write('x' * 4096)", "too long"),
    "prints two answers": ("say(json.dumps(published) + '\\n' + json.dumps(absent))", "no JSON"),
    "says an error": ("say({'error': 'no connection'})", "no connection"),
    "leaves out the generation": (
        "say({'transaction_id': name, 'presence': 'absent'})",
        "lacks 'generation'",
    ),
    "counts in words": ("say({**absent, 'generation': 'one'})", "no generation"),
    "knows another presence": ("say({**absent, 'presence': 'maybe'})", "neither published"),
    "publishes without a digest": (
        "say({**published, 'content_sha256': None})",
        "no whole SHA-256",
    ),
    "seals what is published": ("say({**published, 'absence_sealed': True})", "not absent"),
}


@pytest.mark.parametrize("kind", NEVER)
def test_a_program_that_gives_no_answer_leaves_the_lease_pending(
    session: Session, kind: str
) -> None:
    line, said = NEVER[kind]
    report, told = asked_of(session, odd(kind, line))
    assert report == Settlement("t", "pending_unknown", "owner_failed")
    assert len(told) == 1
    assert said in told[0]


LIES: dict[str, tuple[str, Settlement]] = {
    "of another transaction": (
        "say({**published, 'transaction_id': 'other'})",
        Settlement("t", "pending_conflict", "owner_transaction_mismatch", 1),
    ),
    "of another digest": (
        "say({**published, 'content_sha256': '0' * 64})",
        Settlement("t", "pending_conflict", "owner_reference_mismatch", 1),
    ),
    "does not know": (
        "say({**absent, 'presence': 'unknown'})",
        Settlement("t", "pending_unknown", "owner_result_unknown", 0),
    ),
    "moves before the seal": (
        "say(absent); sys.stdin.readline(); say({'error': 'generation_changed'})",
        Settlement("t", "pending_stale", "owner_generation_changed", 0),
    ),
    "seals nothing": (
        "say(absent); sys.stdin.readline(); say({**absent, 'generation': 1})",
        Settlement("t", "pending_conflict", "owner_absence_not_sealed", 1),
    ),
    "dies in the seal": (
        "say(absent); sys.stdin.readline(); os.kill(os.getpid(), 9)",
        Settlement("t", "pending_unknown", "owner_failed", 0),
    ),
    "dies before the seal": (
        "say(absent); os._exit(1)",
        Settlement("t", "pending_unknown", "owner_failed", 0),
    ),
}


@pytest.mark.parametrize("kind", LIES)
def test_a_program_that_lies_or_dies_leaves_the_lease_pending(session: Session, kind: str) -> None:
    line, expected = LIES[kind]
    assert asked_of(session, odd(kind, line))[0] == expected


def test_what_follows_the_answer_does_not_undo_it(session: Session) -> None:
    report, _ = asked_of(session, odd("dies", "say(published); os.kill(os.getpid(), 9)"))
    assert report.status == "committed"


@pytest.mark.parametrize(
    "line",
    [
        "time.sleep(60)",
        "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)",
        "sys.stdout.write('{'); sys.stdout.flush(); time.sleep(60)",
        "say(absent); time.sleep(60)",
        "os.close(0); time.sleep(60)",
    ],
)
def test_a_program_that_hangs_is_ended_and_the_lease_stays_pending(
    session: Session, tmp_path: Path, line: str
) -> None:
    pid = tmp_path / "pid"
    argv = odd("hangs", f"open({str(pid)!r}, 'w').write(str(os.getpid()))", line)
    report, told = asked_of(session, argv, timeout=1)
    assert (report.status, report.reason) == ("pending_unknown", "owner_failed")
    assert "in 1 s" in told[0] or "ended" in told[0]
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


def test_what_a_hanging_program_started_ends_with_it(session: Session, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    script = f"sleep 60 & echo $! > {pid}; wait"
    asked_of(session, ["sh", "-c", script], timeout=0.5)
    started = int(pid.read_text())

    def gone() -> bool:
        try:
            with open(f"/proc/{started}/stat") as file:
                return file.read().split()[2] == "Z"
        except FileNotFoundError:
            return True

    wait_until(gone)


def test_a_program_that_cannot_be_started_leaves_the_lease_pending(session: Session) -> None:
    report, told = asked_of(session, ["/nowhere/at/all"])
    assert report == Settlement("t", "pending_unknown", "owner_failed")
    assert "No such file" in told[0]


def test_a_program_that_does_not_let_go_is_ended(session: Session, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    argv = odd(
        "stays",
        f"open({str(pid)!r}, 'w').write(str(os.getpid()))",
        "say(published); time.sleep(600)",
    )
    assert asked_of(session, argv, timeout=1)[0].status == "committed"
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


def test_no_descriptor_and_no_process_is_left(session: Session) -> None:
    before = sorted(os.listdir("/dev/fd"))
    for kind in ("exits", "dies"):
        asked_of(session, odd(kind, "say([])" if kind == "exits" else "os._exit(3)"))
    assert sorted(os.listdir("/dev/fd")) == before
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
