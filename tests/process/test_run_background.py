"""`stub run` and time: what is left in the background lives on, and a quiet start is shown."""

import json
import os
import re
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import COMMAND, Store
from tests.helpers import (
    LARGE,
    artifact_of,
    assert_kept,
    ended,
    is_stub,
    lives,
    started,
    wait_until,
)

HELD = (
    b"stub: a background process still holds the output; what it writes from now on is not kept\n"
)


class Left:
    """The process that a command left behind, whose id it wrote into a file."""

    def __init__(self, note: Path) -> None:
        self.note = note

    @property
    def pid(self) -> int:
        wait_until(lambda: self.note.exists() and self.note.read_text().endswith("\n"))
        return int(self.note.read_text())


@pytest.fixture
def left(tmp_path: Path) -> Iterator[Left]:
    found = Left(tmp_path / "left")
    yield found
    if found.note.exists() and lives(found.pid):
        os.kill(found.pid, signal.SIGKILL)


# https://github.com/anomalyco/opencode/issues/48414
# https://github.com/PrimeIntellect-ai/prime-agent/issues/1198
# https://github.com/Tencent/BrowserSkill/issues/55
# https://github.com/turnstonelabs/turnstone/issues/816
# https://github.com/coder/xum/issues/41
# https://github.com/AaronCQL/pim-agent/issues/7
@pytest.mark.parametrize(
    ("script", "holds"),
    [
        ("sleep 600 & echo $! >NOTE; echo started", True),
        ("sleep 600 2>/dev/null & echo $! >NOTE; echo started", True),
        ("sleep 600 >/dev/null & echo $! >NOTE; echo started", True),
        ("exec 5>&1; sleep 600 >/dev/null 2>&1 & echo $! >NOTE; echo started", True),
        ("(setsid sh -c 'echo $$ >NOTE; exec sleep 600' &); echo started", True),
        ("sleep 600 >/dev/null 2>&1 & echo $! >NOTE; echo started", False),
    ],
)
@pytest.mark.parametrize("size", ["small", "large"])
def test_a_command_is_over_when_it_ends_and_what_it_left_lives_on(
    store: Store, left: Left, script: str, holds: bool, size: str
) -> None:
    script = script.replace("NOTE", str(left.note))
    if size == "large":
        script = f"{script} >/dev/null; seq 1 50000"
    done = store.stub("run", "--", "sh", "-c", script)
    assert done.err == (HELD if holds else b"")
    if size == "small":
        assert done.out == b"started\n"
    else:
        assert_kept(store, done.out, LARGE)
        told = "a background process still holds the output; later bytes are not kept"
        assert (told in done.text) == holds
    assert lives(left.pid)


# https://github.com/anomalyco/opencode/issues/48414
def test_late_bytes_are_not_in_the_artifact_and_their_writer_lives(
    store: Store, left: Left, tmp_path: Path
) -> None:
    go, wrote = tmp_path / "go", tmp_path / "wrote"
    server = (
        f"until [ -e {go} ]; do sleep 0.05; done; seq 1 100000 && echo yes >{wrote}; exec sleep 600"
    )
    script = f"(setsid sh -c '{server}' & echo $! >{left.note}); seq 1 50000"
    done = store.stub("run", "--", "sh", "-c", script)
    assert_kept(store, done.out, LARGE)
    go.touch()
    # More than a pipe holds: somebody still takes it.
    wait_until(lambda: wrote.exists() and wrote.read_text() == "yes\n")
    assert lives(left.pid)
    assert artifact_of(store, done.out).read_bytes() == LARGE
    assert store.stub("check").status == 0


def test_a_server_that_never_stops_writing_does_not_hold_the_run(store: Store, left: Left) -> None:
    script = f"yes & echo $! >{left.note}; exit 6"
    done = store.stub("run", "--", "sh", "-c", script, check=False)
    assert (done.status, done.err) == (6, HELD)
    assert artifact_of(store, done.out).read_bytes().replace(b"y\n", b"") in (b"", b"y")
    time.sleep(0.3)
    assert lives(left.pid)


