"""Descriptors as they are found: closed, full, left by their reader, non-blocking, silent."""

import errno
import os
import pty
import resource
import subprocess
import time
from pathlib import Path

import pytest

from tests.conftest import Store
from tests.helpers import (
    BULK,
    COMMAND,
    LARGE,
    LARGE_SHA,
    Ran,
    artifact_of,
    assert_kept,
    dev_full,
    ended,
    feed,
    forked,
    is_stub,
    sha256,
    started,
    wait_until,
)

SEQ_200000_SHA = "5af7b95208fdcff454bab3f5eddf567a688a3796c703d4fef91072e38645c062"


# https://github.com/openvax/mhctools/issues/387
# https://github.com/mildsunrise/mp4parser/issues/12
# https://github.com/aws/aws-cli/issues/1113
@pytest.mark.parametrize("reader", ["head -c1", "true", "(exec <&-; sleep 0.3)"])
def test_a_reader_that_leaves_costs_neither_the_artifact_nor_a_word(
    store: Store, reader: str
) -> None:
    done = store.shell(f'seq 1 200000 | $STUB | {reader} >/dev/null; echo "${{PIPESTATUS[*]}}"')
    assert done.err == b""
    assert done.out in (b"0 0 0\n", b"0 141 0\n")
    assert store.digests() == [SEQ_200000_SHA]
    assert b"tool_result" not in store.artifacts()[0].read_bytes()
    assert SEQ_200000_SHA[:12].encode() in store.stub("ls").out


# https://github.com/objectstack-ai/objectstack/issues/12979
# https://github.com/yologdev/yoyo-evolve/issues/579
@pytest.mark.parametrize(
    "command",
    [
        "$STUB | head -1",
        "$STUB | true",
        "$STUB >&-",
        "$STUB --threshold 100MB | head -c 5",
        "$STUB --disable | head -c 5",
        "STUB_HOME=/dev/null/x $STUB | head -c 5",
        "$STUB --on-failure preview --home /dev/null/x",
        "$STUB --no-such-option | head -c 5",
    ],
)
def test_the_producer_is_drained_to_its_end_and_keeps_its_status(
    store: Store, command: str
) -> None:
    done = store.shell(
        f'(seq 1 1000000; exit 7) | {command} >/dev/null 2>&1; echo "${{PIPESTATUS[0]}}"'
    )
    assert done.out == b"7\n"


@dev_full
def test_the_producer_is_drained_where_stdout_is_full(store: Store) -> None:
    done = store.shell(
        '(seq 1 1000000; exit 7) | $STUB >/dev/full 2>/dev/null; echo "${PIPESTATUS[0]}" >&2'
    )
    assert done.err == b"7\n"


def test_pipefail_sees_no_failure(store: Store) -> None:
    assert store.shell("set -o pipefail; seq 1 300000 | $STUB >/dev/null").status == 0


# https://github.com/pixelb/crudini/issues/67
# https://github.com/httpie/cli/issues/791
@pytest.mark.parametrize("closed", ["<&-", "<&- >&-", "<&- 2>&-", "<&- >&- 2>&-"])
def test_a_closed_stdin_is_a_usage_error_and_no_traceback(store: Store, closed: str) -> None:
    done = store.shell(f"$STUB {closed}")
    assert done.status == 2
    assert done.out == b""
    if "2>&-" not in closed:
        assert done.err.startswith(b"stub: standard input is closed")
        assert done.err.count(b"\n") == 1
    assert not store.artifacts()


# https://github.com/pixelb/crudini/issues/67
# https://github.com/forseti-security/terraform-google-forseti/issues/479
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_a_closed_descriptor_never_becomes_the_artifact(store: Store, closed: str) -> None:
    done = store.shell(f"seq 1 50000 | $STUB {closed}")
    assert store.digests() == [LARGE_SHA]
    if closed == "2>&-":
        assert (done.status, is_stub(done.out)) == (0, True)
    else:
        assert done.status == 5
    if closed == ">&-":
        assert done.err == b"stub: standard output: it is closed\n"


# Every command with all of them closed, and one that reads for each of them.
ALL_CLOSED = "<&- >&- 2>&-"


