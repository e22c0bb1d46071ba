"""typer for what the short parser leaves: help, mistakes, completion, unusual spellings.

Made from the same records, so both know the same commands, options and values. The only module,
with `output`, that knows typer or rich.
"""

import inspect
import os
import sys
from typing import Annotated, Any, cast

import typer

from stubcli.cli.catalog import commands
from stubcli.cli.command import Command, Given, Group
from stubcli.cli.dispatch import FOLDER, find, invoke, load
from stubcli.descriptors import leave_stdout, say
from stubcli.errors import OK, NotStoredError, StubError, UsageError, reason_of
from stubcli.settings.option import Option

_HELP = {"help_option_names": ["-h", "--help"]}
_LENIENT = {"ignore_unknown_options": True, "allow_extra_args": True}


def make_app(
    closed: frozenset[int] = frozenset(), found: list[Command | Group] | None = None
) -> typer.Typer:
    """The whole command line, or as much of it as `found` holds."""
    found = found or commands()
    app = typer.Typer(
        add_completion=False,
        context_settings=_HELP,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    groups = {"": app}
    for one in found:
        below, _, name = one.name.rpartition(" ")
        holds = any(other.name.startswith(f"{one.name} ") for other in found)
        if one.name == "stub" or holds:
            group = app if one.name == "stub" else typer.Typer(help=_text(one), **_OPTIONS)
            if isinstance(one, Command):
                group.callback(invoke_without_command=True)(_callback(one, closed, group=True))
            if one.name != "stub":
                groups[one.name] = group
                app.add_typer(group, name=one.name)
        elif isinstance(one, Command):
            settings: dict[str, Any] = {"allow_interspersed_args": one.interspersed}
            settings |= _LENIENT if one.lenient else {}
            groups[below].command(name, help=_text(one), context_settings=settings)(
                _callback(one, closed)
            )
    return app


_OPTIONS: dict[str, Any] = {"rich_markup_mode": None, "context_settings": _HELP}


def _text(command: Command | Group) -> str:
    return inspect.cleandoc(command.help)


def _callback(command: Command, closed: frozenset[int], *, group: bool = False) -> Any:
    """A function with the signature that typer reads, whose work is `invoke`."""

    def call(**typed: Any) -> int:
        context = typed.pop("typer_context", None)
        if context is not None and context.invoked_subcommand is not None:
            return OK
        names = dict(zip(map(_python_name, command.parameters), command.parameters, strict=True))
        raw = {
            names[name].name: list(value) if isinstance(value, tuple | list) else value
            for name, value in typed.items()
            if value not in (None, False, [], ())
        }
        return invoke(command, raw, closed)

    parameters = [_parameter(option) for option in command.parameters]
    if group:
        kind = inspect.Parameter.KEYWORD_ONLY
        context = inspect.Parameter("typer_context", kind, annotation=typer.Context)
        parameters.insert(0, context)
    call.__doc__ = _text(command)
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {one.name: one.annotation for one in parameters}
    return call


def _python_name(option: Option[Any]) -> str:
    # `as` and other words of Python are names of options too.
    return f"o_{option.name}"


def _parameter(option: Option[Any]) -> inspect.Parameter:
    shown: dict[str, Any] = {"help": option.text, "metavar": option.metavar, "show_default": False}
    if option.kind == "switch":
        shown.pop("metavar")
        info: Any = typer.Option(*option.flags, **shown)
        annotation: Any = bool
        default: Any = False
    else:
        several = option.kind in ("list", "rest")
        annotation = list[str] if several else str
        if not option.required:
            annotation = annotation | None
        default = inspect.Parameter.empty if option.required else None
        shown["autocompletion"] = _completion(option)
        make = typer.Argument if option.positional else typer.Option
        info = make(*option.flags, **shown)
    return inspect.Parameter(
        _python_name(option),
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[annotation, info],
    )


def _completion(option: Option[Any]) -> Any:
    def complete(context: typer.Context, incomplete: str) -> list[tuple[str, str]]:
        from stubcli.cli.complete import values

        typed = {
            name: value
            for name in ("home", "session")
            if isinstance(value := context.params.get(f"o_{name}"), str)
        }
        return values(option, Given(typed, {}), incomplete)

    return complete


def _completed() -> list[Command | Group] | None:
    """The filter, and the command for which a shell completes; None where that is not typed yet.

    To load all of them takes longer than everything else that a completion does.
    """
    typed = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")
    words = typed.split()[1:] if typed[-1:].isspace() else typed.split()[1:-1]
    command, _ = find(words)
    below = command.name.rpartition(" ")[0]
    if command.name == "stub" or os.path.isdir(os.path.join(FOLDER, command.name)):
        return None
    return [find([])[0], *([load(below)] if below else []), command]


def run_app(closed: frozenset[int]) -> int:
    """Parse this process's arguments and run the command; the exit status."""
    found = None
    if "_STUB_COMPLETE" in os.environ:
        found = _completed()
        # typer knows the shells only where it adds its own two options, which have no place here.
        from typer.completion import completion_init  # type: ignore[attr-defined]

        completion_init()
    from typer.exceptions import Abort, Exit, TyperException

    try:
        status = make_app(closed, found)(prog_name="stub", standalone_mode=False)
    except Exit as leave:
        status = leave.exit_code
    except Abort:
        return 130
    except TyperException as error:
        return _refuse(error, closed)
    except BrokenPipeError:
        raise
    except OSError as error:
        # What a command did is its own to tell; all that typer does by itself is to print.
        leave_stdout()
        raise NotStoredError(f"standard output: {reason_of(error)}") from None
    return int(status or OK)


def _refuse(error: Any, closed: frozenset[int]) -> int:
    """A usage error, in one line. Where the filter was meant, its input still passes."""
    context = getattr(error, "ctx", None)
    # That an option lacks its value is said without naming the command.
    path = context.command_path if context else find(sys.argv[1:])[0].path
    hint = f"see: {path} --help"
    mistake = UsageError(error.format_message().rstrip("."), hint)
    named = {one.path: one for one in commands() if isinstance(one, Command)}
    command = named.get(path)
    # A word where no command stands is a mistyped command, not input to be passed on.
    option = getattr(error, "option_name", None)
    if (
        command
        and command.refuse
        and (command.name != "stub" or (option and not _names(sys.argv[1:])))
    ):
        return command.refuse(cast(StubError, mistake), {}, closed)
    say(mistake.line())
    return mistake.status


def _names(words: list[str]) -> bool:
    """Whether any of `words` names a command."""
    return any(word == one.name.split()[0] for word in words for one in commands())
