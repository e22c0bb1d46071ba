"""What a program hands to the library: checked, named where it is wrong, read as settings.

Every mistake is a UsageError that names the argument; what the system refuses is a StubError too.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from stubcli.errors import UsageError, nearest, refusal
from stubcli.reference import check_session
from stubcli.settings.load import check_home, load
from stubcli.settings.table import SETTINGS, Settings

if TYPE_CHECKING:
    from stubcli.retrieve.selection import Selection


def wrong_type(name: str, wanted: str, value: object) -> UsageError:
    """The error for an argument of another type than `wanted`."""
    found = "None" if value is None else type(value).__name__
    return UsageError(f"{name} must be {wanted}, not {found}")


def check_text(name: str, value: object) -> str:
    """Raises UsageError where it is no text."""
    if not isinstance(value, str):
        raise wrong_type(name, "a str", value)
    return value


def check_optional_text(name: str, value: object) -> str | None:
    """The same for what may be None."""
    return None if value is None else check_text(name, value)


def check_whole(name: str, value: object, low: int = 0, high: int | None = None) -> int:
    """Raises UsageError where it is no whole number from `low` to `high`."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise wrong_type(name, "an int", value)
    if value < low or (high is not None and value > high):
        bound = f"from {low} on" if high is None else f"from {low} to {high}"
        raise UsageError(f"invalid {name} {value}", f"give a whole number {bound}")
    return value


def read_selection(
    since: object, tool: object, command: object, text: object, failed: object
) -> "Selection":
    """The runs that are meant; nothing typed is everything. Raises UsageError."""
    from stubcli.retrieve.selection import Selection
    from stubcli.settings import readers

    when = check_text("since", since)
    if not isinstance(failed, bool):
        raise wrong_type("failed", "a bool", failed)
    return Selection(
        readers.since(when) if when else "",
        check_text("tool", tool),
        check_text("command", command),
        check_text("text", text),
        failed,
    )


def read_flags(given: Mapping[str, object]) -> dict[str, str]:
    """Settings as they would be typed; None is not given. Raises UsageError for an unknown one."""
    known = tuple(setting.name for setting in SETTINGS)
    for name in given:
        if name not in known:
            raise UsageError(f"unknown setting {name!r}", nearest(name, known))
    return {name: str(value) for name, value in given.items() if value is not None}


def read_settings(flags: dict[str, str], tool: str | None = None) -> Settings:
    """The effective settings, whose store and session can be. Raises UsageError."""
    settings = load(flags, tool)
    if settings.home:
        check_home(settings.home)
    if settings.session:
        check_session(settings.session)
    return settings


@contextmanager
def one_family() -> Iterator[None]:
    """What the system refuses is raised as a StubError, like everything else."""
    try:
        yield
    except OSError as error:
        raise refusal(error) from error
