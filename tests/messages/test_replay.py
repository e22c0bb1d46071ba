"""What was decided once is repeated byte for byte, whatever becomes of the store."""

import json
import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stubcli.errors import NotStoredError
from stubcli.messages import replay
from stubcli.messages.replay import ReplayDecision, replacements
from stubcli.store import open_session
from tests.messages.conftest import Session
from tests.messages.made import APIS, Message, ref_in, said, texts_of, turn

LINES = "a line of an ordinary log\n" * 1_200


def one_turn(text: str = LINES) -> list[dict[str, Any]]:
    return [said("openai-chat", "user", "go"), *turn("openai-chat", ("bash", text), ("bash", "ok"))]


def stub_of(messages: list[dict[str, Any]]) -> str:
    text = messages[2]["content"]
    assert isinstance(text, str)
    return text


def state(session: Session) -> Path:
    return session.folder / replay.NAME


def test_a_replacement_is_repeated_byte_for_byte_under_any_settings(session: Session) -> None:
    first, _ = session.offload(one_turn())
    before = state(session).read_bytes()
    later, report = session.offload(one_turn(), threshold=10**6, turn_budget=10**9, head=5, tail=5)
    assert later == first
    assert [change.reason for change in report.changes] == ["replayed"]
    assert state(session).read_bytes() == before
    assert len(session.artifacts()) == 1


def test_a_result_that_was_once_seen_whole_stays_whole(session: Session) -> None:
    messages = one_turn()
    assert session.offload(messages, threshold=50_000)[0] == messages
    new, report = session.offload(messages, threshold=800, turn_budget=1, turn_floor=1)
    assert new == messages
    assert report.over == ("turn 1: 31,202 characters of 1",)


SAME = ("bash", LINES)
OTHER = ("grep", "something else of that length\n" * 1_000)


def once_and_crowded(api: str) -> list[Message]:
    """A turn that fits with a text in it, and one with an equal one that is too much."""
    return [*turn(api, SAME), said(api, "assistant", "once more"), *turn(api, SAME, OTHER)]


def crowded_and_once(api: str) -> list[Message]:
    return [*turn(api, SAME, OTHER), said(api, "assistant", "once more"), *turn(api, SAME)]


def twice_in_a_turn(api: str) -> list[Message]:
    """So it is in Gemini, where no call has an id; elsewhere, as agents that send one twice."""
    calls, *results = turn(api, SAME)
    return [calls, *results, *results]


def read_back_and_not(api: str) -> list[Message]:
    """Equal but for their commands: one of them prints what `stub` kept, and stays."""
    again = ("bash", LINES, "stub read 7")
    return [*turn(api, again), said(api, "assistant", "once more"), *turn(api, SAME, OTHER)]


@pytest.mark.parametrize(
    "conversation", [once_and_crowded, crowded_and_once, twice_in_a_turn, read_back_and_not]
)
@pytest.mark.parametrize("api", APIS)
def test_equal_texts_are_decided_alike_so_that_the_same_list_gives_the_same_again(
    api: str, conversation: Callable[[str], list[Message]], session: Session
) -> None:
    messages = conversation(api)
    limits = {"threshold": 10**6, "turn_budget": 40_000, "turn_floor": 1_000}
    first, report = session.offload(messages, **limits)
    assert report.changes
    shown = {text for message in first for _, text in texts_of(api, message)}
    assert (LINES in shown) == (conversation is read_back_and_not)
    again, replayed = session.offload(messages, **limits)
    assert again == first
    assert {change.reason for change in replayed.changes} == {"replayed"}
    assert len(replayed.changes) == len(report.changes)


def test_a_longer_list_repeats_what_it_had_and_decides_only_what_is_new(session: Session) -> None:
    first, _ = session.offload(one_turn())
    grown = [*one_turn(), *turn("openai-chat", ("bash", "another\n" * 5_000), first=7)]
    second, report = session.offload(grown)
    assert second[:4] == first
    assert [change.reason for change in report.changes] == ["replayed", "single_threshold"]


def test_an_artifact_that_is_gone_is_kept_anew_from_the_text_at_hand(session: Session) -> None:
    first, _ = session.offload(one_turn())
    shutil.rmtree(session.folder / "tool-results")
    second, report = session.offload(one_turn())
    assert ref_in(stub_of(second)) != ref_in(stub_of(first))
    assert session.read(ref_in(stub_of(second))).decode() == LINES
    assert [change.reason for change in report.changes] == ["single_threshold"]
    third, report = session.offload(one_turn())
    assert (third, [change.reason for change in report.changes]) == (second, ["replayed"])


