"""What each host is answered: the shapes it takes, and only where there is something to say."""

import copy
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stubcli.agents.adapters import ADAPTERS
from stubcli.agents.desk import Desk
from stubcli.store.posix.artifacts import read_record, record_names
from stubcli.store.records import Record
from tests.agents.made import (
    CALL,
    SEQ,
    claude,
    claude_bash,
    codex,
    copilot,
    copilot_saved,
    cursor,
    gemini,
)
from tests.conftest import Store
from tests.helpers import assert_kept, session_of

Ask = Callable[[str, Any], Any]
SMALL = "ok\n"


@pytest.fixture
def ask(store: Store, monkeypatch: pytest.MonkeyPatch) -> Ask:
    monkeypatch.setenv("STUB_HOME", str(store.home))
    monkeypatch.setenv("STUB_SESSION", store.session)
    for name in ("CURSOR_VERSION", "COPILOT_CLI"):
        monkeypatch.delenv(name, raising=False)

    def answer(host: str, event: Any) -> Any:
        before = copy.deepcopy(event)
        found = ADAPTERS[host](event, Desk())
        assert event == before
        return found

    return answer


def record(store: Store) -> Record:
    with session_of(store) as session:
        ((name,),) = record_names(session).values()
        return read_record(session, name)


def spilled(tmp_path: Path, text: str, name: str = "output.txt") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def test_claude_gets_the_object_with_the_stub_as_its_stdout(ask: Ask, store: Store) -> None:
    answer = ask("claude", claude(claude_bash(SEQ, extra=[1])))
    stub = answer["hookSpecificOutput"]["updatedToolOutput"].pop("stdout")
    assert answer == {
        "hookSpecificOutput": {
            "hookEventName": "PostToolUse",
            "updatedToolOutput": {
                "stderr": "",
                "interrupted": False,
                "isImage": False,
                "noOutputExpected": False,
                "extra": [1],
            },
        }
    }
    assert_kept(store, stub.encode(), SEQ.encode())
    origin = record(store).run.origin
    assert (origin.tool, origin.call_id, origin.argv) == ("Bash", CALL, ("seq 1 20000",))


def test_claude_is_given_the_whole_of_what_it_spilled_and_loses_the_two_fields(
    ask: Ask, store: Store, tmp_path: Path
) -> None:
    """Left in, they make it wrap the text again: https://code.claude.com/docs/en/hooks."""
    path = spilled(tmp_path, SEQ)
    event = claude(
        claude_bash(SEQ[:30000], persistedOutputPath=str(path), persistedOutputSize=len(SEQ))
    )
    new = ask("claude", event)["hookSpecificOutput"]["updatedToolOutput"]
    assert_kept(store, new["stdout"].encode(), SEQ.encode())
    assert "persistedOutputPath" not in new
    assert "persistedOutputSize" not in new


@pytest.mark.parametrize("what", ["missing", "link", "folder", "fifo", "short", "relative", "odd"])
def test_a_spilled_file_that_is_not_what_it_should_be_leaves_the_output_to_claude(
    ask: Ask, store: Store, tmp_path: Path, what: str
) -> None:
    path: Any = tmp_path / "output.txt"
    if what == "link":
        path.symlink_to(spilled(tmp_path, SEQ, "real.txt"))
    elif what == "folder":
        path.mkdir()
    elif what == "fifo":
        os.mkfifo(path)
    elif what == "short":
        path.write_text(SEQ[:-1])
    given = {"relative": "output.txt", "odd": 7}.get(what, str(path))
    event = claude(
        claude_bash(SEQ[:30000], persistedOutputPath=given, persistedOutputSize=len(SEQ))
    )
    assert ask("claude", event) is None
    assert not store.artifacts()


def test_claude_gets_mcp_blocks_back_with_only_large_texts_replaced(ask: Ask, store: Store) -> None:
    blocks = [
        {"type": "text", "text": SMALL},
        {"type": "text", "text": SEQ, "annotations": {"priority": 1}},
        {"type": "image", "data": "A" * 30000, "mimeType": "image/png"},
        "odd",
        {"type": "text", "text": 7},
    ]
    new = ask("claude", claude(blocks, "mcp__server__fetch"))["hookSpecificOutput"]
    answered = new["updatedToolOutput"]
    assert [answered[0], *answered[2:]] == [blocks[0], *blocks[2:]]
    assert_kept(store, answered[1]["text"].encode(), SEQ.encode())
    assert answered[1]["annotations"] == {"priority": 1}
    assert record(store).run.origin.tool == "mcp__server__fetch"


