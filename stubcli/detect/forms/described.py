"""What a form says: lines of structure, and lines of the stream that decide."""

from dataclasses import dataclass

from stubcli.detect.model import NotableLine


@dataclass(frozen=True)
class Described:
    """notable: lines to show besides those that the scan found.

    instead: whether they replace the scan's, where the form knows better what a line says.
    """

    structure: list[str]
    notable: tuple[NotableLine, ...] = ()
    instead: bool = False
