"""SIGKILL at any moment: what was printed is there, what is there is right, the rest is adopted.

`KILLS=1000` in the environment asks for so many kills instead of the ordinary few.
"""

import json
import os
import random
import signal
import tempfile
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import pytest

from stubcli.reference import file_number
from stubcli.store.posix.sequence import incoming_number
from tests.conftest import Store
from tests.helpers import (
    LARGE,
    artifact_of,
    assert_final_names_are_right,
    assert_kept,
    assert_nothing_is_wrong,
    begun,
    code_of,
    findings,
    fork,
    forked,
    is_stub,
    mended,
    names,
    sha256,
)

KILLS = int(os.environ.get("KILLS", "40"))


@dataclass
class History:
    """Everything that was given to a store, and every number that was seen in it."""

    store: Store
    inputs: dict[str, bytes] = field(default_factory=dict)
    used: set[int] = field(default_factory=set)

    def give(self, data: bytes) -> bytes:
        self.inputs[sha256(data)] = data
        return data

    def look(self) -> None:
        """Note the numbers that are taken now."""
        self.used |= {file_number(path.name) or 0 for path in self.store.artifacts()}
        for path in self.store.folder.glob(".incoming/*"):
            self.used.add(incoming_number(path.name.removesuffix(".json")) or 0)