@pytest.mark.parametrize(
    "event",
    [
        claude(claude_bash(SMALL)),
        claude(claude_bash(SEQ, isImage=True)),
        claude(claude_bash(SEQ, backgroundTaskId="b1")),
        claude(SEQ),
        claude(None),
        claude([]),
        claude({"stdout": 5}),
        claude({"file": {"content": SEQ}}, "Read"),
        claude({"content": SEQ}, "mcp__a__b"),
        claude([{"type": "text", "text": SMALL}], "mcp__a__b"),
        claude(claude_bash(SEQ), hook_event_name="PreToolUse"),
        claude(claude_bash(SEQ), hook_event_name="PostToolUseFailure"),
        claude(claude_bash(SEQ), cursor_version="2.1"),
        claude(claude_bash(SEQ), tool_name=None),
        {},
    ],
)
def test_claude_keeps_its_output_where_there_is_nothing_to_replace(
    ask: Ask, store: Store, event: Any
) -> None:
    assert ask("claude", event) is None
    assert not store.artifacts()


@pytest.mark.parametrize("name", ["COPILOT_CLI", "CURSOR_VERSION"])
def test_claudes_hook_stands_back_where_another_agent_runs_it(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, "1")
    assert ask("claude", claude(claude_bash(SEQ))) is None


def test_codex_is_answered_with_two_keys_and_no_other(ask: Ask, store: Store) -> None:
    answer = ask("codex", codex(SEQ))
    assert list(answer) == ["decision", "reason"]
    assert answer["decision"] == "block"
    assert_kept(store, answer["reason"].encode(), SEQ.encode())
    assert "Codex tells a hook no exit status" in answer["reason"]
    assert record(store).run.origin.exit_status is None


@pytest.mark.parametrize(
    "event",
    [
        codex(SMALL),
        codex({"output": SEQ}),
        codex(SEQ, hook_event_name="PreToolUse"),
        codex("Warning: truncated output (original token count: 27226)\n" + SEQ),
        {},
    ],
)
def test_codex_keeps_what_is_small_or_was_cut_by_it(ask: Ask, store: Store, event: Any) -> None:
    assert ask("codex", event) is None
    assert not store.artifacts()


@pytest.mark.parametrize(("trailer", "status"), [("\nExit Code: 3", 3), ("", None)])
def test_gemini_is_asked_to_show_the_stub_of_the_output_alone(
    ask: Ask, store: Store, trailer: str, status: int | None
) -> None:
    answer = ask("gemini", gemini(SEQ + "REALTAIL", trailer))["hookSpecificOutput"]
    kept = record(store)
    assert answer == {
        "hookEventName": "AfterTool",
        "tailToolCallRequest": {
            "name": "run_shell_command",
            "args": {"command": answer["tailToolCallRequest"]["args"]["command"]},
        },
    }
    assert answer["tailToolCallRequest"]["args"]["command"].endswith(f" show {kept.sha256[:16]}")
    assert store.artifacts()[0].read_bytes() == (SEQ + "REALTAIL").encode()
    assert kept.run.origin.exit_status == status
    assert ("exit: 3" in kept.run.stub) == (status == 3)


@pytest.mark.parametrize("trailer", ["\nSignal: 9", "\nError: spawn", "\nBackground PIDs: 4, 5"])
def test_what_gemini_says_beside_an_output_is_kept_with_it(
    ask: Ask, store: Store, trailer: str
) -> None:
    event = gemini(SEQ, trailer)
    assert ask("gemini", event)
    whole = event["tool_response"]["llmContent"]
    assert store.artifacts()[0].read_bytes() == whole.encode()


def test_a_line_of_the_output_that_looks_like_an_exit_code_is_none(ask: Ask, store: Store) -> None:
    output = SEQ + "Exit Code: 7\nProcess Group PGID: 1"
    assert ask("gemini", gemini(output))
    assert store.artifacts()[0].read_bytes() == output.encode()
    assert record(store).run.origin.exit_status is None


@pytest.mark.parametrize(
    "event",
    [
        gemini(SMALL),
        gemini(SEQ, original_request_name="run_shell_command"),
        gemini(SEQ, tool_name="read_file"),
        gemini(SEQ, hook_event_name="BeforeTool"),
        gemini(SEQ, tool_response={"llmContent": [{"text": SEQ}]}),
        gemini(SEQ, tool_response=SEQ),
        {},
    ],
)
def test_gemini_keeps_the_rest_and_its_own_second_call(ask: Ask, store: Store, event: Any) -> None:
    assert ask("gemini", event) is None
    assert not store.artifacts()


def test_copilot_is_given_the_whole_of_the_file_that_it_saved(
    ask: Ask, store: Store, tmp_path: Path
) -> None:
    path = spilled(tmp_path, SEQ, "1-copilot-tool-output-2.txt")
    answer = ask("copilot", copilot_saved(path))
    stub = answer["modifiedResult"].pop("textResultForLlm")
    assert answer == {"modifiedResult": {"resultType": "success"}}
    assert_kept(store, stub.encode(), SEQ.encode())
    assert "exit: 3" in stub


def test_copilot_gets_a_stub_of_a_long_text_that_it_did_not_save(ask: Ask, store: Store) -> None:
    answer = ask("copilot", copilot(SEQ))["modifiedResult"]
    assert_kept(store, answer["textResultForLlm"].encode(), SEQ.encode())


