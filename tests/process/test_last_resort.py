"""What nobody expected: no memory, no threads, no descriptors, a module that cannot be loaded.

The input is in the store or on standard output, once; the status is documented, the error a line.
"""

import _thread
import json
import os
import random
import resource
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import stubcli.descriptors
import stubcli.spill.filter
from stubcli.store.posix.incoming import Background
from tests.chance import exploring
from tests.conftest import COMMAND, Store
from tests.helpers import (
    LARGE,
    Ran,
    assert_kept,
    dev_full,
    forked,
    is_stub,
    linux_only,
    read_and_write_little,
)

# Lists what a run has loaded; the second runs without one of them.
LISTING = """
import json, os, sys
os._exit = sys.exit
report, sys.argv[:] = sys.argv[1], ["stub", *sys.argv[2:]]
from stubcli.entry import run
try:
    run()
finally:
    open(report, "w").write(json.dumps(sorted(sys.modules)))
"""
LACKING = """
import sys
sys.modules[sys.argv[1]] = None
sys.argv[:] = ["stub", *sys.argv[2:]]
from stubcli.entry import run
run()
"""
CALLS: dict[str, tuple[list[str], bytes, bytes]] = {
    "small": ([], b"small\n", b"small\n"),
    "large": ([], LARGE, LARGE),
    "run": (["run", "--", "seq", "1", "50000"], b"", LARGE),
}


def python(store: Store, code: str, *arguments: str, stdin: bytes) -> Ran:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        input=stdin,
        capture_output=True,
        env=store.environment(),
        check=False,
        timeout=60,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def assert_once(store: Store, done: Ran, data: bytes, *statuses: int) -> None:
    """All of `data` is in one place; what became of it is one line, and a bug is another."""
    if is_stub(done.out):
        assert_kept(store, done.out, data)
    else:
        assert done.out == data
    assert done.status in (statuses or (0, 5, 70)), done.err
    assert b"Traceback" not in done.err
    assert done.err.count(b"\n") <= 1 + (b"a bug in stub" in done.err)


@pytest.mark.parametrize("call", CALLS)
def test_a_module_that_cannot_be_loaded_costs_no_byte(
    store: Store, tmp_path: Path, call: str
) -> None:
    arguments, stdin, data = CALLS[call]
    report = tmp_path / "modules"
    python(store, LISTING, str(report), *arguments, stdin=stdin)
    modules = {name for name in json.loads(report.read_text()) if name.startswith("stubcli.")}
    if call == "run":  # what keeps a large input is the same as in the call before
        modules = {name for name in modules if name.startswith(("stubcli.cli", "stubcli.process"))}
    assert len(modules) > 8
    # Of the kinds, which are passed over by one line of code, every third.
    kinds = sorted(name for name in modules if name.startswith("stubcli.detect."))
    modules -= set() if exploring() else set(kinds) - set(kinds[::3])
    for module in sorted(modules - {"stubcli.entry"}):
        done = python(store, LACKING, module, *arguments, stdin=stdin)
        if call == "run" and done.out == b"":
            assert done.status == 70, module  # nothing was run
        else:
            assert_once(store, done, data)


@pytest.mark.parametrize("error", [MemoryError, RecursionError, ImportError])
@pytest.mark.parametrize("logged", [True, False])
def test_a_bug_is_one_line_and_a_log(
    store: Store, tmp_path: Path, error: type[Exception], logged: bool
) -> None:
    def broken() -> None:
        def load(*_: Any) -> Any:
            raise error("planted")

        vars(stubcli.spill.filter)["load"] = load
        os.environ["TMPDIR"] = str(tmp_path)
        if not logged:
            os.urandom = load

    done = forked(store, LARGE, prepare=broken)
    assert (done.status, done.out) == (70, LARGE)
    assert done.err.count(b"\n") == 1
    shortage = error is MemoryError
    assert done.err.startswith(b"stub: not enough memory" if shortage else b"stub: a bug in stub")
    logs = list(tmp_path.glob("stub-bug-*.log"))
    assert len(logs) == logged
    for log in logs:
        assert f"please report it with {log}" in done.err.decode()
        assert f"{error.__name__}: planted" in log.read_text()
        assert log.stat().st_mode & 0o777 == 0o600


REFUSING = pytest.mark.skipif(find_spec("_testcapi") is None, reason="no memory can be refused")


