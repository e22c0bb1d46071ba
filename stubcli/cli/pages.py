"""The files made from the declarations: man pages, completions, api options, the README's table.

`python -m stubcli.cli.pages` writes them, with `--check` it only says which are stale. The same
declarations give the same bytes: no date, no terminal, no colour. Knows no command's meaning:
what it says of one is in its help.
"""

import os
import sys
from collections.abc import Iterator
from inspect import cleandoc

from typer.completion import get_completion_script  # type: ignore[attr-defined]

from stubcli import __doc__ as purpose
from stubcli import __version__, errors
from stubcli.cli.catalog import commands
from stubcli.cli.command import Command, Group
from stubcli.cli.markdown import to_roff
from stubcli.cli.roff import bold, entries, example, italic, paragraphs, roff, usage
from stubcli.debug import VARIABLE as DEBUG
from stubcli.settings.option import Option
from stubcli.settings.table import DISABLE, EXEMPT, SETTINGS, TOOL_KEYS

REFRESH = "python -m stubcli.cli.pages"
VARIABLE = "_STUB_COMPLETE"
SCRIPTS = {"bash": "stub.bash", "zsh": "_stub", "fish": "stub.fish"}
DOCUMENTS = ("stub-design", "stub-glossary", "stub-reliability")
_TABLE = ("<!-- settings -->\n", "<!-- end of settings -->\n")

STATUS: tuple[tuple[str, str], ...] = (
    (str(errors.OK), "Done."),
    (str(errors.NOTHING_FOUND), "Nothing was found."),
    (str(errors.USAGE), "A mistake in what was typed or configured; the filter still copies."),
    (str(errors.NO_SUCH_ARTIFACT), "No such artifact, or it is gone."),
    (str(errors.INTEGRITY), "What is stored is not what was recorded."),
    (
        str(errors.NOT_STORED),
        "The output could not be stored, or standard input or output failed on the way.",
    ),
    (str(errors.REFUSED), "Refused for safety: somebody may need what it could cost."),
    (str(errors.BUG), "A bug in stub; the message names its log."),
    (str(errors.RUN_FAILED), "run itself failed; see stub-run(1), also for 124, 126 and 127."),
    ("128+N", "Ended by signal N: 130 after Ctrl-C, 143 after SIGTERM."),
)
# What every command may end with.
_COMMON = {str(code) for code in (errors.OK, errors.USAGE, errors.NO_SUCH_ARTIFACT)} | {
    str(code) for code in (errors.INTEGRITY, errors.NOT_STORED, errors.REFUSED, errors.BUG)
}
VARIABLES: tuple[tuple[str, str], ...] = (
    *(
        (s.variable, s.help + (f" [default: {s.default}]" if s.default not in ("", "0") else ""))
        for s in SETTINGS
    ),
    (DISABLE, "1 makes the filter a plain copy: nothing is loaded, nothing is stored."),
    (
        DEBUG,
        "1 writes the errors that are swallowed for the output's sake, and the votes of the "
        "detectors, to standard error; a path with a slash appends them to that file.",
    ),
    ("STUB_CONFIG", "Another configuration file; it must exist."),
)
FILES: tuple[tuple[str, str], ...] = (
    (
        "~/.config/stub/config.yaml",
        "The configuration, in $XDG_CONFIG_HOME where that is set, and in "
        "~/Library/Application Support/stub on macOS. The keys are the settings that "
        "stub config lists, such as threshold: 50KiB. Under tools: the name of a tool may hold "
        + ", ".join(TOOL_KEYS)
        + f" and {EXEMPT.name} for its outputs alone. A flag goes before the environment, then "
        "the tool, then the file, then the default.",
    ),
    (
        "~/.local/state/stub",
        "The store, in $XDG_STATE_HOME where that is set, and in "
        "~/Library/Application Support/stub on macOS.",
    ),
    (
        "sessions/SESSION/tool-results/tool_result_NNN.txt",
        "In the store: one artifact, byte for byte.",
    ),
)


def name_of(command: Command | Group) -> str:
    """The name of its page: `stub-lease-ls`."""
    return "stub" if command.name == "stub" else "stub-" + command.name.replace(" ", "-")


