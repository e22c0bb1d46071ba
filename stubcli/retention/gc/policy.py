"""What was asked for, read into a policy. Knows no disk and no clock."""

from stubcli.retention.gc.model import DAY, Policy
from stubcli.settings.table import Settings

_UNITS = (("d", DAY), ("h", 3600), ("m", 60), ("s", 1))


def policy_of(settings: Settings) -> Policy:
    """The policy that the settings ask for."""
    return Policy(settings.older_than, settings.max_deletions, settings.keep_bytes or None)


def show_duration(seconds: int) -> str:
    """The shortest way to type it."""
    for unit, size in _UNITS:
        if seconds and seconds % size == 0:
            return f"{seconds // size}{unit}"
    return "0"
