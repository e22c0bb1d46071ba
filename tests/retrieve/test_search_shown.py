"""What a search prints: each line once, a page that is always small, totals that add up."""

import json
import os
import re
import shlex
import signal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.retrieve.grep_form import GrepForm
from stubcli.retrieve.hits import Around, LinePage
from stubcli.retrieve.pattern import compile_pattern
from stubcli.retrieve.search import search
from tests.chance import examples
from tests.conftest import Store
from tests.helpers import (
    Calls,
    Ran,
    artifact,
    calls_of,
    forked,
    keep,
    matches_in,
    ref_of,
    session_of,
)

ANY = examples(70)
BOUND = 20_000


def stub(store: Store, *arguments: str, **environment: str) -> Ran:
    return forked(store, b"", *arguments, environment=environment)


def rows_of(done: Ran) -> list[str]:
    return done.out.decode().splitlines()


def numbered(first: int, last: int) -> bytes:
    return b"".join(b"line %d of a plain output\n" % number for number in range(first, last + 1))


def following(done: Ran) -> list[str]:
    """The arguments of the next command that a search printed; none behind the last page."""
    return shlex.split(done.err.decode().partition("next: ")[2])[1:]


def as_grep(lines: list[str], before: int, after: int) -> list[str]:
    """What grep prints of lines of which some hold an x: numbers, with : or - behind them."""
    hits = [number for number, line in enumerate(lines, 1) if "x" in line]
    printed: list[str] = []
    last = 0
    for number in range(1, len(lines) + 1):
        if not any(hit - before <= number <= hit + after for hit in hits):
            continue
        if last and number > last + 1 and (before or after):
            printed.append("--")
        printed.append(f"{number}{':' if number in hits else '-'}")
        last = number
    return printed


@ANY
@given(
    st.lists(st.sampled_from(["", "x", "b", "axx", "\r"]), min_size=1, max_size=40),
    st.integers(0, 4),
    st.integers(0, 4),
    st.integers(1, 40),
)
def test_the_lines_around_hits_are_those_of_grep(
    store: Store, lines: list[str], before: int, after: int, cut: int
) -> None:
    text = "\n".join(lines) + "\n"
    form = GrepForm(named=False, offsets=False)
    page = LinePage(BOUND, len, Around(before, after), form)
    pattern = compile_pattern("x", literal=True, ignore_case=False, word=False)
    with session_of(store) as session, artifact(session, text.encode()) as opened:
        shown = ""
        for part in search(opened, pattern, range(1 << 40)):
            # However the hits arrive.
            shown += page.add(opened, part.hits[:cut]) + page.add(opened, part.hits[cut:])
        shown += page.close(opened)
    printed = [re.sub(r"^([0-9]+[:-]).*", r"\1", row) for row in shown.splitlines()]
    # Hits that came apart have a row each.
    merged = [row for at, row in enumerate(printed) if row == "--" or row not in printed[:at]]
    assert merged == as_grep(lines, before, after)
    assert page.shown == text.count("x")


def test_hits_that_stand_near_each_other_share_a_row(store: Store) -> None:
    far = b"needle needle" + b"." * 500 + b"needle"
    forked(store, numbered(1, 2000) + b"a needle, needle and needle\n" + far + b"\n")
    done = stub(store, "search", "needle", "last")
    assert [row.partition(":")[0] for row in rows_of(done)] == ["2001", "2002", "2002"]
    assert done.err == b"stub: 6 matches on 2 lines\n"
    found, summary = matches_in(stub(store, "search", "needle", "last", "--json").out)
    assert (summary["stats"]["matches"], summary["stats"]["matched_lines"]) == (6, 2)
    assert summary["page"] == {"skip": 0, "shown": 6, "next_skip": None}
    assert len({hit["offset"] for hit in found}) == 6


@pytest.mark.parametrize("options", [["-m", "11"], ["-m", "100000"], ["-m", "50", "-C", "1"]])
def test_pages_put_together_are_all_hits_once(store: Store, options: list[str]) -> None:
    data = b"".join(
        b"%d:" % n + b" needle" * (n % 4) + b"." * (n % 300) + b"\n" for n in range(280)
    )
    forked(store, data)
    arguments, offsets = ["search", "needle", "last", "-ob", *options], []
    while arguments:
        done = stub(store, *arguments)
        assert len(done.out.decode()) <= BOUND
        hits = [re.match(r"[0-9]+:([0-9]+):needle$", row) for row in rows_of(done)]
        offsets += [int(hit[1]) for hit in hits if hit]
        arguments = following(done)
    assert offsets == [match.start() for match in re.finditer(b"needle", data)]
    skip, found = 0, []
    while skip is not None:
        arguments = ["search", "needle", "last", *options, "--json", "--skip", str(skip)]
        page, summary = matches_in(stub(store, *arguments).out)
        found += [hit["offset"] for hit in page]
        skip = summary["page"]["next_skip"]
    assert found == offsets


