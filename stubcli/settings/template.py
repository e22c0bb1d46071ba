"""A session's name made anew for each run: `{date}`, `{uid}` and `{env:NAME}` in the setting.

For tenants and days; whether the result may name a session is checked where it is used.
"""

import os
import re
import time

from stubcli.errors import UsageError

_FIELD = re.compile(r"\{([^{}]*)\}")


def expand(template: str) -> str:
    """The name that `template` means now, here. Raises UsageError."""
    return _FIELD.sub(lambda found: _value(found[1]), template)


def _value(field: str) -> str:
    if field == "date":
        return time.strftime("%Y-%m-%d")
    if field == "uid":
        return str(os.getuid())
    kind, _, name = field.partition(":")
    if kind == "env" and name:
        if value := os.environ.get(name):
            return value
        raise UsageError(f"session: the variable {name} is not set", f"set {name}")
    raise UsageError(
        f"session: unknown field {{{field}}}", "use {date}, {uid} or {env:NAME} in its name"
    )
