"""What every tool is made of: how it is described to a model, and one bounded text as its answer.

Knows no tool. The way to go on is worded as a call of a tool: a model that has only these cannot
type a command.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from stubcli.advice import Advice, Where
from stubcli.errors import StubError
from stubcli.render.hints import format_tool_call, tool_call
from stubcli.settings.load import home_of, session_of
from stubcli.settings.table import Settings
from stubcli.store.artifact import Artifact
from stubcli.store.resolve import open_reference
from stubcli.text.display import MARK, looks_own, one_line

# Of an answer, in characters: below every threshold by default, with room for its first line.
BOUND = 19_000
# What the first line of an answer may take.
HEAD = 1500
_LONGEST_SHOWN = 750
# How the first line of an answer begins.
_OWN = re.compile(
    r"(?:\| )*[^\S\n]{0,3}"
    r"\[(?:artifact:|session |no rows\b|rows [\d,]+-|[\d,]+ (?:match(?:es)?|artifacts?)\b)"
)
Arguments = dict[str, Any]
Schema = dict[str, Any]
REF: Schema = {
    "type": "string",
    "description": "Which artifact: the digits or the reference that a stub shows, its number, "
    "the id of the call that it answers, @NAME or 'last'.",
}
SKIP: Schema = {"type": "integer", "minimum": 0, "description": "How many to skip."}


@dataclass(frozen=True)
class ToolAnswer:
    """text: for the model. follow: the arguments of the call that goes on, None at the end."""

    text: str
    follow: Arguments | None = None
    is_error: bool = False


@dataclass(frozen=True)
class Tool:
    """One tool: its JSON schema as properties, and the function that answers."""

    name: str
    description: str
    properties: dict[str, Schema]
    required: tuple[str, ...]
    answer: Callable[[Settings, Arguments], ToolAnswer]

    @property
    def schema(self) -> Schema:
        return {
            "type": "object",
            "properties": self.properties,
            "required": list(self.required),
            "additionalProperties": False,
        }


def integer(description: str, low: int, high: int) -> Schema:
    return {"type": "integer", "minimum": low, "maximum": high, "description": description}


def open_artifact(settings: Settings, typed: str) -> Artifact:
    """Raises StubError."""
    return open_reference(home_of(settings), session_of(settings), typed)


def format_answer(tool: str, head: str, body: str, follow: Arguments | None = None) -> ToolAnswer:
    """The answer with a first line that says what it is, and the call that goes on.

    A very long argument is not repeated in that line.
    """
    if follow:
        short = {
            name: value if len(json.dumps(value)) <= _LONGEST_SHOWN else "(the same)"
            for name, value in follow.items()
        }
        head += f"; next: {format_tool_call(tool, short)}"
    return ToolAnswer(f"[{head}]\n{body}", follow)


def mark_page(text: str) -> str:
    """A page of data in which no line passes for the first one of an answer, or for a stub."""
    lines = text.split("\n")
    return "\n".join(MARK + line if _OWN.match(line) or looks_own(line) else line for line in lines)


def format_error(text: str) -> ToolAnswer:
    """A mistake is an answer too: a model can act on it."""
    return ToolAnswer(f"error: {one_line(text)[:BOUND]}", is_error=True)


def describe_error(error: StubError, settings: Settings | None = None) -> str:
    """What happened and what to do next, in calls of tools."""
    hint: object = error.hint
    if not isinstance(hint, Advice):
        return str(error)
    call = f"{hint.lead}: {tool_call(hint, _where(settings) if settings else ())}"
    return f"{error.message}{' ' if error.message.endswith('?') else '; '}{call}"


def _where(settings: Settings) -> Where:
    """The options that a command has to repeat to mean the same store and session."""
    return tuple(
        (name, str(getattr(settings, name)))
        for name in ("home", "session")
        if settings.sources[name] == f"--{name}"
    )
