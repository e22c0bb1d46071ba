"""Progress displays: lines redrawn by CR, or percentages line after line."""

from stubcli.detect.model import ByteSource, Scan
from stubcli.detect.text.facts import FormFacts
from stubcli.detect.text.read import FormReading
from stubcli.detect.words import counted

NAME = "progress"


class ProgressFacts(FormFacts):
    """redrawn: how often a line was begun anew by CR."""

    redrawn: int = 0


FACTS = ProgressFacts


def read(source: ByteSource, scan: Scan) -> FormReading:
    return FormReading(ProgressFacts(redrawn=scan.returns))


def words(facts: ProgressFacts) -> list[str]:
    return [counted(facts.redrawn, "redrawn line")] if facts.redrawn else []