# https://github.com/ceph/ceph-qa-suite/issues/583
def test_what_takes_late_bytes_holds_no_descriptor_of_the_caller(store: Store, left: Left) -> None:
    reading, writing = os.pipe()
    script = f"exec {writing}>&-; sleep 600 & echo $! >{left.note}"
    try:
        subprocess.run(
            [*COMMAND, "run", "--", "bash", "-c", script],
            env=store.environment(),
            pass_fds=[writing],
            check=True,
            capture_output=True,
        )
        os.close(writing)
        assert lives(left.pid)
        ready, _, _ = select.select([reading], [], [], 20)
        assert ready
        assert os.read(reading, 1) == b""
    finally:
        os.close(reading)


# https://github.com/uutils/coreutils/issues/9782 is about what is lost unheard; so is this.
def test_the_last_words_of_a_helper_are_waited_for(store: Store) -> None:
    script = "seq 1 50000 > >(sleep 0.2; cat)"
    done = store.stub("run", "--", "bash", "-c", script)
    assert done.err == b""
    assert_kept(store, done.out, LARGE)


def test_a_second_run_and_a_listing_wait_for_nobody(store: Store, left: Left) -> None:
    store.stub("run", "--", "sh", "-c", f"sleep 600 & echo $! >{left.note}; seq 1 50000")
    assert_kept(store, store.stub("run", "--", "seq", "1", "60000").out, _numbers(60000))
    assert store.stub("ls").out.count(b"\n") == 3
    assert lives(left.pid)


def _numbers(last: int) -> bytes:
    return b"".join(b"%d\n" % number for number in range(1, last + 1))


def test_a_command_that_closes_its_output_is_waited_for(store: Store, tmp_path: Path) -> None:
    note = tmp_path / "note"
    for before in ("echo out", "seq 1 50000"):
        script = f"{before}; exec >&- 2>&-; sleep 0.5; echo >'{note}'; exit 6"
        done = store.stub("run", "--", "sh", "-c", script, check=False)
        assert (done.status, done.err) == (6, b"")
        assert note.exists()
        note.unlink()
        if before == "echo out":
            assert done.out == b"out\n"
        else:
            assert_kept(store, done.out, LARGE)


def first_line(process: subprocess.Popen[bytes]) -> bytes:
    assert process.stdout
    ready, _, _ = select.select([process.stdout], [], [], 20)
    assert ready, "it was not shown"
    return os.read(process.stdout.fileno(), 1 << 16)


def test_a_quiet_start_is_shown_while_the_command_runs(store: Store) -> None:
    with started(
        store, "run", "--", "sh", "-c", "echo listening; read word; echo $word"
    ) as process:
        assert first_line(process) == b"listening\n"
        assert process.poll() is None
        assert process.stdin
        process.stdin.write(b"done\n")
        done = ended(process)
    assert (done.status, done.out, done.err) == (0, b"done\n", b"")
    assert not store.home.exists()


def test_what_was_shown_and_then_grew_is_kept_whole_and_told(store: Store) -> None:
    script = "echo listening; read word; seq 1 50000"
    with started(store, "run", "--", "sh", "-c", script) as process:
        assert first_line(process) == b"listening\n"
        assert process.stdin
        process.stdin.write(b"\n")
        done = ended(process)
    assert is_stub(done.out)
    assert_kept(store, done.out, b"listening\n" + LARGE)
    assert done.out.decode().splitlines()[2] == "the first 10 bytes were shown above"


@pytest.mark.parametrize("count", [50000, 300000])
def test_what_was_shown_is_not_printed_twice_where_the_store_fails(
    store: Store, count: int
) -> None:
    # The larger one fills the file in the store first, and is read back from there.
    script = f"echo listening; read word; seq 1 {count}"
    home = ["--home", "/dev/null/x"] if count == 50000 else []
    limit = "ulimit -f 1024; " if count != 50000 else ""
    command = f'{limit}exec "$@"'
    with subprocess.Popen(
        ["bash", "-c", command, "bash", *COMMAND, "run", *home, "--", "sh", "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=store.environment(),
        bufsize=0,
    ) as process:
        assert first_line(process) == b"listening\n"
        assert process.stdin
        process.stdin.write(b"\n")
        done = ended(process)
    assert done.out == _numbers(count)
    assert re.fullmatch(rb"stub: not stored: [^\n]+; the output follows whole\n", done.err)
    assert done.status == 0


def test_nothing_stands_before_a_json_object(store: Store) -> None:
    script = "echo listening; sleep 1.5; seq 1 50000"
    done = store.stub("run", "--format", "json", "--", "sh", "-c", script)
    assert json.loads(done.out)["bytes"] == len(LARGE) + 10
