"""What a search answers: counts as grep's, events as rg's, colours on a terminal, what is near."""

import json
import os
import pty
import re
import shlex

import pytest

from tests.conftest import Store
from tests.helpers import Ran, forked, matches_in

DRESSED = (
    "".join(f"\x1b[32mINFO\x1b[0m worker-\x1b[1m{n % 7}\x1b[0m: task {n}\n" for n in range(1500))
    + "\x1b[31mERROR\x1b[0m see \x1b]8;;https://ci.example/7\x07job 7\x1b]8;;\x07: "
    + "code 137, code 9\n"
    + "fetching 10%\rfetching 99%\rdone        \nthe last line\n"
).encode()


@pytest.fixture
def dressed(store: Store) -> Store:
    forked(store, DRESSED)
    return store


def found(store: Store, *arguments: str, **environment: str) -> Ran:
    return forked(store, b"", "search", *arguments, environment=environment)


@pytest.mark.parametrize(
    ("pattern", "lines"),
    [
        *(("^INFO worker-3:", 214), ("^ERROR", 1), ("task 1499$", 1), ("code 137", 1)),
        *(("^done +$", 1), ("^$", 0), ("m", 1), ("[0-9]", 1502), (".{40,}", 0)),
        *(("https://ci.example/7", 1), ("fetching", 1), ("^fetching", 0), (r"\x1b\[31m", 1)),
        *(("see job 7", 1), (r"\[0m", 1501), ("31", 35)),
    ],
)
def test_lines_are_counted_as_they_are_displayed(dressed: Store, pattern: str, lines: int) -> None:
    done = found(dressed, "-c", pattern, "last")
    assert int(done.out.split()[1]) == lines
    assert done.status == (0 if lines else 1)


def test_raw_matches_bytes_alone(dressed: Store) -> None:
    assert found(dressed, "--raw", "-c", "^ERROR", "last").status == 1
    assert found(dressed, "--raw", "-c", r"^\x1b\[31m", "last").out.endswith(b" 1\n")
    assert found(dressed, "--raw", "31m", "last").out == (
        b"1501:\\x1b[31mERROR\\x1b[0m see \\x1b]8;;https://ci.example/7\\x07job 7\\x1b]8;;\\x07: "
        b"code 137, code 9\n"
    )


def test_a_count_is_of_lines_and_matches_have_their_own(store: Store) -> None:
    forked(store, b"needle needle\nhay\n" * 2000)
    assert found(store, "-c", "needle", "last").out.endswith(b" 2000\n")
    assert found(store, "--count-matches", "needle", "last").out.endswith(b" 4000\n")
    refused = found(store, "-c", "--count-matches", "needle", "last")
    assert (refused.status, refused.out) == (2, b"")


def test_offsets_are_those_of_grep(store: Store) -> None:
    forked(store, b"hay\n" * 6000 + b"a needle, a needle\nend\n")
    assert found(store, "needle", "last").out == b"6001:a needle, a needle\n"
    assert found(store, "-b", "-A1", "needle", "last").out == (
        b"6001:24000:a needle, a needle\n6002-24019-end\n"
    )
    assert found(store, "-o", "needle", "last").out == b"6001:needle\n6001:needle\n"
    assert found(store, "-ob", "needle", "last").out == b"6001:24002:needle\n6001:24012:needle\n"


def test_the_offset_of_a_displayed_line_is_that_of_its_bytes(dressed: Store) -> None:
    row = found(dressed, "-b", "^ERROR", "last").out.decode()
    assert row == f"1501:{DRESSED.index(b'ERROR') - 5}:ERROR see job 7: code 137, code 9\n"
    row = found(dressed, "-ob", "code 9", "last").out.decode()
    assert row == f"1501:{DRESSED.index(b'code 9')}:code 9\n"


def test_events_are_those_of_ripgrep(dressed: Store) -> None:
    done = found(dressed, "-C1", "code", "last", "--json")
    events = [json.loads(line) for line in done.out.splitlines()]
    kinds = [event["type"] for event in events]
    assert kinds == ["begin", "context", "match", "context", "end", "summary"]
    match = events[2]["data"]
    assert match["lines"] == {"text": "ERROR see job 7: code 137, code 9\n"}
    assert (match["line_number"], match["absolute_offset"]) == (1501, DRESSED.index(b"ERROR") - 5)
    assert [(one["match"]["text"], one["start"], one["end"]) for one in match["submatches"]] == [
        ("code", 17, 21),
        ("code", 27, 31),
    ]
    stats = events[4]["data"]["stats"]
    assert (stats["matched_lines"], stats["matches"]) == (1, 2)
    assert stats["bytes_searched"] == len(DRESSED)
    assert events[5]["data"]["stats"]["searches_with_match"] == 1
    assert done.err == b""


