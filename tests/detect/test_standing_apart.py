"""The lines that stand apart of the bulk are quoted: rare ones, lone values, numbers far off."""

import re
from collections.abc import Callable

import pytest

from stubcli.detect.model import Synopsis
from stubcli.detect.text import templates, words

Summarise = Callable[..., Synopsis]


def apart(found: Synopsis) -> list[str]:
    """The lines that are said to be unlike the others."""
    rows = list(found.structure)
    begin = next((at for at, row in enumerate(rows) if row.startswith("unlike")), len(rows))
    return [row.strip() for row in rows[begin + 1 :]]


RIVER = [
    "the",
    "river",
    "rose",
    "over",
    "night",
    "and",
    "no",
    "keeper",
    "of",
    "any",
    "gate",
    "had",
    "seen",
    "it",
    "come",
    "so",
    "far",
]
NOUNS = re.split(" ", "weir gate lock tide river keeper sluice basin pump valve")
BULK = [f"gate {n} moved to {n * 7 % 50} in {n % 9} s" for n in range(600)]


def test_one_line_unlike_all_others_is_quoted_with_its_number(synopsis: Summarise) -> None:
    lines = [*BULK[:300], "the keeper has left the weir", *BULK[300:]]
    assert apart(synopsis("\n".join(lines))) == ["301: the keeper has left the weir"]


def test_lone_lines_come_before_those_of_a_longer_block(synopsis: Summarise) -> None:
    block = ["tide table of april", "high at noon", "rain came by six or seven", "spring tide"]
    lines = [*BULK[:200], *block, *BULK[200:400], "the keeper has left", *BULK[400:]]
    assert apart(synopsis("\n".join(lines))) == [
        "405: the keeper has left",
        "201: tide table of april",
        "202: high at noon",
        "203: rain came by six or seven",
        "204: spring tide",
    ]


def test_however_many_there_are_the_count_says_how_many(synopsis: Summarise) -> None:
    lines = list(BULK)
    for at in range(25):
        letter = chr(97 + at)
        lines.insert(20 * at + 10, f"{letter * 3} met {letter * 4} of {letter * 5} on {letter * 6}")
    found = synopsis("\n".join(lines))
    assert any(row.startswith("unlike the others, 12 of 25:") for row in found.structure)
    assert len(apart(found)) == 12


@pytest.mark.parametrize(
    ("usual", "odd", "said"),
    [
        ("gate-{n}: state RUNNING", "gate-{n}: state DRAINING", "(599 others: RUNNING)"),
        ("    Link: up at 100000 Mb/s", "    Link: up at 10 Mb/s", "(599 others: 100000)"),
        ("gate{n}\t\t\tinstall", "gate{n}\t\t\thold", "(599 others: install)"),
        ("-rw-r--r-- 1 root root 40{n} gate{n}", "-rwsr-xr-x 1 root root 401 gatex", ""),
        ("{k}\t./weir/gate{n}", "48312208\t./weir/gatex", "(599 others: 3 to 7)"),
        ("took {k}.5ms for gate {n}", "took 2.1s for gate 3", "(599 others: 3.5ms to 7.5ms)"),
        ("gate {n} holds {k} kB", "gate 3 holds 2 GB", "(599 others: kB)"),
        ("gate {n} size={k}M level", "gate 5 size=1.5G level", "(599 others: size=3M to size=7M)"),
        ("./weir/gate{n}.tex", "./weir/.env.production", "(599 others: tex)"),
        ("test gate_{n} ... ok", "test gate_x ... ignored", ""),
    ],
)
def test_the_one_state_mode_unit_or_number_unlike_all_others_is_quoted(
    usual: str, odd: str, said: str
) -> None:
    lines = [usual.format(n=n, k=3 + n * n % 6).encode() for n in range(600)]
    lines[400] = odd.format(n=400).encode()
    rows = words._apart(templates.find(lines, lines), "")
    assert rows == ["unlike the others:", f"  401: {odd.format(n=400).strip()}{said and ' '}{said}"]


def test_a_line_that_stands_apart_is_shown_with_what_owns_it(synopsis: Summarise) -> None:
    cards = [
        f"Adapter card{n}\n    serial {n}\n    linked at {10 if n == 133 else 100000} Mb/s\n"
        for n in range(260)
    ]
    found = synopsis("\n".join(cards)).notable
    assert [line.text.strip() for line in found] == ["Adapter card133", "linked at 10 Mb/s"]


@pytest.mark.parametrize("step", [1, 3, -2])
def test_numbers_that_only_count_are_not_far_from_each_other(
    synopsis: Summarise, step: int
) -> None:
    lines = [f"gate {10_000 + step * n} moved" for n in range(300)]
    assert apart(synopsis("\n".join(lines))) == []


def test_what_each_record_has_in_its_own_words_does_not_stand_apart(synopsis: Summarise) -> None:
    named = NOUNS
    records = [
        f"id: {n}\nkeeper: k{n}\n\n{' '.join(named[(n * k) % 10] for k in range(1, 4 + n % 5))}\n\n"
        "state: open\nlevel: 9\nlast: seen\ntide: low\n"
        for n in range(60)
    ]
    assert apart(synopsis("".join(records))) == []


def test_of_prose_nothing_stands_apart(synopsis: Summarise) -> None:
    named = RIVER
    lines = [
        " ".join(named[(n * k + k * k) % len(RIVER)] for k in range(3, 9 + n % 7))
        for n in range(400)
    ]
    assert apart(synopsis("\n".join(lines))) == []


def test_what_is_notable_is_not_quoted_twice(synopsis: Summarise) -> None:
    lines = [*BULK[:300], "error: the keeper has left the weir", *BULK[300:]]
    found = synopsis("\n".join(lines))
    assert [line.number for line in found.notable] == [301]
    assert apart(found) == []


def test_of_a_log_the_entry_is_quoted_from_its_level_on(synopsis: Summarise) -> None:
    lines = [f"2026-04-01 10:{n // 60:02d}:{n % 60:02d} INFO weir: {BULK[n]}" for n in range(600)]
    lines[300] = "2026-04-01 10:05:00 INFO weir: the keeper has left"
    assert apart(synopsis("\n".join(lines))) == ["301: … INFO weir: the keeper has left"]


def test_a_line_apart_in_a_paragraph_is_told_with_the_line_that_opens_it(
    synopsis: Summarise,
) -> None:
    lines: list[str] = []
    for i in range(40):
        lines += [f"report of till {i} in shop {i % 7}", f"till is up since {i * 3} hours"]
        lines += [f"{port}/tcp  open  drawer" for port in (22, 80, 443)]
        lines += ["telnet answers as root", "finger answers, too"] if i == 23 else []
        lines += [""]
    at = lines.index("telnet answers as root") + 1
    said = synopsis("\n".join(lines)).structure
    owner = f"(below {at - 5}: report of till 23 in shop 2)"
    assert f"  {at}: telnet answers as root {owner}" in said
    assert f"  {at + 1}: finger answers, too (below {at - 5})" in said
