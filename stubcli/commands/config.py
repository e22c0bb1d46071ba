"""`stub config`: every setting, its value and where it came from."""

from stubcli.commands.answer import emit_json, emit_rows, emit_text, say
from stubcli.commands.place import home_of, session_of
from stubcli.errors import UsageError, nearest
from stubcli.settings.load import Settings
from stubcli.settings.places import config_file
from stubcli.settings.presets import PRESETS
from stubcli.settings.table import SETTINGS


def preset(name: str) -> int:
    """Print the configuration file that follows another system's policy."""
    if name not in PRESETS:
        raise UsageError(f"there is no preset {name!r}", nearest(name, tuple(PRESETS)))
    emit_text(PRESETS[name])
    return 0


def config(settings: Settings, *, as_json: bool = False) -> int:
    """Print the effective settings; home and session as they are worked out."""
    values = {setting.name: str(getattr(settings, setting.name)) for setting in SETTINGS}
    values["home"] = home_of(settings)
    values["session"] = session_of(settings)
    if as_json:
        sources = settings.sources
        emit_json(
            {name: {"value": value, "source": sources[name]} for name, value in values.items()}
        )
        return 0
    rows = [(s.name, values[s.name], settings.sources[s.name], s.help) for s in SETTINGS]
    emit_rows(("setting", "value", "source", "meaning"), rows, right=())
    say(f"configuration file: {config_file()}")
    return 0
