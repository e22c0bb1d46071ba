"""What protects what, from the leases alone: sums, ends, clocks, and leases that were lost."""

import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.errors import IntegrityError, UsageError
from stubcli.retention.leases import upkeep
from stubcli.retention.leases.claims import fold, lost_at
from stubcli.retention.leases.file_names import JOURNAL
from stubcli.retention.leases.model import (
    ABORTED,
    COMMITTED,
    PREPARED,
    RELEASED,
    Claim,
    Lease,
    check_transaction,
    moment_of,
    number_of,
    parse_until,
)
from tests.conftest import Store
from tests.helpers import session_of
from tests.retention.leases.made import NAME, lease_of, lines_of, mixed, plant

NOW = datetime(2026, 6, 1, tzinfo=UTC)
SOON, LATER, GONE = ((NOW + timedelta(days=days)).isoformat() for days in (1, 30, -1))


def lease(
    name: str, phase: str, until: str | None = None, number: int = 1, count: int = 1
) -> Lease:
    made = lease_of(name, phase, number, until)
    return replace(made, claim=replace(made.claim, reference_count=count))


def test_claims_on_one_artifact_are_summed_up() -> None:
    found = fold(
        [lease("b", COMMITTED, SOON, count=2), lease("a", COMMITTED, LATER, count=3)],
        NAME,
        NOW,
        NOW,
    )
    assert list(found) == [1]
    assert (found[1].reference_count, found[1].retain_until) == (5, LATER)
    assert (found[1].active, found[1].pending, found[1].transactions) == (True, (), ("a", "b"))


def test_one_claim_without_an_end_keeps_without_an_end() -> None:
    found = fold([lease("a", COMMITTED, LATER), lease("b", COMMITTED)], NAME, NOW, NOW)
    assert (found[1].active, found[1].retain_until) == (True, None)


def test_what_has_ended_claims_nothing() -> None:
    assert fold([lease("a", ABORTED), lease("b", RELEASED)], NAME, NOW, NOW) == {}


def test_a_claim_expires_at_its_end_and_is_still_told() -> None:
    at_end = [lease("a", COMMITTED, NOW.isoformat())]
    for ago, active in ((1, True), (0, False), (-1, False)):
        moment = NOW - timedelta(microseconds=ago)
        found = fold(at_end, NAME, moment, moment)[1]
        assert (found.active, found.retain_until, found.reference_count) == (
            active,
            NOW.isoformat(),
            1,
        )


def test_an_expired_claim_adds_nothing_to_those_that_hold() -> None:
    found = fold([lease("a", COMMITTED, GONE, count=7), lease("b", PREPARED, GONE)], NAME, NOW, NOW)
    assert (found[1].active, found[1].reference_count, found[1].retain_until) == (True, 1, None)
    assert (found[1].pending, found[1].transactions) == (("b",), ("a", "b"))


def test_numbers_come_in_numeric_order() -> None:
    leases = [lease(f"l{number}", PREPARED, number=number) for number in (1000, 2, 999, 10)]
    assert list(fold(leases, NAME, NOW, NOW)) == [2, 10, 999, 1000]


def test_two_digests_for_one_number_are_damage() -> None:
    one, two = lease("a", COMMITTED, number=1), lease("b", COMMITTED, number=2)
    source = two.claim.source_id.replace("_002", "_001")
    other = replace(two, claim=replace(two.claim, source_id=source))
    with pytest.raises(IntegrityError, match="different digests"):
        fold([one, other], NAME, NOW, NOW)


# https://github.com/borgbackup/borg/issues/10077
@pytest.mark.parametrize("years", [-10, 2, 10, 1000])
def test_a_clock_that_jumped_by_years_expires_nothing(years: int) -> None:
    leases = [lease("a", COMMITTED, SOON), lease("b", COMMITTED, GONE, number=2)]
    found = fold(leases, NAME, NOW.replace(year=NOW.year + years), NOW)
    assert found[1].active
    assert found[2].active == (years < 0)


def test_a_clock_within_a_year_of_the_session_s_own_times_is_believed() -> None:
    leases = [lease("a", COMMITTED, SOON)]
    assert not fold(leases, NAME, NOW + timedelta(days=366), NOW)[1].active
    assert fold(leases, NAME, NOW + timedelta(days=367), NOW)[1].active


