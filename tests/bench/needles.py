"""How much of what matters is left of an output: facts found on the page, beside other views.

python -m tests.bench.needles CASES_DIR [--cases GLOB] [--misses] [--markdown]

A case is a folder with `needles.json` (patterns of the facts, and which of them are a must) and
the output itself: `output.bin`, or `gen.py`, which prints it. A fact is found where its pattern
matches what was printed, without escape sequences and NUL. Two columns look at the first and the
last 2,500 characters only, which is what is left where a page is cut again.
"""

import argparse
import fnmatch
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bench.side_by_side import stub_command

PAGE = 5000
PATIENCE = 60
_ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\0")

View = Callable[[bytes], str]


@dataclass(frozen=True)
class Needle:
    """A fact: its pattern, what it is, and whether nobody can do without it."""

    pattern: re.Pattern[str]
    why: str
    must: bool


@dataclass(frozen=True)
class Case:
    name: str
    output: bytes
    needles: tuple[Needle, ...]


@dataclass(frozen=True)
class Seen:
    """What one view left of one case: which needles, in all of it and in a page of it."""

    case: Case
    characters: int
    found: tuple[bool, ...]
    on_page: tuple[bool, ...]


def load(folder: Path) -> Case:
    described = json.loads((folder / "needles.json").read_text(encoding="utf-8"))
    needles = tuple(
        Needle(re.compile(one["regex"]), one["why"], bool(one["must"]))
        for one in described["needles"]
    )
    kept = folder / "output.bin"
    if kept.exists():
        return Case(folder.name, kept.read_bytes(), needles)
    made = subprocess.run(
        [sys.executable, str(folder / "gen.py")], stdout=subprocess.PIPE, check=True
    )
    return Case(folder.name, made.stdout, needles)


def _ends(head: int, tail: int) -> View:
    def view(data: bytes) -> str:
        text = data.decode("utf-8", "replace")
        left = len(text) - head - tail
        if left <= 0:
            return text
        return f"{text[:head]}\n[{left} characters omitted]\n{text[len(text) - tail :]}"

    return view


def _ends_of_bytes(head: int, tail: int) -> View:
    def view(data: bytes) -> str:
        if len(data) > head + tail:
            data = data[:head] + b"\n...\n" + data[-tail:]
        return data.decode("utf-8", "replace")

    return view


def _process(command: Sequence[str]) -> View:
    """The output of a command that reads the case from standard input, in a home of its own."""

    def view(data: bytes) -> str:
        with tempfile.TemporaryDirectory() as home, tempfile.TemporaryFile() as source:
            source.write(data)
            source.seek(0)
            environment = {
                **{name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ},
                "HOME": home,
                "STUB_HOME": f"{home}/stub",
                "NO_COLOR": "1",
                "TERM": "dumb",
                "RTK_TELEMETRY_DISABLED": "1",
            }
            try:
                done = subprocess.run(
                    command,
                    stdin=source,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    cwd=home,
                    env=environment,
                    timeout=PATIENCE,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                print(f"{command[0]}: no end within {PATIENCE} s", file=sys.stderr)
                return ""
        if done.returncode != 0:
            print(f"{command[0]}: status {done.returncode}", file=sys.stderr)
        return done.stdout.decode("utf-8", "replace")

    return view


def views() -> dict[str, View]:
    """`stub`, what is on PATH, and the plain cuts that agents are known to make."""
    found: dict[str, View] = {"stub": _process([stub_command()])}
    for command in (("szr", "pipe"), ("skimread", "pipe", "--cmd", "out"), ("rtk", "pipe")):
        if shutil.which(command[0]):
            found[" ".join(command[:2])] = _process(command)
    return found | {
        "first 2,000 characters": _ends(2000, 0),
        "first 1,000 and last 3,000 characters": _ends(1000, 3000),
        "first 6,144 and last 24,576 characters": _ends(6144, 24_576),
        "first 25,000 and last 25,000 bytes": _ends_of_bytes(25_000, 25_000),
    }


def look(view: View, case: Case) -> Seen:
    text = view(case.output)
    clean = _ANSI.sub("", text)
    page = clean
    if len(clean) > PAGE:
        page = clean[: PAGE // 2] + "\n" + clean[-PAGE // 2 :]
    return Seen(
        case,
        len(text),
        tuple(bool(needle.pattern.search(clean)) for needle in case.needles),
        tuple(bool(needle.pattern.search(page)) for needle in case.needles),
    )


def share(seen: Sequence[Seen], *, must: bool, page: bool) -> float:
    """Percent of the needles that were found, over all cases."""
    hits = [
        hit
        for one in seen
        for hit, needle in zip(one.on_page if page else one.found, one.case.needles, strict=True)
        if needle.must or not must
    ]
    return 100 * sum(hits) / len(hits) if hits else 0.0


HEADINGS = ("view", "must %", "all %", "must % of a page", "all % of a page", "median characters")


def row(name: str, seen: Sequence[Seen]) -> tuple[str, ...]:
    shares = [share(seen, must=must, page=page) for page in (False, True) for must in (True, False)]
    median = statistics.median(one.characters for one in seen)
    return (name, *(f"{one:.0f}" for one in shares), f"{median:,.0f}")


def table(rows: Sequence[Sequence[str]], markdown: bool) -> str:
    if markdown:
        ruler = ("---", *["---:"] * (len(HEADINGS) - 1))
        return "\n".join(f"| {' | '.join(cells)} |" for cells in (HEADINGS, ruler, *rows))
    widths = [max(map(len, column)) for column in zip(HEADINGS, *rows, strict=True)]
    lines = []
    for cells in (HEADINGS, *rows):
        first, *rest = zip(cells, widths, strict=True)
        numbers = "  ".join(cell.rjust(width) for cell, width in rest)
        lines.append(f"{first[0].ljust(first[1])}  {numbers}")
    return "\n".join(lines)


def misses(name: str, seen: Sequence[Seen]) -> list[str]:
    """One line a case that lacks anything; what is a must comes first, in capitals."""
    lines = []
    for one in seen:
        lost = [
            needle
            for needle, hit in zip(one.case.needles, one.on_page, strict=True)
            if not hit
        ]  # fmt: skip
        said = [f"{'MUST ' if needle.must else ''}{needle.why}" for needle in lost]
        if said:
            told = " | ".join(sorted(said, key=lambda text: not text.startswith("MUST")))
            lines.append(f"{name}: {one.case.name} ({one.characters:,} characters): {told}")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, metavar="CASES_DIR")
    parser.add_argument("--cases", default="*", help="only those whose name matches this pattern")
    parser.add_argument("--misses", action="store_true", help="name what stub does not show")
    parser.add_argument("--markdown", action="store_true", help="print the table for a README")
    arguments = parser.parse_args()
    folders = sorted(path.parent for path in arguments.folder.glob("*/needles.json"))
    cases = [load(one) for one in folders if fnmatch.fnmatch(one.name, arguments.cases)]
    if not cases:
        raise SystemExit(f"no cases in {arguments.folder}: each is a folder with needles.json")
    seen = {name: [look(view, case) for case in cases] for name, view in views().items()}
    ranked = sorted(seen, key=lambda name: -share(seen[name], must=True, page=True))
    print(f"{len(cases)} outputs, {sum(len(case.needles) for case in cases)} facts", flush=True)
    if arguments.markdown:
        print()
    print(table([row(name, seen[name]) for name in ranked], arguments.markdown))
    if arguments.misses:
        print("\n".join(["", *misses("stub", seen["stub"])]))


if __name__ == "__main__":
    main()
