"""`stub run -- CMD`: the command that was asked for, as it was asked for, and its own status."""

import json
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from stubcli.process.own_commands import runs_only_stub
from tests.conftest import COMMAND, Store
from tests.helpers import (
    LARGE,
    Ran,
    artifact_of,
    assert_kept,
    assert_one_line_of_advice,
    documents,
    forked,
    is_stub,
    linux_only,
    names,
)

LARGE_SCRIPT = "seq 1 50000"
KEEP = [[], ["--keep-stderr"]]


def run(store: Store, *arguments: str, stdin: bytes = b"", **environment: str) -> Ran:
    return forked(store, stdin, "run", *arguments, environment=environment)


@pytest.mark.parametrize("keep", KEEP)
@pytest.mark.parametrize("status", [0, 1, 2, 42, 125, 126, 127, 130, 255])
def test_the_status_is_the_commands_own(store: Store, status: int, keep: list[str]) -> None:
    small = run(store, *keep, "--", "sh", "-c", f"echo out; exit {status}")
    assert small == Ran(status, b"out\n", b"")
    assert not store.home.exists()
    large = run(store, *keep, "--", "sh", "-c", f"{LARGE_SCRIPT}; exit {status}")
    assert (large.status, large.err) == (status, b"")
    assert_kept(store, large.out, LARGE)
    assert f"tool: sh   exit: {status}   " in large.out.decode().splitlines()[1]


# https://github.com/sipyourdrink-ltd/bernstein/issues/1398
# https://github.com/earendil-works/pi/issues/8992
# https://github.com/openssl/openssl/issues/11379
@pytest.mark.parametrize("keep", KEEP)
@pytest.mark.parametrize("name", ["HUP", "INT", "QUIT", "KILL", "SEGV", "PIPE", "TERM"])
def test_death_by_a_signal_is_128_and_its_number(
    store: Store, name: str, keep: list[str], tmp_path: Path
) -> None:
    number = signal.Signals[f"SIG{name}"].value
    die = f"ulimit -c 0; kill -{name} $$"
    small = run(store, *keep, "--", "sh", "-c", f"echo out; {die}")
    assert small == Ran(128 + number, b"out\n", b"")
    large = run(store, *keep, "--", "sh", "-c", f"{LARGE_SCRIPT}; {die}")
    assert (large.status, large.err) == (128 + number, b"")
    assert_kept(store, large.out, LARGE)
    lines = large.out.decode().splitlines()
    assert f"exit: {128 + number}   signal: SIG{name}   " in lines[1]
    assert lines[2] == f"killed by signal {number} (SIG{name})"


@pytest.mark.parametrize("options", [[], ["--disable"]])
def test_an_empty_name_is_no_command(store: Store, options: list[str]) -> None:
    done = run(store, *options, "--", "", "argument")
    assert_one_line_of_advice(done, 127)
    assert b"'': command not found" in done.err


# https://github.com/sipyourdrink-ltd/bernstein/issues/1398
@pytest.mark.parametrize("options", [[], ["--disable"], ["--cwd", "/"]])
def test_what_cannot_start_is_126_or_127_as_in_a_shell(
    store: Store, tmp_path: Path, options: list[str]
) -> None:
    orphan = tmp_path / "orphan"
    orphan.write_text("#!/no/such/interpreter\n")
    orphan.chmod(0o755)
    plain = tmp_path / "plain"
    plain.write_text("echo no\n")
    cases = {
        "no-such-command-anywhere": 127,
        "/no/such/command": 127,
        str(plain): 126,
        str(tmp_path): 126,
        str(orphan): 126,
    }
    for command, status in cases.items():
        done = run(store, *options, "--", command, "argument")
        assert done.out == b""
        assert_one_line_of_advice(done, status)
        assert os.fsencode(command) in done.err


@pytest.mark.parametrize("options", [[], ["--disable"]])
@pytest.mark.parametrize("found", ["by its path", "on PATH"])
def test_a_script_without_a_first_line_is_run_by_sh(
    store: Store, tmp_path: Path, options: list[str], found: str
) -> None:
    script = tmp_path / "script"
    script.write_text('echo "got $1 and $2"; exit 4\n')
    script.chmod(0o755)
    command = str(script) if found == "by its path" else "script"
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = run(store, *options, "--", command, "one", "a  b", PATH=path)
    assert done == Ran(4, b"got one and a  b\n", b"")


