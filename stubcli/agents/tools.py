"""The tools that a harness may give to its model: read, search, query and list artifacts.

Arguments in as JSON, text out, below the threshold so that no answer is stubbed again. A mistake
is an answer too: a model can act on it. Text of artifacts is made safe to show, and never stands
in a description.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from stubcli.agents import finding, looking
from stubcli.agents.looking import LARGEST, Answer, Arguments
from stubcli.errors import StubError, UsageError, nearest
from stubcli.settings.load import Settings
from stubcli.store import count_read
from stubcli.store.workspace import home_of, session_of

FORMATS = ("openai", "anthropic", "gemini")
_REF = {
    "type": "string",
    "description": "Which artifact: the digits or the reference that a stub shows, its number, "
    "or 'last'.",
}
_SKIP = {"type": "integer", "minimum": 0, "description": "How many to pass over."}


def _whole(description: str, low: int, high: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": low, "maximum": high, "description": description}


@dataclass(frozen=True)
class Tool:
    """One tool: its JSON schema as properties, and the function that answers."""

    name: str
    description: str
    properties: dict[str, dict[str, Any]]
    required: tuple[str, ...]
    answer: Callable[[Settings, Arguments], Answer]

    @property
    def schema(self) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": self.properties,
            "required": list(self.required),
            "additionalProperties": False,
        }


TOOLS = {
    tool.name: tool
    for tool in (
        Tool(
            "stub_read",
            "Read a page of a stored output (an artifact). Outputs too large to show are kept "
            "whole, byte for byte; a stub stands in their place and names the artifact. Give "
            "first_line and last_line, or offset and limit in characters; nothing: the "
            "beginning. The answer says what comes next.",
            {
                "ref": _REF,
                "first_line": _whole("The first line, from 1.", 1, 10**12),
                "last_line": _whole("The last line.", 1, 10**12),
                "offset": _whole("Characters to pass over.", 0, 10**15),
                "limit": _whole(f"Characters to read, at most {LARGEST}.", 1, LARGEST),
            },
            ("ref",),
            looking.read,
        ),
        Tool(
            "stub_search",
            "Find a pattern in stored outputs. Answers with line number, byte offset and the "
            "text around each match, and with the exact total.",
            {
                "pattern": {
                    "type": "string",
                    "description": "A regular expression (RE2 syntax), matched within lines.",
                },
                "ref": _REF | {"description": f"{_REF['description']} None: all of the session."},
                "literal": {"type": "boolean", "description": "Take the pattern literally."},
                "ignore_case": {"type": "boolean", "description": "Ignore case."},
                "context": _whole("Lines around each match (default 0).", 0, 5),
                "max_matches": _whole("Matches to show (default 20).", 1, 100),
                "skip": _SKIP,
            },
            ("pattern",),
            finding.search,
        ),
        Tool(
            "stub_query",
            "Ask a stored table (CSV, TSV) or JSON output a question in SQL: one SELECT over "
            "the table artifact. Without sql: its columns and example questions.",
            {
                "ref": _REF,
                "sql": {"type": "string", "description": "One SELECT ... FROM artifact ..."},
                "skip": _SKIP,
            },
            ("ref",),
            finding.query,
        ),
        Tool(
            "stub_list",
            "List stored outputs, the newest first: reference, size, lines, kind, tool.",
            {"limit": _whole("How many (default 30).", 1, 100), "skip": _SKIP},
            (),
            looking.listing,
        ),
    )
}


def definitions(format: str) -> list[dict[str, Any]]:  # noqa: A002 - the word of the command line
    """The four tools as a harness registers them with that API. Raises UsageError."""
    if format == "openai":
        return [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": tool.schema,
                },
            }
            for tool in TOOLS.values()
        ]
    if format == "anthropic":
        return [
            {"name": tool.name, "description": tool.description, "input_schema": tool.schema}
            for tool in TOOLS.values()
        ]
    if format == "gemini":
        declared = [
            # `parameters` is a dialect that refuses additionalProperties.
            {"name": t.name, "description": t.description, "parametersJsonSchema": t.schema}
            for t in TOOLS.values()
        ]
        return [{"functionDeclarations": declared}]
    raise UsageError(f"no format {format!r} is known", nearest(format, FORMATS))


def call(name: str, arguments: Any, settings: Settings) -> Answer:
    """Run a tool. Raises UsageError for a name that is none; every other mistake is an answer."""
    if name not in TOOLS:
        raise UsageError(f"there is no tool {name!r}", nearest(name, tuple(TOOLS)))
    try:
        answer = TOOLS[name].answer(settings, _checked(TOOLS[name], arguments))
        size = len(answer.text.encode("utf-8", "surrogatepass"))
        count_read(home_of(settings), session_of(settings), size)
        return answer
    except StubError as error:
        return looking.mistake(str(error))
    except OSError as error:
        return looking.mistake(f"the store cannot be used: {error.strerror or error}")


def _checked(tool: Tool, arguments: Any) -> Arguments:
    """Arguments of the right types and within their bounds. Raises UsageError."""
    if not isinstance(arguments, dict):
        raise UsageError("the arguments are no JSON object", f"give {', '.join(tool.properties)}")
    for name in arguments:
        if name not in tool.properties:
            raise UsageError(f"no argument {name!r} is known", nearest(name, [*tool.properties]))
    given = {name: value for name, value in arguments.items() if value is not None}
    if missing := [name for name in tool.required if name not in given]:
        raise UsageError(f"{missing[0]!r} is missing", tool.properties[missing[0]]["description"])
    return {name: _value(name, value, tool.properties[name]) for name, value in given.items()}


def _value(name: str, value: Any, schema: dict[str, Any]) -> Any:
    kind = schema["type"]
    if kind == "string" and isinstance(value, str):
        if any("\ud800" <= char <= "\udfff" for char in value):
            # JSON can write it; no pattern and no SQL can.
            raise UsageError(f"{name!r} holds half of a surrogate pair", "write the character")
        return value
    if kind == "string" and name == "ref" and type(value) is int:
        return str(value)
    if kind == "boolean" and isinstance(value, bool):
        return value
    if kind == "integer" and type(value) in (int, float) and value == value // 1:
        return max(schema["minimum"], min(int(value), schema.get("maximum", 10**15)))
    raise UsageError(f"{name!r} is no {kind}", schema["description"])
