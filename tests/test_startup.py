"""A small input pays for little more than the interpreter: what is loaded is listed, not timed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / "stubcli" / "__main__.py"
# Runs the script as it is installed and lists every module at the end, whichever way it ends.
PROBE = """
import os, sys
os._exit = sys.exit  # or nothing could be listed
script, report = sys.argv[1:3]
sys.argv[:] = [script, *sys.argv[3:]]
try:
    with open(script) as file:
        source = file.read()
    exec(compile(source, script, "exec"), {"__name__": "__main__"})
finally:
    with open(report, "w") as file:
        file.write("\\n".join(sys.modules))
"""
# Runs the script and lists every module of the package in which a function was called.
WALK = """
import os, runpy, sys, threading
os._exit = sys.exit  # or nothing could be listed
script, report = sys.argv[1:3]
sys.argv[:] = [script]
seen = set()
def note(frame, event, argument):
    code = frame.f_code
    if event == "call" and code.co_name != "<module>" and "/stubcli/" in code.co_filename:
        seen.add(code.co_filename.split("/stubcli/", 1)[1])
sys.setprofile(note)
threading.setprofile(note)
try:
    runpy.run_path(script, run_name="__main__")
finally:
    sys.setprofile(None)
    with open(report, "w") as file:
        file.write("\\n".join(sorted(seen)))
