"""Whatever happens to the bytes of a journal, nothing that it protects becomes free.

`MUTANTS=all` in the environment flips every bit of the long journal too, which takes minutes.
"""

import os
import random
from collections.abc import Iterator

import pytest

from stubcli.retention.leases.anchor import SLOT, STRIDE
from stubcli.retention.leases.model import PREPARED
from tests.retention.leases.made import head_of, lease_of, lines_of, mixed, protected, recovered

ALL = os.environ.get("MUTANTS") == "all"
SHORT, LONG = lines_of(mixed(6)), lines_of(mixed(30))
EVERY = pytest.mark.parametrize("lines", [SHORT, LONG], ids=["6 records", "30 records"])


def assert_refused(mutants: Iterator[bytes], head: bytes) -> None:
    for number, journal in enumerate(mutants):
        assert recovered(journal, head) is None, f"mutant {number}"


def assert_nothing_is_free(lines: list[bytes], mutants: Iterator[bytes]) -> None:
    """With another anchor's file: refused, or everything is protected as before."""
    data = b"".join(lines)
    whole = recovered(data, head_of(lines))
    assert whole is not None
    for number, head in enumerate(mutants):
        found = recovered(data, head)
        assert found is None or found == whole, f"mutant {number}"


def flipped(data: bytes, bits: Iterator[int] | range) -> Iterator[bytes]:
    for bit in bits:
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        yield bytes(changed)


@EVERY
def test_a_journal_that_was_not_touched_is_read(lines: list[bytes]) -> None:
    found = recovered(b"".join(lines), head_of(lines))
    assert found is not None
    assert found.sequence == len(lines)
    assert len(protected(found.leases)) >= 2


# https://github.com/facebook/rocksdb/issues/3962
@EVERY
def test_a_journal_cut_short_anywhere_but_before_its_last_lf_is_refused(lines: list[bytes]) -> None:
    data = b"".join(lines)
    assert_refused((data[:size] for size in range(len(data) - 1)), head_of(lines))


@EVERY
def test_a_journal_without_its_last_lf_loses_nothing(lines: list[bytes]) -> None:
    data, head = b"".join(lines), head_of(lines)
    assert recovered(data[:-1], head) == recovered(data, head) is not None


