"""What a signal does: what was read is sealed and shown, and the status says which it was."""

import array
import fcntl
import json
import os
import signal
import subprocess
import termios
import time
from collections.abc import Callable
from typing import IO, Any

import pytest

import stubcli.spill.filter
from tests.conftest import Store
from tests.helpers import (
    COMMAND,
    LARGE,
    Calls,
    Ran,
    artifact_of,
    assert_kept,
    ended,
    feed,
    forked,
    is_stub,
    kept_bytes,
    names,
    started,
    wait_until,
)

FIRST = LARGE[:200_000]


def took_all(process: subprocess.Popen[bytes]) -> None:
    """Wait until nothing is left in the pipe to the process."""
    wait_until(lambda: waiting_in(process.stdin) == 0)
    time.sleep(0.1)


def waiting_in(pipe: IO[bytes] | None) -> int:
    """How many bytes nobody has taken yet."""
    assert pipe
    left = array.array("i", [0])
    fcntl.ioctl(pipe.fileno(), termios.FIONREAD, left)
    return left[0]


# https://github.com/NERSC/timemory/issues/224
# https://github.com/cyberark/summon/issues/106
# https://github.com/tailcallhq/forgecode/issues/1287
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_seals_what_was_read_and_shows_it(store: Store, number: int) -> None:
    with started(store) as process:
        feed(process, FIRST)
        took_all(process)
        process.send_signal(number)
        done = ended(process)
    assert done.status == 128 + number
    assert_kept(store, done.out, FIRST)
    assert "interrupted" in done.out.decode().splitlines()[1]
    assert "interrupted" in store.stub("ls").text
    assert json.loads(store.stub("show", "last", "--json").out)["state"] == "interrupted"
    assert not [name for name in names(store) if name.startswith(".incoming/")]
    assert store.stub("check").status == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_under_the_threshold_prints_what_was_read(store: Store, number: int) -> None:
    with started(store) as process:
        feed(process, b"start\n")
        took_all(process)
        process.send_signal(number)
        done = ended(process)
    assert done == Ran(128 + number, b"start\n", b"")
    assert not store.artifacts()


@pytest.mark.parametrize("large", [True, False])
def test_the_first_interrupt_is_left_to_the_producer_whose_last_words_are_kept(
    store: Store, large: bool
) -> None:
    data = FIRST if large else b"start\n"
    with started(store) as process:
        feed(process, data)
        took_all(process)
        process.send_signal(signal.SIGINT)
        time.sleep(0.2)
        assert process.poll() is None
        feed(process, b"last words\n")
        assert process.stdin
        process.stdin.close()
        done = ended(process)
    assert (done.status, done.err) == (130, b"")
    if large:
        assert_kept(store, done.out, data + b"last words\n")
        assert "interrupted" in done.out.decode().splitlines()[1]
        assert json.loads(store.stub("show", "last", "--json").out)["state"] == "interrupted"
    else:
        assert done.out == data + b"last words\n"


def test_an_interrupt_after_the_end_of_the_input_cuts_nothing_off(store: Store) -> None:
    def act(_count: int, name: str) -> None:
        if name == "link":
            signal.raise_signal(signal.SIGINT)

    done = forked(store, LARGE, prepare=Calls(act).install)
    assert done.status == 130
    assert_kept(store, done.out, LARGE)
    assert "interrupted" not in done.out.decode().splitlines()[1]


@pytest.mark.parametrize("large", [True, False])
def test_the_second_interrupt_ends_it(store: Store, large: bool) -> None:
    data = FIRST if large else b"start\n"
    with started(store) as process:
        feed(process, data)
        took_all(process)
        process.send_signal(signal.SIGINT)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        done = ended(process)
    assert done.status == 130
    if large:
        assert_kept(store, done.out, data)
        assert "interrupted" in done.out.decode().splitlines()[1]
    else:
        assert done.out == data


