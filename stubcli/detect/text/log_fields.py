"""The fields of log entries compared: what entries of a grave level share, values of few.

Fields are the level, the source, and pairs like tenant=acme where most entries have several. It
knows no format and reads no stream.
"""

import re

from stubcli.detect.fields.crossing import RECORDS, Crossing
from stubcli.detect.fields.facts import CrossedFacts, LeadCounts
from stubcli.detect.text.divided import Headed
from stubcli.text.characters import decode
from stubcli.value import Value

_PAIR = re.compile(rb'([A-Za-z_][\w.-]{0,40})=("(?:[^"\\]|\\.)*"|[^\s,;"]*)')
_LINE = 600
_SAMPLED = 60
_MOSTLY = 0.6
_PAIRS = 3


class FieldsRead(Value):
    """crossed: what fields say of each other. few: fields of few values, of pairs only."""

    crossed: CrossedFacts | None = None
    few: tuple[LeadCounts, ...] = ()


def read(headed: Headed) -> FieldsRead:
    """What is told of the entries' fields."""
    lines = headed.begun.lines
    paired = _is_paired(lines)
    if not paired and len(set(headed.levels[:RECORDS])) < 2:
        return FieldsRead()
    crossing = Crossing()
    crossing.whole = headed.begun.whole and len(lines) <= RECORDS
    for at, line in enumerate(lines[:RECORDS]):
        record: dict[str, str] = {}
        if paired:
            record = {
                decode(key): decode(value.strip(b'"')) for key, value in _PAIR.findall(line[:_LINE])
            }
        elif headed.sources[at]:
            record["source"] = decode(headed.sources[at])
        if headed.levels[at] and "level" not in record:
            record["level"] = decode(headed.levels[at])
        crossing.add_record(record, at + 1)
    few = tuple(one for one in crossing.few() if one.column != "level") if paired else ()
    return FieldsRead(crossing.facts(), few)


def _is_paired(lines: list[bytes]) -> bool:
    sample = lines[:: max(1, len(lines) // _SAMPLED)]
    return sum(len(_PAIR.findall(line[:_LINE])) >= _PAIRS for line in sample) >= _MOSTLY * len(
        sample
    )
