"""`Store`: what the commands can, as values, with the same answers."""

import dataclasses
import json
import resource
import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import stubcli
from stubcli.store.posix.session import PosixSession
from tests.conftest import Store as Process
from tests.helpers import matches_in

LOG = "".join(
    f"line {number} {'error: it broke' if number % 1_000 == 7 else 'is fine'}\n"
    for number in range(4_000)
)
TABLE = "id,name\n" + "".join(f"{number},n{number % 7}\n" for number in range(4_000))


@pytest.fixture
def where(store: Process) -> Any:
    return {"home": str(store.home), "session": store.session}


@pytest.fixture
def kept(where: Any) -> stubcli.Store:
    """1: a log of a command that failed; 2: a table."""
    stubcli.offload(LOG, tool="bash", command="make all", exit_status=2, **where)
    stubcli.offload(TABLE, tool="report", command=["report", "-a b"], **where)
    return stubcli.Store(**where)


def document(store: Process, *arguments: str) -> Any:
    return json.loads(store.stub(*arguments, "--json").out)


def test_runs_are_listed_as_the_command_lists_them(kept: stubcli.Store, store: Process) -> None:
    stubcli.offload(LOG, command="make all", exit_status=0, home=str(store.home), session="test")
    found, printed = kept.list(), document(store, "ls")
    assert (found.runs, found.artifacts) == (printed["total"], 2)
    for row, shown in zip(found.rows, printed["runs"], strict=True):
        assert row.run
        assert (row.ref, row.number, row.run_number) == (
            shown["ref"],
            shown["number"],
            shown["run"],
        )
        assert row.run.origin.exit_status == shown["exit_status"]
        assert row.command == shown["command"]
    assert [row.command for row in found.rows] == ["make all", "report '-a b'", "make all"]
    assert kept.list(limit=1, skip=1).rows == found.rows[1:2]


def test_sessions_are_listed_and_searched_together(kept: stubcli.Store, where: Any) -> None:
    stubcli.offload(LOG, **where | {"session": "other"})
    assert {row.session for row in kept.list(all_sessions=True).rows} == {"test", "other"}
    assert kept.search("broke", all_sessions=True).artifacts == 2
    assert stubcli.Store(**where | {"session": "nothing"}).list().rows == ()


def test_each_run_and_what_was_printed_for_it_is_found(kept: stubcli.Store, where: Any) -> None:
    again = stubcli.offload(LOG, exit_status=0, **where)
    assert again.ref
    newest, first = kept.runs(again.ref)
    assert [run.origin.exit_status for run in (newest, first)] == [0, 2]
    assert kept.show(again.ref) == kept.show(again.ref, newest.number) == again.text
    assert "exit: 2" in kept.show(again.ref, first.number)
    with pytest.raises(stubcli.MissingError, match="has no run 99"):
        kept.show(again.ref, 99)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"before": 1, "after": 2},
        {"limit": 3},
        {"skip": 2, "limit": 1},
        {"ignore_case": True, "literal": True, "word": True},
    ],
)
def test_matches_are_those_of_the_command(
    options: dict[str, Any], kept: stubcli.Store, store: Process
) -> None:
    flags = {
        "before": "-B",
        "after": "-A",
        "limit": "-m",
        "skip": "--skip",
        "ignore_case": "-i",
        "literal": "-F",
        "word": "-w",
    }
    typed = [
        word
        for name, value in options.items()
        for word in ((flags[name],) if value is True else (flags[name], str(value)))
    ]
    pattern = "IT BROKE" if options.get("ignore_case") else "err.r"
    found = kept.search(pattern, "1", **options)
    printed, summary = matches_in(store.stub("search", pattern, "1", *typed, "--json").out)
    stats = summary["stats"]
    assert (found.total, found.lines) == (stats["matches"], stats["matched_lines"]) == (4, 4)
    assert found.artifacts == stats["searches_with_match"] == 1
    assert found.follow == summary["page"]["next_skip"]
    for match, hit in zip(found.matches, printed, strict=True):
        assert match.ref == hit["data"]["path"]["text"]
        assert (match.line, match.offset, match.text) == (hit["line"], hit["offset"], hit["text"])
        assert LOG.encode()[match.offset :].startswith((b"error", b"it broke"))
        before, after = options.get("before", 0), options.get("after", 0)
        lines, at = LOG.splitlines(), match.line - 1
        assert list(match.lines_before) == lines[max(0, at - before) : at]
        assert list(match.lines_after) == lines[at + 1 : at + 1 + after]


