"""All tools: their definitions as an API takes them, and a call by name.

Arguments are checked here, once for all tools; a mistake in them is an answer too.
"""

from typing import Any

from stubcli.agents.tools import stub_list, stub_query, stub_read, stub_search
from stubcli.agents.tools.tool import Arguments, Tool, ToolAnswer, describe_error, format_error
from stubcli.errors import StubError, UsageError, explain, nearest
from stubcli.settings.load import home_of, session_of
from stubcli.settings.table import Settings
from stubcli.store import count_read

FORMATS = ("openai", "anthropic", "gemini")
TOOLS = {
    tool.name: tool for tool in (stub_read.TOOL, stub_search.TOOL, stub_query.TOOL, stub_list.TOOL)
}


def define_tools(api: str) -> list[dict[str, Any]]:
    """The tools as a harness registers them with that API. Raises UsageError."""
    if api == "openai":
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
    if api == "anthropic":
        return [
            {"name": tool.name, "description": tool.description, "input_schema": tool.schema}
            for tool in TOOLS.values()
        ]
    if api == "gemini":
        declared = [
            # `parameters` is a dialect that refuses additionalProperties.
            {"name": t.name, "description": t.description, "parametersJsonSchema": t.schema}
            for t in TOOLS.values()
        ]
        return [{"functionDeclarations": declared}]
    raise UsageError(f"unknown format {api!r}", nearest(api, FORMATS))


def call_tool(name: str, arguments: Any, settings: Settings) -> ToolAnswer:
    """Run a tool. Raises UsageError for an unknown name; every other mistake is an answer."""
    if name not in TOOLS:
        raise UsageError(f"unknown tool {name!r}", nearest(name, tuple(TOOLS)))
    try:
        answer = TOOLS[name].answer(settings, _check_arguments(TOOLS[name], arguments))
        size = len(answer.text.encode("utf-8", "surrogatepass"))
        count_read(home_of(settings), session_of(settings), size)
        return answer
    except StubError as error:
        return format_error(describe_error(error, settings))
    except OSError as error:
        return format_error(f"the store cannot be used: {explain(error)}")


def _check_arguments(tool: Tool, arguments: Any) -> Arguments:
    """Arguments of the right types and within their bounds. Raises UsageError."""
    if not isinstance(arguments, dict):
        raise UsageError(
            "the arguments are not a JSON object", f"known: {', '.join(tool.properties)}"
        )
    for name in arguments:
        if name not in tool.properties:
            raise UsageError(f"unknown argument {name!r}", nearest(name, [*tool.properties]))
    given = {name: value for name, value in arguments.items() if value is not None}
    if missing := [name for name in tool.required if name not in given]:
        raise UsageError(f"{missing[0]!r} is missing", tool.properties[missing[0]]["description"])
    return {name: _check_value(name, given[name], tool.properties[name]) for name in given}


def _check_value(name: str, value: Any, schema: dict[str, Any]) -> Any:
    kind = schema["type"]
    if kind == "string" and isinstance(value, str):
        if any("\ud800" <= char <= "\udfff" for char in value):
            # JSON can write it; no pattern and no SQL can.
            raise UsageError(f"{name!r} contains half of a surrogate pair", "write the character")
        return value
    if kind == "string" and name == "ref" and type(value) is int:
        return str(value)
    if kind == "boolean" and isinstance(value, bool):
        return value
    if kind == "integer" and type(value) in (int, float) and value == value // 1:
        return max(schema["minimum"], min(int(value), schema.get("maximum", 10**15)))
    article = "an" if kind == "integer" else "a"
    raise UsageError(f"{name!r} is not {article} {kind}", schema["description"])