def test_a_stub_whose_artifact_is_gone_is_a_text_like_any_other(session: Session) -> None:
    stubbed, _ = session.offload(one_turn())
    shutil.rmtree(session.folder / "tool-results")
    messages = [*stubbed, said("openai-chat", "assistant", "ok")]
    new, _ = session.compact(messages, max_messages=0, max_tokens=0, keep=0)
    assert session.read(ref_in(stub_of(new))).decode() == stub_of(stubbed)


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"\n\n",
        b"not json\n",
        b"{}\n",
        b"[]\n",
        b'{"key": "a", "text": "forged", "ref": "x", "check": "0"}\n',
        b'{"key": "torn',
        b"\xff\x00\n",
        b"[" * 5_000 + b"\n",
    ],
)
def test_a_damaged_line_costs_itself_alone(damage: bytes, session: Session) -> None:
    first, _ = session.offload(one_turn())
    good = state(session).read_bytes()
    state(session).write_bytes(damage + good if damage.endswith(b"\n") else good + damage)
    assert session.offload(one_turn())[0] == first
    # What is noted behind a torn tail is a line of its own.
    other = [*turn("openai-chat", ("grep", LINES.upper()))]
    second, _ = session.offload(other)
    again, report = session.offload(other)
    assert (again, [change.reason for change in report.changes]) == (second, ["replayed"])
    assert session.offload(one_turn())[0] == first


def test_a_changed_line_is_no_decision(session: Session) -> None:
    first, _ = session.offload(one_turn())
    data = state(session).read_bytes()
    assert b"ordinary" in data
    state(session).write_bytes(data.replace(b"ordinary", b"changed!"))
    assert session.offload(one_turn())[0] == first


def test_all_state_lost_gives_the_same_stub_again(session: Session) -> None:
    first, _ = session.offload(one_turn())
    state(session).unlink()
    assert session.offload(one_turn())[0] == first
    assert len(session.artifacts()) == 1


@pytest.mark.parametrize("kind", ["symlink", "dangling", "hardlink", "fifo", "folder"])
def test_what_is_planted_under_its_name_is_refused(kind: str, session: Session) -> None:
    session.offload(one_turn("small"))
    path, elsewhere = state(session), session.home.parent / "elsewhere"
    path.unlink()
    if kind != "dangling":
        elsewhere.write_text("precious\n")
    if kind in ("symlink", "dangling"):
        path.symlink_to(elsewhere)
    elif kind == "hardlink":
        os.link(elsewhere, path)
    elif kind == "fifo":
        os.mkfifo(path)
    else:
        path.mkdir()
    with pytest.raises((NotStoredError, OSError)):
        session.offload(one_turn())
    assert kind == "dangling" or elsewhere.read_text() == "precious\n"
    assert not (kind == "dangling" and elsewhere.exists())
    assert session.artifacts() == []


def test_whoever_waits_too_long_is_told(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    session.offload(one_turn("small"))
    monkeypatch.setattr(replay, "_PATIENCE", 0.05)
    opened = open_session(str(session.home), session.name, create=False)
    try:
        with replacements(opened), pytest.raises(NotStoredError, match="is busy; try again"):
            session.offload(one_turn())
    finally:
        opened.close()


def test_many_threads_on_one_session_give_one_answer(session: Session) -> None:
    answers: list[str] = []

    def work(number: int) -> None:
        new, _ = session.offload(one_turn(), head=number * 100)
        answers.append(json.dumps(new))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 8
    assert len(set(answers)) == 1
    assert len(session.artifacts()) == 1


def test_a_decision_of_one_tool_or_call_is_none_of_another(session: Session) -> None:
    first = session.offload(turn("openai-chat", ("bash", LINES)))[1].changes[0]
    other = session.offload(turn("openai-chat", ("grep", LINES)))[1].changes[0]
    later = session.offload(turn("openai-chat", ("bash", LINES), first=1))[1].changes[0]
    assert {first.reason, other.reason, later.reason} == {"single_threshold"}
    assert first.ref == other.ref == later.ref


def test_what_is_not_shorter_is_remembered_as_it_is(session: Session) -> None:
    opened = open_session(str(session.home), session.name, create=True)
    try:
        with replacements(opened) as decided:
            decided.note({"a": ReplayDecision(None), "b": ReplayDecision("\ud800 é\n", "ref")})
        with replacements(opened) as decided:
            assert decided.get("a") == ReplayDecision(None)
            assert decided.get("b") == ReplayDecision("\ud800 é\n", "ref")
            assert decided.get("c") is None
        with replacements(opened, pretend=True) as decided:
            assert decided.get("b") == ReplayDecision("\ud800 é\n", "ref")
    finally:
        opened.close()
    assert state(session).stat().st_mode & 0o777 == 0o600