# https://github.com/google-gemini/gemini-cli/issues/28090
@pytest.mark.parametrize("kind", ["short lines", "one line", "escaped", "wide"])
def test_no_page_reaches_the_threshold_and_the_total_is_right(store: Store, kind: str) -> None:
    data = {
        "short lines": b"needle\n" * 1_000_000,
        "one line": b"needle " * 1_000_000,
        "escaped": (b"\x01" * 300 + b"needle" + b"\xff" * 300 + b"\n") * 2_000,
        "wide": ("語" * 300 + "needle\u202e\n").encode() * 2_000,
    }[kind]
    total = data.count(b"needle")
    forked(store, data)
    for options in (
        ["-m", "100000"],
        ["-m", "100000", "-C", "100"],
        ["-m", "100000", "--json"],
        ["-m", "100000", "--json", "-C", "3"],
        ["--count"],
        ["-l", "--json"],
    ):
        done = stub(store, "search", "needle", "last", *options)
        assert done.status == 0
        assert 0 < len(done.out.decode()) < BOUND
        assert forked(store, done.out).out == done.out
        if "--json" not in options:
            assert done.err.decode().startswith(f"stub: {total:,} matches")
        if "-m" in options and "--json" not in options:
            assert following(done)[:2] == ["search", *options[2:3]] or "next: " in done.err.decode()


@pytest.mark.parametrize("threshold", ["4000", "4000B", "1000tok"])
def test_a_page_stays_below_a_smaller_threshold_too(store: Store, threshold: str) -> None:
    forked(store, ("語 needle of some length\n" * 3000).encode())
    for options in (["-m", "500"], ["-m", "500", "--json"], ["-m", "500", "-C", "50"]):
        done = stub(store, "search", "needle", "last", *options, STUB_THRESHOLD=threshold)
        assert done.status == 0
        assert forked(store, done.out, "--threshold", threshold).out == done.out


def test_a_pattern_of_any_length_leaves_the_page_small(store: Store) -> None:
    needle = "needle" * 50_000
    forked(store, needle.encode() + b"\n")
    for options in ([], ["--json"], ["-i"]):
        done = stub(store, "search", "-F", needle, "last", *options)
        assert done.status == 0
        assert len(done.out.decode()) < BOUND
        assert len(done.err) < 1000


def test_lists_of_artifacts_are_pages_too(store: Store) -> None:
    with session_of(store) as session:
        for number in range(500):
            keep(session, b"other %d\n" % number + b"needle\n" * (number % 3))
    wanted = [number for number in range(1, 501) if (number - 1) % 3]
    for option in ("-l", "--count"):
        arguments, listed = ["search", "needle", option], []
        while arguments:
            done = stub(store, *arguments)
            assert len(done.out) < BOUND
            listed += rows_of(done)
            arguments = following(done)
        numbers = [int(re.findall(r"result_([0-9]+)", row)[0]) for row in listed]
        assert numbers == wanted
        if option == "--count":
            assert [int(row.split()[1]) for row in listed] == [(n - 1) % 3 for n in wanted]
        key = "refs" if option == "-l" else "counts"
        skip, found = 0, []
        while skip is not None:
            done = stub(store, "search", "needle", option, "--json", "--skip", str(skip))
            assert len(done.out) < BOUND
            page = json.loads(done.out)
            assert page["artifacts"] == len(wanted)
            found += page[key]
            skip = page["next_skip"]
        assert len(found) == len(wanted)
    assert stub(store, "search", "absent", "-l").status == 1


def test_names_are_enough_at_the_first_match(store: Store) -> None:
    forked(store, b"needle\n" + numbered(1, 100_000))
    path = store.artifacts()[0]
    path.chmod(0o600)
    with path.open("r+b") as file:
        file.seek(-5, os.SEEK_END)
        file.write(b"?")
    done = stub(store, "search", "-l", "needle")
    assert (done.status, len(rows_of(done))) == (0, 1)
    assert stub(store, "search", "--count", "needle").status == 4


