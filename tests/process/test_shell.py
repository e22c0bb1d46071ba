"""`stub-shell`: scripts answer as they would without it, and only a large answer is a stub."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

import stubcli.process
from tests.conftest import COMMAND, Store
from tests.helpers import LARGE, Ran, assert_kept, is_stub, wait_until

SCRIPT = Path(stubcli.process.__file__).parent / "stub-shell"
SHELLS = [name for name in ("bash", "dash", "zsh") if shutil.which(name)]
MANY = "seq 1 50000"


@dataclass
class Shell:
    """A `stub-shell` installed beside a `stub`, with `shell` as the user's own."""

    store: Store
    folder: Path
    shell: str
    more: dict[str, str] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        return self.folder / "bin" / "stub-shell"

    def run(self, *command: str, stdin: bytes = b"", merged: bool = False) -> Ran:
        """Run a command where the two are found, in a folder of its own."""
        work = self.folder / "work"
        work.mkdir(exist_ok=True)
        done = subprocess.run(
            command,
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if merged else subprocess.PIPE,
            env=self.store.environment(SHELL=self.shell, **self.more),
            cwd=work,
            check=False,
        )
        code = done.returncode
        return Ran(128 - code if code < 0 else code, done.stdout, done.stderr or b"")

    def through(self, *arguments: str, stdin: bytes = b"", merged: bool = False) -> Ran:
        return self.run(str(self.path), *arguments, stdin=stdin, merged=merged)

    def given(self, **environment: str) -> "Shell":
        """The same, with more in its environment."""
        return replace(self, more=environment)

    def files(self) -> dict[str, bytes]:
        """What stands in the folder of the last script; it is emptied."""
        work = self.folder / "work"
        found = {path.name: path.read_bytes() for path in work.iterdir()}
        for path in work.iterdir():
            path.unlink()
        return found


def install(folder: Path) -> None:
    binaries = folder / "bin"
    binaries.mkdir()
    shutil.copy(SCRIPT, binaries / "stub-shell")
    stub = binaries / "stub"
    stub.write_text(f'#!/bin/sh\nexec {" ".join(COMMAND)} "$@"\n')
    for path in binaries.iterdir():
        path.chmod(0o755)


@pytest.fixture(params=SHELLS)
def shell(request: pytest.FixtureRequest, store: Store, tmp_path: Path) -> Shell:
    install(tmp_path)
    return Shell(store, tmp_path, str(shutil.which(request.param)))


@pytest.fixture
def one_shell(store: Store, tmp_path: Path) -> Shell:
    install(tmp_path)
    return Shell(store, tmp_path, str(shutil.which("bash")))


def of_the_model(script: str, where: str = "cwd") -> str:
    """A script as Claude Code assembles it for a command of the model."""
    return f"eval {shlex.quote(script)} < /dev/null && pwd -P >| {where}"


