"""Blocks that are built alike are compared: what one of them has, lacks, or says otherwise."""

from collections.abc import Callable

import pytest

from stubcli.detect.fields.moments import moment
from stubcli.detect.model import Synopsis
from stubcli.detect.text.block_lines import start_of
from stubcli.detect.text.quantities import DATE, quantity

Summarise = Callable[..., Synopsis]


def structure(found: Synopsis) -> str:
    return "\n".join(found.structure)


def quoted(found: Synopsis) -> dict[int, str]:
    return {line.number: line.text for line in found.notable}


def licences(many: int = 24) -> list[str]:
    lines = []
    for n in range(many):
        year = 2024 if n == 9 else 2030 + n % 5
        kind = "site" if n == 15 else "seat"
        lines += [
            f"{n}: Licence",
            f"    Serial: {n:032x}",
            f"        {n:02x}:a7:1b:09:{n:02x}:77:10:ab",
            f"        {n:02x}:0c:5b:19:{n:02x}:97:e0:fb",
            f"    Kind: {kind}",
            f"    Not after: Mar {1 + n % 28:2} 12:00:00 {year} GMT",
            f"    Holder name: C=DE, CN=holder-{n}.example",
        ]
    return lines


def hosts(many: int = 24) -> list[str]:
    lines = []
    for n in range(many):
        lines += [f"Report of host-{n:02}.example", "Host is up (0.4 s)", "PORT   STATE SERVICE"]
        lines += [f"{port}/tcp open  {name}" for port, name in (("22", "shell"), ("80", "web"))]
        lines += ["23/tcp open  old-shell"] if n == 13 else []
        lines += [f"Asset: {n * 7:04x}"] if n != 5 else []
        lines += [""]
    return lines


def test_what_ends_first_is_told_with_whose_it_is(synopsis: Summarise) -> None:
    found = synopsis("\n".join(licences()) + "\n")
    assert found.label == "text/blocks"
    shown = structure(found)
    assert "24 blocks built alike" in shown
    first = shown.split("ends first:\n")[1].split("\n")[0]
    assert "Mar 10 12:00:00 2024 GMT" in first
    assert "CN=holder-9.example" in first


def test_a_value_that_one_block_has_is_told_with_whose_it_is(synopsis: Summarise) -> None:
    shown = structure(synopsis("\n".join(licences()) + "\n"))
    assert "Kind: site (Holder name: C=DE, CN=holder-15.example)" in shown
    assert "Kind: seat 23, site 1" in shown


def test_the_rows_of_all_blocks_are_one_table_and_the_odd_one_has_its_block(
    synopsis: Summarise,
) -> None:
    found = synopsis("\n".join(hosts()) + "\n")
    assert "SERVICE: shell 24, web 24, old-shell 1" in structure(found)
    assert list(quoted(found).values()) == ["Report of host-13.example", "23/tcp open  old-shell"]


def test_what_one_block_lacks_is_told(synopsis: Summarise) -> None:
    shown = structure(synopsis("\n".join(hosts()) + "\n"))
    assert "without Asset:: 36: Report of host-05.example" in shown


def test_a_name_in_brackets_begins_a_block_whatever_comes_first_below_it(
    synopsis: Summarise,
) -> None:
    lines = []
    for n in range(30):
        user = "root" if n == 17 else f"site{n:02}"
        lines += [f"[pool{n:02}]", f"user = {user}", "mode = dynamic", "limit = 60s", ""]
    found = synopsis("\n".join(lines))
    assert "30 blocks" in structure(found)
    assert list(quoted(found).values()) == ["[pool17]", "user = root"]


@pytest.mark.parametrize(
    "lines",
    [
        [f"the house near river {n} was quiet" for n in range(90)],
        [f"2026-11-01 10:00:{n % 60:02} started job {n}" for n in range(90)],
        [f"{word} {n}" for n in range(30) for word in ("alpha", "beta", "gamma", "delta")],
    ],
)
def test_running_text_and_logs_are_no_blocks(lines: list[str]) -> None:
    assert start_of([line.encode() for line in lines]) is None


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Nov 29 23:59:59 2026 GMT", "May  1 00:00:00 2027 GMT"),
        ("Fri Mar 01 12:00:00 UTC 2024", "Fri Mar 01 12:00:01 UTC 2024"),
        ("Sun, 29 Nov 2026 10:00:00 +0000", "Mon, 30 Nov 2026 09:00:00 +0000"),
        ("29-Nov-2026", "1-Dec-2026"),
        ("Mar 3, 2024", "Mar 12, 2024"),
        ("2026-11-29", "2026-11-29T08:00:00Z"),
    ],
)
def test_dates_are_compared_however_they_are_written(earlier: str, later: str) -> None:
    first, second = quantity(earlier), quantity(later)
    assert first is not None
    assert second is not None
    assert first[1] == second[1] == DATE
    assert first[0] < second[0]


@pytest.mark.parametrize("text", ["Foo 29 23:59:59 2026", "Nov 29", "2026-13-01", "", "x" * 60])
def test_what_is_no_date_is_none(text: str) -> None:
    assert moment(text) is None


def test_a_number_far_from_that_of_other_blocks_is_told_with_its_block(
    synopsis: Summarise,
) -> None:
    lines = []
    for n in range(24):
        spoilt = 812 if n == 13 else n % 3
        lines += [f"== disk-{n:02} ==", "Model name: ST16", "ID NAME VALUE"]
        lines += [f" 1 hours_on         {n + 900}", f" 5 moved_sectors    {spoilt}", ""]
    shown = structure(synopsis("\n".join(lines)))
    assert "moved_sectors    812 (23 others: 0 to 2) (below 79: == disk-13 ==)" in shown