@pytest.mark.parametrize("options", [[], ["--disable"], ["--threshold", "1000000"]])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_what_lies_in_the_pipe_already_is_taken(
    store: Store, options: list[str], number: int
) -> None:
    with started(store, *options) as process:
        feed(process, FIRST[:60_000])
        took_all(process)
        process.send_signal(signal.SIGSTOP)
        feed(process, FIRST[60_000:120_000])
        process.send_signal(number)
        process.send_signal(signal.SIGCONT)
        done = ended(process)
    assert done.status == 128 + number
    if options:
        assert done.out == FIRST[:120_000]
    else:
        assert_kept(store, done.out, FIRST[:120_000])
        assert "interrupted" in done.out.decode().splitlines()[1]


@pytest.mark.parametrize("options", ["", "--disable"])
def test_a_producer_that_never_ends_is_not_read_for_ever(store: Store, options: str) -> None:
    done = store.shell(
        f"yes | (exec $STUB {options} >/dev/null) & sleep 0.7; kill -TERM $!; wait $!; echo $?"
    )
    assert done.out == b"143\n"


def blocked(*before: signal.Signals, forever: bool = True) -> Callable[[], None]:
    """For `prepare`: reading the settings sends these signals to the process, then never ends."""

    def prepare() -> None:
        names = vars(stubcli.spill.filter)
        load = names["load"]

        def loading(*arguments: Any) -> Any:
            for number in before:
                signal.raise_signal(number)
            while forever:
                time.sleep(0.1)
            return load(*arguments)

        names["load"] = loading

    return prepare


def as_a_process(prepare: Callable[[], None]) -> Callable[[], None]:
    """For `prepare`: signals do here what they do where a process begins."""

    def prepared() -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        prepare()
        signal.alarm(20)

    return prepared


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_what_waits_for_its_settings_can_be_ended(store: Store, number: signal.Signals) -> None:
    done = forked(store, LARGE, prepare=as_a_process(blocked(number)))
    assert done == Ran(128 + number, b"", b"")


def test_an_interrupt_while_the_settings_are_read_is_left_to_the_producer(store: Store) -> None:
    early = as_a_process(blocked(signal.SIGINT, forever=False))
    assert forked(store, b"small\n", prepare=early) == Ran(130, b"small\n", b"")
    done = forked(store, LARGE, prepare=early)
    assert done.status == 130
    assert_kept(store, done.out, LARGE)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_lock_of_the_store_is_not_waited_for_when_a_signal_comes(
    store: Store, number: int
) -> None:
    store.stub(stdin=LARGE + b"another\n")
    with (store.folder / ".sequence").open() as lock, started(store) as process:
        fcntl.flock(lock, fcntl.LOCK_EX)
        feed(process, FIRST)
        process.send_signal(number)
        done = ended(process)
    assert done.status == 128 + number
    assert_kept(store, done.out, FIRST)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
@pytest.mark.parametrize("command", ["pin 1", "gc --apply --older-than 0", "lease ls"])
def test_a_command_that_waits_for_the_journal_can_be_ended(
    store: Store, number: int, command: str
) -> None:
    store.stub(stdin=LARGE)
    store.stub("pin", "1")
    lock = store.folder / "retention-leases.jsonl.lock"
    with lock.open() as held, started(store, *command.split()) as process:
        fcntl.flock(held, fcntl.LOCK_EX)
        time.sleep(0.7)
        assert process.poll() is None
        process.send_signal(number)
        done = ended(process)
    assert (done.status, done.err) == (128 + number, b"")


