"""The pages and the completions are those of the command line as it is, and they work."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli import errors
from stubcli.cli import pages
from stubcli.cli.catalog import commands
from stubcli.cli.command import Command, Group
from stubcli.cli.roff import roff
from stubcli.debug import VARIABLE as DEBUG
from stubcli.retention.leases.sqlite_owner import SqliteOwner
from stubcli.settings.table import DISABLE, SETTINGS
from tests.conftest import Store

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "man").glob("man?/*"))
COMMANDS = commands()
NAMES = [pages.name_of(command) for command in COMMANDS]
NAMED = {"aq": "'", "dq": '"', "ga": "`", "ha": "^", "ti": "~"}
PLAIN = {"-": "-", "e": "\\", "&": "", "fB": "", "fI": "", "fR": ""}
MACROS = {".IP", ".SS", ".TH", ".SH", ".TP", ".PP", ".br", ".RS", ".RE", ".nf", ".fi", '.\\"'}


def shown(roff: str) -> str:
    """What a reader sees of roff, as far as the pages use it."""

    def glyph(match: re.Match[str]) -> str:
        name, code, plain = match.groups()
        return NAMED[name] if name else chr(int(code, 16)) if code else PLAIN[plain]

    return re.sub(r"\\(?:\((..)|\[u([0-9A-F]{4,6})\]|(f.|.))", glyph, roff)


def section(text: str, title: str) -> str:
    """One section of a page, as it is read."""
    return shown(text.split(f"\n.SH {title}\n")[1].split("\n.SH ")[0])


def entries(text: str, title: str) -> list[tuple[str, str]]:
    """The terms of a section and what is said of each."""
    found = [entry.split("\n", 1) for entry in section(text, title).split(".TP\n")[1:]]
    return [(term, " ".join(said.split())) for term, said in found]


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A PATH on which `stub` is the command under test."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "stub"
    script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m stubcli "$@"\n')
    script.chmod(0o755)
    shutil.copy(ROOT / "stubcli" / "process" / "stub-shell", folder)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


def run(*command: str, path: str, **environment: str) -> str:
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": path, **environment},
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_committed_files_are_the_generated_ones() -> None:
    stale = pages.stale(str(ROOT))
    assert stale == [], f"refresh them with: {pages.REFRESH}"


def test_no_terminal_and_no_locale_changes_them() -> None:
    odd = {"COLUMNS": "20", "FORCE_COLOR": "1", "TERM": "xterm", "LC_ALL": "C", "LANGUAGE": "de"}
    command = [sys.executable, "-m", "stubcli.cli.pages", "--check"]
    assert run(*command, path=os.environ["PATH"], PYTHONHASHSEED="7", **odd) == ""


def test_what_is_stale_is_named_and_written_again(tmp_path: Path) -> None:
    for folder in ("man", "completions", "stubcli"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    shutil.copy(ROOT / "README.md", tmp_path)
    (tmp_path / "man" / "man1" / "stub-read.1").write_text("old")
    (tmp_path / "man" / "man1" / "stub-gone.1").write_text("of a command that is no more")
    (tmp_path / "completions" / "stub.fish").unlink()
    expected = ["completions/stub.fish", "man/man1/stub-gone.1", "man/man1/stub-read.1"]
    assert pages.stale(str(tmp_path)) == expected
    assert pages.write(str(tmp_path)) == expected
    assert pages.stale(str(tmp_path)) == []


@pytest.mark.parametrize("command", COMMANDS, ids=NAMES)
def test_every_command_and_option_has_help_and_a_place_in_its_page(
    command: Command | Group,
) -> None:
    text = (ROOT / "man" / "man1" / f"{pages.name_of(command)}.1").read_text()
    assert command.help
    if not isinstance(command, Command):
        return
    found = dict(entries(text, "OPTIONS"))
    if any(option.positional for option in command.parameters):
        found |= dict(entries(text, "ARGUMENTS"))
    for option in command.parameters:
        assert option.help.endswith("."), f"{option.name} has no sentence of help"
        assert found[pages.term(option)] == option.text
    for option in command.parameters:
        if option.positional:
            assert option.metavar in section(text, "SYNOPSIS")
    assert command.examples, "it has no example"
    assert section(text, "EXIT STATUS")


def test_every_page_has_examples() -> None:
    for command in COMMANDS:
        text = (ROOT / "man" / "man1" / f"{pages.name_of(command)}.1").read_text()
        assert re.search(r"^ *stub|\| stub", section(text, "EXAMPLES"), re.MULTILINE)


def test_the_first_page_names_every_command_setting_and_status() -> None:
    text = (ROOT / "man" / "man1" / "stub.1").read_text()
    for command in COMMANDS[1:]:
        assert f"{pages.name_of(command)}(1)" in section(text, "SEE ALSO")
        if " " not in command.name:
            assert command.name in dict(entries(text, "COMMANDS"))
    variables = dict(entries(text, "ENVIRONMENT"))
    own = {DISABLE, DEBUG, "STUB_CONFIG"}
    assert {setting.variable for setting in SETTINGS} | own == set(variables)
    statuses = {str(value) for value in vars(errors).values() if type(value) is int}
    assert statuses | {"128+N"} == set(dict(entries(text, "EXIT STATUS")))


@given(st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1))
def test_any_line_of_text_is_shown_unchanged(text: str) -> None:
    line = roff(text)
    assert shown(line) == text
    assert line.isascii()
    assert line[0] not in ".'"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_uses_only_macros_that_every_man_knows(page: Path) -> None:
    text = page.read_text(encoding="ascii")
    assert {line.split()[0] for line in text.splitlines() if line.startswith(".")} <= MACROS
    assert not re.search(r"(?<!\\)-", text.split("\n", 2)[2])


@pytest.mark.skipif(not shutil.which("mandoc"), reason="mandoc is not installed")
def test_mandoc_finds_nothing_but_the_date_that_is_left_out() -> None:
    command = ["mandoc", "-T", "lint", "-W", "warning", *map(str, PAGES)]
    found = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    assert [line for line in found.splitlines() if "missing date" not in line] == []


@pytest.mark.skipif(not shutil.which("groff"), reason="groff is not installed")
def test_groff_warns_of_nothing() -> None:
    for page in PAGES:
        command = ["groff", "-man", "-ww", "-Tutf8", str(page)]
        assert subprocess.run(command, capture_output=True, check=True).stderr == b""


def test_the_examples_of_the_first_page_give_what_they_promise(store: Store, path: str) -> None:
    text = (ROOT / "man" / "man1" / "stub.1").read_text()
    examples = [shown(code) for code in re.findall(r"\.nf\n(.*?)\n\.fi", text, re.DOTALL)]
    filtering = COMMANDS[0]
    assert isinstance(filtering, Command)
    assert examples == [command for _, command in filtering.examples]
    place = {"STUB_HOME": str(store.home), "STUB_SESSION": store.session}
    printed = [run("bash", "-c", example, path=path, **place) for example in examples]
    assert printed[0].startswith("[stub artifact:")
    assert printed[1].splitlines() == [str(number) for number in range(500, 521)]
    assert "\n199:" in printed[2]
    assert printed[3].strip() == "100000"
    assert printed[4].splitlines() == [str(number) for number in range(1, 9001)]
    assert len(store.artifacts()) == 1


def _position(example: str) -> int:
    """Tables are asked first, while the newest artifact is one; then a lease lives its life."""
    order = ("stub query", "lease prepare", "lease commit", "lease publish", "lease release")
    return next((place for place, words in enumerate(order) if words in example), len(order))


def test_every_example_of_every_page_runs(tmp_path: Path, path: str) -> None:
    place = {"STUB_HOME": str(tmp_path / "store"), "STUB_SESSION": "examples", "PATH": path}
    (tmp_path / "table.csv").write_text("id,name\n" + "".join(f"{n},x\n" for n in range(4000)))
    SqliteOwner(str(tmp_path / "memory.sqlite"), create=True).check()
    script = [
        "stub < table.csv > /dev/null",
        "stub lease prepare last --transaction m3 2> /dev/null",
    ]
    examples = [one for command in COMMANDS for _, one in getattr(command, "examples", ())]
    examples.sort(key=_position)
    for example in examples:
        script.append(
            f"( {example} ) > out 2> err < /dev/null; status=$?; echo $status >> statuses"
        )
        script.append(f"test $status -lt 2 || {{ echo {shlex.quote(example)}; cat err; }}")
    done = subprocess.run(
        ["bash", "-c", "\n".join(script)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, **place},
        timeout=120,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("m3\n", "")
    assert len((tmp_path / "statuses").read_text().split()) == len(examples) > 40


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["stub", "re"], ["read"]),
        (["stub", "s"], ["search", "show", "stats"]),
        (["stub", "--thr"], ["--threshold"]),
        (["stub", "read", "--un"], ["--unit"]),
        (["stub", "search", "'two words'", "--fix"], ["--fixed-strings"]),
        (["stub", "read", "nothing"], []),
        (["stub", "init", "cl"], ["claude"]),
        (["stub", "read", "last", "--unit", ""], ["chars", "lines", "bytes"]),
        (["stub", "--on-failure", "p"], ["preview"]),
        (["stub", "config", "--preset", "koc"], ["kocoro"]),
        (["stub", "tools", "call", "stub_re"], ["stub_read"]),
        (["stub", "messages", "offload", "--format", "openai-r"], ["openai-responses"]),
        (["stub", "query", "last", "--format", "js"], ["json", "jsonl"]),
    ],
)
def test_bash_completes(path: str, words: list[str], answer: list[str]) -> None:
    script = f"""
        source {shlex.quote(str(ROOT / "completions" / "stub.bash"))}
        COMP_WORDS=({" ".join(map(shlex.quote, words))}) COMP_CWORD={len(words) - 1}
        _stub_completion stub
        printf '%s\\n' "${{COMPREPLY[@]}}"
        complete -p stub >/dev/null
    """
    assert run("bash", "--norc", "-c", script, path=path).split() == answer


@pytest.mark.skipif(not shutil.which("fish"), reason="fish is not installed")
def test_fish_completes(path: str) -> None:
    file = shlex.quote(str(ROOT / "completions" / "stub.fish"))
    script = f"source {file}; complete -C 'stub re'; complete -C 'stub read --un'"
    found = run("fish", "--no-config", "-c", script, path=path).splitlines()
    assert [line.split("\t")[0] for line in found] == ["read", "--unit"]


# A shell in a terminal of its own: types, presses TAB once, and says what the line then holds.
ZSH = """
    zmodload zsh/zpty
    zpty -b inner zsh -f -i
    zpty -w inner 'fpath=($COMPLETIONS $fpath); autoload -Uz compinit; compinit -u -D'
    zpty -w inner 'tell() { print -r -- "$BUFFER" > $ANSWER.new; mv $ANSWER.new $ANSWER }'
    zpty -w inner 'zle -N tell; bindkey "^G" tell; : > $READY'
    for i in {1..300}; do [[ -e $READY ]] && break; sleep 0.1; done
    zpty -wn inner "$TYPED"$'\\t\\C-g'
    for i in {1..300}; do [[ -e $ANSWER ]] && break; sleep 0.1; done
    zpty -d inner
    cat $ANSWER
"""


@pytest.mark.skipif(not shutil.which("zsh"), reason="zsh is not installed")
@pytest.mark.parametrize(
    ("typed", "line"), [("stub re", "stub read"), ("stub read --un", "stub read --unit")]
)
def test_zsh_completes_at_the_first_tab(tmp_path: Path, path: str, typed: str, line: str) -> None:
    places = {"READY": str(tmp_path / "ready"), "ANSWER": str(tmp_path / "answer")}
    completions = str(ROOT / "completions")
    found = run("zsh", "-fc", ZSH, path=path, TYPED=typed, COMPLETIONS=completions, **places)
    assert found.strip() == line
