"""What the options of all commands share: their types, their help, and the settings they make.

What is typed is read by the setting itself, so that a flag, a variable and the file mean the same.
"""

from typing import Annotated, Any

import typer

from stubcli.settings.load import Settings, load
from stubcli.settings.table import SETTINGS

_METAVARS = {"text": "TEXT", "count": "N", "duration": "DURATION", "limit": "N|all"}
_BY_NAME = {setting.name: setting for setting in SETTINGS}


def option(name: str, *flags: str) -> Any:
    """The option of a setting."""
    setting = _BY_NAME[name]
    default = f" (default {setting.default})" if setting.default not in ("", "0") else ""
    metavar = "|".join(setting.choices) or _METAVARS.get(setting.kind, "SIZE")
    text = setting.help.removesuffix(".") + default + "."
    return typer.Option(*(flags or (setting.flag,)), help=text, metavar=metavar)


Text = str | None
Home = Annotated[Text, option("home")]
Session = Annotated[Text, option("session")]
Json = Annotated[bool, typer.Option("--json", help="Answer as JSON.")]
Everywhere = Annotated[bool, typer.Option("--all-sessions", help="Every session of the store.")]
Ref = Annotated[
    str,
    typer.Argument(
        metavar="REF",
        help="A number, a digest prefix, 'last', a path, or artifact:SESSION:FILE:DIGEST.",
    ),
]


def given(**flags: str | None) -> dict[str, str]:
    """The settings that were typed, as they were typed."""
    return {name: value for name, value in flags.items() if value is not None}


def settings(tool: str | None = None, **flags: str | None) -> Settings:
    """The settings that hold, with what was typed above all else."""
    return load(given(**flags), tool)