def test_pages_of_matches_follow_each_other(kept: stubcli.Store) -> None:
    found: list[stubcli.Match] = []
    skip: int | None = 0
    while skip is not None:
        page = kept.search("line|n3", skip=skip, limit=1_000)
        found += page.matches
        skip = page.follow
    assert len(found) == page.total == 4_571
    assert len({(match.ref, match.offset) for match in found}) == page.total
    assert kept.search("nowhere") == stubcli.Matches((), 0, 0, 0, 0, None)


def test_a_damaged_artifact_hides_no_match_of_the_others(
    kept: stubcli.Store, store: Process
) -> None:
    path = store.artifacts()[1]
    path.chmod(0o600)
    path.write_bytes(path.read_bytes().replace(b"n3", b"n4"))
    found = kept.search("broke")
    assert (found.total, len(found.failures)) == (4, 1)
    assert isinstance(found.failures[0], stubcli.IntegrityError)
    with pytest.raises(stubcli.IntegrityError):
        kept.search("broke", "2")


def test_lines_are_read_whole_however_many_there_are(kept: stubcli.Store) -> None:
    lines = LOG.splitlines(keepends=True)
    assert kept.read("1", lines="2-3").decode() == "".join(lines[1:3])
    assert kept.read("1", lines="3999").decode() == lines[3_998]
    assert kept.read("1", lines="11-").decode() == "".join(lines[10:])
    assert kept.read("1", lines="4001-") == b""


def test_a_question_is_answered_as_the_command_answers_it(
    kept: stubcli.Store, store: Process
) -> None:
    sql = "SELECT name, count(*) AS n FROM artifact GROUP BY 1 ORDER BY 1"
    answer, printed = kept.query("2", sql), document(store, "query", "2", sql)
    assert [(one.name, one.type.name) for one in answer.columns] == [
        (one["name"], one["type"]) for one in printed["columns"]
    ]
    assert (answer.total, len(answer.rows), answer.rows[0]) == (7, 7, ("n0", "572"))
    assert kept.query("2", sql, skip=6, limit=5).rows == answer.rows[6:]
    schema = kept.query("2")
    assert (schema.rows, [one.name for one in schema.columns]) == (4_000, ["id", "name"])
    for example in schema.examples:
        assert kept.query("2", example).total > 0
    with pytest.raises(stubcli.UsageError):
        kept.query("1", sql)
    with pytest.raises(stubcli.UsageError, match="refused"):
        kept.query("2", "COPY artifact TO 'x'")


def test_no_limit_of_the_process_is_changed_by_a_question(kept: stubcli.Store) -> None:
    before = resource.getrlimit(resource.RLIMIT_DATA)
    kept.query("2", "SELECT 1")
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


def test_what_is_pinned_stays_and_what_is_not_goes(kept: stubcli.Store, store: Process) -> None:
    lease = kept.pin("1")
    assert (lease.phase, lease.session) == ("committed", "test")
    assert kept.pin("1") == lease
    plan = kept.plan_gc(older_than=0)
    assert [one.state for one in plan.decisions] == ["retained_referenced", "planned_delete"]
    done = kept.apply_gc(plan, network=True)
    assert [one.state for one in done.decisions] == ["retained_referenced", "deleted"]
    assert len(store.artifacts()) == 1
    assert kept.unpin("1")
    assert kept.unpin("1") is None
    with pytest.raises(stubcli.MissingError, match="collected by gc"):
        kept.read("2")


@pytest.mark.parametrize("older_than", [60, "60s", timedelta(minutes=1), timedelta(seconds=59.5)])
def test_an_age_is_given_in_seconds_in_words_or_as_a_timedelta(
    older_than: Any, kept: stubcli.Store
) -> None:
    assert kept.plan_gc(older_than=older_than).policy.older_than == 60


def test_a_plan_is_limited_as_it_is_asked(kept: stubcli.Store) -> None:
    assert kept.plan_gc().policy == stubcli.Policy(86_400, 100, None)
    plan = kept.plan_gc(older_than=0, max_deletions=1, keep_bytes="1GiB")
    assert plan.policy == stubcli.Policy(0, 1, 1 << 30)
    assert kept.plan_gc(max_deletions="all").policy.max_deletions is None


