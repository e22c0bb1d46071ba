"""What was asked for, read into a policy. Knows no disk and no clock."""

from stubcli.retention.gc.model import Policy
from stubcli.settings.table import Settings


def policy_of(settings: Settings) -> Policy:
    """The policy that the settings ask for."""
    return Policy(settings.older_than, settings.max_deletions, settings.keep_bytes or None)