def test_no_hit_from_a_damaged_block_is_printed_and_those_before_are(store: Store) -> None:
    forked(store, numbered(1, 100_000))
    path = store.artifacts()[0]
    path.chmod(0o600)
    with path.open("r+b") as file:
        file.seek((1 << 20) + 5)
        file.write(b"?")
    done = stub(store, "search", "line [0-9]*0000 ", "last", "-m", "100")
    assert done.status == 4
    assert b"damaged between bytes 1,048,5" in done.err
    numbers = [int(row.partition(":")[0]) for row in rows_of(done)]
    assert numbers == [10_000, 20_000, 30_000]


def test_totals_say_matches_lines_and_artifacts(store: Store) -> None:
    for number in range(3):
        forked(store, b"needle and needle %d\n" % number * 300 + b"a needle\n" * 2000)
    done = stub(store, "search", "needle", "-m", "2")
    assert done.err.startswith(b"stub: 7,800 matches on 6,900 lines in 3 artifacts, shown 1-2; ")
    done = stub(store, "search", "needle", "--count")
    assert done.err == b"stub: 7,800 matches on 6,900 lines in 3 artifacts\n"
    counted = json.loads(stub(store, "search", "needle", "--count", "--json").out)
    assert [entry["matches"] for entry in counted["counts"]] == [2600] * 3
    assert [entry["lines"] for entry in counted["counts"]] == [2300] * 3
    assert (counted["total"], counted["lines"], counted["artifacts"]) == (7800, 6900, 3)
    assert stub(store, "search", "needle", "-l").err == b"stub: 3 artifacts\n"


def test_every_session_is_searched_where_that_is_asked(store: Store) -> None:
    for session in ("one", "two"):
        forked(store, numbered(1, 2000) + f"only {session}\n".encode(), "--session", session)
    done = stub(store, "search", "only", "--all-sessions", "-m", "1")
    assert done.err.startswith(b"stub: 2 matches in 2 artifacts, shown 1-1; next: ")
    assert [row.rpartition(":")[2] for row in rows_of(stub(store, *following(done)))] == [
        "only two"
    ]
    assert stub(store, "search", "only").status == 3
    assert stub(store, "search", "only", "1", "--all-sessions").status == 2
    assert stub(store, "search", "only", "--count", "-l").status == 2


def test_what_is_missing_hides_none_of_the_others_that_are_named(store: Store) -> None:
    refs = [ref_of(forked(store, numbered(n, n + 2000)).out) for n in (1, 2)]
    done = stub(store, "search", "line 1000 ", refs[0], "99", refs[1])
    assert done.status == 3
    assert len(rows_of(done)) == 2
    assert b"2 matches in 2 artifacts" in done.err
    assert "99" not in shlex.split(done.err.decode().splitlines()[-1])


def test_what_is_in_progress_is_searched_as_far_as_it_goes_and_named(store: Store) -> None:
    forked(store, numbered(1, 2000))
    with session_of(store) as session:
        incoming = session.begin()
        incoming.write("needle é\r\n".encode("utf-16-le").join([b"\xff\xfe", b""]))
        for arguments in (["needle é$"], ["needle é$", str(incoming.number)]):
            done = stub(store, "search", *arguments)
            assert (done.status, len(rows_of(done))) == (0, 1)
            assert b"in progress: 22 bytes so far" in done.err
        assert stub(store, "search", "line 1$").err.startswith(b"stub: tool_result_002.txt is in ")
        os.close(incoming._descriptor)


# https://github.com/Aletheore/Aletheore/issues/190
def test_an_interrupt_ends_a_search_at_once(store: Store) -> None:
    forked(store, (b"a" * 60 + b"b" + b" " * 200 + b"\n") * 16_000)
    command = ("search", "b", "last", "--count")
    reads = calls_of(store, b"", *command).count("pread")
    assert reads > 2

    def interrupted(_count: int, name: str) -> None:
        nonlocal reads
        reads -= name == "pread"
        if reads == 1:
            os.kill(os.getpid(), signal.SIGINT)

    done = forked(store, b"", *command, prepare=Calls(interrupted).install)
    assert (done.status, done.out, done.err) == (130, b"", b"")