@linux_only
@pytest.mark.parametrize("options", [[], ["--disable"]])
def test_an_entry_without_a_name_in_the_environment_stops_nothing(
    store: Store, options: list[str]
) -> None:
    odd = ["env", "=C:=x", *COMMAND, "run", *options, "--", "echo", "it runs"]
    done = subprocess.run(
        odd, capture_output=True, env=os.environ | {"STUB_HOME": str(store.home)}, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"it runs\n", b"")


def words(dice: random.Random) -> list[bytes]:
    """25 arguments of any bytes but NUL."""
    return [bytes(dice.randrange(1, 256) for _ in range(dice.randrange(40))) for _ in range(25)]


# Re-joined and split again, `sh -c 'exit 7'` gave 0: https://github.com/rtk-ai/rtk/issues/2389
# https://github.com/rtk-ai/rtk/issues/2414
@pytest.mark.parametrize("locale", ["", "C", "C.UTF-8"])
@pytest.mark.parametrize("options", [[], ["--disable"], ["--timeout", "59.5"]])
def test_any_argument_arrives_unchanged(
    store: Store, locale: str, options: list[str], dice: random.Random
) -> None:
    hostile = [b"", b" ", b"--", b"-h", b"--help", b"--threshold", b"$(id)", b"*", b"a'b\"c", b"\n"]
    for _ in range(3):
        given = hostile + words(dice)
        done = subprocess.run(
            [*COMMAND, "run", "--threshold", "1MiB", *options, "--", "printf", "%s\\0", *given],
            capture_output=True,
            env=store.environment(LC_ALL=locale),
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout == b"".join(word + b"\0" for word in given)


def test_what_stands_behind_the_command_is_the_commands_own(store: Store) -> None:
    for options in ([], ["--timeout", "9.5"]):
        done = run(store, *options, "printf", "%s,", "--help", "--", "--keep-stderr", "-x")
        assert done == Ran(0, b"--help,--,--keep-stderr,-x,", b"")


@pytest.mark.parametrize("options", [[], ["--disable"]])
@pytest.mark.parametrize(
    "locale",
    [
        {"LANG": "C"},
        {"LC_ALL": "C"},
        {"LC_CTYPE": "C.UTF-8"},
        {"LC_CTYPE": "POSIX", "LANG": "C"},
        {},
    ],
)
def test_the_environment_is_the_callers(
    store: Store, locale: dict[str, str], options: list[str]
) -> None:
    environment: dict[bytes, bytes] = {
        b"PATH": os.environb[b"PATH"],
        b"HOME": os.environb[b"HOME"],
        b"PYTHONPATH": os.environb[b"PYTHONPATH"],
        b"STUB_HOME": os.fsencode(store.home),
        b"odd name.%%": b"not \xff UTF-8\n",
        b"TERM": b"dumb",
        b"EMPTY": b"",
        **{name.encode(): value.encode() for name, value in locale.items()},
    }
    done = subprocess.run(
        [*COMMAND, "run", *options, "--", "env", "-0"],
        capture_output=True,
        env=environment,
        check=True,
    )
    assert done.stderr == b""
    entries = sorted(name + b"=" + value for name, value in environment.items())
    assert sorted(done.stdout.removesuffix(b"\0").split(b"\0")) == entries


def beside(
    store: Store, script: str, prepare: Callable[[], None] | None = None, *options: str
) -> tuple[bytes, bytes]:
    """What a shell script prints by itself, and as the command of `stub run`."""
    both = []
    for prefix in ([], [*COMMAND, "run", *options, "--"]):
        done = subprocess.run(
            [*prefix, "bash", "-c", script],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=store.environment(),
            preexec_fn=prepare,
            check=True,
        )
        both.append(done.stdout + done.stderr)
    return both[0], both[1]


# https://github.com/ceph/ceph-qa-suite/issues/583
# https://github.com/brooklyncentral/clocker/issues/382
# https://github.com/knsd/daemonize/issues/39
@linux_only
@pytest.mark.parametrize("options", [[], ["--keep-stderr"], ["--disable"], ["--timeout", "50"]])
def test_no_descriptor_of_ours_is_open_in_the_command_and_those_of_the_caller_are(
    store: Store, options: list[str]
) -> None:
    command = " ".join(options)
    done = store.shell(
        "exec 7</etc/passwd 19</dev/null; ls /proc/self/fd; echo ---; "
        f"$STUB run {command} -- ls /proc/self/fd"
    )
    alone, _, through = done.out.partition(b"---\n")
    assert done.err == b""
    assert through == alone
    assert {b"7", b"19"} <= set(through.split())


@linux_only
@pytest.mark.parametrize("closed", ["<&-", "2>&-", "<&- 2>&-"])
def test_a_descriptor_that_was_closed_is_closed_in_the_command(store: Store, closed: str) -> None:
    look = "bash -c 'for n in 0 2; do [ -e /proc/self/fd/$n ] && echo $n; done; true'"
    done = store.shell(f"{look} {closed}; echo ---; $STUB run --keep-stderr -- {look} {closed}")
    alone, _, through = done.out.partition(b"---\n")
    assert through == alone


def block_signals() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD, signal.SIGUSR1])


