"""The fields of log entries compared: what entries of a grave level share, values of few.

Fields are the level, the source, and pairs like tenant=acme where most entries have several. It
is loaded for logs in which something grave comes again, and reads no stream.
"""

import re

from stubcli.detect.fields.crossing import RECORDS, Crossing
from stubcli.detect.fields.facts import CrossedFacts, Shared, Tie
from stubcli.detect.fields.words import crossed_lines
from stubcli.detect.text.divided import Headed
from stubcli.detect.text.facts import GRAVE, EntryFields, EntryTie
from stubcli.detect.words import listed
from stubcli.text.characters import decode, encode

_PAIR = re.compile(rb'([A-Za-z_][\w.-]{0,40})=("(?:[^"\\]|\\.)*"|[^\s,;"]*)')
_LINE = 600
_SAMPLED = 60
_MOSTLY = 0.6
_PAIRS = 3


def compare(headed: Headed) -> EntryFields:
    """What is told of the entries' fields."""
    lines = headed.begun.lines[:RECORDS]
    paired = _is_paired(lines)
    crossing = Crossing()
    for at, line in enumerate(lines):
        record: dict[str, str] = {}
        if paired:
            pairs = _PAIR.findall(line[:_LINE])
            record = {decode(key): decode(value.strip(b'"')) for key, value in pairs}
        elif headed.sources[at]:
            record["source"] = decode(headed.sources[at])
        if headed.levels[at]:
            record.setdefault("level", decode(headed.levels[at]))
        crossing.add_record(record, at + 1)
    found = crossing.facts()
    few = crossing.few() if paired else ()
    whole = headed.begun.whole and len(lines) == len(headed.begun.lines)
    return EntryFields(
        0 if whole else len(lines),
        tuple(
            EntryTie(tie.column, tie.text, tie.times, int(tie.row), tuple(map(_plain, tie.shared)))
            for tie in (found.ties if found else ())
            if tie.column != "level" or encode(tie.text.upper()) in GRAVE
        ),
        tuple((one.column, one.top) for one in few if one.column != "level"),
    )


def _plain(one: Shared) -> tuple[str, str, int, int]:
    return one.column, one.text, one.times, one.having


def words(fields: EntryFields) -> list[str]:
    """The same in words."""
    ties = (
        Tie(tie.column, tie.text, tie.times, tie.line, tuple(Shared(*one) for one in tie.shared))
        for tie in fields.ties
    )
    said = crossed_lines(CrossedFacts(fields.looked, tuple(ties)), "line")
    if fields.few:
        few = (f"{name} {' '.join(f'{text} {n:,}' for text, n in top)}" for name, top in fields.few)
        within = f" in the first {fields.looked:,} lines" if fields.looked else ""
        said.append(f"fields of few values{within}: {listed(few, len(fields.few), 230, 110)}")
    return said


def _is_paired(lines: list[bytes]) -> bool:
    sample = lines[:: max(1, len(lines) // _SAMPLED)]
    return sum(len(_PAIR.findall(line[:_LINE])) >= _PAIRS for line in sample) >= _MOSTLY * len(
        sample
    )
