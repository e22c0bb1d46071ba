"""What documents say of the proof is what the kept figures say, and nothing else."""

from dataclasses import replace

from tests.proof import publish, table
from tests.proof.families import FAMILIES
from tests.proof.point import NOWHERE
from tests.proof.runner import Failure, Tally


def test_documents_quote_the_figures_that_are_kept() -> None:
    for path, text in publish.quoting(table.load(publish.FIGURES)).items():
        assert path.read_text() == text, f"python -m tests.proof --publish {publish.FIGURES}"


def test_the_page_tells_of_every_family() -> None:
    told = publish.PAGE.read_text()
    for name in FAMILIES:
        assert f"\n{name}\n: " in told


def test_what_failed_is_published_too() -> None:
    kept = table.load(publish.FIGURES)
    tally = Tally(points=3, cases=3, wrong={NOWHERE: 1}, missing={"needs root": 2})
    failure = Failure("power", "XFS, run: done, 3", NOWHERE, "what was seen")
    result = replace(kept, tallies={"power": tally}, failures=[failure])
    said = publish.section(result)
    assert "| power | 3 | 3 | 0 | 1 |" in said
    assert f"* Failed, power: XFS, run: done, 3: {NOWHERE}.\n" in said
    assert "* Not run, power: needs root (2 points).\n" in said
    assert f"1 {NOWHERE}" in " ".join(publish.sentence(result).split())
