"""`stub run --timeout`: what is ended, what is not, and what is said of it."""

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import stubcli.process.descendants
import stubcli.process.ending
from tests.conftest import COMMAND, Store
from tests.helpers import LARGE, Ran, assert_kept, forked, linux_only, lives


class Note:
    """A file into which what a command starts writes its process ids."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __str__(self) -> str:
        return str(self.path)

    @property
    def pids(self) -> list[int]:
        return [int(line) for line in self.path.read_text().split()] if self.path.exists() else []


@pytest.fixture
def note(tmp_path: Path) -> Iterator[Note]:
    found = Note(tmp_path / "note")
    yield found
    for pid in found.pids:
        if lives(pid):
            os.kill(pid, signal.SIGKILL)


def soon() -> None:
    """For `prepare`: the KILL comes soon after the TERM."""
    stubcli.process.ending.GRACE = 0.5


def late() -> None:
    """For `prepare`: the KILL comes when the test has long been given up."""
    stubcli.process.ending.GRACE = 1000


def without_proc() -> None:
    """For `prepare`: a system where only the process group can be ended."""
    soon()
    ending = vars(stubcli.process.ending)
    ending |= {"below": lambda _top: [], "look_up": lambda _pid: None}
    stubcli.process.descendants.adopt_orphans = lambda: False


def timed_out(store: Store, script: str, prepare: object = soon, *options: str) -> Ran:
    arguments = ("run", "--timeout", "0.7", *options, "--", "sh", "-c", script)
    done = forked(store, b"", *arguments, prepare=prepare)  # type: ignore[arg-type]
    assert done.status == 124, done
    return done


# What hears no TERM, in the places where it can be found or not.
DEAF = "sh -c 'trap \"\" TERM; echo $$ >>NOTE; while :; do sleep 0.1; done'"
IN_GROUP = f"{DEAF} & sleep 60"
IN_SESSION = f"setsid {DEAF} & sleep 60"
# Its parent has ended and left it to whoever takes orphans.
ORPHAN = f"(setsid {DEAF} &); sleep 60"
OF_ORPHAN = (
    "(setsid sh -c '(setsid sleep 61 & echo $! >>NOTE); echo $$ >>NOTE; sleep 62' &); sleep 60"
)


@pytest.mark.parametrize(
    ("script", "prepare"),
    [
        (IN_GROUP, soon),
        (IN_GROUP, without_proc),
        pytest.param(IN_SESSION, soon, marks=linux_only),
        pytest.param(ORPHAN, soon, marks=linux_only),
        pytest.param(OF_ORPHAN, soon, marks=linux_only),
    ],
)
@pytest.mark.parametrize("option", ["--keep-stderr", "--disable"])
def test_all_that_the_command_started_is_ended(
    store: Store, note: Note, script: str, prepare: object, option: str
) -> None:
    done = timed_out(store, script.replace("NOTE", str(note)), prepare, option)
    assert note.pids
    assert not [pid for pid in note.pids if lives(pid)]
    assert len(done.lines) == 1
    assert re.match(r"stub: sh: timed out after (7\d\d ms|[0-9.]+ s)", done.lines[0])


@linux_only
def test_what_lets_go_of_the_output_is_ended_too(store: Store, note: Note) -> None:
    script = f"setsid {DEAF} >/dev/null 2>&1 & exec >/dev/null 2>&1; sleep 60"
    timed_out(store, script.replace("NOTE", str(note)))
    assert note.pids
    assert not [pid for pid in note.pids if lives(pid)]


def test_what_hears_the_term_has_its_time(store: Store, tmp_path: Path) -> None:
    last = tmp_path / "last"
    script = f"trap 'sleep 0.2; echo bye; echo >{last}; exit 3' TERM; while :; do sleep 0.1; done"
    done = store.stub("run", "--timeout", "0.7", "--", "sh", "-c", script, check=False)
    assert done.status == 124
    assert done.out.endswith(b"bye\n")
    assert last.exists()


@linux_only
def test_what_nothing_can_end_is_named(store: Store, note: Note) -> None:
    def another_users() -> None:
        soon()

        def refuse(_pid: int, _number: int) -> None:
            raise PermissionError

        os.kill = refuse

    script = f"echo start; setsid sleep 61 & echo $! >>{note}; sleep 60"
    done = timed_out(store, script, another_users)
    assert done.out == b"start\n"
    (pid,) = note.pids
    assert lives(pid)
    assert done.lines[0].startswith("stub: sh: timed out after 7")
    assert done.lines[0].endswith(f"; could not end sleep (process {pid})")


@linux_only
def test_a_leader_that_nothing_can_end_is_not_waited_for(store: Store, note: Note) -> None:
    def another_users() -> None:
        soon()

        def refuse(_pid: int, _number: int) -> None:
            raise PermissionError

        os.kill = os.killpg = refuse

    done = timed_out(store, f"echo start; echo $$ >>{note}; exec sleep 60", another_users)
    (pid,) = note.pids
    assert done.out == b"start\n"
    assert f"could not end sleep (process {pid})" in done.lines[0]


def test_what_is_not_of_the_command_lives_on(store: Store, note: Note) -> None:
    # A shell that becomes `stub` leaves it children that no command of its started.
    script = (
        f"setsid sleep 61 >/dev/null 2>&1 & echo $! >>{note}; "
        f"exec {' '.join(COMMAND)} run --timeout 0.7 -- sh -c 'trap exit TERM; sleep 60 & wait'"
    )
    done = subprocess.run(
        ["bash", "-c", script], env=store.environment(), capture_output=True, check=False
    )
    assert done.returncode == 124
    assert lives(note.pids[0])


def test_a_command_that_ends_in_time_leaves_what_it_left(store: Store, note: Note) -> None:
    script = f"(setsid sleep 61 & echo $! >>{note}); sleep 62 & echo $! >>{note}; exit 3"
    arguments = ["run", "--timeout", "59.5s", "--", "sh", "-c", script + " >/dev/null"]
    done = store.stub(*arguments, check=False)
    assert done.status == 3
    assert [lives(pid) for pid in note.pids] == [True, True]


def test_a_time_out_is_told_in_the_stub(store: Store) -> None:
    done = store.stub(
        "run", "--timeout", "1", "--", "sh", "-c", "seq 1 50000; exec sleep 60", check=False
    )
    assert done.status == 124
    assert_kept(store, done.out, LARGE)
    lines = done.text.splitlines()
    assert "exit: 124   signal: SIGTERM " in lines[1]
    assert re.match(r"timed out after 1(\.\d)? s", lines[2])


def test_a_time_out_kills_what_does_not_listen(store: Store) -> None:
    done = timed_out(store, "trap '' TERM; echo start; while :; do sleep 0.1; done")
    assert done.out == b"start\n"


@linux_only
def test_a_time_out_ends_a_command_that_is_stopped(store: Store) -> None:
    arguments = ("run", "--timeout", "1", "--", "sh", "-c", "kill -STOP $$")
    done = forked(store, b"", *arguments, prepare=late)
    assert done.status == 124


def test_a_command_that_ends_in_time_is_not_timed_out(store: Store) -> None:
    done = store.stub("run", "--timeout", "59.5", "--", "sh", "-c", "echo out; exit 3", check=False)
    assert (done.status, done.out, done.err) == (3, b"out\n", b"")
