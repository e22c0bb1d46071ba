"""Advice in words other than a shell's: as the call of a tool for a model, as Python for a program.

Pure functions of an Advice, which words itself for a shell. What the caller's side cannot do is
worded as the command that somebody has to run there.
"""

import json

from stubcli.advice import Advice, Where
from stubcli.text.display import escape_json

# Verb → the tool, the names of its arguments in the order of the command line, and the options
# that it has too, under its own names. Any other option would change what the call means.
_TOOLS = {
    "read": ("stub_read", ("ref",), {"offset": "offset", "limit": "limit", "lines": "lines"}),
    "search": (
        "stub_search",
        ("pattern", "ref"),
        {
            "fixed_strings": "literal",
            "ignore_case": "ignore_case",
            "context": "context",
            "max_count": "max_matches",
            "skip": "skip",
        },
    ),
    "query": ("stub_query", ("ref", "sql"), {"skip": "skip"}),
    "ls": ("stub_list", (), {"limit": "limit", "skip": "skip"}),
}
# How an answer is printed, which a tool and a method decide for themselves.
_PRESENTATION = ("json",)
# Verb → the method of a store, and the options that it names otherwise.
_METHODS: dict[str, tuple[str, dict[str, str]]] = {
    "read": ("read", {}),
    "search": ("search", {"fixed_strings": "literal", "word_regexp": "word"}),
    "query": ("query", {}),
    "ls": ("list", {}),
    "show": ("show", {}),
    "pin": ("pin", {}),
    "lease ls": ("leases", {}),
    "gc": ("gc", {}),
}


def tool_call(advice: Advice, where: Where = ()) -> str:
    """`stub_read {"ref": "9f86d081884c", "lines": "15-40"}`.

    where: the options that the command repeats, where no tool does what is advised.
    """
    found = tool_arguments(advice)
    return format_tool_call(*found) if found else _in_a_shell(advice, where)


def tool_arguments(advice: Advice) -> tuple[str, dict[str, str | int | bool]] | None:
    """The tool that does what is advised and its arguments; None where there is none."""
    if advice.verb not in _TOOLS:
        return None
    tool, positions, names = _TOOLS[advice.verb]
    options = _options(advice)
    if len(advice.arguments) > len(positions) or not options.keys() <= names.keys():
        return None
    given = dict(zip(positions, advice.arguments, strict=False))
    return tool, {**given, **{names[name]: value for name, value in options.items()}}


def format_tool_call(tool: str, arguments: dict[str, str | int | bool]) -> str:
    """The name and the arguments as JSON, on one line that is safe to show."""
    return f"{tool} {escape_json(json.dumps(arguments, ensure_ascii=False))}"


def python_call(advice: Advice, where: Where = ()) -> str:
    """`store.read("9f86d081884c", lines="15-40")`, of a `store` that is open already."""
    if advice.verb not in _METHODS:
        return _in_a_shell(advice, where)
    method, names = _METHODS[advice.verb]
    arguments = [_python_literal(argument) for argument in advice.arguments]
    arguments += [
        f"{names.get(name, name)}={_python_literal(value)}"
        for name, value in _options(advice).items()
    ]
    return f"store.{method}({', '.join(arguments)})"


def _options(advice: Advice) -> dict[str, str | int | bool]:
    return {name: value for name, value in advice.options.items() if name not in _PRESENTATION}


def _in_a_shell(advice: Advice, where: Where) -> str:
    return f"`{advice.shell(where)}` in a shell"


def _python_literal(value: str | int | bool) -> str:
    """As `repr`, but in double quotes wherever nothing in it needs them escaped."""
    if not isinstance(value, str) or '"' in value:
        return repr(value)
    # An apostrophe makes `repr` take double quotes; it is cut off again.
    return '"' + repr("'" + value)[2:]
