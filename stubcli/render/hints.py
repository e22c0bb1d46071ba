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
    "ls": ("stub_list", (), {name: name for name in ("failed", "limit", "skip")}),
}
# How an answer is printed, which a tool decides for itself.
_PRESENTATION = ("json",)
# Verb → the methods of a store that do it, the first that takes what is given: name, how many
# arguments, and option → parameter, "" for what the method does anyway. See stubcli.api.store.
_LISTING = {"limit": "limit", "skip": "skip", "all_sessions": "all_sessions", "json": ""}
METHODS: dict[str, tuple[tuple[str, int, dict[str, str]], ...]] = {
    "read": (
        ("page", 1, {"offset": "offset", "limit": "limit", "unit": "unit", "json": ""}),
        ("read", 1, {"lines": "lines", "all": ""}),
    ),
    "search": (
        (
            "search",
            2,
            {
                "fixed_strings": "literal",
                "ignore_case": "ignore_case",
                "word_regexp": "word",
                "raw": "raw",
                "before_context": "before",
                "after_context": "after",
                "max_count": "limit",
                **{name: name for name in ("skip", "all_sessions")},
                "json": "",
            },
        ),
    ),
    "query": (("query", 2, {"skip": "skip", "limit": "limit", "format": "", "json": ""}),),
    "ls": (
        (
            "list",
            0,
            _LISTING | {name: name for name in ("since", "tool", "command", "failed")},
        ),
    ),
    "show": (
        ("show", 1, {"run": "run"}),
        ("record", 1, {"json": ""}),
        ("memory", 1, {"memory": ""}),
    ),
    "pin": (("pin", 1, {"json": ""}),),
    "unpin": (("unpin", 1, {"json": ""}),),
    "gc": (("plan_gc", 0, {name: name for name in ("older_than", "max_deletions", "keep_bytes")}),),
    "lease ls": (("leases.list", 0, _LISTING | {"pending": "pending"}),),
    "lease commit": (("leases.commit", 1, {"json": ""}),),
    "lease abort": (("leases.abort", 1, {"json": ""}),),
    "lease release": (("leases.release", 1, {"json": ""}),),
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
    for method, most, names in METHODS.get(advice.verb, ()):
        if len(advice.arguments) <= most and advice.options.keys() <= names.keys():
            arguments = [_python_literal(argument) for argument in advice.arguments]
            arguments += [
                f"{names[name]}={_python_literal(value)}"
                for name, value in advice.options.items()
                if names[name]
            ]
            return f"store.{method}({', '.join(arguments)})"
    return _in_a_shell(advice, where)


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