def test_a_signal_that_was_ignored_at_the_start_stays_ignored(store: Store) -> None:
    done = store.shell(
        "trap '' HUP INT TERM; (seq 1 40000; sleep 1; seq 40001 50000) | "
        "(exec $STUB) & sleep 0.6; kill -HUP $!; kill -TERM $!; kill -INT $!; wait $!; echo $?"
    )
    assert done.out.endswith(b"\n0\n")
    assert_kept(store, done.out.removesuffix(b"0\n"), LARGE)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_plain_copy_ends_at_a_signal_too(store: Store, number: int) -> None:
    with started(store, "--disable") as process:
        feed(process, FIRST[:60_000])
        took_all(process)
        process.send_signal(number)
        if number == signal.SIGINT:
            time.sleep(0.2)
            process.send_signal(number)
        assert ended(process) == Ran(128 + number, FIRST[:60_000], b"")


@pytest.mark.parametrize(
    "options", [["--disable"], ["--home", "/dev/null/x"], ["--threshold", "1000000"]]
)
def test_a_signal_ends_it_even_where_nobody_reads_its_output(
    store: Store, options: list[str]
) -> None:
    with started(store, *options) as process:
        assert process.stdin
        os.set_blocking(process.stdin.fileno(), False)
        deadline = time.monotonic() + 10
        fed, since = 0, time.monotonic()
        while time.monotonic() < deadline and time.monotonic() - since < 0.5 and fed < 700_000:
            try:
                fed += os.write(process.stdin.fileno(), LARGE[:60_000])
                since = time.monotonic()
            except BlockingIOError:
                time.sleep(0.01)
        if options[0] == "--threshold":
            process.stdin.close()
            time.sleep(0.5)
        process.send_signal(signal.SIGTERM)
        assert process.wait() in (-signal.SIGTERM, 128 + signal.SIGTERM)


def test_an_interrupted_input_is_not_taken_for_the_whole_one(store: Store) -> None:
    with started(store) as process:
        feed(process, FIRST)
        took_all(process)
        process.send_signal(signal.SIGTERM)
        cut = ended(process)
    whole = store.stub(stdin=FIRST)
    assert whole.out != cut.out
    assert "interrupted:" not in whole.text.splitlines()[1]
    assert artifact_of(store, whole.out).read_bytes() == FIRST


# https://github.com/NousResearch/hermes-agent/issues/107216
# https://github.com/microsoft/git/issues/468
# https://github.com/restic/restic/issues/3732
def test_what_a_killed_process_left_stops_nobody_and_is_adopted(store: Store) -> None:
    with started(store) as process:
        feed(process, FIRST)
        took_all(process)
        assert kept_bytes(store) > 100_000
        process.kill()
        assert ended(process).status == 137
    second = store.stub(stdin=LARGE)
    assert second.ref.split(":")[2] == "tool_result_002.txt"
    assert b"leftover" in store.stub("check").out
    assert store.stub("check", "--repair").status == 0
    adopted = store.results / "tool_result_001.txt"
    assert FIRST.startswith(adopted.read_bytes())
    assert b"interrupted" in store.stub("ls").out
    assert store.stub("read", "1", "--all").out == adopted.read_bytes()
    assert is_stub(store.stub("show", "1").out)
    assert not [path for path in store.folder.rglob("*") if path.suffix in (".pid", ".lock")]


def test_a_file_that_is_being_written_is_in_progress_and_no_leftover(store: Store) -> None:
    store.stub(stdin=LARGE)
    with started(store) as process:
        feed(process, FIRST)
        took_all(process)
        found = store.stub("check", "--repair")
        assert b"being written" in found.out
        assert b"in progress" in store.stub("ls").out.splitlines()[1]
        assert b"in progress" in store.stub("read", "2").err
        assert process.stdin
        process.stdin.close()
        done = ended(process)
    assert_kept(store, done.out, FIRST)


def test_an_interrupt_of_a_reading_command_is_status_130_and_no_traceback(store: Store) -> None:
    store.stub(stdin=LARGE)
    process = subprocess.Popen(
        [*COMMAND, "read", "last", "--all"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=store.environment(),
    )
    assert process.stdout
    wait_until(lambda: waiting_in(process.stdout) >= 1 << 16)  # it waits for its reader by now
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130
    assert b"Traceback" not in err
