"""Two parsers read a command line: the short one takes only what typer reads alike."""

import shlex
from typing import Any

import pytest
import typer.main
from hypothesis import example, given
from hypothesis import strategies as st

from stubcli.cli import app as application
from stubcli.cli.catalog import commands
from stubcli.cli.command import Command
from stubcli.cli.dispatch import find
from stubcli.cli.parse import split

COMMANDS = [one for one in commands() if isinstance(one, Command)]
BY_NAME = {one.name: one for one in COMMANDS}
VALUES = ("5", "last", "x y", "-1", "-", "--", "", "a=b", "7KiB", "ž", "select 1", "--x")


def words_of(command: Command) -> list[str]:
    """Everything that can be typed for a command, spelled in every way, and some of what cannot."""
    words = [*VALUES, "-h", "--help", "--nonsense", "-Z", "-iF", "-m5", "-C2", "-n=3"]
    for option in command.parameters:
        for flag in option.flags:
            words += [flag, f"{flag}=5", flag[:-1], f"{flag}x"]
    return words


@st.composite
def lines(draw: st.DrawFn) -> tuple[Command, list[str]]:
    command = draw(st.sampled_from(COMMANDS))
    return command, draw(st.lists(st.sampled_from(words_of(command)), max_size=6))


def read_by_typer(
    command: Command, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> dict[str, Any] | None:
    """What typer reads; None where it refuses or prints help."""
    seen: list[tuple[str, dict[str, Any]]] = []

    def note(found: Command, raw: dict[str, Any], _closed: frozenset[int]) -> int:
        seen.append((found.name, raw))
        return 0

    monkeypatch.setattr(application, "invoke", note)
    program = typer.main.get_command(application.make_app())
    path = [] if command.name == "stub" else command.name.split()
    try:
        program(args=[*path, *words], prog_name="stub", standalone_mode=False)
    except Exception:
        return None
    return dict(seen[0][1]) if len(seen) == 1 and seen[0][0] == command.name else None


@given(line=lines())
@example(line=(BY_NAME["run"], ["--", "ls", "-la"]))
@example(line=(BY_NAME["run"], ["--tool", "x", "ls", "--", "-h"]))
@example(line=(BY_NAME["search"], ["-iF", "-m5", "-C", "2", "a=b", "last", "5"]))
@example(line=(BY_NAME["query"], ["last", "select 1", "-n", "5"]))
@example(line=(BY_NAME["lease reconcile"], ["--owner", "x", "--transaction", "a", "--as", "b"]))
@example(line=(BY_NAME["lease publish"], ["last", "--transaction=m", "--", "sh", "-c", "x"]))
@example(line=(BY_NAME["stub"], ["--threshold", "7KiB", "--disable"]))
@example(line=(BY_NAME["stub"], ["--head", ""]))
def test_what_the_short_parser_takes_typer_reads_alike(line: tuple[Command, list[str]]) -> None:
    command, words = line
    raw = split(command, words)
    if raw is None or command.lenient:
        return
    with pytest.MonkeyPatch.context() as monkeypatch:
        by_typer = read_by_typer(command, words, monkeypatch)
    assert by_typer is not None, shlex.join(words)
    # An empty text is no value to either; typer does not hand it on.
    assert {k: v for k, v in raw.items() if v != ""} == {
        k: v for k, v in by_typer.items() if v != ""
    }


@pytest.mark.parametrize("command", COMMANDS, ids=[one.name for one in COMMANDS])
def test_every_example_of_the_pages_is_for_the_short_parser(command: Command) -> None:
    for _, text in command.examples:
        for part in text.removesuffix("; echo $?").split(" | "):
            words = shlex.split(part.replace("< /dev/null", ""))
            if words[:1] == ["stub"]:
                found, rest = find(words[1:])
                assert split(found, rest) is not None, text


def test_a_command_is_found_by_its_words_alone() -> None:
    assert find(["read", "7"])[0].name == "read"
    assert find(["lease", "ls"])[0].name == "lease ls"
    assert find(["tools"])[0].name == "tools"
    assert find(["tools", "--format", "gemini"]) == (BY_NAME["tools"], ["--format", "gemini"])
    for nothing in (
        [],
        ["--tool", "read"],
        ["app"],
        ["_common"],
        ["lease"],
        ["../read"],
        ["lease", "_common"],
    ):
        assert find(nothing) == (BY_NAME["stub"], nothing)