@pytest.mark.parametrize(
    ("command", "closed"),
    [
        *((command, ALL_CLOSED) for command in ("ls", "search 7", "show last", "check", "stats")),
        *(("read last", closed) for closed in ("<&-", ">&-", "2>&-", ALL_CLOSED)),
    ],
)
def test_every_command_takes_closed_descriptors(store: Store, command: str, closed: str) -> None:
    forked(store, BULK)
    done = store.shell(f"$STUB {command} {closed}")
    assert done.status == (5 if ">&-" in closed.replace("2>&-", "") else 0)
    assert b"Traceback" not in done.err
    assert b"a bug" not in done.err
    assert store.digests() == [sha256(BULK)]


# https://github.com/uutils/coreutils/issues/9782
# https://github.com/torognes/vsearch/issues/243
@dev_full
@pytest.mark.parametrize(
    "command",
    [
        "echo hi | $STUB",
        "seq 1 60000 | $STUB",
        "seq 1 60000 | $STUB --disable",
        "$STUB read last",
        "$STUB read last --all",
        "$STUB read last --json",
        "$STUB search 7",
        "$STUB search 7 --json",
        "$STUB ls",
        "$STUB ls --json",
        "$STUB show last",
        "$STUB stats",
        "$STUB config",
        "$STUB --help",
        "$STUB --version",
    ],
)
def test_a_full_stdout_is_said_and_is_no_success(store: Store, command: str) -> None:
    forked(store, BULK)
    done = store.shell(f"{command} >/dev/full")
    assert done.status not in (0, 70)
    assert b"No space left" in done.err
    assert b"Exception ignored" not in done.err
    assert b"Traceback" not in done.err
    assert done.err.count(b"\n") == 1
    assert sha256(BULK) in store.digests()
    if "60000" in command and "disable" not in command:
        assert len(store.artifacts()) == 2


# https://github.com/moonbitlang/async/issues/553
def test_a_non_blocking_stdin_with_pauses_is_read_to_its_real_end(store: Store) -> None:
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    process = subprocess.Popen(
        COMMAND, stdin=reader, stdout=subprocess.PIPE, env=store.environment()
    )
    os.close(reader)
    for _ in range(3):
        time.sleep(0.25)
        assert os.write(writer, b"z" * 40_000) == 40_000
    os.close(writer)
    out, _ = process.communicate()
    assert process.returncode == 0
    assert artifact_of(store, out).read_bytes() == b"z" * 120_000


