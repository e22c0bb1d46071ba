"""A mistake in what was typed or configured is one line that helps, and costs no data."""

from pathlib import Path

import pytest

from tests.conftest import Store
from tests.helpers import LARGE, forked

HALF = LARGE[:100_000]


def assert_refused_and_passed(store: Store, *arguments: str, **environment: str) -> str:
    """The input passes whole, the status is 2; gives the one line."""
    done = forked(store, HALF, *arguments, environment=environment)
    assert done.status == 2
    assert done.out == HALF
    assert done.err.startswith(b"stub: ")
    assert done.err.count(b"\n") == 1
    assert not store.home.exists()
    return done.err.decode()


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("--treshold=5", "--threshold"),
        ("--thresh=5", "--threshold"),
        ("--on-fail=raw", "--on-failure"),
        ("--disabel", "--disable"),
        ("--sesion=x", "--session"),
        ("--formt=json", "--format"),
    ],
)
def test_an_unknown_option_names_the_nearest_one(store: Store, typed: str, meant: str) -> None:
    said = assert_refused_and_passed(store, typed)
    assert typed.partition("=")[0] in said
    assert meant in said.replace(typed, "")


@pytest.mark.parametrize(
    ("option", "value", "named"),
    [
        ("--threshold", "abc", "20000"),
        ("--threshold", "20k000", "20000"),
        ("--threshold", "-5", "20000"),
        ("--threshold", "99GiB", "16777216"),
        ("--threshold", "", "20000"),
        ("--budget", "799", "800"),
        ("--budget", "1e9", "100000"),
        ("--head", "-1", "0 to 50000"),
        ("--on-failure", "row", "raw"),
        ("--format", "jsn", "json"),
        ("--max-bytes", "lots", "2GiB"),
    ],
)
def test_a_value_out_of_range_names_the_option_and_what_is_valid(
    store: Store, option: str, value: str, named: str
) -> None:
    said = assert_refused_and_passed(store, f"{option}={value}")
    assert option in said
    assert named in said


@pytest.mark.parametrize("option", ["--threshold", "--home", "--tool"])
def test_an_option_without_its_value_is_named(store: Store, option: str) -> None:
    assert option in assert_refused_and_passed(store, option)


@pytest.mark.parametrize(
    ("variable", "value", "named"),
    [
        ("STUB_THRESHOLD", "abc", "20000"),
        ("STUB_BUDGET", "5", "800"),
        ("STUB_ON_FAILURE", "previw", "preview"),
        ("STUB_FORMAT", "xml", "json"),
    ],
)
def test_a_bad_variable_is_named(store: Store, variable: str, value: str, named: str) -> None:
    said = assert_refused_and_passed(store, **{variable: value})
    assert variable in said
    assert named in said


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("treshold: 5", ["treshold", "threshold"]),
        ("threshold: many", ["threshold", "20000"]),
        ("budget: 1", ["budget", "800"]),
        ("tools:\n  grep:\n    exmpt: true", ["tools.grep.exmpt", "exempt"]),
        ("tools:\n  grep:\n    threshold: [1]", ["tools.grep.threshold"]),
        ("tools: 5", ["tools"]),
        ("- a\n- b", ["keys and values"]),
        ("a: [", ["YAML"]),
        ("a: &x 1\nb: *x", ["alias"]),
        ("on_failure: perview", ["on_failure", "preview"]),
    ],
)
def test_a_mistake_in_the_file_names_the_file_the_key_and_the_nearest_valid_one(
    store: Store, tmp_path: Path, text: str, named: list[str]
) -> None:
    config = tmp_path / "config.yaml"
    config.write_text(text)
    said = assert_refused_and_passed(store, STUB_CONFIG=str(config))
    for word in [str(config), *named]:
        assert word in said


def test_a_configuration_that_was_named_and_is_not_there_is_an_error(
    store: Store, tmp_path: Path
) -> None:
    missing = str(tmp_path / "none.yaml")
    assert missing in assert_refused_and_passed(store, STUB_CONFIG=missing)


@pytest.mark.parametrize("small", [b"", b"a few bytes\n"])
def test_a_small_input_passes_with_the_same_status(store: Store, small: bytes) -> None:
    done = forked(store, small, "--threshold", "abc")
    assert (done.status, done.out) == (2, small)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["raed", "1"], "read"),
        (["read", "last", "--ofset", "3"], "--offset"),
        (["search", "x", "--ignorecase"], "--ignore-case"),
        (["ls", "--sesion", "x"], "--session"),
    ],
)
def test_a_mistyped_command_or_option_names_the_nearest_one(
    store: Store, arguments: list[str], named: str
) -> None:
    done = store.stub(*arguments, check=False)
    assert done.status == 2
    assert done.out == b""
    assert done.err.startswith(b"stub: ")
    assert done.err.count(b"\n") == 1
    assert named in done.err.decode()


@pytest.mark.parametrize(
    "arguments",
    [["read"], ["search"], ["show"], ["read", "a", "b"], ["ls", "--limit", "x"], ["ls", "extra"]],
)
def test_missing_and_superfluous_arguments_are_usage_errors(
    store: Store, arguments: list[str]
) -> None:
    done = store.stub(*arguments, check=False)
    assert (done.status, done.out) == (2, b"")
    assert done.err.startswith(b"stub: ")
    assert done.err.count(b"\n") == 1


def test_names_from_outside_cannot_break_the_one_line(store: Store) -> None:
    for name in ("a\nb", "\x1b[2J", "\u202e", "x" * 3000):
        done = store.stub("read", name, check=False)
        assert done.status in (2, 3)
        assert done.err.count(b"\n") == 1
        assert b"\x1b" not in done.err
        assert "\u202e".encode() not in done.err
