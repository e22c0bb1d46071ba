"""What a run came to: one table in Markdown, and the same as JSON to go on from."""

import json
import os
import platform
import shutil
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.proof.point import KINDS
from tests.proof.runner import Failure, Tally


@dataclass(frozen=True)
class Circumstances:
    """When, where and of what the figures are."""

    date: str
    seed: int
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
        numbers = [word.strip("v(") for word in words if any(c.isdigit() for c in word)]
        found.append(f"{name} {numbers[0] if numbers else 'of unknown version'}")
    return ", ".join(found)


def markdown(about: Circumstances, tallies: dict[str, Tally]) -> str:
    """The table that documents quote."""
    head = ["family", "points", "cases", "controls caught", *KINDS, "seconds"]
    rows = [_row(name, tally) for name, tally in tallies.items()]
    total = Tally()
    for tally in tallies.values():
        total.points += tally.points
        total.cases += tally.cases
        total.controls += tally.controls
        total.seconds += tally.seconds
        for kind, count in tally.wrong.items():
            total.wrong[kind] = total.wrong.get(kind, 0) + count
    rows.append(_row("all", total))
    lines = ["| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows)]
    reasons = [
        f"not run: {name}: {reason} ({count:,} points)"
        for name, tally in tallies.items()
        for reason, count in sorted(tally.missing.items())
    ]
    return "\n".join([about.line, "", *lines, "", *reasons]).rstrip() + "\n"


def _row(name: str, tally: Tally) -> list[str]:
    counts = [tally.points, tally.cases, tally.controls, *(tally.wrong.get(k, 0) for k in KINDS)]
    return [name, *(f"{count:,}" for count in counts), f"{tally.seconds:,.0f}"]


def save(path: Path, about: Circumstances, tallies: dict[str, Tally], wrong: list[Failure]) -> None:
    document = {
        **asdict(about),
        "families": {name: asdict(tally) for name, tally in tallies.items()},
        "failures": [asdict(one) for one in wrong],
    }
    temporary = path.with_name(path.name + ".new")
    temporary.write_text(json.dumps(document, indent=1) + "\n")
    temporary.replace(path)


def restore(path: Path, seed: int, version: str) -> tuple[dict[str, Tally], list[Failure]]:
    """What an earlier run of this seed and version left in the file, if it is there."""
    try:
        document: dict[str, Any] = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}, []
    if (document.get("seed"), document.get("version")) != (seed, version):
        return {}, []
    tallies = {name: Tally(**one) for name, one in document["families"].items()}
    return tallies, [Failure(**one) for one in document["failures"]]