@given(
    st.lists(
        st.tuples(
            st.sampled_from([PREPARED, COMMITTED, ABORTED, RELEASED]),
            st.integers(1, 3),
            st.sampled_from([None, GONE, SOON, LATER]),
            st.integers(1, 5),
        )
    )
)
def test_an_artifact_is_held_as_long_as_any_claim_holds(
    claims: list[tuple[str, int, str | None, int]],
) -> None:
    leases = [lease(f"l{n}", phase, until, number, count) for n, (phase, number, until, count)
              in enumerate(claims)]  # fmt: skip
    found = fold(leases, NAME, NOW, NOW)
    for number in (1, 2, 3):
        holding = [
            (None if phase == PREPARED else until, count)
            for phase, where, until, count in claims
            if where == number
            and (phase == PREPARED or (phase == COMMITTED and until in (None, SOON, LATER)))
        ]
        assert (number in found and found[number].active) == bool(holding)
        if holding:
            ends = [end for end, _ in holding]
            assert found[number].reference_count == sum(count for _, count in holding)
            assert found[number].retain_until == (
                None if None in ends else max(end for end in ends if end)
            )


@pytest.mark.parametrize(
    "text",
    ["", "tomorrow", "2026-01-01", "2026-01-01T00:00:00", "9999-12-31T23:59:59-14:00", "1e9", "٢"],
)
def test_an_end_without_a_moment_and_a_zone_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="invalid time"):
        parse_until(text)


@given(st.datetimes(timezones=st.timezones()))
def test_an_end_is_the_same_moment_in_any_zone(moment: datetime) -> None:
    try:
        expected = moment.astimezone(UTC)
    except OverflowError:
        return
    assert moment_of(parse_until(moment.isoformat())) == expected.replace(fold=0)
    assert parse_until(parse_until(moment.isoformat())) == parse_until(moment.isoformat())


@pytest.mark.parametrize("count", [0, -1, True, 1.5, "1", None, 10**9 + 1])
def test_a_count_is_a_whole_number_from_one(count: object) -> None:
    with pytest.raises(UsageError, match="a claim cannot count"):
        Claim("artifact:test:tool_result_001.txt:" + "a" * 16, "a" * 64, count)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "a b", "-a", "a" * 129, "é", "a\n", "a\0"])
def test_a_transaction_s_name_is_one_part_of_a_path(name: str) -> None:
    with pytest.raises(UsageError, match="cannot name a transaction"):
        check_transaction(name)


@pytest.mark.parametrize(
    "source",
    [
        "",
        "artifact:test:../outside:" + "a" * 16,
        "artifact:other:tool_result_001.txt:" + "a" * 16,
        "artifact:test:tool_result_001.txt",
        "artifact:test:tool_result_01.txt:" + "a" * 16,
        "artifact:test:tool_result_0001.txt:" + "a" * 16,
        "artifact:test:tool_result_001.txt:" + "a" * 15,
        "artifact:test:tool_result_001.txt:" + "a" * 64,
        "artifact:test:tool_result_001.txt:" + "a" * 16 + " ",
        "/home/artifact:test:tool_result_001.txt:" + "a" * 16,
        "last",
        "7",
    ],
)
def test_a_claim_names_an_artifact_of_its_session_and_no_path(source: str) -> None:
    with pytest.raises(UsageError):
        number_of(Claim(source, "a" * 64), NAME)


def test_a_session_that_lost_no_leases_says_so(store: Store) -> None:
    with session_of(store) as session:
        assert lost_at(session) is None
        plant(store, lines_of(mixed(3)))
        assert lost_at(session) is None


def test_the_newest_loss_counts_and_is_never_earlier_than_it_was(store: Store) -> None:
    plant(store, lines_of(mixed(3)))
    with session_of(store) as session:
        before = os.stat(store.folder / JOURNAL).st_mtime
        for number in (1, 2):
            (store.folder / JOURNAL).write_bytes(b"")
            assert [found.status for found in upkeep.repair(session, accept_loss=True)] == [
                "repaired"
            ]
            marker = store.folder / f"{JOURNAL}.lost-{number}"
            os.utime(marker, (0, 0))
            lost = lost_at(session)
            assert lost is not None
            assert before <= lost == marker.stat().st_ctime
            plant(store, lines_of(mixed(3)))