def without_memory(first: int, count: int) -> Callable[[], None]:
    """For `prepare`: so many requests for memory are refused, from that one on."""

    def prepare() -> None:
        import _testcapi  # type: ignore[import-not-found]

        read_and_write_little()
        real = stubcli.descriptors.guard_standard

        def begin() -> frozenset[int]:
            _testcapi.set_nomemory(first, first + count)
            return real()

        vars(stubcli.descriptors)["guard_standard"] = begin

    return prepare


@REFUSING
@pytest.mark.parametrize("count", [1, 2, 10])
@pytest.mark.parametrize("call", CALLS)
def test_memory_that_is_refused_for_a_moment_costs_no_byte(
    store: Store, dice: random.Random, call: str, count: int
) -> None:
    arguments, stdin, data = CALLS[call]
    for number in (*dice.sample(range(1, 1500), 15), *dice.sample(range(1500, 12_000), 10)):
        done = forked(store, stdin, *arguments, prepare=without_memory(number, count))
        if call == "run" and done.out == b"":
            assert done.status == 70  # nothing was run
        elif done.status != 139:  # inside of a library that takes no refusal
            assert_once(store, done, data)


@linux_only
def test_the_same_bytes_under_little_memory_are_those_that_are_kept(store: Store) -> None:
    first = store.shell("seq 1 50000 | $STUB")
    for most in (90, 120, 150):
        done = store.shell(f"seq 1 50000 | (ulimit -v {most << 10}; exec $STUB)")
        assert done.status == 0
        assert done.err == b""
        assert done.out.splitlines()[0] == first.out.splitlines()[0]
    assert len(store.artifacts()) == 1


@linux_only
@pytest.mark.parametrize("words", ["search 4999", "search '4(9+)'", "read last --all", "ls"])
def test_too_little_memory_to_read_is_said(store: Store, words: str) -> None:
    store.shell("seq 1 50000 | $STUB")
    for most in range(60, 160, 10):
        done = store.shell(f"ulimit -v {most << 10}; exec $STUB {words}")
        if done.status:
            assert done.status == 70, (most, done)
            assert done.err.startswith(b"stub: not enough memory"), (most, done)
            assert done.err.count(b"\n") == 1


def refused(*_: object) -> int:
    raise RuntimeError("can't start new thread")


@pytest.mark.parametrize("start", [refused, lambda *_: 1], ids=["none", "dead"])
def test_no_thread_is_needed(store: Store, start: Callable[..., int]) -> None:
    """None can be started, or one that never begins to run."""

    def without() -> None:
        _thread.start_new_thread = start

    data = LARGE * 40
    done = forked(store, data, prepare=without)
    assert (done.status, done.err) == (0, b"")
    assert_kept(store, done.out, data)


@pytest.mark.parametrize("start", [refused, lambda *_: 1], ids=["none", "dead"])
def test_what_a_thread_should_have_done_is_done_without(
    monkeypatch: pytest.MonkeyPatch, start: Callable[..., int]
) -> None:
    monkeypatch.setattr(_thread, "start_new_thread", start)
    done: list[int] = []
    beside = Background(done.append, 7)
    assert beside.run()
    assert beside.run()
    beside.wait()
    beside.wait()
    assert done == [7, 7]


@linux_only
@pytest.mark.parametrize("data", [b"small\n", LARGE], ids=["small", "large"])
def test_few_descriptors_cost_no_byte(store: Store, data: bytes) -> None:
    for most in range(3, 16):

        def limited(most: int = most) -> None:
            os.closerange(3, 65536)
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

        assert_once(store, forked(store, data, prepare=limited), data)


@linux_only
@pytest.mark.parametrize("options", ["", "--disable", "--home /dev/null/x"])
def test_little_memory_costs_no_byte(store: Store, options: str) -> None:
    for most in range(20, 60, 5):
        limit = f"ulimit -v {most << 10}"
        if store.shell(f"{limit}; {COMMAND[0]} -c pass").status:
            continue  # the interpreter itself needs more
        data = LARGE if options else b"small\n"
        source = "seq 1 50000" if options else "echo small"
        done = store.shell(f"{source} | ({limit}; exec $STUB {options})")
        assert_once(store, Ran(done.status, done.out, done.err), data)


@dev_full
@pytest.mark.parametrize("words", ["--help", "ls --help", "--version", "config"])
def test_a_full_standard_output_is_named(store: Store, words: str) -> None:
    done = store.shell(f"$STUB {words} >/dev/full")
    assert done.status == 5
    assert done.err == b"stub: standard output: No space left on device\n"