def term(option: Option[object]) -> str:
    """An option or argument as it is typed: `-m, --max-count N`."""
    if option.positional:
        return option.metavar
    spelled = ", ".join(option.flags)
    return spelled if option.kind == "switch" else f"{spelled} {option.metavar}"


def _roff_term(option: Option[object]) -> str:
    if option.positional:
        return usage(option.metavar)
    flags = ", ".join(bold(flag) for flag in option.flags)
    return flags if option.kind == "switch" else f"{flags} {italic(option.metavar)}"


def _summary(command: Command | Group) -> str:
    if command.name == "stub":
        return (purpose or "").split("\n")[0]
    return " ".join(command.help.split("\n\n")[0].split())


def _synopsis(command: Command | Group) -> str:
    if command.name == "stub":
        filtering = f"{italic('CMD')} | {bold('stub')} {usage('[OPTIONS]')}"
        return f"{filtering}\n.br\n{bold('stub')} {usage('COMMAND [ARG]...')}"
    words = []
    if isinstance(command, Command):
        words = ["[OPTIONS]", *(option.metavar for option in command.own if option.positional)]
    if _below(command):
        words += ["COMMAND", "[ARG]..."]
    return f"{bold('stub ' + command.name)} {usage(' '.join(words))}"


def _below(command: Command | Group) -> list[Command | Group]:
    prefix = "" if command.name == "stub" else f"{command.name} "
    return [
        one
        for one in commands()
        if one.name != command.name
        and one.name.startswith(prefix)
        and " " not in one.name.removeprefix(prefix)
    ]


def _sections(command: Command | Group) -> Iterator[tuple[str, str]]:
    summary = _summary(command).rstrip(".")
    yield "NAME", f"{roff(name_of(command))} \\- {roff(summary[:1].lower() + summary[1:])}"
    yield "SYNOPSIS", _synopsis(command)
    yield "DESCRIPTION", paragraphs(cleandoc(command.help))
    if below := _below(command):
        yield "COMMANDS", entries((bold(one.name.split()[-1]), _summary(one)) for one in below)
    if isinstance(command, Command):
        arguments = [option for option in command.parameters if option.positional]
        options = [option for option in command.parameters if not option.positional]
        if arguments:
            yield "ARGUMENTS", entries((_roff_term(one), one.text) for one in arguments)
        yield "OPTIONS", entries((_roff_term(one), one.text) for one in [*options, _HELP])
        yield "EXIT STATUS", entries((bold(code), text) for code, text in _statuses(command))
    if command.name == "stub":
        yield "ENVIRONMENT", entries((bold(name), text) for name, text in VARIABLES)
        yield "FILES", entries((italic(path), text) for path, text in FILES)
    yield "EXAMPLES", "\n.PP\n".join(example(*one) for one in _examples(command))
    others = commands()[1:] if command.name == "stub" else commands()[:1]
    more = [f"{bold(name)}(7)" for name in DOCUMENTS] if command.name == "stub" else []
    yield "SEE ALSO", ",\n".join([*(f"{bold(name_of(one))}(1)" for one in others), *more])


def _examples(command: Command | Group) -> tuple[tuple[str, str], ...]:
    """Its own; of a group the first one of each command that it holds."""
    if isinstance(command, Command):
        return command.examples
    return tuple(one.examples[0] for one in _below(command) if isinstance(one, Command))


_HELP: Option[object] = Option("help", ("-h", "--help"), "Print help.", bool, kind="switch")


def _statuses(command: Command) -> tuple[tuple[str, str], ...]:
    """Its own, then the common ones; run has its own only."""
    if command.name == "stub":
        return STATUS
    own = dict(command.statuses)
    if "any other" in own:
        return command.statuses
    common = [row for row in STATUS if row[0] in _COMMON and row[0] not in own]
    return tuple(sorted((*command.statuses, *common), key=lambda row: int(row[0])))


def page(command: Command | Group) -> str:
    """The man page of one command."""
    title = roff(name_of(command).upper())
    head = [
        rf".\" Made by {REFRESH}; do not edit.",
        f'.TH {title} 1 "" "stub {__version__}" "User Commands"',
    ]
    body = [f".SH {title}\n{text}" for title, text in _sections(command)]
    return "\n".join([*head, *body]) + "\n"


