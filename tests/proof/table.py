"""What a run came to: one table in Markdown, and the same as JSON to go on from."""

import json
import os
import platform
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from tests.proof.point import KINDS
from tests.proof.runner import Failure, Tally


@dataclass(frozen=True)
class Circumstances:
    """When, where and of what the figures are."""

    date: str
    seed: int | str
    minutes: float
    version: str
    machine: str
    tools: str

    @property
    def line(self) -> str:
        return (
            f"stub {self.version}, {self.date}, seed {self.seed}, {self.minutes:g} minutes; "
            f"{self.machine}; {self.tools}"
        )


@dataclass
class Result:
    """What one run came to, or several."""

    about: Circumstances
    tallies: dict[str, Tally]
    failures: list[Failure]

    @property
    def tried(self) -> int:
        return sum(tally.points + tally.controls for tally in self.tallies.values())


def machine() -> str:
    """The system, its processor's kind and cores, and Python."""
    names = f"{platform.system()} {platform.release().split('-')[0]}, {platform.machine()}"
    return f"{names}, {os.cpu_count()} cores, Python {platform.python_version()}"


def tools() -> str:
    """The versions of the tools that faults are made with."""
    asked = {
        "strace": ("strace", "-V"),
        "e2fsprogs": ("mkfs.ext4", "-V"),
        "xfsprogs": ("mkfs.xfs", "-V"),
        "btrfs-progs": ("mkfs.btrfs", "-V"),
    }
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    found = []
    for name, command in asked.items():
        program = shutil.which(command[0], path=path)
        if program is None:
            found.append(f"no {name}")
            continue
        done = subprocess.run([program, command[1]], capture_output=True, text=True, check=False)
        words = (done.stdout + done.stderr).replace(",", " ").split()
        numbers = [bare for word in words if (bare := word.strip("v("))[:1].isdigit()]
        found.append(f"{name} {numbers[0] if numbers else 'of unknown version'}")
    return ", ".join(found)


def markdown(result: Result) -> str:
    """The table that documents quote."""
    head = ["family", "points", "cases", "controls caught", *KINDS, "seconds"]
    rows = [_row(name, tally) for name, tally in result.tallies.items()]
    rows.append(_row("all", added(result.tallies.values())))
    lines = ["| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows)]
    reasons = [
        f"not run: {name}: {reason} ({count:,} points)"
        for name, tally in result.tallies.items()
        for reason, count in sorted(tally.missing.items())
    ]
    return "\n".join([result.about.line, "", *lines, "", *reasons]).rstrip() + "\n"


def added(tallies: Iterable[Tally]) -> Tally:
    total = Tally()
    for tally in tallies:
        total.points += tally.points
        total.cases += tally.cases
        total.controls += tally.controls
        total.following += tally.following
        total.seconds += tally.seconds
        for mine, theirs in ((total.wrong, tally.wrong), (total.missing, tally.missing)):
            for kind, count in theirs.items():
                mine[kind] = mine.get(kind, 0) + count
    return total


def merge(results: Iterable[Result]) -> Result:
    """Several runs as one: of other seeds, or of other families. Raises ValueError."""
    every = list(results)
    first, *others = (one.about for one in every)
    for about in others:
        if (about.version, about.machine) != (first.version, first.machine):
            raise ValueError(f"not of one version and machine: {first.line}; {about.line}")
    names = dict.fromkeys(name for one in every for name in one.tallies)
    tallies = {
        name: added(one.tallies[name] for one in every if name in one.tallies) for name in names
    }
    seeds = sorted({seed for one in every for seed in str(one.about.seed).split(", ")})
    about = replace(
        first,
        date=max(one.about.date for one in every),
        seed=", ".join(seeds),
        minutes=round(sum(one.about.minutes for one in every), 1),
    )
    return Result(about, tallies, [failure for one in every for failure in one.failures])


def _row(name: str, tally: Tally) -> list[str]:
    counts = [tally.points, tally.cases, tally.controls, *(tally.wrong.get(k, 0) for k in KINDS)]
    return [name, *(f"{count:,}" for count in counts), f"{tally.seconds:,.0f}"]


def save(path: Path, result: Result) -> None:
    document = {
        **asdict(result.about),
        "families": {name: asdict(tally) for name, tally in result.tallies.items()},
        "failures": [asdict(one) for one in result.failures],
    }
    temporary = path.with_name(path.name + ".new")
    temporary.write_text(json.dumps(document, indent=1) + "\n")
    temporary.replace(path)


def load(path: Path) -> Result:
    """What a run left in the file. Raises OSError, ValueError."""
    document: dict[str, Any] = json.loads(path.read_text())
    tallies = {name: Tally(**one) for name, one in document.pop("families").items()}
    failures = [Failure(**one) for one in document.pop("failures")]
    return Result(Circumstances(**document), tallies, failures)