def input_of(number: int, size: int) -> bytes:
    """Bytes of that size that no other number has, already in their first line."""
    made = random.Random(number)
    return b"input %d\n" % number + made.randbytes(size // 8).hex(" ", 7).encode() * 4


def killed_behind(store: Store, data: bytes, seconds: float) -> bytes:
    """What `stub` printed until it was killed, so long after its start."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out:
        given.write(data)
        given.seek(0)
        pid = begun(store, (given, out, out))
        time.sleep(seconds)
        os.kill(pid, signal.SIGKILL)
        assert code_of(os.waitpid(pid, 0)[1]) in (0, 137)
        out.seek(0)
        return out.read()


def killed_while_fed(store: Store, data: bytes, pieces: int, seconds: float) -> bytes:
    """The same, so long after so many pieces of its input were written to a pipe."""
    reading, writing = os.pipe()
    with tempfile.TemporaryFile() as out, os.fdopen(reading, "rb") as given:
        pid = begun(store, (given, out, out))
        given.close()
        step = -(-len(data) // 8)
        for piece in range(pieces):
            os.write(writing, data[piece * step : (piece + 1) * step])
            time.sleep(0.001)
        if pieces == 8:
            os.close(writing)
        time.sleep(seconds)
        os.kill(pid, signal.SIGKILL)
        assert code_of(os.waitpid(pid, 0)[1]) in (0, 137)
        if pieces < 8:
            os.close(writing)
        out.seek(0)
        return out.read()


def duration(store: Store, data: bytes) -> float:
    started = time.monotonic()
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out:
        given.write(data)
        given.seek(0)
        assert code_of(os.waitpid(begun(store, (given, out, out)), 0)[1]) == 0
    return time.monotonic() - started


def assert_what_was_printed_is_there(store: Store, out: bytes, data: bytes) -> None:
    if out:
        assert is_stub(out), out[:300]
        assert_kept(store, out, data)


def assert_what_is_listed_is_right(history: History) -> None:
    """Everything that is listed as complete is an input, byte for byte."""
    done = forked(history.store, b"", "ls", "--json", "--limit", "1000000")
    for listed in json.loads(done.out)["runs"]:
        path = history.store.results / listed["ref"].split(":")[2]
        if listed["state"] == "complete" and path.exists():
            assert sha256(path.read_bytes()) in history.inputs, listed


def assert_the_next_number_is_new(history: History, data: bytes) -> None:
    history.look()
    done = forked(history.store, history.give(data))
    assert_kept(history.store, done.out, data)
    assert file_number(artifact_of(history.store, done.out).name) not in history.used


def assert_repair_adopts_what_was_left_once(history: History) -> None:
    store = history.store
    history.look()
    left = {
        path.read_bytes()
        for path in store.folder.glob(".incoming/tool_result_*")
        if path.suffix != ".json" and path.stat().st_size
    }
    assert forked(store, b"", "check", "--repair").status == 0
    assert_nothing_is_wrong(store)
    assert set(findings(store)) <= {"ok"}
    assert os.listdir(store.folder / ".incoming") == []
    kept = {path.read_bytes() for path in store.artifacts()}
    assert left <= kept
    listed = json.loads(forked(store, b"", "ls", "--json", "--limit", "1000000").out)["runs"]
    states = {one["ref"]: one["state"] for one in listed}
    assert len(states) == len(store.artifacts())
    for ref, state in states.items():
        data = (store.results / ref.split(":")[2]).read_bytes()
        if state == "interrupted":
            assert any(whole.startswith(data) for whole in history.inputs.values()), ref
            done = forked(store, b"", "read", ref, "--all")
            assert (done.status, done.out) == (0, data)
        else:
            assert sha256(data) in history.inputs, ref
    once = names(store)
    assert forked(store, b"", "check", "--repair").status == 0
    assert mended(store) == []
    assert names(store) == once


KINDS = ("at once", "slowly", "several MiB", "into a new store each time")


@pytest.mark.parametrize("kind", KINDS)
def test_killed_at_any_moment_nothing_that_was_printed_is_lost(
    tmp_path: Path, kind: str, dice: random.Random
) -> None:
    size = 3 << 20 if kind == "several MiB" else 100_000
    usual = min(duration(Store(tmp_path / f"timed{n}"), input_of(n, size)) for n in range(3))
    rounds = max(4, KILLS // len(KINDS))
    for number in range(rounds):
        if kind == "into a new store each time" or number % 40 == 0:
            history = History(Store(tmp_path / f"store{number}"))
        store, data = history.store, history.give(input_of(1000 + number, size))
        if kind == "slowly":
            seconds = dice.uniform(0, usual / 2)
            out = killed_while_fed(store, data, dice.randrange(1, 9), seconds)
        else:
            out = killed_behind(store, data, dice.uniform(0, 1.4 * usual))
        assert_what_was_printed_is_there(store, out, data)
        assert_final_names_are_right(store)
        if number % 5 == 4 or number == rounds - 1:
            assert_what_is_listed_is_right(history)
            assert_the_next_number_is_new(history, input_of(2000 + number, 60_000))
            assert_repair_adopts_what_was_left_once(history)
            assert_the_next_number_is_new(history, input_of(3000 + number, 60_000))


def test_a_killed_reader_or_repairer_changes_nothing(store: Store, dice: random.Random) -> None:
    """What only looks, or mends, may die as well; mended again it is as if it had not."""
    history = History(store)
    usual = duration(store, history.give(input_of(1, 3 << 20)))
    for number in range(max(6, KILLS // 25)):
        data = history.give(input_of(10 + number, 3 << 20))
        out = killed_behind(store, data, dice.uniform(usual / 4, usual))
        assert_what_was_printed_is_there(store, out, data)
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as said:
            pid = begun(store, (given, said, said), "check", "--repair")
            time.sleep(dice.uniform(0, usual))
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        assert_final_names_are_right(store)
    assert_repair_adopts_what_was_left_once(history)
    assert_the_next_number_is_new(history, LARGE)


@contextmanager
def repairing(store: Store) -> Iterator[None]:
    """A process that repairs again and again, and has to live to the end."""
    pid = fork()
    if pid == 0:
        try:
            while True:
                mended(store)
        finally:
            traceback.print_exc()
            os._exit(1)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGKILL)
        status = code_of(os.waitpid(pid, 0)[1])
    assert status == 137, "the repairer failed"


@dataclass
class Writer:
    data: bytes
    out: IO[bytes]
    pid: int

    @classmethod
    def start(cls, store: Store, data: bytes) -> "Writer":
        out = tempfile.TemporaryFile()  # noqa: SIM115
        with tempfile.TemporaryFile() as given:
            given.write(data)
            given.seek(0)
            return cls(data, out, begun(store, (given, out, out)))

    def end(self) -> tuple[int, bytes]:
        status = code_of(os.waitpid(self.pid, 0)[1])
        self.out.seek(0)
        with self.out:
            return status, self.out.read()


def test_of_many_writers_at_once_some_may_be_killed(store: Store, dice: random.Random) -> None:
    """A repairer runs all the while and takes nothing from a writer that lives."""
    history = History(store)
    usual = duration(store, history.give(input_of(0, 1 << 20)))
    for turn in range(max(2, KILLS // 30)):
        with repairing(store):
            inputs = [history.give(input_of(100 * turn + n + 1, 1 << 20)) for n in range(12)]
            writers = [Writer.start(store, data) for data in inputs]
            for writer in writers[::2]:
                time.sleep(dice.uniform(0, usual))
                os.kill(writer.pid, signal.SIGKILL)
            ends = [writer.end() for writer in writers]
        for number, (status, out) in enumerate(ends):
            assert status == 0 or (number % 2 == 0 and status == 137), out[:300]
            assert out or status, "it ended well and printed nothing"
            assert_what_was_printed_is_there(store, out, inputs[number])
        assert_final_names_are_right(store)
        assert_what_is_listed_is_right(history)
        assert_repair_adopts_what_was_left_once(history)
        assert_the_next_number_is_new(history, input_of(9000 + turn, 60_000))