def ignore_signals() -> None:
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)


def dispositions(told: bytes) -> list[int]:
    """Blocked, ignored and caught signals; 32 and 33 are the C library's own."""
    lines = told.decode().splitlines()
    assert [line[:7] for line in lines] == ["SigBlk:", "SigIgn:", "SigCgt:"]
    return [int(line[7:], 16) & ~(3 << 31) for line in lines]


@linux_only
@pytest.mark.parametrize("prepare", [None, block_signals, ignore_signals])
@pytest.mark.parametrize("options", [[], ["--disable"]])
def test_the_command_meets_the_signals_as_the_caller_left_them(
    store: Store, prepare: Callable[[], None] | None, options: list[str]
) -> None:
    look = "exec grep -E '^Sig(Blk|Ign|Cgt)' /proc/self/status"
    alone, through = beside(store, look, prepare, *options)
    assert dispositions(through) == dispositions(alone)


# https://github.com/openai/codex/issues/6850
# https://github.com/piotrmurach/tty-command/issues/33
def test_there_is_no_terminal_where_there_was_none(store: Store) -> None:
    look = "import os; print([os.isatty(n) for n in (0, 1, 2)])"
    assert run(store, "--", sys.executable, "-c", look).out == b"[False, False, False]\n"


def test_stdin_is_the_commands(store: Store) -> None:
    assert run(store, "--", "cat", stdin=b"data\0\xff").out == b"data\0\xff"
    assert_kept(store, run(store, "--", "cat", stdin=LARGE).out, LARGE)


# https://github.com/cline/cline/issues/9073
# https://github.com/earendil-works/pi/issues/5571
def test_an_open_stdin_that_nobody_writes_to_stops_nothing(store: Store) -> None:
    reading, writing = os.pipe()
    try:
        done = subprocess.run(
            [*COMMAND, "run", "--", "true"], stdin=reading, env=store.environment()
        )
    finally:
        os.close(reading)
        os.close(writing)
    assert done.returncode == 0


# https://github.com/rsalesc/rbx/issues/520
# https://github.com/dirge-code/dirge/issues/85
def test_both_streams_are_kept_in_their_order(store: Store) -> None:
    script = """
import os
for i in range(20000):
    os.write(1, b"o%d\\n" % i)
    os.write(2, b"e%d\\n" % i)
"""
    done = run(store, "--", sys.executable, "-c", script)
    assert done.err == b""
    assert_kept(store, done.out, b"".join(b"o%d\ne%d\n" % (i, i) for i in range(20000)))


def test_keep_stderr_leaves_it_alone(store: Store) -> None:
    done = run(store, "--keep-stderr", "--", "sh", "-c", f"echo why >&2; {LARGE_SCRIPT}")
    assert done.err == b"why\n"
    assert_kept(store, done.out, LARGE)


def test_the_record_says_what_ran_where_how_long_and_how_it_ended(
    store: Store, tmp_path: Path
) -> None:
    folder = tmp_path / "some where"
    folder.mkdir()
    argv = ["sh", "-c", f"{LARGE_SCRIPT}; sleep 0.2; kill -TERM $$", "\udcff é"]
    options = ["--call-id", "call_1", "--tool", "make", "--cwd", str(folder)]
    done = run(store, *options, "--", *argv)
    (known,) = documents(store.stub("show", "last", "--json").out)
    origin = known["origin"]
    assert isinstance(origin, dict)
    assert 0.2 <= origin.pop("duration") < 60
    assert origin == {
        "tool": "make",
        "call_id": "call_1",
        "mime": None,
        "argv": argv,
        "cwd": str(folder),
        "exit_status": 143,
        "signal": "SIGTERM",
        "name": None,
    }
    assert known["state"] == "complete"
    assert store.stub("show", "last").out == done.out


