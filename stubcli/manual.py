"""The man pages and the shell completions, made from the declarations in `cli`.

`python -m stubcli.manual` writes them, with `--check` it only says which are stale. The same
declarations give the same bytes: no date, no terminal, no colour. Knows no command's meaning:
what it says of one stands in its help.
"""

import os
import re
import sys
from collections.abc import Iterable, Iterator
from textwrap import wrap

import typer
import typer.main
from typer.completion import get_completion_script  # type: ignore[attr-defined]
from typer.core import TyperArgument

from stubcli import __doc__ as purpose
from stubcli import __version__, errors
from stubcli.cli.main import app
from stubcli.settings.table import DISABLE, EXEMPT, SETTINGS, TOOL_KEYS

REFRESH = "python -m stubcli.manual"
VARIABLE = "_STUB_COMPLETE"
SCRIPTS = {"bash": "stub.bash", "zsh": "_stub", "fish": "stub.fish"}

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
    ("124", "run: its --timeout ended the command."),
    (
        str(errors.RUN_FAILED),
        "run itself failed, or its options are wrong: nothing ran, or the output was not written.",
    ),
    ("126, 127", "run: the command cannot be executed, or was not found."),
    ("128+N", "Ended by signal N: 130 after Ctrl-C, 143 after SIGTERM."),
)
VARIABLES: tuple[tuple[str, str], ...] = (
    *(
        (s.variable, s.help + (f" [default: {s.default}]" if s.default not in ("", "0") else ""))
        for s in SETTINGS
    ),
    (DISABLE, "1 makes the filter a plain copy: nothing is loaded, nothing is stored."),
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
# Run by the tests in this order, as they stand.
EXAMPLES: tuple[tuple[str, str], ...] = (
    ("Keep a large output and print one page of it:", "seq 100000 | stub --tool seq"),
    ("Read lines from its middle:", "stub read last --lines 500-520"),
    (
        "Search it, and show a line around each match:",
        r"stub search '^[1-9]\d*99$' last -C 1 -m 5",
    ),
    ("Give all of it to another program:", "stub read last --all | wc -l"),
    ("Let more pass for one run:", "seq 9000 | stub --threshold 50KiB"),
)

_GLYPHS = str.maketrans(
    {
        "\\": r"\e",
        "-": r"\-",
        "'": r"\(aq",
        '"': r"\(dq",
        "`": r"\(ga",
        "^": r"\(ha",
        "~": r"\(ti",
    }
)


def roff(text: str) -> str:
    """One line of text as one line of roff that shows it unchanged."""
    line = "".join(c if c < "\x7f" else f"\\[u{ord(c):04X}]" for c in text.translate(_GLYPHS))
    return r"\&" + line if line.startswith(".") else line


def _filled(text: str) -> str:
    """A paragraph, wrapped where a reader of the source wants it."""
    lines = wrap(text, 64, break_long_words=False, break_on_hyphens=False)
    return "\n".join(roff(line) for line in lines)


def _paragraphs(text: str) -> str:
    return "\n.PP\n".join(_filled(paragraph) for paragraph in text.split("\n\n"))


def _bold(text: str) -> str:
    return rf"\fB{roff(text)}\fR"


def _slanted(text: str) -> str:
    return rf"\fI{roff(text)}\fR"


def _slots(text: str) -> str:
    """Usage such as `[OPTIONS] REF`, with what the user puts in place slanted."""
    return re.sub("[A-Z]{2,}", r"\\fI\g<0>\\fR", roff(text))


def _entries(rows: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f".TP\n{term}\n{_filled(text)}" for term, text in rows)


def contexts() -> Iterator[typer.Context]:
    """Every command that is shown, `stub` first, each with its names and parents."""
    command = typer.main.get_command(app)
    return _below(typer.Context(command, info_name="stub", **command.context_settings))


def _below(context: typer.Context) -> Iterator[typer.Context]:
    yield context
    for name, command in sorted(getattr(context.command, "commands", {}).items()):
        if not command.hidden:
            settings = command.context_settings
            yield from _below(typer.Context(command, parent=context, info_name=name, **settings))


def page_name(context: typer.Context) -> str:
    return context.command_path.replace(" ", "-")


def parameters(context: typer.Context) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The arguments and the options that are shown: how each is typed, and its help."""
    arguments: list[tuple[str, str]] = []
    options: list[tuple[str, str]] = []
    for parameter in context.command.get_params(context):
        record = parameter.get_help_record(context)
        if record is None:
            continue
        typed, text = record[0].replace(" / ", ", "), record[1]
        text = " ".join(text.replace("[required]", "").split())
        (arguments if isinstance(parameter, TyperArgument) else options).append((typed, text))
    return arguments, options


def _option_term(typed: str) -> str:
    """`-m, --max-count N` with the flags bold and the value slanted."""
    words = typed.split()
    flags = ", ".join(_bold(word.rstrip(",")) for word in words if word.startswith("-"))
    return " ".join([flags, *(_slanted(word) for word in words if not word.startswith("-"))])


def _summary(context: typer.Context) -> str:
    if context.parent is None:
        return (purpose or "").split("\n")[0]
    return (context.command.help or "").split("\n\n")[0].replace("\n", " ")


def _name(context: typer.Context) -> str:
    summary = _summary(context).rstrip(".")
    return f"{roff(page_name(context))} \\- {roff(summary[:1].lower() + summary[1:])}"


def _synopsis(context: typer.Context) -> str:
    command = _bold(context.command_path)
    if context.parent is None:
        filtering = f"{_slanted('CMD')} | {command} {_slots('[OPTIONS]')}"
        return f"{filtering}\n.br\n{command} {_slots('COMMAND [ARG]...')}"
    words = ["[OPTIONS]", *(typed for typed, _ in parameters(context)[0])]
    if getattr(context.command, "commands", {}):
        words += ["COMMAND", "[ARG]..."]
    return f"{command} {_slots(' '.join(words))}"


def _sections(context: typer.Context) -> Iterator[tuple[str, str]]:
    arguments, options = parameters(context)
    below = [found for found in _below(context) if found.parent is context]
    yield "NAME", _name(context)
    yield "SYNOPSIS", _synopsis(context)
    yield "DESCRIPTION", _paragraphs(context.command.help or "")
    if below:
        yield "COMMANDS", _entries((_bold(c.info_name or ""), _summary(c)) for c in below)
    if arguments:
        yield "ARGUMENTS", _entries((_slots(typed), text) for typed, text in arguments)
    yield "OPTIONS", _entries((_option_term(typed), text) for typed, text in options)
    if context.parent is not None:
        yield "SEE ALSO", _see("stub")
        return
    yield "EXIT STATUS", _entries((_bold(code), text) for code, text in STATUS)
    yield "ENVIRONMENT", _entries((_bold(name), text) for name, text in VARIABLES)
    yield "FILES", _entries((_slanted(path), text) for path, text in FILES)
    yield "EXAMPLES", "\n.PP\n".join(_example(text, command) for text, command in EXAMPLES)
    yield "SEE ALSO", _see(*(page_name(c) for c in contexts() if c.parent))


def _example(text: str, command: str) -> str:
    return f"{_filled(text)}\n.PP\n.RS 4\n.nf\n{roff(command)}\n.fi\n.RE"


def _see(*names: str) -> str:
    return ",\n".join(f"{_bold(name)}(1)" for name in names)


def page(context: typer.Context) -> str:
    """The man page of one command."""
    title = roff(page_name(context).upper())
    head = [
        rf".\" Made by {REFRESH}; do not edit.",
        f'.TH {title} 1 "" "stub {__version__}" "User Commands"',
    ]
    body = [f".SH {title}\n{text}" for title, text in _sections(context)]
    return "\n".join([*head, *body]) + "\n"


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


def generated() -> dict[str, str]:
    """Every file that is made, as its path below the repository → its text."""
    pages = {f"man/{page_name(context)}.1": page(context) for context in contexts()}
    return pages | {f"completions/{name}": completion(shell) for shell, name in SCRIPTS.items()}


def stale(root: str) -> list[str]:
    """The files below `root` that are missing, differ, or belong to no command any more."""
    wanted, found = generated(), {}
    for folder in ("man", "completions"):
        for name in os.listdir(os.path.join(root, folder)):
            with open(os.path.join(root, folder, name), encoding="utf-8") as file:
                found[f"{folder}/{name}"] = file.read()
    return sorted(path for path in wanted | found if wanted.get(path) != found.get(path))


def write(root: str) -> list[str]:
    """Make the files below `root` what they should be; the paths that changed."""
    wanted, changed = generated(), stale(root)
    for path in changed:
        if path not in wanted:
            os.remove(os.path.join(root, path))
            continue
        with open(os.path.join(root, path), "w", encoding="utf-8") as file:
            file.write(wanted[path])
    return changed


def main(arguments: list[str]) -> int:
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if arguments not in ([], ["--check"]) or not os.path.isdir(os.path.join(root, "man")):
        sys.stderr.write(f"usage, in a clone: {REFRESH} [--check]\n")
        return errors.USAGE
    changed = stale(root) if arguments else write(root)
    for path in changed:
        sys.stdout.write(f"{path} {'is stale' if arguments else 'written'}\n")
    return 1 if arguments and changed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
