"""What reaches standard output: the input, byte for byte, or one stub that is shorter than it."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.text.characters import characters
from tests.chance import examples
from tests.conftest import Store
from tests.helpers import (
    COMMAND,
    LARGE,
    LARGE_SHA,
    Ran,
    artifact_of,
    assert_kept,
    ended,
    forked,
    is_stub,
    ref_of,
    sha256,
    started,
)

ALPHABETS = {
    "ASCII": b"x",
    "ASCII in lines": b"0123456789abcdef\n",
    "CJK": "中".encode(),
    "emoji": "😀".encode(),
    "undecodable bytes": b"\xff",
    "the beginnings of sequences": b"\xe4\xb8",
    "NUL": b"\0",
    "CR LF": b"\r\n",
}


def text_of(length: int, alphabet: str) -> bytes:
    """`length` characters made of that alphabet."""
    unit = ALPHABETS[alphabet]
    whole = unit * (length // characters(unit))
    return whole + b"y" * (length - characters(whole))


def assert_passes_or_shrinks(done: Ran, data: bytes, budget: int = 5000) -> None:
    assert done.status == 0, done.err
    assert done.err == b""
    if done.out == data:
        return
    assert is_stub(done.out)
    shown = done.out.decode("utf-8")
    assert len(shown) < characters(data)
    assert len(done.out) < len(data)
    assert len(shown) <= budget
    assert max(map(len, shown.splitlines())) <= 2000
    ref = ref_of(done.out)
    assert ref in shown[:200]


@pytest.mark.parametrize("alphabet", ALPHABETS)
@pytest.mark.parametrize("length", [0, 1, 19_999, 20_000])
def test_up_to_the_threshold_the_input_passes_and_nothing_is_stored(
    store: Store, length: int, alphabet: str
) -> None:
    data = text_of(length, alphabet)
    done = forked(store, data)
    assert done == Ran(0, data, b"")
    assert not store.home.exists()


@pytest.mark.parametrize("alphabet", ALPHABETS)
@pytest.mark.parametrize("length", [20_001, 65_537])
def test_above_the_threshold_the_input_is_kept_and_a_shorter_stub_stands_in_its_place(
    store: Store, length: int, alphabet: str
) -> None:
    data = text_of(length, alphabet)
    done = forked(store, data)
    assert_passes_or_shrinks(done, data)
    assert done.out != data
    assert_kept(store, done.out, data)


@pytest.mark.parametrize("alphabet", ["ASCII", "CJK", "undecodable bytes"])
@pytest.mark.parametrize(
    ("threshold", "size"), [("20KiB", 20_480), ("20kB", 20_000), ("5000tok", 20_000)]
)
def test_a_threshold_in_bytes_or_tokens_counts_bytes(
    store: Store, threshold: str, size: int, alphabet: str
) -> None:
    unit = ALPHABETS[alphabet]
    data = (unit * size)[:size]
    assert forked(store, data, "--threshold", threshold) == Ran(0, data, b"")
    assert not store.home.exists()
    more = data + b"."
    done = forked(store, more, "--threshold", threshold)
    assert_passes_or_shrinks(done, more)
    assert_kept(store, done.out, more)


LENGTHS = (*range(1, 700, 97), *range(700, 1500, 23), *range(1500, 3001, 151))


@pytest.mark.parametrize(("number", "threshold"), list(enumerate(["0", "100", "0B", "1tok"])))
def test_under_a_tiny_threshold_no_input_ever_grows(
    store: Store, number: int, threshold: str
) -> None:
    for length in LENGTHS[number::4]:  # each takes its own
        for alphabet in ("ASCII in lines", "CJK"):
            data = text_of(length, alphabet)
            done = forked(store, data, "--threshold", threshold)
            assert_passes_or_shrinks(done, data, 800)


@examples(40)
@given(
    data=st.one_of(
        st.binary(min_size=1, max_size=3000),
        st.text(max_size=1500).map(lambda text: text.encode("utf-8", "surrogatepass")),
        st.builds(
            lambda unit, times: unit * times,
            st.binary(min_size=1, max_size=40),
            st.integers(20, 100),
        ),
    ),
    threshold=st.sampled_from(["0", "100", "900"]),
    layout=st.sampled_from(["text", "json"]),
)
def test_whatever_the_bytes_they_pass_or_shrink(
    store: Store, data: bytes, threshold: str, layout: str
) -> None:
    done = forked(store, data, "--threshold", threshold, "--format", layout)
    assert done.status == 0, done.err
    assert done.err == b""
    if done.out != data:
        assert len(done.out.decode("utf-8")) < characters(data)
        assert len(done.out) < len(data)
        name = json.loads(done.out)["ref"] if layout == "json" else ref_of(done.out)
        assert (store.results / name.split(":")[2]).read_bytes() == data


@pytest.mark.parametrize("budget", ["800", "1000", "20000"])
def test_no_stub_is_longer_than_its_budget(store: Store, budget: str) -> None:
    done = forked(store, LARGE, "--budget", budget, "--head", "9000", "--tail", "9000")
    assert is_stub(done.out)
    assert len(done.out.decode()) <= int(budget)


def test_a_stub_is_no_longer_than_a_threshold_that_is_smaller_than_the_budget(
    store: Store,
) -> None:
    done = forked(store, LARGE, "--threshold", "1500")
    assert is_stub(done.out)
    assert len(done.out.decode()) <= 1500


# https://github.com/earendil-works/pi/issues/5662
# https://github.com/IBM/ado/issues/1441
def test_the_reference_is_whole_in_what_a_host_leaves_of_either_end(store: Store) -> None:
    done = forked(store, b"".join(b"%d\n" % n for n in range(500_000)))
    ref = ref_of(done.out).encode()
    assert ref in done.out[:300]
    assert ref in done.out[-300:]
    assert ref in done.out.decode()[:200].encode()


@pytest.mark.parametrize("word", ["1", "true", "yes", "anything"])
def test_stub_disable_copies_everything_and_loads_nothing(
    store: Store, tmp_path: Path, word: str
) -> None:
    broken = tmp_path / "config.yaml"
    broken.write_text("no: [such, thing")
    done = forked(store, LARGE, STUB_DISABLE=word, STUB_CONFIG=str(broken))
    assert done == Ran(0, LARGE, b"")
    assert not store.home.exists()


@pytest.mark.parametrize("word", ["", "0", "false", "no", "off"])
def test_stub_disable_set_to_an_off_word_disables_nothing(store: Store, word: str) -> None:
    assert is_stub(forked(store, LARGE, STUB_DISABLE=word).out)


def test_disable_is_an_option_too(store: Store) -> None:
    assert forked(store, LARGE, "--disable") == Ran(0, LARGE, b"")
    assert not store.home.exists()


def test_the_output_of_an_exempt_tool_passes_whatever_its_size(
    store: Store, tmp_path: Path
) -> None:
    config = tmp_path / "config.yaml"
    config.write_text("tools:\n  cat:\n    exempt: true\n")
    done = forked(store, LARGE, "--tool", "cat", STUB_CONFIG=str(config))
    assert done == Ran(0, LARGE, b"")
    assert not store.home.exists()
    assert is_stub(forked(store, LARGE, "--tool", "grep", STUB_CONFIG=str(config)).out)


def test_a_tool_may_carry_its_own_threshold_head_and_tail(store: Store, tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    config.write_text(
        "threshold: 400000\ntools:\n  grep:\n    threshold: 50KiB\n    head: 0\n    tail: 100\n"
    )
    where = {"STUB_CONFIG": str(config)}
    assert forked(store, LARGE, environment=where).out == LARGE
    assert forked(store, LARGE, "--tool", "sed", environment=where).out == LARGE
    small = LARGE[: 50 << 10]
    assert forked(store, small, "--tool", "grep", environment=where).out == small
    shown = forked(store, LARGE, "--tool", "grep", environment=where).out.decode()
    assert "--- head " not in shown
    assert "\n49999\n50000\n" in shown
    assert "\n49900\n" not in shown


def test_a_flag_is_stronger_than_the_environment_and_that_than_the_tool_and_that_than_the_file(
    store: Store, tmp_path: Path
) -> None:
    config = tmp_path / "config.yaml"
    config.write_text("threshold: 1000\ntools:\n  grep:\n    threshold: 400000\n")
    where = {"STUB_CONFIG": str(config)}
    assert is_stub(forked(store, LARGE, environment=where).out)
    assert forked(store, LARGE, "--tool", "grep", environment=where).out == LARGE
    with_variable = {**where, "STUB_THRESHOLD": "1000"}
    assert is_stub(forked(store, LARGE, "--tool", "grep", environment=with_variable).out)
    done = forked(
        store, LARGE, "--tool", "grep", "--threshold", "400000", environment=with_variable
    )
    assert done.out == LARGE


def test_the_same_bytes_are_kept_once_and_keep_their_reference(store: Store) -> None:
    first = forked(store, LARGE)
    assert forked(store, LARGE) == first
    assert len(store.artifacts()) == 1
    other = forked(store, LARGE + b"more\n")
    assert ref_of(other.out) != ref_of(first.out)
    assert ref_of(forked(store, LARGE).out) == ref_of(first.out)
    assert len(store.artifacts()) == 2


def test_the_same_bytes_in_another_session_are_an_artifact_of_that_session(store: Store) -> None:
    first = ref_of(forked(store, LARGE).out)
    other = ref_of(forked(store, LARGE, "--session", "another").out)
    assert first == f"artifact:test:tool_result_001.txt:{LARGE_SHA[:16]}"
    assert other == f"artifact:another:tool_result_001.txt:{LARGE_SHA[:16]}"


# https://github.com/langchain-ai/deepagentsjs/issues/82
def test_what_is_read_back_never_becomes_a_second_artifact(store: Store) -> None:
    first = store.stub(stdin=LARGE)
    whole = store.shell(f"$STUB read {first.ref} --all 2>/dev/null | $STUB")
    assert whole.ref == first.ref
    copied = store.shell(f"cat {store.artifacts()[0]} | $STUB")
    assert copied.ref == first.ref
    assert len(store.artifacts()) == 1
    for command in ("read last", "search 7", "ls", "show last", "read last --limit 19000"):
        shown = store.shell(f"$STUB {command}")
        piped = store.shell(f"$STUB {command} | $STUB")
        assert (piped.out, piped.err) == (shown.out, shown.err)
    assert len(store.artifacts()) == 1


def test_show_repeats_the_stub_byte_for_byte(store: Store) -> None:
    made = store.stub(stdin=LARGE, check=True)
    assert store.stub("show", made.ref).out == made.out
    as_json = store.stub("--format", "json", stdin=LARGE + b"x")
    name = json.loads(as_json.out)["ref"]
    assert store.stub("show", name).out == as_json.out


def test_json_gives_the_same_as_one_object_on_one_line(store: Store) -> None:
    done = store.stub("--format", "json", "--tool", "seq", stdin=LARGE)
    assert done.out.count(b"\n") == 1
    assert len(done.out.decode()) <= 5000
    found = json.loads(done.out)
    assert found["ref"] == f"artifact:test:tool_result_001.txt:{LARGE_SHA[:16]}"
    assert (found["bytes"], found["characters"], found["lines"]) == (288_894, 288_894, 50_000)
    assert found["sha256"] == LARGE_SHA
    assert found["tool"] == "seq"
    assert found["state"] == "complete"
    shown = found["tail"]["end"] - found["tail"]["start"]
    shown += found["head"]["end"] - found["head"]["start"]
    assert shown + found["omitted"]["bytes"] == 288_894


def test_an_input_beyond_max_bytes_is_cut_there_and_the_stub_says_what_is_missing(
    store: Store,
) -> None:
    done = forked(store, LARGE, "--max-bytes", "100kB")
    assert artifact_of(store, done.out).read_bytes() == LARGE[:100_000]
    assert "188,894 more bytes were not kept" in done.out.decode()
    # Two inputs that begin alike are not the same.
    other = forked(store, LARGE + b"more", "--max-bytes", "100kB")
    assert ref_of(other.out) != ref_of(done.out)
    assert "188,898 more bytes were not kept" in other.out.decode()


CASES = {
    "another hash seed": {"PYTHONHASHSEED": "1"},
    "a third hash seed": {"PYTHONHASHSEED": "4294967295"},
    "another time zone": {"TZ": "Pacific/Kiritimati"},
    "the C locale": {"LC_ALL": "C", "LANG": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    "a locale that does not exist": {"LC_ALL": "xx_YY.ISO-8859-1"},
    "a narrow terminal": {"COLUMNS": "20", "LINES": "5", "TERM": "dumb"},
    "colour": {"FORCE_COLOR": "1", "CLICOLOR_FORCE": "1"},
}

MIXED = (
    "".join(f"{n}: naïve 中文 😀 ERROR at {n * 7919 % 1000}\r\n" for n in range(3000)).encode()
    + b"\xff\xfe\0 no newline at the end"
)


def run_with(store: Store, environment: dict[str, str]) -> bytes:
    return subprocess.run(
        COMMAND, input=MIXED, capture_output=True, env=store.environment(**environment), check=True
    ).stdout


@pytest.mark.parametrize("case", CASES)
def test_the_same_bytes_give_the_same_stub_in_any_surroundings(
    store: Store, tmp_path: Path, case: str
) -> None:
    here = run_with(store, {"PYTHONHASHSEED": "0"})
    there = run_with(Store(tmp_path / "xtore"), CASES[case])
    assert there.replace(b"/xtore/", b"/store/") == here


@pytest.mark.parametrize(
    ("data", "chunk"),
    [(b"a\n" * 12_000, 1), (MIXED, 4096), (MIXED, 4097), (MIXED * 20, 1 << 20)],
    ids=["1 byte", "4 KiB", "4 KiB and 1", "1 MiB"],
)
def test_the_same_bytes_give_the_same_stub_however_they_arrive(
    store: Store, tmp_path: Path, data: bytes, chunk: int
) -> None:
    whole = forked(store, data).out
    other = Store(tmp_path / "xtore")

    def in_chunks() -> None:
        read = os.read
        os.read = lambda descriptor, size: read(descriptor, min(size, chunk))

    pieces = forked(other, data, prepare=in_chunks).out
    assert pieces.replace(b"/xtore/", b"/store/") == whole
    assert sha256(artifact_of(other, pieces).read_bytes()) == sha256(data)


def test_an_input_that_arrives_byte_by_byte_through_a_pipe_is_kept_whole(store: Store) -> None:
    with started(store, "--threshold", "1000") as process:
        assert process.stdin
        for number in range(1500):
            os.write(process.stdin.fileno(), b"%d" % (number % 10))
        process.stdin.close()
        done = ended(process)
    data = b"".join(b"%d" % (n % 10) for n in range(1500))
    assert_kept(store, done.out, data)
