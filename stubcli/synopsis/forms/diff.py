"""x"""

from stubcli.synopsis.model import Scan, Source

NAME = "diff"


def holds(lines: list[bytes]) -> bool:
    return False


def describe(source: Source, scan: Scan) -> list[str]:
    return []