def test_events_of_what_is_no_text_are_in_base64(store: Store) -> None:
    forked(store, b"plain\n" * 5000 + b"needle \xff")
    events, _ = matches_in(found(store, "needle", "last", "--json").out)
    assert events[0]["data"]["lines"] == {"bytes": "bmVlZGxlIP8="}


def test_events_without_a_match_are_a_summary_that_says_what_is_near(dressed: Store) -> None:
    done = found(dressed, "CODE 137", "last", "--json")
    events, summary = matches_in(done.out)
    assert (done.status, events, summary["stats"]["searches"]) == (1, [], 1)
    assert summary["near"]["how"] == "ignoring case"
    assert found(dressed, *shlex.split(summary["near"]["next"])[2:]).status == 0


@pytest.mark.parametrize(
    ("arguments", "how"),
    [
        (["nowhere"], ""),
        (["CODE"], "ignoring case"),
        (["-w", "orker"], "as a part of words"),
        (["--raw", "ERROR see job"], "as displayed"),
        (["^fetching"], "among what is not displayed"),
    ],
)
def test_no_match_says_what_was_searched_and_what_would_match(
    dressed: Store, arguments: list[str], how: str
) -> None:
    done = found(dressed, *arguments, "last")
    said = done.err.decode()
    assert done.status == 1
    assert said.startswith("stub: 0 matches in 1 artifact (1,503 lines, ")
    assert how in said
    assert ("next: " in said) == bool(how)
    if how:
        assert found(dressed, *shlex.split(said.partition("next: ")[2])[2:]).status == 0


def test_a_pattern_that_is_meant_literally_is_near(store: Store) -> None:
    forked(store, b"call f(x) and g[0]+1\n" * 2000)
    for pattern in ("f(x)", "g[0]+1"):
        done = found(store, pattern, "last")
        assert b"taken literally there are some; next: stub search" in done.err
        assert found(store, *shlex.split(done.err.decode().partition("next: ")[2])[2:]).status == 0


@pytest.mark.parametrize("encoding", ["windows-1252", "gb18030", "shift_jis", "koi8-r"])
def test_an_artifact_in_another_encoding_is_near(store: Store, encoding: str) -> None:
    word = {"windows-1252": "größe", "koi8-r": "ошибка"}.get(encoding, "運行")
    forked(store, f"a line with {word} in it\n".encode(encoding) * 2000)
    done = found(store, word, "last")
    assert done.status == 1
    said = re.search(r"in ([a-z0-9_-]+) there are some; next: (.*)", done.err.decode())
    assert said
    assert word.encode(encoding) == word.encode(said[1])


def test_other_sessions_are_near_where_none_is_named(store: Store) -> None:
    forked(store, b"hay\n" * 6000)
    forked(store, b"needle\n" * 6000, "--session", "other")
    done = found(store, "needle")
    assert b"in other sessions there are some; next: stub search needle --all-sessions" in done.err
    assert b"other sessions" not in found(store, "needle", "1").err


def on_terminal(store: Store, *arguments: str, **environment: str) -> str:
    """What `stub search` prints on a terminal."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(store.environment(**environment))
        os.execvp("python", ["python", "-m", "stubcli", "search", *arguments])
    printed = b""
    while True:
        try:
            data = os.read(terminal, 1 << 16)
        except OSError:
            break
        if not data:
            break
        printed += data
    os.waitpid(pid, 0)
    os.close(terminal)
    return printed.decode().replace("\r\n", "\n")


def test_matches_are_marked_on_a_terminal_and_nowhere_else(dressed: Store) -> None:
    row = on_terminal(dressed, "code", "last", TERM="xterm", NO_COLOR="").splitlines()[0]
    assert row == (
        "\x1b[32m1501\x1b[m\x1b[36m:\x1b[mERROR see job 7: \x1b[1;31mcode\x1b[m 137, "
        "\x1b[1;31mcode\x1b[m 9"
    )
    for environment in ({"TERM": "dumb"}, {"TERM": "xterm", "NO_COLOR": "1"}):
        assert "\x1b" not in on_terminal(dressed, "code", "last", **environment)
    assert b"\x1b" not in found(dressed, "code", "last", TERM="xterm", NO_COLOR="").out
