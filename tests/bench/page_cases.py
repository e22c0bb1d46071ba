"""The outputs by which pages are judged, from folders outside of the project.

A folder with `needles.json` names facts of an output: patterns, and which of them are a must. One
with `calm.json` is an output in which nothing happened: the notable lines that it may rightly
have, and how many others are tolerable. One with `mixed.json` is an even bulk with a line that
decides and has no word of alarm. The output is `output.bin`, or what `gen.py` prints.
"""

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Needle:
    """A fact: its pattern, what it is, and whether nobody can do without it."""

    pattern: re.Pattern[str]
    why: str
    must: bool


@dataclass(frozen=True)
class Case:
    """An output with facts that a page of it should show."""

    name: str
    output: bytes
    needles: tuple[Needle, ...]


@dataclass(frozen=True)
class Calm:
    """An output in which nothing happened. tolerated: how many false notable lines it may have."""

    name: str
    output: bytes
    allowed: tuple[re.Pattern[str], ...]
    tolerated: int

    def false(self, notable: list[str]) -> int:
        """How many notable lines nothing allows."""
        return sum(not any(one.search(line) for one in self.allowed) for line in notable)


@dataclass(frozen=True)
class Cases:
    """needles: sets of outputs with facts, by name, in the order in which they were given."""

    needles: dict[str, tuple[Case, ...]]
    mixed: tuple[Case, ...]
    calm: tuple[Calm, ...]


def load(given: list[tuple[str, Path]]) -> Cases:
    """What is found in the folders, each with the name of its set."""
    needles = {name: tuple(map(_case, _having(path, "needles"))) for name, path in given}
    return Cases(
        {name: cases for name, cases in needles.items() if cases},
        tuple(_case(one, "mixed") for _, path in given for one in _having(path, "mixed")),
        tuple(_calm(one) for _, path in given for one in _having(path, "calm")),
    )


def _having(path: Path, what: str) -> list[Path]:
    return sorted(found.parent for found in path.rglob(f"{what}.json"))


def _described(folder: Path, what: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / f"{what}.json").read_text(encoding="utf-8"))
    return found


def _case(folder: Path, what: str = "needles") -> Case:
    needles = tuple(
        Needle(re.compile(one["regex"]), one["why"], bool(one.get("must", True)))
        for one in _described(folder, what)["needles"]
    )
    return Case(folder.name, _output(folder), needles)


def _calm(folder: Path) -> Calm:
    described = _described(folder, "calm")
    allowed = tuple(map(re.compile, described["allowed"]))
    return Calm(folder.name, _output(folder), allowed, described["max_other"])


def _output(folder: Path) -> bytes:
    kept = folder / "output.bin"
    if kept.exists():
        return kept.read_bytes()
    made = subprocess.run(
        [sys.executable, str(folder / "gen.py")], stdout=subprocess.PIPE, check=True
    )
    return made.stdout
