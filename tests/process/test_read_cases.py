"""What went wrong when others read back what they had kept, each with the report that tells it."""

import json
from collections.abc import Callable

import pytest

from tests.conftest import Store
from tests.helpers import LARGE, Ran, forked, ref_of

THRESHOLD = 20_000
SIZE = "50,000 lines, 288,894 characters, 288,894 bytes"


def lines_from(store: Store, offset: int | str, limit: str = "5") -> Ran:
    return forked(
        store, b"", "read", "last", "--unit", "lines", "--offset", str(offset), "--limit", limit
    )


# https://github.com/Zoo-Code-Org/Zoo-Code/issues/1728
# https://github.com/langchain-ai/deepagents/issues/568
# https://github.com/gsd-build/gsd-2/issues/3042
@pytest.mark.parametrize("offset", ["50000", "50001", "99999", "9" * 21])
def test_behind_the_end_nothing_is_shown_and_the_true_size_is_told(
    store: Store, offset: str
) -> None:
    forked(store, LARGE)
    done = lines_from(store, offset)
    assert (done.status, done.out) == (0, b"")
    assert done.lines == [f"stub: nothing here: the artifact ends at {SIZE}"]
    assert lines_from(store, 49_999).out == b"50000\n"


# https://github.com/langchain-ai/deepagents/issues/5184
# https://github.com/anomalyco/opencode/issues/4398
# https://github.com/bojieli/ai-agent-book/issues/317
@pytest.mark.parametrize("value", ["0", "-1", "abc", "1e3", "1.5", ""])
def test_a_limit_that_is_no_count_is_refused_in_one_line(store: Store, value: str) -> None:
    forked(store, LARGE)
    done = forked(store, b"", "read", "last", "--limit", value)
    assert (done.status, done.out) == (2, b"")
    assert done.err.count(b"\n") == 1
    assert b"Traceback" not in done.err


# https://github.com/langchain-ai/deepagents/issues/5184
def test_a_limit_beyond_a_page_is_cut_to_one_mebibyte_and_the_next_command_tells_so(
    store: Store,
) -> None:
    forked(store, LARGE * 5)
    done = forked(store, b"", "read", "last", "--limit", "1000000000000")
    assert done.out == (LARGE * 5)[: 1 << 20]
    assert " --offset 1048576 --limit 1000000000000" in done.lines[0]


# https://github.com/langchain-ai/deepagentsjs/issues/82
def test_a_page_too_large_to_pass_is_the_artifact_that_it_came_from(store: Store) -> None:
    first = ref_of(forked(store, LARGE).out)
    path = store.artifacts()[0]
    for command in ("$STUB read 1 --limit 999999 | $STUB", f"cat {path} | $STUB"):
        assert ref_of(store.shell(command).out) == first
    assert store.artifacts() == [path]


# https://github.com/langchain-ai/deepagentsjs/issues/82
@pytest.mark.parametrize("unit", ["chars", "lines", "bytes"])
def test_pages_of_the_default_size_pass_and_are_never_kept(store: Store, unit: str) -> None:
    forked(store, LARGE)
    for offset in ("0", "20000", "40000"):
        command = f"$STUB read 1 --unit {unit} --offset {offset}"
        assert store.shell(f"{command} | $STUB").out == store.shell(command).out
    assert len(store.artifacts()) == 1


# https://github.com/langchain-ai/deepagents/issues/2142
# https://github.com/open-octo/octo-agent/issues/402
# https://github.com/Kilo-Org/kilocode/issues/6572
def test_every_line_is_visited_once_and_the_last_page_says_so(store: Store) -> None:
    forked(store, LARGE)
    seen: list[bytes] = []
    arguments = ["last", "--lines", "1-"]
    while arguments:
        done = forked(store, b"", "read", *arguments)
        seen += done.out.splitlines()
        position, _, command = done.lines[0].partition("; next: ")
        assert " of 50,000, bytes " in position
        assert bool(command) != position.endswith("; end")
        arguments = command.split()[2:]
    assert seen == LARGE.splitlines()


def keys() -> bytes:
    return json.dumps({f"k{i:05d}_" + "n" * 300: i for i in range(5000)}).encode()


def columns() -> bytes:
    rows = [",".join(f"c{i}" for i in range(10_000)), *[",".join(["1"] * 10_000)] * 9]
    return "\n".join(rows).encode()


def tags() -> bytes:
    return b"<r>" + b"".join(b"<t%d/>" % i for i in range(10_000)) + b"</r>"


def documents() -> bytes:
    return b"---\nkind: a\nname: b\n" * 3000


def controls() -> bytes:
    return bytes(range(32)) * 4000


def emoji() -> bytes:
    return "😀".encode() * 30_000 + b"\xff" * 9


def escapes() -> bytes:
    return b'"\\\x1b[31m\x7f\xc2\x9b\xe2\x80\xae' * 9000


# https://github.com/google-gemini/gemini-cli/issues/28090
# https://github.com/earendil-works/pi/issues/5662
# https://github.com/IBM/ado/issues/1441
@pytest.mark.parametrize("made", [keys, columns, tags, documents, controls, emoji, escapes])
def test_what_reads_back_is_bounded_by_default_whatever_was_kept(
    store: Store, made: Callable[[], bytes]
) -> None:
    data = made()
    stub = forked(store, data)
    assert len(stub.out.decode()) <= 5000
    last = len(data) - 10_000
    for command in (
        "show last",
        "ls",
        "ls --json",
        "read last",
        "read last --json",
        "read last --unit lines --json",
        "read last --unit bytes --json",
        f"read last --unit bytes --json --offset {last}",
        "read last --lines 1-",
        "read last --lines 1- --json",
    ):
        done = forked(store, b"", *command.split())
        assert done.status == 0, command
        assert 0 < len(done.out.decode("utf-8", "surrogateescape")) <= THRESHOLD, command


def test_in_json_a_page_is_cut_where_escapes_make_it_long_and_goes_on_there(store: Store) -> None:
    data = controls()
    forked(store, data)
    got, offset = "", 0
    while True:
        done = forked(store, b"", "read", "last", "--json", "--offset", str(offset))
        found = json.loads(done.out)
        assert len(done.out) <= THRESHOLD
        got += found["content"]
        if not found["has_more"]:
            break
        assert found["next"]["offset"] == offset + found["limit"]
        offset = found["next"]["offset"]
    assert got.encode() == data


def test_in_json_a_limit_that_was_asked_for_is_kept(store: Store) -> None:
    forked(store, controls())
    found = json.loads(forked(store, b"", "read", "last", "--json", "--limit", "9000").out)
    assert (found["limit"], len(found["content"])) == (9000, 9000)
