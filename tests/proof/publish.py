"""The figures of the last published run, where documents quote them: written from its JSON alone.

FIGURES is that JSON. A test holds that the blocks in PAGE and README are what it says.
"""

import textwrap
from collections.abc import Iterable
from pathlib import Path

from tests.proof import table
from tests.proof.adapter import write_pages
from tests.proof.point import KINDS
from tests.proof.runner import Tally
from tests.proof.table import Result

ROOT = Path(__file__).resolve().parents[2]
FIGURES = Path(__file__).with_name("figures.json")
PAGE = ROOT / "man" / "stub-reliability.7.md"
README = ROOT / "README.md"
_FROM, _TO = "## The figures\n", "\n## "
_BLOCK = ("<!-- proof -->\n", "<!-- end of proof -->\n")
# Of these a case is one mutant; of the others a point is one fault.
MUTANTS = ("journals", "inputs")


def publish(results: Iterable[Result]) -> list[Path]:
    """Keep these runs as the figures, and write what quotes them; the files that were written."""
    merged = table.merge(results)
    table.save(FIGURES, merged)
    for path, text in quoting(merged).items():
        path.write_text(text)
    write_pages(str(ROOT))
    return [FIGURES, *quoting(merged)]


def quoting(result: Result) -> dict[Path, str]:
    """The documents as they have to be."""
    page, readme = PAGE.read_text(), README.read_text()
    before, rest = page.split(_FROM)
    behind = rest.split(_TO, 1)[1]
    page = f"{before}{_FROM}\n{section(result)}{_TO}{behind}"
    start, rest = readme.split(_BLOCK[0])
    readme = start + _BLOCK[0] + sentence(result) + _BLOCK[1] + rest.split(_BLOCK[1])[1]
    return {PAGE: page, README: readme}


def section(result: Result) -> str:
    """The table of the page, and what is to be known of it."""
    head = ["family", "points", "cases", "controls caught", "failed"]
    rows = [_row(name, tally) for name, tally in result.tallies.items()]
    total = table.added(result.tallies.values())
    rows.append(_row("all", total))
    rule = ["---", *["---:"] * (len(head) - 1)]
    lines = ["| " + " | ".join(row) + " |" for row in (head, rule, *rows)]
    wrong = ", ".join(f"{kind} {total.wrong.get(kind, 0):,}" for kind in KINDS)
    failed = [f"* Failed, {one.family}: {one.name}: {one.kind}." for one in result.failures]
    missing = [
        f"* Not run, {name}: {reason} ({count:,} points)."
        for name, tally in result.tallies.items()
        for reason, count in sorted(tally.missing.items())
    ]
    parts = [f"{result.about.line}.", "\n".join(lines), f"What failed, by kind: {wrong}."]
    listed = "\n".join((*failed, *missing))
    return "\n\n".join([*parts, *([listed] if listed else [])]) + "\n"


def _row(name: str, tally: Tally) -> list[str]:
    counts = (tally.points, tally.cases, tally.controls, sum(tally.wrong.values()))
    return [name, *(f"{count:,}" for count in counts)]


def sentence(result: Result) -> str:
    """What the README says of it."""
    tallies, about = result.tallies, result.about
    total = table.added(tallies.values())
    faults = sum(one.points for name, one in tallies.items() if name not in MUTANTS)
    mutants = sum(one.cases for name, one in tallies.items() if name in MUTANTS)
    cuts = tallies["power"].points if "power" in tallies else 0
    wrong = total.wrong
    kinds = ", ".join(f"{wrong.get(kind, 0):,} {kind}" for kind in KINDS[:3])
    rest = sum(count for kind, count in wrong.items() if kind not in KINDS[:3])
    where = f"{about.minutes:g} minutes; {about.machine}"
    said = (
        f"On {about.date} ({where}) `python -m tests.proof` tried {faults:,} faults, of which"
        f" {cuts:,} were power cuts, and {mutants:,} damaged journals and hostile inputs:"
        f" {kinds}, any other failure {rest:,}. {total.controls:,}"
        " programs that were broken on purpose were caught."
    )
    return textwrap.fill(said, 100) + "\n"