def test_nothing_is_deleted_on_a_network_file_system_unless_that_is_said(
    kept: stubcli.Store, store: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PosixSession, "file_system", lambda _session: "nfs4")
    plan = kept.plan_gc(older_than=0)
    refused = kept.apply_gc(plan)
    assert "nfs4" in refused.problems[0].what
    assert len(store.artifacts()) == 2
    assert not kept.apply_gc(plan, network=True).problems
    assert store.artifacts() == []


def test_what_happens_between_a_plan_and_its_application_is_seen(
    kept: stubcli.Store, store: Process
) -> None:
    plan = kept.plan_gc(older_than=0)
    kept.pin("1")
    stubcli.offload(LOG + "more", home=str(store.home), session="test")
    done = kept.apply_gc(plan, network=True)
    states = {one.number: one.state for one in done.decisions}
    assert states == {1: "retained_referenced", 2: "deleted", 3: "retained_limit"}


def test_a_plan_of_another_day_or_session_is_refused(kept: stubcli.Store, where: Any) -> None:
    plan = kept.plan_gc(older_than=0)
    old = dataclasses.replace(plan, made=plan.made - 90_000)
    with pytest.raises(stubcli.RefusedError, match="24 hours"):
        kept.apply_gc(old)
    with pytest.raises(stubcli.UsageError, match="of session test"):
        stubcli.Store(**where | {"session": "other"}).apply_gc(plan)
    other = stubcli.Store(**where | {"session": "other"})
    assert other.apply_gc(other.plan_gc()).decisions == ()


WRONG: list[tuple[str, Callable[[stubcli.Store], object]]] = [
    ("ref must be a str, not None", lambda store: store.read(None)),  # type: ignore[arg-type]
    ("ref must be a str, not int", lambda store: store.page(7)),  # type: ignore[arg-type]
    ("ref must be a str, not Posix", lambda store: store.pin(Path("x"))),  # type: ignore[arg-type]
    ("pattern must be a str", lambda store: store.search(b"x")),  # type: ignore[arg-type]
    ("sql must be a str", lambda store: store.query("1", 5)),  # type: ignore[call-overload]
    ("lines must be a str", lambda store: store.read("1", lines=5)),  # type: ignore[arg-type]
    ("invalid range of lines", lambda store: store.read("1", lines="9-3")),
    ("invalid limit 0", lambda store: store.list(limit=0)),
    ("limit must be an int, not bool", lambda store: store.search("x", limit=True)),
    ("invalid skip -1", lambda store: store.leases.list(skip=-1)),
    ("invalid before 101", lambda store: store.search("x", before=101)),
    ("bad pattern", lambda store: store.search("(")),
    ("all_sessions", lambda store: store.search("x", "1", all_sessions=True)),
    ("run must be an int", lambda store: store.show("1", "2")),  # type: ignore[arg-type]
    ("--older-than: invalid", lambda store: store.plan_gc(older_than="long")),
    ("plan must be a Plan", lambda store: store.apply_gc([])),  # type: ignore[arg-type]
    ("cannot name", lambda store: store.leases.commit("a/b")),
    ("name a pin", lambda store: store.leases.prepare("1", transaction_id="pin.1.1")),
]


@pytest.mark.parametrize(("reason", "call"), WRONG, ids=[reason for reason, _ in WRONG])
def test_a_bad_argument_is_named(
    reason: str, call: Callable[[stubcli.Store], object], kept: stubcli.Store
) -> None:
    with pytest.raises(stubcli.UsageError, match=reason):
        call(kept)


def test_what_the_system_refuses_is_an_error_of_the_family(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = stubcli.Store(home=str(tmp_path / "file" / "store"), session="s")
    calls: list[Callable[[], object]] = [
        lambda: store.read("1"),
        lambda: list(store.blocks("1")),
        lambda: store.list(),
        lambda: store.search("x"),
        lambda: store.plan_gc(),
        lambda: store.leases.list(),
        lambda: store.leases.remove("t", print),
    ]
    for call in calls:
        with pytest.raises(stubcli.NotStoredError, match="Not a directory; see: stub config"):
            call()


def test_threads_read_search_and_keep_side_by_side(kept: stubcli.Store, where: Any) -> None:
    failed: list[BaseException] = []

    def work(number: int) -> None:
        try:
            ref = stubcli.offload(f"{number}\n{LOG}", **where).ref
            assert ref
            assert kept.search("broke", ref).total == 4
            assert kept.read(ref, lines="1").decode() == f"{number}\n"
            kept.pin(ref)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert kept.leases.list().total == 6