def test_the_tool_is_the_commands_base_name_and_may_have_its_own_settings(
    store: Store, tmp_path: Path
) -> None:
    config = tmp_path / "config.yaml"
    config.write_text("tools:\n  seq:\n    exempt: true\n  printf:\n    threshold: 900\n")
    seq = subprocess.check_output(["which", "seq"], text=True).strip()
    whole = run(store, "--", seq, "1", "50000", STUB_CONFIG=str(config))
    assert whole == Ran(0, LARGE, b"")
    short = run(store, "--", "printf", "%01000d\n" * 3, "1", "2", "3", STUB_CONFIG=str(config))
    assert is_stub(short.out)


def test_a_disabled_run_becomes_the_command(store: Store) -> None:
    process = subprocess.Popen(
        [*COMMAND, "run", "--", "sh", "-c", f"echo $$; {LARGE_SCRIPT}; exit 3"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=store.environment(STUB_DISABLE="1"),
    )
    out, err = process.communicate()
    assert (process.returncode, err) == (3, b"")
    assert out == b"%d\n" % process.pid + LARGE
    assert not store.home.exists()


def test_a_disabled_run_keeps_its_time_out(store: Store) -> None:
    done = run(store, "--disable", "--timeout", "1", "--", "sh", "-c", f"{LARGE_SCRIPT}; sleep 60")
    assert (done.status, done.out) == (124, LARGE)


@pytest.mark.parametrize("script", ["echo out; exit 3", f"{LARGE_SCRIPT}; exit 3"])
def test_a_bad_configuration_costs_neither_the_command_nor_its_output(
    store: Store, script: str
) -> None:
    done = run(store, "--", "sh", "-c", script, STUB_THRESHOLD="plenty")
    assert (done.status, done.out) == (3, b"out\n" if "out" in script else LARGE)
    assert_one_line_of_advice(Ran(2, b"", done.err), 2)
    assert b"STUB_THRESHOLD" in done.err
    assert b"the output passes whole" in done.err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--"],
        ["--no-such-option", "--", "touch", "ran"],
        ["--timeout", "0", "--", "touch", "ran"],
        ["--timeout", "-1", "--", "touch", "ran"],
        ["--timeout", "nan", "--", "touch", "ran"],
        ["--timeout", "soon", "--", "touch", "ran"],
        ["--timeout", "9" * 400, "--", "touch", "ran"],
        ["--timeout", "1" + "0" * 10, "touch", "ran"],
        ["--threshold", "plenty", "--", "touch", "ran"],
        ["--budget=1", "--", "touch", "ran"],
        ["--disable", "--on-failure", "hope", "--", "touch", "ran"],
        ["--cwd", "no/such/folder", "--", "touch", "ran"],
        ["--cwd", "/dev/null", "--disable", "--", "touch", "ran"],
    ],
)
def test_a_mistake_in_what_was_typed_is_125_and_nothing_runs(
    store: Store, arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Neither 2, nor 126 or 127: those could be the command's own answer.
    monkeypatch.chdir(tmp_path)
    done = run(store, *arguments)
    assert (done.status, done.out) == (125, b"")
    assert re.fullmatch(rb"stub: [^\n]+\n", done.err)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("options", [[], ["--disable"]])
def test_cwd_is_where_it_runs_and_the_session_stays_that_of_the_caller(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    (tmp_path / "here" / "below").mkdir(parents=True)
    (tmp_path / "here" / "below" / "tool").write_text("#!/bin/sh\npwd\n")
    (tmp_path / "here" / "below" / "tool").chmod(0o755)
    monkeypatch.chdir(tmp_path / "here")
    here = run(store, *options, "--cwd", "below", "--", "./tool")
    assert here == Ran(0, f"{tmp_path}/here/below\n".encode(), b"")
    if not options:
        (tmp_path / "here" / "below" / ".git").mkdir()
        large = run(store, "--cwd", "below", "--", "seq", "1", "50000", STUB_SESSION="")
        assert store.stub("show", "last", STUB_SESSION="").out == large.out


def test_a_command_that_removes_its_folder_keeps_its_output(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "gone"
    for options in ([], ["--cwd", "."]):
        folder.mkdir()
        monkeypatch.chdir(folder)
        done = run(store, *options, "--", "sh", "-c", f"rmdir '{folder}'; {LARGE_SCRIPT}")
        assert (done.status, done.err) == (0, b"")
        assert_kept(store, done.out, LARGE)
    assert run(store, "--", "echo", "nowhere") == Ran(0, b"nowhere\n", b"")


def test_the_same_output_twice_is_one_artifact(store: Store) -> None:
    first = run(store, "--", "seq", "1", "50000")
    again = run(store, "--", "sh", "-c", f"{LARGE_SCRIPT}; exit 9")
    assert artifact_of(store, again.out) == artifact_of(store, first.out)
    assert (again.status, len(store.artifacts())) == (9, 1)
    assert "exit: 9 " in again.out.decode().splitlines()[1]


# https://github.com/langchain-ai/deepagentsjs/issues/82
def test_a_stub_is_not_stubbed_again(store: Store) -> None:
    inner = run(store, "--", *COMMAND, "run", "--", "sh", "-c", f"{LARGE_SCRIPT}; exit 7")
    assert inner.status == 7
    assert_kept(store, inner.out, LARGE)
    assert run(store, "--", *COMMAND, "show", "last").out == inner.out
    whole = run(store, "--keep-stderr", "--", *COMMAND, "read", "last", "--all")
    assert artifact_of(store, whole.out) == artifact_of(store, inner.out)
    assert len(store.artifacts()) == 1


# https://github.com/langchain-ai/deepagentsjs/issues/82
def test_what_stub_is_asked_for_by_its_name_is_not_cut(store: Store, tmp_path: Path) -> None:
    stub = tmp_path / "stub"
    stub.write_text(f'#!/bin/sh\nexec {" ".join(COMMAND)} "$@"\n')
    stub.chmod(0o755)
    run(store, "--", "seq", "1", "50000")
    before = names(store)
    page = run(store, "--", str(stub), "read", "last", "--limit", "30000")
    assert (page.status, page.out) == (0, LARGE[:30000])
    assert names(store) == before


READ = "stub read last --all"


@pytest.mark.parametrize(
    "command",
    [
        ["sh", "-c", READ],
        ["bash", "--norc", "-o", "pipefail", "-euc", f"cd / && STUB_PAGE=9 {READ} 2>&1"],
        ["env", "A=1", "sh", "-c", f"\nset -e\nexport B=2\n{READ}\n"],
        ["sh", "-c", f"sh -c '{READ}'"],
        ["sh", "-c", f"exec {READ}"],
    ],
)
def test_a_reading_is_known_by_what_is_run_also_in_a_script(
    store: Store, tmp_path: Path, command: list[str]
) -> None:
    stub = tmp_path / "stub"
    stub.write_text(f'#!/bin/sh\nexec {" ".join(COMMAND)} "$@" 2> /dev/null\n')
    stub.chmod(0o755)
    store.stub("run", "--", "seq", "1", "50000")
    before = names(store)
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = store.stub("run", "--", *command, PATH=path)
    assert (done.status, done.out) == (0, LARGE)
    assert names(store) == before


@pytest.mark.parametrize(
    "script",
    [
        "stub read 1; seq 1 50000",
        "seq 1 50000 | stub",
        "stub read 1 | python3 -c 1",
        "cat stub",
        "(stub read 1)",
        "for n in 1; do stub read $n; done",
        "stub read 'it",
        "seq 1 50000 # stub read",
        "cd stub",
        "stub read 1 & seq 1 50000",
    ],
)
def test_a_script_that_runs_anything_else_is_no_reading(script: str) -> None:
    assert not runs_only_stub(["sh", "-c", script])
    assert not runs_only_stub(["echo", "stub"])
    assert not runs_only_stub(["sh", "stub"])


def test_a_run_in_a_pipeline_is_one_of_its_parts(store: Store) -> None:
    done = store.shell(
        "seq 1 9 | $STUB run -- sh -c 'cat; exit 3' | $STUB run -- wc -l; echo ${PIPESTATUS[@]}"
    )
    assert done.out.split() == [b"9", b"0", b"3", b"0"]
    assert done.err == b""


def test_json_is_one_object(store: Store) -> None:
    done = run(store, "--format", "json", "--", "sh", "-c", f"{LARGE_SCRIPT}; exit 2")
    assert json.loads(done.out)["exit_status"] == 2
    assert done.status == 2


def test_help_is_to_be_had(store: Store) -> None:
    done = store.stub("run", "--help")
    assert done.err == b""
    assert b"--keep-stderr" in done.out
