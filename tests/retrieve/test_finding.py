"""An output is found by what made it: its command, its tool, its end, its time, its first line."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.retrieve.listing import list_runs
from stubcli.retrieve.selection import Selection
from stubcli.settings.readers import since
from stubcli.store import open_session, session_names
from stubcli.store.posix.history import arrivals, summary_of
from stubcli.store.posix.session import PosixSession
from stubcli.store.records import Origin, Record
from stubcli.text.display import first_line
from tests.chance import examples
from tests.conftest import Store
from tests.helpers import forked, keep, session_of

DAY = "2026-03-0{}T12:00:00Z"


def came(store: Store, data: bytes, session: str = "test", **fields: object) -> Record:
    """An output as a command leaves it; fields: of its origin, and `finished`."""
    finished = fields.pop("finished", DAY.format(1))
    with open_session(str(store.home), session, create=True) as opened:
        return keep(
            opened,
            data,
            first_line=first_line(data.decode()),
            finished=finished,
            origin=Origin(**fields),  # type: ignore[arg-type]
        )


@pytest.fixture
def filled(store: Store) -> Store:
    """Four outputs of two sessions, in the order of their days."""
    came(store, b"one\n", tool="make", argv=("make", "-j", "All Tests"), exit_status=0)
    came(store, b"two\n", "other", tool="pytest", argv=("pytest",), finished=DAY.format(2),
         exit_status=1, call_id="call_2")  # fmt: skip
    came(store, b"\n\033[1mThree\033[0m\n", tool="browser_click", finished=DAY.format(3))
    came(store, b"four\n", "other", tool="make", argv=("make all tests; : '\n'",),
         finished=DAY.format(4), signal="SIGKILL", exit_status=137, name="nightly")  # fmt: skip
    return store


def first_lines(store: Store, command: str, *arguments: str) -> list[str]:
    """The first line of each run that a command lists, in its order."""
    done = forked(store, b"", command, "--json", *arguments)
    assert done.err == b"", done
    return [row["first_line"] for row in json.loads(done.out)["runs"]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("all tests", ["four", "one"]),
        ("-j 'All", ["one"]),
        ("THREE", ["Three"]),
        ("pytest", ["two"]),
        ("browser", ["Three"]),
        ("nightly", ["four"]),
        ("'\n'", ["four"]),
        ("o", ["four", "Three", "two", "one"]),
    ],
)
def test_find_looks_at_commands_and_first_lines_in_all_sessions_the_newest_first(
    filled: Store, text: str, expected: list[str]
) -> None:
    assert first_lines(filled, "find", "--", text) == expected


def test_what_is_found_has_a_reference_that_reads_it_from_anywhere(filled: Store) -> None:
    done = forked(filled, b"", "find", "all tests")
    header, *rows = done.out.decode().splitlines()
    assert header.split()[:2] == ["ref", "number"]
    read = [forked(filled, b"", "read", row.split()[0], "--session", "none") for row in rows]
    assert [one.out for one in read] == [b"four\n", b"one\n"]
    assert done.err == b"stub: 2 of 4 runs in 2 sessions\n"


def test_nothing_found_is_status_1_and_says_what_was_searched(filled: Store) -> None:
    done = forked(filled, b"", "find", "no such \x1b[31m thing")
    assert (done.status, done.out) == (1, b"")
    assert done.err == (
        b"stub: nothing found: no command, tool, name or first line of 4 runs in 2 sessions has "
        b'"no such \\\\x1b[31m thing"\n'
    )
    assert forked(filled, b"", "find", "").status == 2
    empty = forked(filled, b"", "find", "x", "--json", "--home", f"{filled.home}-none")
    assert (empty.status, json.loads(empty.out)["total"]) == (1, 0)


def test_pages_of_what_is_found_follow_each_other(filled: Store) -> None:
    done = forked(filled, b"", "find", "o", "-n", "2")
    assert done.err.endswith(b", 1-2 listed; next: stub find o --limit 2 --skip 2\n")
    assert first_lines(filled, "find", "o", "-n", "2", "--skip", "2") == ["two", "one"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--tool", "make"], ["one"]),
        (["--tool", "browser_*"], ["Three"]),
        (["--tool", "mak"], []),
        (["--command", "ALL tests"], ["one"]),
        (["--command", "one"], []),
        (["--failed"], []),
        (["--all-sessions", "--failed"], ["four", "two"]),
        (["--all-sessions", "--failed", "--tool", "make"], ["four"]),
        (["--all-sessions"], ["four", "Three", "two", "one"]),
        (["--all-sessions", "--since", "2026-03-03T12:00Z"], ["four", "Three"]),
        (["--all-sessions", "--since", "2026-03-03T14:30+02:00"], ["four"]),
        (["--since", "1h"], []),
        (["--since", "900w"], ["Three", "one"]),
    ],
)
def test_a_list_is_narrowed_by_tool_command_end_and_time(
    filled: Store, arguments: list[str], expected: list[str]
) -> None:
    assert first_lines(filled, "ls", *arguments) == expected


def test_a_page_of_a_narrowed_list_leads_to_the_next(filled: Store) -> None:
    chosen = ["--all-sessions", "--tool", "*", "--failed", "--since", "2026-03-01"]
    done = forked(filled, b"", "ls", *chosen, "-n", "1")
    following = done.err.decode().partition("next: stub ")[2].strip().replace("'*'", "*")
    assert first_lines(filled, *following.split()) == ["two"]


def test_a_list_without_anything_so_says_of_how_many(filled: Store) -> None:
    done = forked(filled, b"", "ls", "--failed")
    assert done.err == b"stub: none of 2 runs is so\n"


@pytest.mark.parametrize(
    "typed", ["2h", "90s", "1.5d", "today", "yesterday", "2026-01-31", "2026-01-31 09:30", "2w"]
)
def test_a_time_is_a_duration_or_a_date(typed: str) -> None:
    assert since(typed) <= since("0s") if typed.endswith("s") else since("1s")
    assert len(since(typed)) == len("2026-03-01T12:00:00Z")


def test_a_date_is_local_unless_it_names_a_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Kolkata")
    time.tzset()
    try:
        assert since("2026-01-31") == "2026-01-30T18:30:00Z"
        assert since("2026-01-31T09:30Z") == "2026-01-31T09:30:00Z"
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize(
    "typed", ["", "7", "soon", "2026-13-01", "-2h", "nan", "1e9w", "9999999999w"]
)
def test_what_is_no_time_is_refused_in_one_line(store: Store, typed: str) -> None:
    done = forked(store, b"", "ls", f"--since={typed}")
    assert done.status == 2
    assert done.err.count(b"\n") == 1
    assert b"2h" in done.err


def test_what_is_written_now_is_since_any_time(store: Store) -> None:
    came(store, b"done\n")
    with session_of(store) as session:
        incoming = session.begin()
        incoming.write(b"so far\n")
        done = forked(store, b"", "ls", "--since", "1h", "--all-sessions")
        assert b"in progress" in done.out
        assert b"done" not in done.out
        assert b"in progress" not in forked(store, b"", "ls", "--tool", "make").out
        incoming.discard()
        incoming.close()


# What the log may have lost: its file, lines of it, and what older versions did not write.
def lose(store: Store, how: str) -> None:
    for path in store.home.glob("sessions/*/runs.jsonl"):
        lines = path.read_bytes().splitlines(keepends=True)
        if how == "all":
            path.unlink()
        elif how == "torn":
            path.write_bytes(b"".join(lines[:-1]) + lines[-1][: len(lines[-1]) // 2])
        elif how == "damaged":
            path.write_bytes(b"".join(lines).replace(b'"summary":{', b'"summary":['))
        else:
            path.write_bytes(b"".join(lines).replace(b'"summary"', b'"zummary"'))


@pytest.mark.parametrize("how", ["all", "torn", "damaged", "older"])
def test_what_the_log_of_runs_has_lost_is_found_all_the_same(filled: Store, how: str) -> None:
    commands = [
        ["find", "all tests"],
        ["find", "three"],
        ["ls", "--all-sessions", "--failed"],
        ["ls", "--all-sessions", "--since", "2026-03-03"],
        ["ls", "--tool", "browser_click"],
    ]
    before = [first_lines(filled, *command) for command in commands]
    lose(filled, how)
    assert [first_lines(filled, *command) for command in commands] == before
    for ref in ("call_2", "@nightly"):
        assert forked(filled, b"", "read", ref, "--session", "other").status == 0


def test_a_run_that_nobody_can_judge_is_counted_as_such(filled: Store) -> None:
    lose(filled, "all")
    record = next(filled.results.glob("tool_result_001.*.json"))
    record.chmod(0o600)
    record.write_bytes(record.read_bytes().replace(b"make", b"nake"))
    done = forked(filled, b"", "ls", "--tool", "browser_click")
    assert b"Three" in done.out
    assert done.err.endswith(b"; 1 run could not be read; see: stub check\n")


def test_the_first_line_is_that_of_what_was_adopted_too(store: Store) -> None:
    with session_of(store) as session:
        keep(session, b"\r\n  \nadopted\r\n" * 9)
    assert first_lines(store, "find", "adopted") == ["adopted"]
    assert first_lines(store, "ls") == ["adopted"]


def test_a_first_line_is_what_a_terminal_shows_of_it() -> None:
    assert first_line("") == first_line("\n \r\n") == ""
    assert first_line("10%\r 20%\r100%\nnext") == "100%"
    assert first_line("\n\x1b[2J\x1b[31m red \x1b[0m\nb") == "red"
    assert len(first_line("x" * 9000)) <= 200


WORDS = st.text(st.characters(codec="utf-8"), max_size=12) | st.sampled_from(
    ["make", 'say "x"', "back\\slash", "Größe", "tab\there", '"finished":"9', ',"what":{', "}"]
)
RUNS = st.lists(
    st.tuples(WORDS, WORDS, st.sampled_from([None, 0, 3]), st.sampled_from(["", "SIGINT"])),
    min_size=1,
    max_size=6,
)


@examples(60)
@given(RUNS, WORDS, st.booleans())
def test_a_search_finds_exactly_what_the_records_say(
    tmp_path_factory: pytest.TempPathFactory,
    runs: list[tuple[str, str, int | None, str]],
    sought: str,
    failed: bool,
) -> None:
    home = str(tmp_path_factory.mktemp("store"))
    with open_session(home, "s", create=True) as session:
        for number, (command, line, status, killed) in enumerate(runs):
            keep(
                session,
                b"%d\n" % number,
                first_line=line,
                origin=Origin(argv=(command,), exit_status=status, signal=killed or None),
            )
    found = list_runs(
        home, ["s"], limit=99, skip=0, selection=Selection(text=sought, failed=failed)
    )
    expected = [
        number
        for number, (command, line, status, killed) in enumerate(runs, 1)
        if (sought.lower() in command.lower() or sought.lower() in line.lower())
        and (not failed or status == 3 or killed)
    ]
    assert [row.number for row in found.rows] == expected[::-1]
    assert found.searched == len(runs)


def test_every_summary_in_the_log_is_that_of_its_record(filled: Store) -> None:
    for name in session_names(str(filled.home)):
        with open_session(str(filled.home), name) as session:
            assert isinstance(session, PosixSession)
            for one in arrivals(session):
                assert one.summary
                assert summary_of(session, one) == summary_of(session, one._replace(summary=b""))


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"{}", b"[]", b"7", b"\xff", b"{" * 9000, b'{"finished":"2026"'),
        *(b'{"finished":"","x":"y"}', b'{"finished":"","tool":1}'),
        b'{"exit_status":true,"finished":""}',
    ],
)
def test_a_summary_that_cannot_be_is_read_from_the_record(store: Store, data: bytes) -> None:
    came(store, b"one\n", tool="make")
    with session_of(store) as session:
        (one,) = arrivals(session)
        summary = summary_of(session, one._replace(summary=data))
        assert summary.tool == "make"
