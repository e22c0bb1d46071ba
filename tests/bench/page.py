"""How well a page tells of an output: facts found, false alarms, odd lines shown; beside others.

python -m tests.bench.page [NAME=]FOLDER... [--cases GLOB] [--misses] [--markdown]

See page_cases for what a folder holds. A fact is found where its pattern matches the first and
the last 2,500 characters of what was printed, which is what is left where a page is cut again;
what a next command prints is not cut. NAME groups the facts of a folder in a column of their own.
"""

import argparse
import fnmatch
import statistics
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tests.bench.page_cases import Calm, Case, Cases, load
from tests.bench.page_views import View, clean, notable_lines, views

PAGE = 5000
FOLLOWED = "next"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="+", metavar="[NAME=]FOLDER")
    parser.add_argument("--cases", default="*", help="only those whose name matches this pattern")
    parser.add_argument("--misses", action="store_true", help="name what stub does not show")
    parser.add_argument("--markdown", action="store_true", help="print the table for a README")
    arguments = parser.parse_args()
    cases = _chosen(load(list(map(_named, arguments.folders))), arguments.cases)
    known = views()
    rows = [_headings(cases)]
    for name, view in (known.stub | known.others).items():
        quiet = _quiet(cases.calm) if name == "stub" else ""
        rows.append(_row(name, view, cases, quiet))
        print(f"{name}: done", flush=True)
    print(_table(rows, arguments.markdown))
    if arguments.misses:
        print("\n".join(["", *_misses(known.stub["stub"], cases)]))


def _named(given: str) -> tuple[str, Path]:
    name, equals, path = given.partition("=")
    return (name, Path(path)) if equals else (Path(given).name, Path(given))


def _chosen(cases: Cases, pattern: str) -> Cases:
    def chosen(case: Case | Calm) -> bool:
        return fnmatch.fnmatch(case.name, pattern)

    needles = {name: tuple(filter(chosen, found)) for name, found in cases.needles.items()}
    return replace(
        cases,
        needles={name: found for name, found in needles.items() if found},
        mixed=tuple(filter(chosen, cases.mixed)),
        calm=tuple(filter(chosen, cases.calm)),
    )


def _headings(cases: Cases) -> list[str]:
    sets = [f"{name} ({len(found)}): must / all %" for name, found in cases.needles.items()]
    odd = [f"odd lines of {len(cases.mixed)}"] if cases.mixed else []
    calm = [f"too loud of {len(cases.calm)} (false lines)"] if cases.calm else []
    return ["view", *sets, *odd, *calm, "median characters"]


def _row(name: str, view: View, cases: Cases, quiet: str) -> list[str]:
    lengths: list[int] = []
    cells = []
    for found in cases.needles.values():
        hits = [hit for case in found for hit in _seen(name, view, case, lengths)]
        cells.append(f"{_share(hits, must=True):.1f} / {_share(hits, must=False):.1f}")
    if cases.mixed:
        odd = [hit for case in cases.mixed for hit in _seen(name, view, case, lengths)]
        cells.append(str(sum(shown for _, shown in odd)))
    calm = [quiet] if cases.calm else []
    return [name, *cells, *calm, f"{statistics.median(lengths or [0]):,.0f}"]


def _seen(name: str, view: View, case: Case, lengths: list[int]) -> list[tuple[bool, bool]]:
    """Of each fact whether it is a must, and whether it is shown."""
    text = clean(view(case.output))
    lengths.append(len(text))
    if len(text) > PAGE and FOLLOWED not in name:
        text = text[: PAGE // 2] + "\n" + text[-PAGE // 2 :]
    return [(needle.must, bool(needle.pattern.search(text))) for needle in case.needles]


def _share(hits: list[tuple[bool, bool]], *, must: bool) -> float:
    asked = [shown for needed, shown in hits if needed or not must]
    return 100 * sum(asked) / len(asked) if asked else 0.0


def _quiet(calm: Sequence[Calm]) -> str:
    """How many calm outputs have more false notable lines than are tolerable."""
    false = [(case.false(notable_lines(case.output)), case.tolerated) for case in calm]
    loud = sum(found > tolerated for found, tolerated in false)
    return f"{loud} ({sum(found for found, _ in false)})"


def _table(rows: Sequence[Sequence[str]], markdown: bool) -> str:
    if markdown:
        ruler = ["---", *["---:"] * (len(rows[0]) - 1)]
        return "\n".join(f"| {' | '.join(cells)} |" for cells in (rows[0], ruler, *rows[1:]))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for cells in rows:
        first, *rest = zip(cells, widths, strict=True)
        numbers = "  ".join(cell.rjust(width) for cell, width in rest)
        lines.append(f"{first[0].ljust(first[1])}  {numbers}")
    return "\n".join(lines)


def _misses(view: View, cases: Cases) -> list[str]:
    """One line a case that lacks anything; what is a must comes first, in capitals."""
    lines = []
    for case in (*(one for found in cases.needles.values() for one in found), *cases.mixed):
        text = clean(view(case.output))
        lost = [needle for needle in case.needles if not needle.pattern.search(text)]
        said = [f"{'MUST ' if needle.must else ''}{needle.why}" for needle in lost]
        if said:
            told = " | ".join(sorted(said, key=lambda one: not one.startswith("MUST")))
            lines.append(f"{case.name}: {told}")
    for calm in cases.calm:
        notable = notable_lines(calm.output)
        if calm.false(notable) > calm.tolerated:
            lines.append(f"{calm.name}: too loud: {' | '.join(line[:80] for line in notable)}")
    return lines


if __name__ == "__main__":
    main()