SCRIPTS = {
    # https://github.com/jfrog/boost/issues/69
    # https://github.com/yvgude/lean-ctx/issues/939
    # https://github.com/rtk-ai/rtk/issues/1243
    "a quoted heredoc": "cat > x.txt <<'EOF'\nhello\n$HOME \"'\nEOF",
    "an open heredoc": "a=b\ncat > x.txt <<EOF\nhello $a $(echo c)\nEOF",
    "a heredoc with tabs": "cat <<-EOF\n\t\thello\n\tEOF",
    "two heredocs": "cat <<A; cat <<'B'\none\nA\n$two\nB\necho three",
    # https://github.com/TencentCloud/CubeSandbox/issues/1238
    # https://github.com/plengauer/Thoth/issues/229
    "cd and export": "mkdir -p /tmp && cd /tmp && export A=1\npwd; echo $A; sh -c 'echo $A'",
    "exit": "echo before; exit 3",
    "exit in a subshell": "(exit 4); echo $?; false",
    "exec": "exec printf '%s\\n' one two",
    "a syntax error": "echo one; )",
    "a command that is missing": "no_such_command_at_all; echo $?",
    "death by a signal": "ulimit -c 0; echo out; kill -TERM $$",
    # https://github.com/rtk-ai/rtk/issues/1560
    # https://github.com/rtk-ai/rtk/issues/3722
    # https://github.com/rtk-ai/rtk/issues/1941
    "a pipe": f"{MANY} | wc -l",
    "a pipe to head": f"{MANY} | head -n 3",
    "a redirection": f"{MANY} > f; wc -l < f; cat f | tail -n 1",
    "a substitution": f"x=$({MANY}); echo ${{#x}}",
    "a loop that reads": "seq 1 3 | while read l; do echo \"<$l>\"; done",
    "tee and xargs": f"{MANY} | tee f | xargs -n 1000 | wc -l",
    # https://github.com/mksglu/context-mode/issues/1125
    "many lines": "a=1\n# b\nfor i in 1 2; do echo $i$a; done\nprintf x | head -c 1\ntouch marker",
    "both streams": "echo out; echo err >&2; echo again",
    "no final newline": "printf 'a\\nb'",
    "any bytes": "printf 'a\\0\\377\\033[1mb'",
    "standard input": "read -r line; echo \"got $line\"; cat",
    "its own arguments": 'echo "$0" "$1" "$#"',
    "nothing": "",
}  # fmt: skip


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_small_answer_is_the_one_that_the_shell_gives(shell: Shell, name: str) -> None:
    script = SCRIPTS[name]
    given = b"first\nsecond\n"
    alone = shell.run(shell.shell, "-c", script, "zero", "é  one", stdin=given)
    left = shell.files()
    assert shell.through("-c", script, "zero", "é  one", stdin=given) == alone
    assert shell.files() == left
    assert not shell.store.home.exists()


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_small_answer_to_the_model_is_the_one_that_the_shell_gives(
    shell: Shell, name: str
) -> None:
    script = of_the_model(SCRIPTS[name])
    alone = shell.run(shell.shell, "-c", script, merged=True)
    left = shell.files()
    done = shell.given(CLAUDECODE="1").through(script, merged=True)
    assert done == alone
    assert shell.files() == left


# https://github.com/yvgude/lean-ctx/issues/604
def test_a_large_answer_is_a_stub_with_the_status_and_the_last_line(shell: Shell) -> None:
    script = f"{MANY}; echo the end; exit 3"
    model = f"{of_the_model(MANY)}; echo the end; exit 3"
    for done in (
        shell.through("-c", script),
        shell.through("-ec", script),
        shell.through("-e", "-u", "-c", script, "zero"),
        shell.through(script),
        shell.given(CLAUDECODE="1").through(model),
        shell.given(CLAUDE_CODE_SHELL_PREFIX="x").through(model),
    ):
        assert (done.status, done.err) == (3, b"")
        assert_kept(shell.store, done.out, LARGE + b"the end\n")
        assert done.out.decode().splitlines()[1].startswith("tool: bash   exit: 3 ")
        assert b"\nthe end\n" in done.out
    assert shell.files() == {"cwd": os.fsencode(shell.folder / "work") + b"\n"}


def test_two_streams_stay_two_and_one_stays_in_its_order(one_shell: Shell) -> None:
    script = f"echo first >&2; {MANY}; echo last >&2"
    apart = one_shell.through("-c", script)
    assert apart.err == b"first\nlast\n"
    assert_kept(one_shell.store, apart.out, LARGE)
    together = b"first\n" + LARGE + b"last\n"
    assert_kept(one_shell.store, one_shell.through("-c", script, merged=True).out, together)
    # The model reads both as one, wherever its host has put them.
    done = one_shell.given(CLAUDECODE="1").through(of_the_model(script))
    assert done.err == b""
    assert_kept(one_shell.store, done.out, together)


