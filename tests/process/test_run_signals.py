"""`stub run` between a command and those who want it ended: signals and a terminal."""

import fcntl
import os
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import COMMAND, Store
from tests.helpers import LARGE, assert_kept, ended, lives, started, wait_until

# Notes each signal, and ends with 9 at a TERM.
LISTENER = """
import os, signal, sys
log = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
def note(number, frame):
    os.write(log, b"%d\\n" % number)
    if number == signal.SIGTERM:
        print("bye", flush=True)
        os._exit(9)
for number in (1, 2, 3, 10, 12, 15):
    signal.signal(number, note)
print("pid", os.getpid(), flush=True)
os.write(log, b"pid %d\\n" % os.getpid())
while True:
    signal.pause()
"""


class Log:
    """What the listener has noted."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def lines(self) -> list[str]:
        return self.path.read_text().splitlines() if self.path.exists() else []

    @property
    def pid(self) -> int:
        wait_until(lambda: bool(self.lines))
        return int(self.lines[0].split()[1])

    @property
    def signals(self) -> list[int]:
        return [int(line) for line in self.lines[1:]]


# https://github.com/JuliusBrussee/caveman/issues/742
# https://github.com/anomalyco/opencode/issues/26259
# https://github.com/kovyrin/agent-secret/issues/237
def test_signals_are_passed_on_and_the_command_decides(store: Store, tmp_path: Path) -> None:
    log = Log(tmp_path / "log")
    command = [sys.executable, "-c", LISTENER, str(log.path)]
    with started(store, "run", "--", *command) as process:
        pid = log.pid
        for count in (1, 2):
            process.send_signal(signal.SIGINT)
            wait_until(lambda count=count: len(log.signals) == count)  # type: ignore[misc]
        for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2):
            process.send_signal(number)
            wait_until(lambda number=number: number in log.signals)  # type: ignore[misc]
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        done = ended(process)
    assert done.status == 9
    assert done.out == b"pid %d\nbye\n" % pid
    assert done.err == b""
    assert log.signals == [2, 2, 1, 3, 10, 12, 15]
    assert not lives(pid)


# https://github.com/JuliusBrussee/caveman/issues/742
@pytest.mark.parametrize("options", [[], ["--keep-stderr"], ["--disable"], ["--timeout", "50"]])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGUSR1])
def test_a_command_that_dies_of_it_is_gone_and_leaves_its_status(
    store: Store, tmp_path: Path, options: list[str], number: signal.Signals
) -> None:
    note = tmp_path / "pid"
    command = ["sh", "-c", f"echo start; echo $$ >'{note}'; exec sleep 60"]
    with started(store, "run", *options, "--", *command) as process:
        wait_until(lambda: note.exists() and note.read_text().endswith("\n"))
        time.sleep(0.1)  # it sleeps by now
        process.send_signal(number)
        done = ended(process)
    assert (done.status, done.out, done.err) == (128 + number, b"start\n", b"")
    assert not lives(int(note.read_text()))


# https://github.com/NERSC/timemory/issues/224
def test_the_output_of_a_command_that_is_ended_is_kept(store: Store, tmp_path: Path) -> None:
    note = tmp_path / "note"
    command = ["sh", "-c", f"seq 1 50000; echo >'{note}'; exec sleep 60"]
    with started(store, "run", "--", *command) as process:
        wait_until(note.exists)
        time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        done = ended(process)
    assert done.status == 143
    assert_kept(store, done.out, LARGE)
    assert done.out.decode().splitlines()[2] == "killed by signal 15 (SIGTERM)"
    assert store.stub("check").status == 0


def test_a_signal_that_was_ignored_stays_ignored(store: Store) -> None:
    done = store.shell("trap '' HUP; $STUB run -- sh -c 'kill -HUP $PPID $$; echo alive'")
    assert (done.status, done.out) == (0, b"alive\n")


@contextmanager
def on_a_terminal(store: Store, *arguments: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """`stub` in the foreground of a terminal of its own, and the other side of that."""
    keyboard, terminal = os.openpty()

    def prepare() -> None:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    process = subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=store.environment(),
        start_new_session=True,
        preexec_fn=prepare,
    )
    os.close(terminal)
    try:
        yield process, keyboard
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        os.close(keyboard)


def test_a_key_reaches_the_command_once(store: Store, tmp_path: Path) -> None:
    log = Log(tmp_path / "log")
    command = [sys.executable, "-c", LISTENER, str(log.path)]
    with on_a_terminal(store, "run", "--", *command) as (process, keyboard):
        pid = log.pid
        for key, expected in ((b"\x03", [2]), (b"\x1c", [2, 3]), (b"\x03", [2, 3, 2])):
            os.write(keyboard, key)
            wait_until(lambda expected=expected: len(log.signals) >= len(expected))  # type: ignore[misc]
            time.sleep(0.3)  # for a second one, which must not come
            assert log.signals == expected
        os.kill(pid, signal.SIGTERM)
        assert process.wait() == 9