def test_copilot_keeps_an_output_that_still_grows(ask: Ask, store: Store, tmp_path: Path) -> None:
    path = spilled(tmp_path, SEQ)
    assert ask("copilot", copilot_saved(path, "still running")) is None
    assert ask("copilot", copilot_saved(tmp_path / "gone")) is None
    assert ask("copilot", copilot(f"{SMALL} Saved to: {path}\n")) is None
    assert ask("copilot", copilot(SMALL)) is None
    assert ask("copilot", {"toolResult": SEQ}) is None
    assert not store.artifacts()


def test_cursor_gets_the_result_of_an_mcp_tool_back_as_it_came(ask: Ask, store: Store) -> None:
    given = {"content": [{"type": "text", "text": SEQ}], "isError": False}
    answer = ask("cursor", cursor(json.dumps(given)))["updated_mcp_tool_output"]
    assert_kept(store, answer["content"][0].pop("text").encode(), SEQ.encode())
    assert answer == {"content": [{"type": "text"}], "isError": False}


def test_cursor_gets_a_plain_text_back_as_text(ask: Ask, store: Store) -> None:
    answer = ask("cursor", cursor(SEQ))
    assert_kept(store, answer["updated_mcp_tool_output"].encode(), SEQ.encode())


@pytest.mark.parametrize(
    "event",
    [
        cursor(SMALL),
        cursor(SEQ, "Shell"),
        cursor(json.dumps({"content": [{"type": "text", "text": SMALL}]})),
        {},
    ],
)
def test_cursor_is_always_answered_with_an_object(ask: Ask, store: Store, event: Any) -> None:
    """An answer that is no JSON blocks the tool: https://cursor.com/docs/agent/hooks."""
    assert ask("cursor", event) == {}
    assert not store.artifacts()


EVENTS: dict[str, Callable[[str], dict[str, Any]]] = {
    "claude": lambda text: claude(claude_bash(text)),
    "codex": codex,
    "gemini": gemini,
    "copilot": copilot,
    "cursor": cursor,
}


@pytest.mark.parametrize("host", ADAPTERS)
def test_what_is_stubbed_already_is_left_alone(
    ask: Ask, store: Store, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """https://github.com/yvgude/lean-ctx/issues/604: wrapped again, it is lost."""
    ask("codex", codex(SEQ * 3))
    stub = record(store).run.stub
    monkeypatch.setenv("STUB_THRESHOLD", "900")
    assert len(stub) > 900
    assert not ask(host, EVENTS[host](stub))
    assert len(store.artifacts()) == 1


@pytest.mark.parametrize("host", ADAPTERS)
def test_unknown_fields_and_unknown_types_harm_nothing(ask: Ask, store: Store, host: str) -> None:
    event = EVENTS[host](SEQ) | {
        "new_field": {"deep": [1]},
        "tool_input": "text",
        "toolArgs": 5,
        "tool_use_id": {"a": 1},
    }
    assert ask(host, event)
    assert len(store.artifacts()) == 1


@pytest.mark.parametrize("host", ADAPTERS)
def test_a_command_of_5_mb_is_no_obstacle(ask: Ask, store: Store, host: str) -> None:
    command = "echo '" + "x" * 5_000_000 + "'"
    event = EVENTS[host](SEQ) | {
        "tool_input": {"command": command},
        "toolArgs": {"command": command},
    }
    assert ask(host, event)
    assert record(store).run.origin.argv == ()


@pytest.mark.parametrize("host", ADAPTERS)
def test_the_tools_policy_of_the_configuration_counts(
    ask: Ask, store: Store, host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("Bash", "run_shell_command", "bash", "'MCP:search'")
    config = tmp_path / "config.yaml"
    config.write_text("tools:\n" + "".join(f"  {name}:\n    exempt: true\n" for name in names))
    monkeypatch.setenv("STUB_CONFIG", str(config))
    assert not ask(host, EVENTS[host](SEQ))
    assert not store.artifacts()


@pytest.mark.parametrize("text", ["\x00\x1b[31m\u202e" * 9000, "é漢😀\r\n" * 9000, "\ufeff" + SEQ])
def test_bytes_are_kept_as_the_text_says_them(ask: Ask, store: Store, text: str) -> None:
    assert ask("codex", codex(text))
    assert store.artifacts()[0].read_bytes() == text.encode()


def test_half_a_pair_of_surrogates_is_kept_apart_from_bytes(ask: Ask, store: Store) -> None:
    """A host that cuts its text by UTF-16 units leaves such halves, U+DC80 among them."""
    text = "\udc80" + SEQ + "\ud83d"
    assert ask("codex", codex(text))
    assert store.artifacts()[0].read_bytes() == text.encode("utf-8", "surrogatepass")


@pytest.mark.parametrize("host", [host for host in ADAPTERS if host != "cursor"])
def test_a_command_that_asks_for_its_output_whole_gets_it(
    ask: Ask, store: Store, host: str
) -> None:
    arguments = {"command": "STUB_DISABLE=1 seq 1 20000"}
    assert not ask(host, EVENTS[host](SEQ) | {"tool_input": arguments, "toolArgs": arguments})
    assert not store.artifacts()