@EVERY
def test_line_ends_that_became_cr_lf_cost_nothing(lines: list[bytes], dice: random.Random) -> None:
    whole = recovered(b"".join(lines), head_of(lines))
    places = [range(len(lines)), *([place] for place in range(len(lines)))]
    places += [dice.sample(range(len(lines)), len(lines) // 2) for _ in range(50)]
    for changed in places:
        data = b"".join(with_cr(line) if at in changed else line for at, line in enumerate(lines))
        assert recovered(data, head_of(lines)) == whole is not None
        assert recovered(data.removesuffix(b"\n"), head_of(lines)) == whole
        assert recovered(data.removesuffix(b"\n").removesuffix(b"\r"), head_of(lines)) == whole
        assert recovered(data, with_cr(head_of(lines))) == whole


def with_cr(data: bytes) -> bytes:
    return data.replace(b"\n", b"\r\n")


def test_with_other_line_ends_any_other_change_is_refused() -> None:
    data, head = b"".join(map(with_cr, SHORT)), head_of(SHORT)
    whole = recovered(data, head)
    for number, changed in enumerate(flipped(data, range(len(data) * 8))):
        found = recovered(changed, head)
        assert found is None, f"bit {number}"
    lost = [recovered(data[:at] + data[at + 1 :], head) for at in range(len(data))]
    # A CR that is lost is back where it was; the last LF may be lost too.
    assert [found for found in lost if found] == [whole] * (len(SHORT) + 1)
    assert_refused((data[:size] for size in range(len(data) - 2)), head)
    assert_refused(iter([data + b"\r\n", data + b"\n", b"\r\n" + data]), head)
    assert_refused(iter([data.replace(b"\r\n", b"\r"), data.replace(b"\r", b"\r\r")]), head)


def test_a_journal_with_any_bit_flipped_is_refused() -> None:
    data = b"".join(SHORT)
    assert_refused(flipped(data, range(len(data) * 8)), head_of(SHORT))


def test_a_long_journal_with_a_bit_flipped_is_refused(dice: random.Random) -> None:
    data = b"".join(LONG)
    every = range(len(data) * 8)
    bits = every if ALL else iter(dice.sample(every, 4000))
    assert_refused(flipped(data, bits), head_of(LONG))


def test_a_journal_with_any_byte_taken_doubled_or_zeroed_is_refused() -> None:
    data, head = b"".join(SHORT), head_of(SHORT)
    every = range(len(data))
    assert_refused((data[:at] + data[at + 1 :] for at in every[:-1]), head)
    assert_refused((data[: at + 1] + data[at:] for at in every), head)
    assert_refused((data[:at] + b"\0" + data[at + 1 :] for at in every), head)


@EVERY
def test_lines_that_are_dropped_swapped_or_doubled_are_refused(lines: list[bytes]) -> None:
    places, head = range(len(lines)), head_of(lines)
    assert_refused((b"".join(lines[:at] + lines[at + 1 :]) for at in places), head)
    assert_refused((b"".join([*lines[:at], lines[at], *lines[at:]]) for at in places), head)
    for first in places:
        for second in places[first + 1 :]:
            swapped = list(lines)
            swapped[first], swapped[second] = swapped[second], swapped[first]
            assert recovered(b"".join(swapped), head) is None


@EVERY
def test_lines_of_another_journal_are_refused(lines: list[bytes]) -> None:
    head = head_of(lines)
    other = lines_of([lease_of(f"other-{number}", PREPARED, number) for number in range(1, 31)])
    spliced = (
        b"".join([*lines[:at], *other[at : at + count], *lines[at + count :]])
        for at in range(len(lines))
        for count in (1, 2, len(lines))
    )
    assert_refused(spliced, head)
    assert_refused((b"".join(lines) + line for line in other), head)
    assert recovered(b"".join(other[: len(lines)]), head) is None


@EVERY
def test_an_anchor_with_any_bit_flipped_frees_nothing(
    lines: list[bytes], dice: random.Random
) -> None:
    head = head_of(lines)
    slots = [*range(SLOT * 8), *range(STRIDE * 8, (STRIDE + SLOT) * 8)]
    if lines is LONG and not ALL:
        slots = dice.sample(slots, 1500)
    whole = recovered(b"".join(lines), head)
    assert whole is not None
    # One slot is enough: where a bit is wrong in the other, no lease is out of reach either.
    for number, changed in enumerate(flipped(head, iter(slots))):
        assert recovered(b"".join(lines), changed) == whole, f"mutant {number}"


@EVERY
def test_an_anchor_that_is_cut_short_or_gone_frees_nothing(lines: list[bytes]) -> None:
    head = head_of(lines)
    sizes = [*range(SLOT + 1), *range(STRIDE, len(head))]
    assert_nothing_is_free(lines, (head[:size] for size in sizes))
    assert recovered(b"".join(lines), None) is None
    assert recovered(b"".join(lines), b"") is None
    assert recovered(b"".join(lines), None, marked=False) is None


@EVERY
def test_an_anchor_of_any_other_moment_frees_nothing(lines: list[bytes]) -> None:
    assert_nothing_is_free(lines, (head_of(lines[: count + 1]) for count in range(len(lines))))
    later = lines_of([*mixed(len(lines)), lease_of("later", PREPARED, 99)])
    assert recovered(b"".join(lines), head_of(later)) is None


def test_a_journal_that_is_removed_is_missed() -> None:
    assert recovered(None, head_of(SHORT)) is None
    assert recovered(b"", head_of(SHORT)) is None


def test_a_journal_that_is_removed_with_its_anchor_is_missed() -> None:
    assert recovered(None, None, marked=True) is None
    assert recovered(b"", b"", marked=True) is None


def test_where_nothing_was_ever_acknowledged_there_is_nothing_to_miss() -> None:
    for head in (None, b"", head_of(SHORT)[:100]):
        found = recovered(None, head, marked=False)
        assert found is not None
        assert found.leases == {}


def test_a_record_that_was_not_acknowledged_is_whole_torn_or_refused() -> None:
    """Each bit of the last line is flipped while the anchor stands before it."""
    before, last = b"".join(SHORT[:-1]), SHORT[-1]
    acknowledged = recovered(before, head_of(SHORT[:-1]))
    for number, line in enumerate(flipped(last, range(len(last) * 8))):
        found = recovered(before + line, head_of(SHORT[:-1]))
        assert found is None or found == acknowledged, f"bit {number}"


def test_a_record_cut_short_behind_the_anchor_is_forgiven() -> None:
    before, head = b"".join(SHORT[:-1]), head_of(SHORT[:-1])
    acknowledged = recovered(before, head)
    for size in range(len(SHORT[-1])):
        assert recovered(before + SHORT[-1][:size], head) == acknowledged
    assert recovered(before + b"\xff\xfe{", head) == acknowledged
    assert recovered(before + b"not a record\n", head) is None
