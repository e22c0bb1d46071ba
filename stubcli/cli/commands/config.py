"""`stub config`: every setting, its value and where it came from."""

from stubcli.cli.command import JSON, Command, Given
from stubcli.cli.output import emit_json, emit_rows, emit_text, say
from stubcli.cli.place import home_of, session_of
from stubcli.settings import readers
from stubcli.settings.load import config_file
from stubcli.settings.option import optional
from stubcli.settings.presets import PRESETS
from stubcli.settings.table import SETTINGS

_TOOL = optional(
    "tool",
    "--tool",
    "Print the settings for the output of this tool.",
    readers.text,
    metavar="NAME",
    complete="tool",
)
_PRESET = optional(
    "preset",
    "--preset",
    f"Print a configuration file to start from: {', '.join(PRESETS)}.",
    readers.choice(*PRESETS),
    metavar="NAME",
    choices=tuple(PRESETS),
)


def run(given: Given) -> int:
    """Print the effective settings; home and session as they are worked out."""
    if (preset := given[_PRESET]) is not None:
        emit_text(PRESETS[preset])
        return 0
    settings = given.settings(given[_TOOL])
    sources = settings.sources
    values = settings.texts | {"home": home_of(settings), "session": session_of(settings)}
    if given[JSON]:
        emit_json(
            {name: {"value": value, "source": sources[name]} for name, value in values.items()}
        )
        return 0
    rows = [(row.name, values[row.name], sources[row.name], row.help) for row in SETTINGS]
    emit_rows(("setting", "value", "source", "meaning"), rows, right=())
    say(f"configuration file: {config_file()}")
    return 0


COMMAND = Command(
    "config",
    "Print the settings and where each comes from.",
    run,
    (_TOOL, _PRESET, JSON),
    examples=(
        ("What holds here:", "stub config"),
        ("A configuration file to start from:", "stub config --preset kocoro"),
    ),
)