def document(text: str) -> str:
    """A page of section 7, made from Markdown."""
    name, summary, body = to_roff(text)
    head = [
        rf".\" Made by {REFRESH}; do not edit.",
        f'.TH {roff(name.upper())} 7 "" "stub {__version__}" "Miscellaneous"',
        f".SH NAME\n{roff(name)} \\- {roff(summary[:1].lower() + summary[1:])}",
    ]
    return "\n".join([*head, body]) + "\n"


def completion(shell: str) -> str:
    """typer's completion script for `shell`, working from the shell's first TAB on."""
    script = get_completion_script(prog_name="stub", complete_var=VARIABLE, shell=shell)
    if shell == "zsh":
        # typer's file only registers a function: autoloaded from $fpath it did that at the first
        # TAB and answered nothing. Asked as a completion, it answers; sourced, it registers.
        body, register = script.rsplit("\n", 1)
        script = (
            f"{body}\nif [[ ${{zsh_eval_context[-1]}} == loadautofunc ]]; then\n"
            f'  {register.split()[1]} "$@"\nelse\n  {register}\nfi'
        )
    return script + "\n"


def options() -> str:
    """The settings as the keywords that calls of the library take."""
    rows = "\n".join(
        f"    {row.name}: {'str' if row.choices else 'int | str'}"
        + (" | None" if row.name in ("home", "session") else "")
        for row in SETTINGS
    )
    for name in ("home", "session", "pager"):
        rows = rows.replace(f"{name}: int | str", f"{name}: str")
    return f'''"""The settings that a call of the library may override; made by {REFRESH}."""

from typing import TypedDict


class Options(TypedDict, total=False):
    """Settings by the names and in the spelling of `stub config`."""

{rows}
'''


def table() -> str:
    """The settings as a table in Markdown."""
    rows = "".join(
        f"| `{row.name}` | {'`' + row.default + '`' if row.default else ''} | {row.help} |\n"
        for row in SETTINGS
    ).replace("N|all", "N\\|all")
    return f"| setting | default | meaning |\n| --- | --- | --- |\n{rows}"


def generated(root: str) -> dict[str, str]:
    """Every file that is made, as its path below the repository → its text."""
    pages = {f"man/man1/{name_of(command)}.1": page(command) for command in commands()}
    pages |= {f"completions/{name}": completion(shell) for shell, name in SCRIPTS.items()}
    for name in sorted(os.listdir(os.path.join(root, "man"))):
        if name.endswith(".7.md"):
            made = f"man/man7/{name.removesuffix('.md')}"
            pages[made] = document(_read(os.path.join(root, "man", name)))
    pages["stubcli/settings/options.py"] = options()
    readme = _read(os.path.join(root, "README.md"))
    before, rest = readme.split(_TABLE[0])
    pages["README.md"] = before + _TABLE[0] + table() + _TABLE[1] + rest.split(_TABLE[1])[1]
    return pages


def _read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def stale(root: str) -> list[str]:
    """The files below `root` that are missing, differ, or belong to no command any more."""
    wanted, found = generated(root), {}
    for path in wanted:
        if os.path.exists(os.path.join(root, path)):
            found[path] = _read(os.path.join(root, path))
    for folder in ("man/man1", "man/man7"):
        for name in os.listdir(os.path.join(root, folder)):
            found.setdefault(f"{folder}/{name}", "")
    return sorted(path for path in wanted | found if wanted.get(path) != found.get(path))


def write(root: str) -> list[str]:
    """Make the files below `root` what they should be; the paths that changed."""
    wanted, changed = generated(root), stale(root)
    for path in changed:
        if path not in wanted:
            os.remove(os.path.join(root, path))
            continue
        with open(os.path.join(root, path), "w", encoding="utf-8") as file:
            file.write(wanted[path])
    return changed


def main(arguments: list[str]) -> int:
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    if arguments not in ([], ["--check"]) or not os.path.isdir(os.path.join(root, "man")):
        sys.stderr.write(f"usage, in a clone: {REFRESH} [--check]\n")
        return errors.USAGE
    changed = stale(root) if arguments else write(root)
    for path in changed:
        sys.stdout.write(f"{path} {'is stale' if arguments else 'written'}\n")
    return 1 if arguments and changed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
