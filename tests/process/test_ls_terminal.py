"""`ls` and `find` on terminals: what matters is there at any width, and nothing goes unmarked."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios

import pytest

from tests.conftest import COMMAND, Store
from tests.helpers import forked

COMMAND_LINE = "python3 -m pytest --maxfail=3 tests/unit tests/integration"


@pytest.fixture
def filled(store: Store) -> Store:
    for name, status in (("nightly", 3), ("weekly", 0)):
        script = f"printf '\\e[31mcollected 5 items of {name}\\e[0m\\n'; seq 50000; exit {status}"
        store.stub("run", "--name", name, "--", "sh", "-c", script, COMMAND_LINE, check=False)
    return store


def on_a_terminal(store: Store, width: int, *arguments: str, **environment: str) -> str:
    """Both streams of `stub` on a terminal of that width."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    settings = store.environment(TERM="xterm", **environment)
    settings.pop("COLUMNS", None)
    process = subprocess.Popen(
        [*COMMAND, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=settings
    )
    os.close(theirs)
    out = b""
    try:
        while piece := os.read(ours, 1 << 16):
            out += piece
    except OSError:  # a terminal whose last writer left
        pass
    os.close(ours)
    assert process.wait() == 0
    return re.sub(r"\x1b\[[\d;]*m", "", out.decode()).replace("\r\n", "\n")


@pytest.mark.parametrize("width", [120, 80, 44])
def test_number_time_exit_and_command_are_there_at_any_width(filled: Store, width: int) -> None:
    *table, told = on_a_terminal(filled, width, "ls").splitlines()
    header, newest, failed = (re.split(r"  +", line.strip()) for line in table)
    assert all(len(line) <= width for line in table)
    assert header[:3] == ["number", "finished" if width == 120 else "age", "exit"]
    assert (newest[0], failed[0]) == ("2", "1")
    assert "0" not in newest[2:]
    assert failed[2] == "3"
    assert "@nightly sh" in table[2]
    assert ("bytes" in header) == ("288,9" in table[1]) == (width > 44)
    assert ("collected 5" in table[1]) == (width > 44)
    if width == 44:
        assert told.endswith("; no room for: bytes, first line; a wider terminal or --json has it")
        assert table[1].rstrip().endswith("…")


@pytest.mark.parametrize("width", [1, 5, 20, 33, 60, 300])
def test_no_width_is_too_small_or_too_large(filled: Store, width: int) -> None:
    assert "2 artifacts" in on_a_terminal(filled, width, "ls").replace("\n", " ")


def test_what_is_found_stands_with_the_reference_that_reads_it(filled: Store) -> None:
    for width in (120, 44):
        shown = on_a_terminal(filled, width, "find", "maxfail").splitlines()
        ref = shown[1].split()[0]
        assert forked(filled, b"", "read", ref, "--session", "none").status == 0


def test_times_are_local_and_no_control_character_of_a_command_comes_through(
    store: Store,
) -> None:
    store.stub("run", "--", "sh", "-c", "seq 50000", "\x1b[31m", "a\nb")
    utc = on_a_terminal(store, 120, "ls", TZ="UTC").splitlines()[1]
    local = on_a_terminal(store, 120, "ls", TZ="Asia/Kolkata").splitlines()[1]
    times = [re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d", line) for line in (utc, local)]
    assert all(times)
    assert len({found[0] for found in times if found}) == 2
    assert "\x1b" not in utc
    assert "\\x1b[31m" in utc
    assert "a\\nb" in utc


def test_what_was_cut_off_or_is_damaged_is_marked(store: Store) -> None:
    store.shell("(seq 50000; sleep 2) | timeout -s TERM 1 $STUB > /dev/null")
    assert "interrupted" in on_a_terminal(store, 80, "ls")
    record = next(store.results.glob("tool_result_001.*.json"))
    record.chmod(0o600)
    record.write_bytes(b"{}")
    assert "damaged" in on_a_terminal(store, 80, "ls")
