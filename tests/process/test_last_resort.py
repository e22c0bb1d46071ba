"""What nobody expected: no memory, no threads, no descriptors, a module that cannot be loaded.

The input is in the store or on standard output, once; the status is documented, the error a line.
"""

import _thread
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import stubcli.spill.filter
from tests.conftest import COMMAND, Store
from tests.helpers import LARGE, Ran, assert_kept, dev_full, forked, is_stub, linux_only

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
    logs = list(tmp_path.glob("stub-bug-*.log"))
    assert len(logs) == logged
    for log in logs:
        assert f"please report it with {log}" in done.err.decode()
        assert f"{error.__name__}: planted" in log.read_text()
        assert log.stat().st_mode & 0o777 == 0o600


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
