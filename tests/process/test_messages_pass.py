"""A list of messages comes out whatever fails on its way: as it came, or with texts replaced.

Whoever pipes a conversation through `stub messages` has no other copy of it.
"""

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from stubcli import descriptors
from stubcli.errors import BUG, NOT_STORED, USAGE
from stubcli.messages.source import Source
from stubcli.piped import is_piped_list
from tests.conftest import Store
from tests.helpers import Ran, fail_import, forked, refuse_memory
from tests.messages.made import ref_in, said, turn

LINES = "a line of an ordinary log\n" * 1_200
MESSAGES = [said("openai-chat", "user", "go"), *turn("openai-chat", ("bash", LINES))]
DATA = json.dumps(MESSAGES).encode() + b"\n"
OFFLOAD = ("messages", "offload")
# Some builds of Python leave it out.
refuses_memory = pytest.mark.skipif(find_spec("_testcapi") is None, reason="no _testcapi")


def from_the_first_line(act: Callable[[], None]) -> Callable[[], None]:
    """For `prepare`: `act` when the program's own first line runs, and not before."""

    def prepare() -> None:
        module: Any = descriptors
        real = module.guard_standard

        def guard() -> frozenset[int]:
            act()
            closed: frozenset[int] = real()
            return closed

        module.guard_standard = guard

    return prepare


def assert_it_came_out(store: Store, done: Ran) -> None:
    """All of it, with at most one line about what failed, which is no traceback."""
    assert b"Traceback" not in done.err
    assert len(done.lines) <= 1, done
    if done.out != DATA:
        text = json.loads(done.out)[-1]["content"]
        assert store.stub("read", ref_in(text), "--all").out.decode() == LINES


@pytest.mark.parametrize("error", [MemoryError, ImportError])
def test_a_module_that_cannot_be_loaded_costs_no_conversation(
    store: Store, error: type[Exception]
) -> None:
    for number in range(1, 60):
        begin = from_the_first_line(partial(fail_import, number, error))
        done = forked(store, DATA, *OFFLOAD, prepare=begin)
        assert_it_came_out(store, done)
        assert done.status in (0, NOT_STORED, BUG), (number, done)


@refuses_memory
@pytest.mark.parametrize("count", [1, 10])
def test_memory_that_is_refused_costs_no_conversation(store: Store, count: int) -> None:
    for number in (*range(1, 300, 9), *range(300, 20_000, 997)):
        begin = from_the_first_line(partial(refuse_memory, number, count))
        done = forked(store, DATA, *OFFLOAD, prepare=begin)
        assert b"Traceback" not in done.err
        assert done.out == DATA or done.out.endswith(b"\n"), (number, done)
        if done.out != DATA:
            assert_it_came_out(store, Ran(done.status, done.out, b""))


def test_what_was_read_before_the_input_failed_comes_out(store: Store) -> None:
    def prepare() -> None:
        real, count = os.read, 0

        def read(descriptor: int, size: int) -> bytes:
            nonlocal count
            if descriptor != 0:
                return real(descriptor, size)
            count += 1
            if count > 1:
                raise OSError(errno.EIO, "Input/output error")
            return real(descriptor, 1000)

        os.read = read

    done = forked(store, DATA, *OFFLOAD, prepare=prepare)
    # `pass_on` reads in another way, to which the input did not fail.
    assert (done.status, done.out) == (USAGE, DATA)
    assert done.lines == ["stub: standard input: Input/output error; give a file of messages"]


@pytest.mark.parametrize("number", range(1, 6))
def test_a_standard_input_that_cannot_be_looked_at_costs_no_conversation(
    store: Store, number: int
) -> None:
    def act() -> None:
        real, count = os.fstat, 0

        def fstat(fd: int) -> os.stat_result:
            nonlocal count
            count += fd == 0
            if fd == 0 and count == number:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            return real(fd)

        os.fstat = fstat

    assert_it_came_out(store, forked(store, DATA, *OFFLOAD, prepare=from_the_first_line(act)))


def test_a_list_that_cannot_be_held_passes_from_a_pipe_to_a_pipe(store: Store) -> None:
    """Not all of it was read when memory ran out."""
    program = (
        "import sys, os\n"
        "from stubcli import entry\n"
        "real = os.read\n"
        "def read(descriptor, size):\n"
        "    read.count += descriptor == 0\n"
        "    if read.count == 3: raise MemoryError\n"
        "    return real(descriptor, size)\n"
        "read.count, os.read = 0, read\n"
        "sys.argv = ['stub', 'messages', 'offload']\n"
        "entry.run()\n"
    )
    data = b" " * 100_000 + b"\xff".join([b"x" * 999] * 700)
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=data,
        capture_output=True,
        env=store.environment(),
        check=False,
    )
    assert done.stdout == data
    assert done.returncode == BUG
    assert done.stderr.count(b"\n") == 1


@refuses_memory
def test_an_edit_that_fails_leaves_the_file(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "list.json"
    for number in (*range(1, 300, 23), *range(300, 20_000, 1973)):
        path.write_bytes(DATA)
        begin = from_the_first_line(partial(refuse_memory, number, 10))
        done = forked(store, b"", *OFFLOAD, "--in-place", str(path), prepare=begin)
        assert (done.out, b"Traceback" in done.err) == (b"", False)
        if path.read_bytes() != DATA:
            assert path.with_name("list.json.before-stub").read_bytes() == DATA
            assert_it_came_out(store, Ran(done.status, path.read_bytes(), b""))


@pytest.mark.parametrize(
    ("words", "piped"),
    [
        ("offload", True),
        ("compact --keep 3 --session x", True),
        ("offload --threshold=9", True),
        ("offload --report out.json", True),
        ("offload list.json", False),
        ("offload --threshold=9 list.json", False),
        ("offload --dry-run", False),
        ("offload --in-place list.json", False),
        ("offload --help", False),
        ("offload -h", False),
        ("", False),
    ],
)
def test_where_nothing_could_be_loaded_only_a_piped_list_passes(
    words: str, piped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "isatty", lambda _descriptor: False)
    assert is_piped_list(["messages", *words.split()]) is piped
    monkeypatch.setattr(os, "isatty", lambda _descriptor: True)
    assert not is_piped_list(["messages", *words.split()])


def test_a_list_of_any_length_passes_byte_for_byte(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    for size in (0, 1, 255, 256, 257, 70_000):
        path = tmp_path / "list"
        path.write_bytes(bytes(n % 251 for n in range(size)))
        Source(str(path)).pass_on()
        assert capfdbinary.readouterr().out == path.read_bytes()


@pytest.mark.parametrize(
    ("words", "environment"),
    [
        (("--nonsense",), {}),
        (("--nonsense", "value"), {}),
        (("--threshold", "x"), {}),
        (("--session",), {}),
        ((), {"STUB_THRESHOLD": "x"}),
    ],
)
def test_a_mistake_in_what_was_typed_or_set_costs_no_conversation(
    store: Store, words: tuple[str, ...], environment: dict[str, str]
) -> None:
    done = forked(store, DATA, *OFFLOAD, *words, environment=environment)
    assert (done.status, done.out, len(done.lines)) == (USAGE, DATA, 1)


def test_a_mistake_beside_a_file_prints_no_list(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "list.json"
    path.write_bytes(DATA)
    for words in ((str(path), "--nonsense"), ("--in-place", str(path), "--nonsense")):
        done = forked(store, b"something else", *OFFLOAD, *words)
        assert (done.status, done.out, len(done.lines)) == (USAGE, b"", 1)
