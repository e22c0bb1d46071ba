"""Outputs that look like another kind at a glance: comments that are none, words that are none."""

from collections.abc import Callable

import pytest

from stubcli.detect.model import Synopsis

Summarise = Callable[..., Synopsis]


def test_numbered_steps_of_a_build_are_no_comments_of_yaml(synopsis: Summarise) -> None:
    steps = "".join(
        f"#{n} [web {n}/90] RUN make part{n}\n#{n} {n}.41 compiled {n * 37} objects\n\n"
        for n in range(1, 91)
    )
    error = "error: failed to solve:\nreason: exit code 2\nstage: web\n"
    assert synopsis(steps + error).label != "yaml/document"


def test_members_with_commas_behind_them_are_those_of_a_program(synopsis: Summarise) -> None:
    members = "".join(f'    "name {n}": "value {n}",\n' for n in range(200))
    assert synopsis(members).kind != "yaml"


def test_numbered_rows_of_a_report_are_no_yaml(synopsis: Summarise) -> None:
    rows = "".join(f"  {n:4}: {n * 64:016x}     0 FUNC    GLOBAL name_{n}\n" for n in range(300))
    assert synopsis(f"Symbols:\n{rows}").kind != "yaml"


@pytest.mark.parametrize("word", ["ok", "changed"])
def test_results_of_hosts_are_neither_tests_nor_records(synopsis: Summarise, word: str) -> None:
    hosts = "".join(f"{word}: [host-{n}]\n" for n in range(9)) + "skipping: [old]\nfailed: [x]\n"
    run = "".join(f"\nTASK [step {n}] {'*' * 50}\n{hosts}" for n in range(20))
    assert synopsis(run).label == "text/plain"


def test_addresses_of_symbols_are_no_commits(synopsis: Summarise) -> None:
    rows = "".join(f"ffffffff81{n * 48:06x} T symbol_{n}\n" for n in range(300))
    assert synopsis(rows).label != "text/git-log"


def test_lines_of_a_file_that_tell_their_commits_are_no_log(synopsis: Summarise) -> None:
    lines = "".join(
        f"{(n // 4 * 7919 + 1) * 65537 % 2**32:08x} (Ann 2026-11-05 {n:4}) let gate{n} stand\n"
        for n in range(300)
    )
    assert synopsis(lines).label != "text/git-log"


def test_a_tree_of_dependencies_is_no_code(synopsis: Summarise) -> None:
    tree = "".join(
        f"+--- org.weir:gate-{n}:1.{n}.0\n|    +--- org.dam:core:{n % 9}.2 -> 3.{n % 7}.1 (*)\n"
        f"|    |    \\--- io.sluice:lift:{n}.0\n"
        for n in range(150)
    )
    assert synopsis(tree).label == "text/tree"


def test_quoted_cells_between_tabs_are_cells(synopsis: Summarise) -> None:
    rows = "".join(f'"n{n}"\t"c{n % 9}"\t"note {n}"\n' for n in range(500))
    assert synopsis('"name"\t"city"\t"note"\n' + rows).kind == "tsv"
