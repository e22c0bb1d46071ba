"""Every option that takes a time takes it in one way; what is said of time and counts is alike."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.cli.catalog import commands
from stubcli.cli.command import Command
from stubcli.errors import UsageError
from stubcli.settings import readers
from stubcli.settings.option import Option
from tests.test_floors import sources

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
RIGHT = {"90s": 90, "1.5m": 90, "2h": 7200, "7D": 604_800, "1 w": 604_800}
WRONG = (
    *("", "5x", "m", "1m30s", "-5s", "1e3s", "nan", "inf"),
    *("1_0s", "1.s", "99999999w", "\u0663s"),
)
TIMED = {
    (command.name, option.flag): option
    for command in commands()
    if isinstance(command, Command)
    for option in command.parameters
    if option.metavar in ("DURATION", "SECONDS")
}


def test_the_options_that_take_a_time() -> None:
    assert set(TIMED) == {
        ("gc", "--older-than"),
        ("lease publish", "--timeout"),
        ("lease reconcile", "--timeout"),
        ("lease remove", "--timeout"),
        ("query", "--seconds"),
        ("run", "--timeout"),
    }


@pytest.mark.parametrize("name", TIMED, ids=" ".join)
def test_each_reads_the_same(name: tuple[str, str]) -> None:
    option: Option[object] = TIMED[name]
    for text, seconds in RIGHT.items():
        assert option.read(text) == seconds
    for text in WRONG:
        with pytest.raises(UsageError, match=r"^invalid duration "):
            option.read(text)


def test_a_bare_number_is_seconds_but_where_it_decides_what_is_deleted() -> None:
    for name, option in TIMED.items():
        if name[0] == "gc":
            with pytest.raises(UsageError, match="7d"):
                option.read("7")
            assert option.read("0") == 0
        else:
            assert option.read("30") == 30
            assert option.read("0.5") == 0.5
            with pytest.raises(UsageError):
                option.read("0")


WORDED = re.compile(r"\} (?:ms|s|min|h|d|seconds?|minutes?|hours?|days?)(?![a-z:'=])")
COUNTED = re.compile(r"\{[^{}]*:,\} [a-z]+s\b")


def test_spans_of_time_and_counts_with_their_nouns_are_worded_in_one_place() -> None:
    for name, text in sources().items():
        # The kinds have a helper of their own, numbers that are never one, and spans as they stood.
        if name == "stubcli.text.durations" or name.startswith("stubcli.detect"):
            continue
        for line in text.replace("cells and most have", "").split("\n"):
            assert not ('f"' in line and WORDED.search(line)), f"{name}: use span: {line}"
            assert not COUNTED.search(line), f"{name}: use amount: {line}"


@given(st.decimals("0.001", 1000, places=3), st.sampled_from(sorted(UNITS)))
def test_a_number_counts_in_its_unit(number: object, unit: str) -> None:
    seconds = float(str(number)) * UNITS[unit]
    assert readers.duration(f"{number}{unit}") == pytest.approx(seconds)
    assert seconds <= readers.age(f"{number}{unit}") < seconds + 1


@given(st.text(max_size=12))
def test_whatever_is_typed_is_read_or_refused(text: str) -> None:
    for read in (readers.duration, readers.age):
        try:
            found = read(text)
        except UsageError as error:
            said = str(error)
        else:
            assert 0 <= found <= 10**10
            continue
        assert said.startswith("invalid duration ")