"""
# Each costs a millisecond or much more, on an interpreter that starts in eight.
HEAVY = frozenset(
    (
        *("typer", "rich", "yaml", "platformdirs", "json", "re", "typing", "dataclasses", "enum"),
        *("hashlib", "threading", "pathlib", "signal", "re2", "regex", "importlib.metadata"),
        *("stubcli.cli.app", "stubcli.cli.output", "stubcli.cli.pages", "stubcli.retrieve"),
        *("stubcli.spill.keep", "stubcli.store", "stubcli.detect", "stubcli.render"),
        *("stubcli.settings.file",),
    )
)
RUN_HEAVY = HEAVY | {"subprocess", "shutil", "tempfile", "stubcli.process.about"}
# What who follows a byte has to read. Two fewer are seen where the thread beside the caller scans
# all of it, as its calls are not followed.
MOST_MODULES = 63
SPILL_HEAVY = frozenset(("typer", "rich", "yaml", "pydantic", "platformdirs", "stubcli.cli.app"))


def loaded(
    tmp_path: Path, *arguments: str, stdin: bytes, bare: bool = True, **environment: str
) -> tuple[frozenset[str], bytes]:
    """The modules loaded by `stub` over `stdin`, and its output.

    bare: without site, so that nothing a virtual environment loads by itself is counted.
    """
    report = tmp_path / "modules"
    isolation = ["-S"] if bare else []
    done = subprocess.run(
        [sys.executable, *isolation, "-c", PROBE, str(SCRIPT), str(report), *arguments],
        input=stdin,
        capture_output=True,
        env={**os.environ, "STUB_HOME": str(tmp_path / "store"), **environment},
        check=True,
    )
    assert done.stderr == b""
    return frozenset(report.read_text().splitlines()), done.stdout


def within(modules: frozenset[str], heavy: frozenset[str]) -> list[str]:
    """Those of `modules` that are in `heavy`, or below one of it."""
    return sorted(
        name for name in modules if any(name == top or name.startswith(top + ".") for top in heavy)
    )


@pytest.mark.parametrize("size", [0, 100, 15_000])
def test_a_small_input_loads_nothing_heavy(tmp_path: Path, size: int) -> None:
    data = (b"line of text\n" * (size // 13 + 1))[:size]
    modules, out = loaded(tmp_path, stdin=data)
    assert out == data
    assert within(modules, HEAVY) == []


def test_text_that_is_not_ascii_is_counted_without_loading_anything(tmp_path: Path) -> None:
    data = ("žluťoučký kůň\n" * 1200).encode()
    modules, out = loaded(tmp_path, stdin=data)
    assert out == data
    assert within(modules, HEAVY) == []


def test_options_of_the_filter_load_nothing_heavy(tmp_path: Path) -> None:
    arguments = ("--tool", "grep", "--threshold=64kB", "--on-failure", "preview")
    modules, out = loaded(tmp_path, *arguments, stdin=b"x\n" * 9000)
    assert out == b"x\n" * 9000
    assert within(modules, HEAVY) == []


@pytest.mark.parametrize("size", [100, 1_000_000])
def test_a_disabled_stub_loads_nothing_heavy_whatever_the_size(tmp_path: Path, size: int) -> None:
    data = b"y" * size
    modules, out = loaded(tmp_path, stdin=data, STUB_DISABLE="1")
    assert out == data
    assert within(modules, HEAVY) == []
    by_flag, out = loaded(tmp_path, "--disable", stdin=data)
    assert out == data
    assert within(by_flag, HEAVY) == []


def test_a_spill_loads_no_command_line_and_no_configuration(tmp_path: Path) -> None:
    many = b"".join(b"%d\n" % number for number in range(20_000))
    modules, out = loaded(tmp_path, stdin=many, bare=False)
    assert out.startswith(b"[stub artifact:")
    assert within(modules, SPILL_HEAVY) == []


def test_a_kept_log_passes_through_few_modules(tmp_path: Path) -> None:
    line = "2026-11-05T10:16:54Z {} app.module{}: request {} done in {} ms\n"
    log = "".join(
        line.format("ERROR" if number == 777 else "INFO", number % 7, number, number % 97)
        for number in range(20_000)
    )
    report = tmp_path / "modules"
    done = subprocess.run(
        [sys.executable, "-c", WALK, str(SCRIPT), str(report)],
        input=log.encode(),
        capture_output=True,
        env={**os.environ, "STUB_HOME": str(tmp_path / "store")},
        check=True,
    )
    passed = report.read_text().splitlines()
    assert done.stdout.startswith(b"[stub artifact:")
    assert {"entry.py", "detect/text/forms/log.py", "spill/keep.py"} <= set(passed)
    assert len(passed) <= MOST_MODULES, passed


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--keep-stderr", "--tool", "bash", "--threshold=64kB"],
        ["--timeout", "60"],
        ["--disable", "--timeout", "60"],
    ],
)
def test_a_run_with_a_small_output_loads_nothing_heavy(tmp_path: Path, options: list[str]) -> None:
    for command in (["true"], ["head", "-c", "15000"]):
        modules, out = loaded(tmp_path, "run", *options, "--", *command, stdin=b"y" * 15_000)
        assert out == (b"y" * 15_000 if command[0] == "head" else b"")
        assert within(modules, RUN_HEAVY) == []


def test_a_run_with_a_large_output_loads_no_command_line_and_no_configuration(
    tmp_path: Path,
) -> None:
    modules, out = loaded(tmp_path, "run", "--", "seq", "20000", stdin=b"", bare=False)
    assert out.startswith(b"[stub artifact:")
    assert within(modules, SPILL_HEAVY) == []


def test_the_probe_sees_what_is_loaded(tmp_path: Path) -> None:
    modules, _ = loaded(tmp_path, "--help", stdin=b"", bare=False)
    assert {"typer", "re", "typing", "stubcli.cli.app"} <= set(within(modules, HEAVY))


def test_completion_never_waits_for_its_input(tmp_path: Path) -> None:
    # A shell that completes calls `stub` with no argument, which otherwise is the filter.
    request = {"_STUB_COMPLETE": "complete_bash", "COMP_WORDS": "stub re", "COMP_CWORD": "1"}
    reading, writing = os.pipe()
    try:
        done = subprocess.run(
            [sys.executable, str(SCRIPT)],
            stdin=reading,
            capture_output=True,
            env={**os.environ, **request},
            cwd=tmp_path,
            check=False,
        )
    finally:
        os.close(reading)
        os.close(writing)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"read\n", b"")


@pytest.mark.parametrize("words", ["stub read ", "stub\nsearch\nx\n", "stub lease ls --home x -"])
def test_completion_loads_the_command_that_is_typed_and_no_other(
    tmp_path: Path, words: str
) -> None:
    count = str(len(words.split()) - (not words[-1].isspace()))
    request = {"_STUB_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": count}
    modules, out = loaded(tmp_path, stdin=b"", bare=False, **request)
    assert (b"last" in out) == ("lease" not in words)
    assert (b"--pending" in out) == ("lease" in words)
    found = {name for name in modules if name.startswith("stubcli.cli.commands.")}
    named = words.split()[1]
    assert {name.split(".")[3] for name in found} == {named}


def test_a_log_loads_only_what_reads_logs(tmp_path: Path) -> None:
    log = b"".join(
        b"2026-11-01 10:%02d:%02d INFO worker-%d handled request %d\n" % (n // 60, n % 60, n % 7, n)
        for n in range(600)
    )
    modules, out = loaded(tmp_path, stdin=log, bare=False)
    assert b"] text/log" in out
    found = {name.removeprefix("stubcli.detect.") for name in modules if ".detect." in name}
    kinds = ("code", "json", "table", "unknown", "xml", "yaml", "fields", "charset")
    assert within(frozenset(found), frozenset(kinds)) == []
    assert {name for name in found if name.startswith("text.forms.")} == {"text.forms.log"}
    # The packages among them hold nothing but a docstring.
    assert len(found - {"notable", "text", "text.forms"}) <= 25