def test_two_readers_of_one_non_blocking_pipe_do_not_end_each_other(store: Store) -> None:
    """Both are told that there is something to read, and only one gets it."""
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    both = [
        subprocess.Popen(
            [*COMMAND, "--disable"], stdin=reader, stdout=subprocess.PIPE, env=store.environment()
        )
        for _ in range(2)
    ]
    os.close(reader)
    for number in range(400):
        os.write(writer, b"%03d" % number)
        time.sleep(0.0005)
    os.close(writer)
    outs = [process.communicate()[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sum(map(len, outs)) == 1200


@pytest.mark.parametrize(
    "options", [["--disable"], ["--home", "/dev/null/x"], ["--threshold", "1MB"]]
)
def test_a_non_blocking_stdout_with_a_slow_reader_gets_every_byte(
    store: Store, tmp_path: Path, options: list[str]
) -> None:
    given = tmp_path / "input"
    given.write_bytes(LARGE * 2)
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with given.open("rb") as stdin:
        process = subprocess.Popen(
            [*COMMAND, *options],
            stdin=stdin,
            stdout=writer,
            stderr=subprocess.DEVNULL,
            env=store.environment(),
        )
    os.close(writer)
    parts: list[bytes] = []
    while piece := os.read(reader, 30_000):
        parts.append(piece)
        time.sleep(0.005)
    os.close(reader)
    assert process.wait() == 0
    assert b"".join(parts) == LARGE * 2


def test_a_stub_reaches_a_non_blocking_stdout_that_is_full(store: Store) -> None:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    filler = 0
    try:
        while True:
            filler += os.write(writer, b"f" * 4096)
    except BlockingIOError:
        pass
    with started(store) as _:
        process = subprocess.Popen(
            COMMAND, stdin=subprocess.PIPE, stdout=writer, env=store.environment()
        )
        os.close(writer)
        feed(process, LARGE)
        assert process.stdin
        process.stdin.close()
        wait_until(lambda: bool(store.artifacts()))
        parts = []
        while piece := os.read(reader, 1 << 16):
            parts.append(piece)
    os.close(reader)
    assert process.wait() == 0
    assert_kept(store, b"".join(parts)[filler:], LARGE)


# https://github.com/cline/cline/issues/9073
# https://github.com/earendil-works/pi/issues/5571
# https://github.com/EmpiricaAI/empirica/issues/414
@pytest.mark.parametrize(
    "command",
    [
        "ls",
        "ls --json",
        "read last",
        "search 7",
        "show last",
        "check",
        "check --repair",
        "stats",
        "config",
        "--help",
        "--version",
        "read --help",
        "no-such-command",
        "read no-such-artifact",
    ],
)
def test_no_command_waits_for_a_stdin_that_nobody_writes_to(store: Store, command: str) -> None:
    forked(store, BULK)
    with started(store, *command.split()) as process:
        done = ended(process)
    assert done.status == {"no-such-command": 2, "read no-such-artifact": 2}.get(command, 0)
    assert b"Traceback" not in done.err


# https://github.com/expo/eas-cli/issues/4261
def test_alone_on_a_terminal_it_prints_its_help_and_does_not_wait(store: Store) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        COMMAND,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=store.environment(),
    )
    os.close(theirs)
    out, err = process.communicate()
    os.close(ours)
    assert process.returncode == 2
    assert b"CMD | stub" in out + err


@pytest.mark.parametrize("already", [0, 1000, 30_000, 200_000])
@pytest.mark.parametrize("option", ["--disable", "--on-failure=raw", "--home=/dev/null/x"])
def test_a_stdin_that_fails_loses_and_repeats_no_byte(
    store: Store, already: int, option: str
) -> None:
    """A terminal that hangs up, a disk or a server that fails: EIO after so many bytes."""

    def failing() -> None:
        read, left = os.read, already

        def fails(descriptor: int, size: int) -> bytes:
            nonlocal left
            if descriptor != 0:
                return read(descriptor, size)
            if not left:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            data = read(0, min(size, left))
            left -= len(data)
            return data

        os.read = fails

    done = forked(store, LARGE, option, prepare=failing)
    assert done.status not in (0, 70), done.err
    assert b"Input/output error" in done.err
    if is_stub(done.out):
        assert_kept(store, done.out, LARGE[:already])
        assert "interrupted" in done.out.decode()
    else:
        assert done.out == LARGE[:already]


def test_a_process_that_inherits_a_thousand_descriptors_still_filters(store: Store) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 2048:
        pytest.skip("this machine allows too few open files")

    def crowded() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (2048, hard))
        while os.open(os.devnull, os.O_RDONLY) < 1100:
            pass

    for data in (LARGE, b"small\n"):
        done = forked(store, data, prepare=crowded)
        assert (done.status, done.err) == (0, b"")
        assert done.out == data or is_stub(done.out)
    assert store.digests() == [LARGE_SHA]


def test_on_a_terminal_a_page_is_what_it_would_show_unless_raw_is_asked_for(store: Store) -> None:
    hostile = b"".join(b"a\x1b]52;c;ZXZpbA==\x07 \xc2\x9b2J %d\n" % n for n in range(3000))
    store.stub(stdin=hostile)
    shown = on_a_terminal(store, "read last --limit 3000")
    assert b"\r\na  7\r\n" in shown
    assert not any(byte < 32 and byte not in b"\n\r\t" for byte in shown)
    raw = on_a_terminal(store, "read last --limit 3000 --raw")
    assert b"\x1b]52" in raw


def on_a_terminal(store: Store, command: str) -> bytes:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *command.split()],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env=store.environment(),
    )
    os.close(theirs)
    parts = []
    try:
        while piece := os.read(ours, 1 << 16):
            parts.append(piece)
    except OSError:  # a terminal whose last writer left
        pass
    os.close(ours)
    assert process.wait() == 0
    return b"".join(parts)


@pytest.mark.parametrize("descriptor", [0, 1, 2])
def test_a_stream_whose_file_cannot_be_looked_at_is_not_closed(
    store: Store, descriptor: int
) -> None:
    """Its disk failed to say what it is, and takes bytes all the same."""

    def prepare() -> None:
        real = os.fstat

        def fstat(fd: int) -> os.stat_result:
            if fd == descriptor:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            return real(fd)

        os.fstat = fstat

    done = forked(store, b"a small input\n", prepare=prepare)
    assert done == Ran(0, b"a small input\n", b"")
