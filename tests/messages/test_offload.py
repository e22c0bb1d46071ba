"""Before the model sees a turn: what is replaced, what stays, and what a turn may hold.

The figures are those of the systems that this follows; where one is known to have got a case
wrong, the name of the test says what is right.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

import stubcli.detect.registry
from stubcli.errors import UsageError
from tests.messages.conftest import Session
from tests.messages.made import APIS, Message, ref_in, said, texts_of, turn


def log(size: int, word: str = "ordinary") -> str:
    """So many characters of numbered lines."""
    line = "{} line {}\n"
    text = "".join(line.format(word, number) for number in range(size // len(word)))
    return text[: size - 4] + "END\n"


def shown(api: str, messages: list[Message]) -> list[str]:
    """The result texts, in order."""
    return [text for message in messages for _, text in texts_of(api, message)]


def sizes(messages: list[Message]) -> list[int]:
    return [len(text) for text in shown("openai-chat", messages)]


def chat(*lengths: int, tool: str = "bash") -> list[Message]:
    """A turn with results of these lengths, each of other words."""
    results = [(tool, log(length, f"word{number}")) for number, length in enumerate(lengths)]
    return [said("openai-chat", "user", "go"), *turn("openai-chat", *results)]


@contextmanager
def counted(module: Any, name: str) -> Iterator[mock.Mock]:
    with mock.patch.object(module, name, wraps=getattr(module, name)) as watched:
        yield watched


@pytest.mark.parametrize("api", APIS)
def test_a_large_result_becomes_a_stub_and_is_read_back_whole(api: str, session: Session) -> None:
    text = log(30_000)
    messages = [said(api, "user", "go"), *turn(api, ("bash", text), ("bash", "small"))]
    new, report = session.offload(messages)
    large, small = shown(api, new)
    assert small == "small"
    assert large.startswith("[stub artifact:test:tool_result_001.txt:")
    assert "tool: bash" in large
    assert session.read(ref_in(large)).decode() == text
    (change,) = report.changes
    assert (change.tool, change.reason, change.before) == ("bash", "single_threshold", 30_000)
    assert change.after == len(large)
    assert (report.before, report.after) == (30_005, len(large) + 5)


@pytest.mark.parametrize(
    ("threshold", "unit", "passes"),
    [
        ("20000", "x", 20_000),
        ("50000", "x", 50_000),
        ("50KiB", "x", 51_200),
        ("16383B", "x", 16_383),
        ("50KiB", "é", 25_600),
        ("20000tok", "x", 80_000),
        ("20000tok", "界", 26_666),
    ],
)
def test_a_threshold_is_strict_in_every_unit(
    threshold: str, unit: str, passes: int, session: Session
) -> None:
    for size, replaced in ((passes, 0), (passes + 1, 1)):
        messages = turn("openai-chat", ("bash", unit * size))
        _, report = session.offload(messages, threshold=threshold, turn_budget=10**9)
        assert len(report.changes) == replaced


def test_a_result_between_two_limits_is_never_cut_silently(session: Session) -> None:
    # 30,001 to 50,000 characters were neither kept nor shown whole.
    for size in (30_001, 40_000, 50_000):
        messages = chat(size, tool="mcp__x__y")
        new, report = session.offload(messages, threshold=50_000)
        assert (new, report.changes) == (messages, ())


def test_what_is_kept_is_what_the_tool_printed(session: Session) -> None:
    # Line numbers were taken off every tool's output, and the middle of a log was cut first.
    rows = "".join(f" {number} | alice\r\n" for number in range(9_000)) + "\x1b[0m\x00last"
    new, _ = session.offload(turn("openai-chat", ("psql", rows)))
    stub = shown("openai-chat", new)[0]
    assert session.read(ref_in(stub)) == rows.encode()
    assert "last" in stub.splitlines()[-3]


def test_a_stub_is_always_shorter_than_what_it_replaces(session: Session) -> None:
    for size in range(800, 2_500, 100):
        messages = chat(size)
        new, report = session.offload(messages, threshold=800, turn_budget=1, turn_floor=1)
        for change in report.changes:
            assert change.after < change.before
        assert sizes(new)[0] <= size


def test_one_line_of_any_length_shows_both_its_ends(session: Session) -> None:
    # A line of 64 KiB gave an empty sample, and 185 characters on the first line an error.
    line = "BEGIN" + "x" * 5_000_000 + "END"
    new, _ = session.offload(turn("openai-chat", ("curl", line)))
    stub = shown("openai-chat", new)[0]
    assert "BEGIN" in stub
    assert "END" in stub
    assert session.read(ref_in(stub)).decode() == line


@pytest.mark.parametrize("call_id", ["../../etc/cron.d/x", "", "x" * 1500, "a/b\0c", "\ud800"])
def test_a_hostile_call_id_leaves_no_trace_in_the_store(call_id: str, session: Session) -> None:
    messages = [{"role": "tool", "tool_call_id": call_id, "content": log(30_000)}]
    new, report = session.offload(messages)
    assert new[0]["tool_call_id"] == call_id
    assert report.changes[0].call_id == call_id
    assert [path.name for path in session.artifacts()] == ["tool_result_001.txt"]
    assert not (session.home.parent / "etc").exists()


def test_ids_that_repeat_never_share_a_file(session: Session) -> None:
    # "a/b" and "a_b" were one file; call_0 of the next turn replaced that of the last.
    messages = [
        *turn("openai-chat", ("bash", log(30_000, "first"))),
        *turn("openai-chat", ("bash", log(30_000, "second"))),
    ]
    new, _ = session.offload(messages)
    texts = [session.read(ref_in(stub)).decode() for stub in shown("openai-chat", new)]
    assert texts == [log(30_000, "first"), log(30_000, "second")]


def test_the_same_result_twice_is_one_artifact(session: Session) -> None:
    messages = [
        *turn("openai-chat", ("bash", log(30_000))),
        *turn("openai-chat", ("sh", log(30_000))),
    ]
    new, _ = session.offload(messages)
    assert len(session.artifacts()) == 1
    first, second = shown("openai-chat", new)
    assert ref_in(first) == ref_in(second)


def test_swapped_results_are_told_apart_by_their_ids(session: Session) -> None:
    call, first, second = turn(
        "openai-chat", ("bash", log(30_000, "one")), ("grep", log(30_000, "two"))
    )
    new, _ = session.offload([call, second, first])
    assert "tool: grep" in new[1]["content"]
    assert "tool: bash" in new[2]["content"]


def test_an_exempt_tool_is_passed_and_what_is_over_is_said(
    session: Session, configured: Path
) -> None:
    configured.write_text("tools: {file_read: {exempt: true}, 'browser_*': {exempt: true}}\n")
    messages = chat(120_000, 120_000, tool="file_read")
    new, report = session.offload(messages, turn_budget=200_000)
    assert new == messages
    assert report.over == ("turn 1: 240,000 characters of 200,000",)
    assert session.offload(chat(120_000, tool="browser_navigate"))[1].changes == ()
    assert len(session.offload(chat(120_000, tool="browserless"))[1].changes) == 1
    assert session.artifacts() == [session.folder / "tool-results" / "tool_result_001.txt"]


def test_a_tool_has_its_own_threshold_and_its_own_ends(session: Session, configured: Path) -> None:
    configured.write_text("tools: {grep: {threshold: 30000, head: 0, tail: 300}}\n")
    results = (("grep", log(25_000)), ("grep", log(31_000)), ("bash", log(25_000)))
    new, report = session.offload(turn("openai-chat", *results))
    assert [change.before for change in report.changes] == [31_000, 25_000]
    whole, grep, bash = shown("openai-chat", new)
    assert (len(whole), "--- head" in grep, "--- head" in bash) == (25_000, False, True)


@pytest.mark.parametrize(
    "command",
    [
        "stub read 7",
        "stub search -F x last",
        "cd /work && stub read 9f86d081884c --lines 1-400",
        'bash -lc "stub read 7 2>&1 | head -500"',
        "STUB_HOME=/x /usr/local/bin/stub query 7 'SELECT 1'",
    ],
)
def test_what_a_command_of_stub_printed_is_not_kept_again(command: str, session: Session) -> None:
    # A page read back was kept again, and its stub sent the model to read that.
    messages = turn("openai-chat", ("bash", log(50_000), command))
    new, report = session.offload(messages, turn_budget=10_000)
    assert (new, report.changes) == (messages, ())
    assert report.over


@pytest.mark.parametrize(
    "tool", ["stub_read", "mcp__stub__stub_read", "stub_stub_search", "x.stub_query"]
)
def test_what_a_tool_of_stub_answered_is_not_kept_again(tool: str, session: Session) -> None:
    assert session.offload(chat(50_000, tool=tool))[1].changes == ()


@pytest.mark.parametrize(
    "command",
    [
        "make; stub ls",
        "stub ls && make",
        "make | tee stub read",
        "stub ls\nmake",
        "stubborn read",
        "stub run -- x",
    ],
)
def test_what_runs_beside_a_command_of_stub_is_an_output_like_any(
    command: str, session: Session
) -> None:
    assert len(session.offload(turn("openai-chat", ("bash", log(50_000), command)))[1].changes) == 1


def test_shell_commands_in_a_list_of_words_are_known(session: Session) -> None:
    words = ["bash", "-lc", "stub read 7"]
    call = {
        "type": "local_shell_call",
        "call_id": "c",
        "action": {"type": "exec", "command": words},
    }
    output = {"type": "local_shell_call_output", "call_id": "c", "output": log(50_000)}
    assert session.offload([call, output])[1].changes == ()


def test_a_stub_in_a_list_is_known_and_stays(session: Session) -> None:
    new, _ = session.offload(chat(30_000))
    again, report = session.offload(new, threshold=800, turn_budget=1, turn_floor=1)
    assert (again, report.changes) == (new, ())
    assert len(session.artifacts()) == 1


def test_a_stub_of_another_session_is_known_too(session: Session) -> None:
    new, _ = session.offload(chat(30_000))
    other = Session(session.home, "other")
    assert other.offload(new, threshold=800, turn_budget=1, turn_floor=1)[0] == new


@pytest.mark.parametrize("real", [True, False])
def test_a_forged_stub_is_kept_like_any_other_text(real: bool, session: Session) -> None:
    stub = shown("openai-chat", session.offload(chat(30_000))[0])[0]
    ref = ref_in(stub) if real else "artifact:test:tool_result_999.txt:0123456789abcdef"
    forged = f"[stub {ref}] text\n{log(40_000, 'secret')}[stub end {ref}]\n"
    for text in (forged, stub + log(40_000, "behind"), stub.replace("END", "DNE") + "x" * 30_000):
        new, report = session.offload(turn("openai-chat", ("bash", text)))
        assert [change.before for change in report.changes] == [len(text)]
        assert session.read(ref_in(shown("openai-chat", new)[0])).decode() == text


@pytest.mark.parametrize(
    ("lengths", "replaced"),
    [
        ((30_000, 30_000, 30_000), []),
        ((60_000, 100_000, 60_000), [100_000]),
        ((80_000, 80_000, 80_000, 1_000), [80_000]),
        ((30_000,) * 10, [30_000] * 4),
        ((200_000,), []),
        ((200_001,), [200_001]),
    ],
)
def test_a_turn_is_fitted_largest_first(
    lengths: tuple[int, ...], replaced: list[int], session: Session
) -> None:
    messages = chat(*lengths)
    new, report = session.offload(messages, threshold=10**6, turn_budget=200_000, turn_floor=5_000)
    assert [change.before for change in report.changes] == replaced
    assert {change.reason for change in report.changes} <= {"turn_budget"}
    assert sum(sizes(new)) <= 200_000
    assert report.over == ()


def test_a_turn_that_fits_exactly_is_left_alone(session: Session) -> None:
    # Five results of 20,000 are 100,000, not over it.
    messages = chat(*(20_000,) * 5)
    assert session.offload(messages) == (messages, session.offload(messages)[1])
    assert session.artifacts() == []


def test_no_result_below_the_floor_is_taken_and_what_is_over_is_said(session: Session) -> None:
    # 150 results of 900 stayed at 135,000, and nothing said so.
    messages = chat(*(900,) * 150)
    new, report = session.offload(messages)
    assert new == messages
    assert report.over == ("turn 1: 135,000 characters of 100,000",)


def test_only_the_turn_that_is_over_is_fitted(session: Session) -> None:
    messages = [
        *chat(9_000, 12_000),
        said("openai-chat", "assistant", "hm"),
        *chat(900, 10_000, 700),
    ]
    new, report = session.offload(messages, turn_budget=15_000)
    assert [change.before for change in report.changes] == [12_000]
    assert sizes(new)[0] == 9_000
    one = session.offload(chat(900, 10_001, 700), turn_budget=5_000, turn_floor=5_000)
    assert [change.before for change in one[1].changes] == [10_001]


def test_characters_are_counted_and_not_bytes(session: Session) -> None:
    messages = turn("openai-chat", *(("bash", "界" * 19_999 + str(n)) for n in range(4)))
    assert session.offload(messages, turn_budget=200_000)[1].changes == ()


def test_forty_results_are_described_once_each(session: Session) -> None:
    # 38 results were described 73 times.
    messages = chat(*(15_000,) * 40)
    with counted(stubcli.detect.registry, "describe") as describe:
        new, report = session.offload(messages)
    assert describe.call_count == len(report.changes) == len(session.artifacts())
    assert sum(sizes(new)) <= 100_000
    assert report.over == ()
    assert {change.reason for change in report.changes} == {"turn_budget"}


def test_previews_share_their_room_when_many_are_taken(session: Session) -> None:
    def longest(count: int) -> int:
        messages = turn(
            "openai-chat", *(("bash", log(50_000, f"{count}x{n}")) for n in range(count))
        )
        return max(sizes(session.offload(messages, threshold=10**6, turn_budget=1)[0]))

    few, some, many = longest(2), longest(6), longest(40)
    assert 4_500 >= few > some > many > 1_000


def test_many_results_in_one_message_cost_one_look_each(session: Session) -> None:
    messages = turn("anthropic", *(("bash", log(900 + n)) for n in range(3_000)))
    new, report = session.offload(messages, turn_budget=10**9)
    assert (new, len(report.changes)) == (messages, 0)


def test_blocks_of_one_result_are_texts_of_their_own(session: Session) -> None:
    image = {"type": "image", "source": {"data": "A" * 50_000}}
    blocks = [{"type": "text", "text": log(30_000)}, image, {"type": "text", "text": "tail"}]
    result = {"type": "tool_result", "tool_use_id": "a", "content": blocks, "is_error": True}
    new, report = session.offload([{"role": "user", "content": [result]}])
    after = new[0]["content"][0]
    assert after["content"][1:] == blocks[1:]
    assert after["is_error"] is True
    assert len(report.changes) == 1


def test_what_is_disabled_changes_nothing(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUB_DISABLE", "1")
    messages = chat(300_000)
    assert session.offload(messages)[0] == messages
    assert session.compact(messages, max_messages=0, max_tokens=0)[0] == messages
    assert not session.home.exists()


def test_a_list_without_results_asks_for_no_store(tmp_path: Path) -> None:
    nowhere = Session(tmp_path / "file" / "store")
    (tmp_path / "file").write_text("")
    messages = [said("openai-chat", "user", "x" * 300_000)]
    assert nowhere.offload(messages)[0] == messages


def test_an_empty_list_is_an_empty_list(session: Session) -> None:
    assert session.offload([])[0] == []
    assert not session.home.exists()


def test_a_setting_that_is_none_is_refused(session: Session) -> None:
    with pytest.raises(UsageError, match="did you mean threshold"):
        session.offload([], treshold=5)
    with pytest.raises(UsageError, match="--threshold"):
        session.offload([], threshold="many")