@pytest.mark.parametrize("variable", ["CLAUDECODE", "CLAUDE_CODE_SHELL_PREFIX"])
def test_what_is_no_command_of_the_model_passes_untouched(shell: Shell, variable: str) -> None:
    # Hooks, status lines and servers on their standard streams.
    host = shell.given(**{variable: "1"})
    for script in (MANY, "cat", "exec cat"):
        given = b"" if script == MANY else LARGE
        assert host.through(script, stdin=given) == Ran(0, LARGE, b"")
    process = subprocess.Popen(
        [shell.path, f"exec {sys.executable} -c 'import os; print(os.getpid())'"],
        stdout=subprocess.PIPE,
        env=shell.store.environment(SHELL=shell.shell, **{variable: "1"}),
    )
    assert process.communicate()[0] == b"%d\n" % process.pid
    assert not shell.store.home.exists()


def test_other_calls_are_the_shell_itself(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "file.sh"
    file.write_text(f"echo $0 $1; {MANY}\n")
    for arguments in ([], ["-s"], ["-s", "one"], ["-e"], [str(file)], [str(file), "one"]):
        given = b"" if str(file) in arguments else f"echo $1; {MANY}\nexit 3\n".encode()
        alone = shell.run(shell.shell, *arguments, stdin=given)
        assert alone.out.count(b"\n") == 50001
        assert shell.through(*arguments, stdin=given) == alone
    for wrong in (["-c"], ["--no-such-option"], ["/no/such/file", "one"]):
        alone = shell.run(shell.shell, *wrong)
        assert alone.status != 0
        assert shell.through(*wrong) == alone
    assert not shell.store.home.exists()


def test_a_login_shell_and_options_with_a_value_are_kept(one_shell: Shell) -> None:
    (Path(os.environ["HOME"]) / ".bash_profile").write_text("export FROM_PROFILE=yes\n")
    look = f"echo $FROM_PROFILE; shopt -qo pipefail && echo fails; {MANY}"
    cases = {
        ("-lc",): b"yes\n",
        ("-l", "-c"): b"yes\n",
        ("--login", "-c"): b"yes\n",
        ("--noprofile", "--norc", "-eo", "pipefail", "-c"): b"\nfails\n",
        ("-o", "pipefail", "-c"): b"\nfails\n",
        ("+e", "-O", "extglob", "-c"): b"\n",
    }
    for flags, first in cases.items():
        done = one_shell.through(*flags, look)
        assert_kept(one_shell.store, done.out, first + LARGE)
    prompt = one_shell.through("--norc", "-ic", MANY)
    assert prompt.out == LARGE


# https://github.com/coder/xum/issues/41
# https://github.com/AaronCQL/pim-agent/issues/7
@pytest.mark.parametrize("redirected", ["", " >log 2>&1"])
def test_a_background_job_lives_on_and_holds_nobody(shell: Shell, redirected: str) -> None:
    script = f"sleep 600{redirected} & echo $!"
    done = shell.through("-c", script, merged=True)
    assert done.status == 0
    pid, *told = done.out.splitlines()
    os.kill(int(pid), signal.SIGKILL)  # which fails where it is gone
    assert len(told) == (not redirected)


def test_every_shell_can_read_it(shell: Shell) -> None:
    assert shell.run(shell.shell, "-n", str(SCRIPT)) == Ran(0, b"", b"")


# https://github.com/yvgude/lean-ctx/issues/604
# https://github.com/yvgude/lean-ctx/issues/595
def test_what_calls_stub_is_not_stubbed_twice(one_shell: Shell) -> None:
    path = f"{one_shell.path.parent}:{os.environ['PATH']}"
    shell = one_shell.given(PATH=path)
    assert_kept(shell.store, shell.through("-c", f"stub run -- {MANY}").out, LARGE)
    assert is_stub(shell.through("-c", f"{MANY} | stub").out)
    assert shell.through("-c", "stub read last --limit 30000").out == LARGE[:30000]
    model = shell.given(PATH=path, CLAUDECODE="1")
    assert model.through(of_the_model("stub read last --all")).out == LARGE
    twice = shell.through("-c", f"{shell.path} -c '{MANY}; exit 5'")
    assert_kept(shell.store, twice.out, LARGE)
    assert twice.status == 5
    assert len(shell.store.artifacts()) == 1


def test_a_script_that_asks_for_its_output_whole_gets_it(one_shell: Shell) -> None:
    assert one_shell.through("-c", f"STUB_DISABLE=1 {MANY}").out == LARGE
    assert one_shell.given(STUB_DISABLE="1").through("-c", MANY).out == LARGE


@pytest.mark.parametrize("form", ["stub-shell", "a link of another name"])
def test_as_the_shell_of_all_programs_it_never_calls_itself(one_shell: Shell, form: str) -> None:
    own = one_shell.path
    if form != "stub-shell":
        own = one_shell.folder / "bash"
        own.symlink_to(one_shell.path)
    one_shell.shell = str(own)
    done = one_shell.through("-c", f"{MANY}; exit 3")
    assert done.status == 3
    assert_kept(one_shell.store, done.out, LARGE)
    # A program that runs its commands by SHELL reads them whole.
    inner = one_shell.through("-c", f'"$SHELL" -c "{MANY}" | wc -l')
    assert inner.out.split() == [b"50000"]
    assert one_shell.through(stdin=b"echo hi\n") == Ran(0, b"hi\n", b"")


@pytest.mark.parametrize("shell_name", ["/bin/fish", "/usr/sbin/nologin", "/no/such/bash", "", "x"])
def test_a_shell_that_reads_no_such_script_is_replaced(one_shell: Shell, shell_name: str) -> None:
    one_shell.shell = shell_name
    assert one_shell.through("-c", 'if true; then echo "$SHELL"; fi').out == (
        f"{shell_name}\n".encode()
    )


@pytest.mark.parametrize("broken", ["missing", "not executable", "without interpreter", "a folder"])
def test_without_a_stub_that_runs_the_script_still_runs(one_shell: Shell, broken: str) -> None:
    stub = one_shell.path.parent / "stub"
    stub.unlink()
    if broken == "not executable":
        stub.write_text("#!/bin/sh\nexit 1\n")
    elif broken == "without interpreter":
        stub.write_text("#!/no/such/venv/bin/python -I\n")
        stub.chmod(0o755)
    elif broken == "a folder":
        stub.mkdir()
    path = "/usr/bin:/bin"
    shell, model = one_shell.given(PATH=path), one_shell.given(PATH=path, CLAUDECODE="1")
    assert shell.through("-c", f"{MANY}; exit 3") == Ran(3, LARGE, b"")
    assert model.through(of_the_model(MANY)) == Ran(0, LARGE, b"")


def test_a_stub_on_path_will_do(one_shell: Shell, tmp_path: Path) -> None:
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.copy(one_shell.path, alone / "stub-shell")
    path = f"{one_shell.path.parent}:{os.environ['PATH']}"
    for command in (str(alone / "stub-shell"), "stub-shell"):
        done = one_shell.given(PATH=path).run(command, "-c", MANY)
        assert_kept(one_shell.store, done.out, LARGE)


def test_the_environment_of_the_script_is_the_callers(one_shell: Shell) -> None:
    more = {
        "line": "1",
        "word": "2",
        "skip": "3",
        "stub": "4",
        "shell": "5",
        "IFS": "x",
        "A": "é\n",
    }
    look = "exec env -0"
    shell = one_shell.given(**more)
    alone, done = shell.run(shell.shell, "-c", look), shell.through("-c", look)

    def entries(told: Ran) -> list[bytes]:
        # What every shell sets by itself.
        own = (b"_=", b"SHLVL=", b"PWD=", b"OLDPWD=")
        return sorted(entry for entry in told.out.split(b"\0") if not entry.startswith(own))

    assert entries(done) == entries(alone)


def test_a_signal_ends_the_script(one_shell: Shell) -> None:
    note = one_shell.folder / "note"
    process = subprocess.Popen(
        [
            one_shell.path,
            "-c",
            f"trap 'echo bye; exit 9' TERM; echo >'{note}'; while :; do sleep 0.05; done",
        ],
        stdout=subprocess.PIPE,
        env=one_shell.store.environment(SHELL=one_shell.shell),
    )
    wait_until(note.exists)
    process.terminate()
    assert process.communicate()[0] == b"bye\n"
    assert process.returncode == 9
