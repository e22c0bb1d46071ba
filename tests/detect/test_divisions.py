"""Reports that headings divide, whatever their style: each division is summed up in a line."""

from collections.abc import Callable

import pytest

from stubcli.detect.model import Synopsis

Summarise = Callable[..., Synopsis]
NAMES = ("Memory", "Disks", "Network routes", "Units", "Clock", "Fans")
RULE = "-" * 40


def boxed(name: str) -> list[str]:
    return ["", RULE, name, RULE]


def starred(name: str) -> list[str]:
    return ["", "*" * 60, f"*** {name}", "*" * 60]


def hashed(name: str) -> list[str]:
    return ["", f"# {name}"]


def banner(name: str) -> list[str]:
    return [f"===== {name} ====="]


def bracketed(name: str) -> list[str]:
    return ["", f"[{name}]"]


def numbered(name: str) -> list[str]:
    return ["", f"{NAMES.index(name) + 1}. {name}"]


def capital(name: str) -> list[str]:
    return ["", name.upper()]


STYLES = (boxed, starred, hashed, banner, bracketed, numbered, capital)


def report(style: Callable[[str], list[str]], odd: str = "") -> str:
    lines: list[str] = []
    for at, name in enumerate(NAMES):
        lines += style(name)
        lines += [f"{name.lower()[:4]} {i} goes to cell {i * 31 % 977} now" for i in range(40)]
        lines += [odd] if odd and at == 3 else []
        lines += [f"{name.lower()[:4]} {i} goes to cell {i * 31 % 977} now" for i in range(9)]
    return "\n".join(lines) + "\n"


def said(found: Synopsis) -> list[str]:
    """The lines that sum up divisions."""
    heading = next((at for at, line in enumerate(found.structure) if "divisions" in line), None)
    return [] if heading is None else list(found.structure[heading + 1 :])


@pytest.mark.parametrize("style", STYLES)
def test_each_division_is_named_with_its_line_and_its_lines(
    synopsis: Summarise, style: Callable[[str], list[str]]
) -> None:
    text = report(style)
    found = synopsis(text)
    assert f"{len(NAMES)} divisions, with their lines:" in found.structure
    for name, line in zip(NAMES, said(found), strict=True):
        at = next(n for n, one in enumerate(text.split("\n"), 1) if name.lower() in one.lower())
        assert line.startswith(f"  {at}: ")
        assert name.lower() in line.lower()
        assert f"({49})" in line
        assert f"49 × {name.lower()[:4]} … goes to cell … now" in line


@pytest.mark.parametrize("style", STYLES)
def test_what_is_alone_in_its_division_is_quoted_before_what_comes_again(
    synopsis: Summarise, style: Callable[[str], list[str]]
) -> None:
    found = synopsis(report(style, "fan seven of the chassis stands still"))
    line = next(line for line in said(found) if "units" in line.lower())
    assert "(50): fan seven of the chassis stands still · 49 × " in line


def test_headings_that_only_a_number_tells_apart_divide_nothing(synopsis: Summarise) -> None:
    lines: list[str] = []
    for part in range(30):
        lines += [f"--- part {part} ---", *(f"limit {i} is {i * 7 % 50}" for i in range(9))]
    assert said(synopsis("\n".join(lines))) == []


def test_of_a_large_division_the_headings_of_the_next_level_divide(synopsis: Summarise) -> None:
    lines: list[str] = []
    for chapter in (1, 2, 3):
        lines += ["", f"{chapter}. Passing {NAMES[chapter]}"]
        for part in range(1, 8 if chapter == 2 else 2):
            lines += ["", f"{chapter}.{part}. Reading {NAMES[part % 6]}"]
            lines += [f"cell {i} of {part} is kept as {i * 7 % 50}" for i in range(20)]
    found = said(synopsis("\n".join(lines)))
    assert any("2.7. Reading Disks (20)" in line for line in found)


def test_of_many_divisions_those_with_odd_lines_are_named_and_all_are_counted(
    synopsis: Summarise,
) -> None:
    lines: list[str] = []
    for part in range(40):
        name = "".join(chr(97 + (part * k) % 26) for k in (1, 3, 5, 7))
        lines += ["", f"# {name} part", *(f"cell {i} is kept as {i * 7 % 50}" for i in range(9))]
        lines += ["the drawer stands open"] if part == 33 else []
    found = synopsis("\n".join(lines))
    assert "40 divisions, 12 of them, with their lines:" in found.structure
    assert any("the drawer stands open" in line for line in said(found))
