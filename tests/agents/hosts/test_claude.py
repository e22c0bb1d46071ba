"""Claude Code: its shell prefix, and the answer to its hook."""

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from tests.agents.home import Home
from tests.agents.samples import CALL, SEQ, SMALL, Ask, Sample, only_record, spill_file
from tests.conftest import Store
from tests.helpers import assert_kept


def claude(response: object, tool: str = "Bash", **more: object) -> dict[str, Any]:
    return {
        "session_id": "s",
        "cwd": "/",
        "hook_event_name": "PostToolUse",
        "tool_name": tool,
        "tool_input": {"command": "seq 1 20000"},
        "tool_response": response,
        "tool_use_id": CALL,
        "duration_ms": 12,
        **more,
    }


def claude_bash(stdout: str, **more: object) -> dict[str, Any]:
    return {
        "stdout": stdout,
        "stderr": "",
        "interrupted": False,
        "isImage": False,
        "noOutputExpected": False,
        **more,
    }


SAMPLE = Sample(
    ".claude/settings.json", lambda text: claude(claude_bash(text)), "Bash", "tool_input"
)


def test_its_settings_get_the_hook_in_the_shape_that_it_reads(home: Home) -> None:
    home.done("claude")
    text = home.settings("claude").read_text().replace(str(home.stub), "STUB")
    assert json.loads(text) == {
        "env": {"CLAUDE_CODE_SHELL_PREFIX": "STUB-shell"},
        "hooks": {
            "PostToolUse": [
                {
                    "matcher": "Bash|mcp__.*",
                    "hooks": [
                        # In exec form, which does not pass through the shell prefix.
                        {
                            "type": "command",
                            "command": "STUB",
                            "args": ["hook", "claude"],
                            "timeout": 30,
                        }
                    ],
                }
            ]
        },
    }


def test_claude_config_dir_moves_its_files(home: Home) -> None:
    home.done("claude", CLAUDE_CONFIG_DIR=str(home.path / "moved"))
    assert list(home.files()) == ["moved/settings.json"]


def test_a_project_gets_the_settings_that_are_not_committed(home: Home) -> None:
    """The path of the command is of this machine."""
    home.done("claude", "--project")
    assert list(home.files()) == ["project/.claude/settings.local.json"]


def test_its_user_is_told_to_restart(home: Home) -> None:
    said = home.done("claude").err.decode()
    assert "stub: Claude Code: restart running sessions to pick this up\n" in said


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
    origin = only_record(store).run.origin
    assert (origin.tool, origin.call_id, origin.argv) == ("Bash", CALL, ("seq 1 20000",))


@pytest.fixture
def spilled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where Claude keeps what is too large for it, as seen on 2.1.197; it is not there yet."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    return tmp_path / "claude/projects/-work-x/0b5e-44aa/tool-results/bwcqaq8be.txt"


def claude_spilled(path: object, text: str = SEQ, **more: object) -> dict[str, Any]:
    """The event of an output that it kept there."""
    size = len(text.encode())
    response = claude_bash(text[:30000], persistedOutputPath=str(path), persistedOutputSize=size)
    return claude(response | more)


def test_claude_is_given_the_whole_of_what_it_spilled_and_loses_the_two_fields(
    ask: Ask, store: Store, spilled: Path, tmp_path: Path
) -> None:
    """Left in, they make it wrap the text again: https://code.claude.com/docs/en/hooks."""
    # It has another name, as the output of a task.
    os.link(spill_file(spilled, SEQ), tmp_path / "task.output")
    new = ask("claude", claude_spilled(spilled))["hookSpecificOutput"]["updatedToolOutput"]
    assert_kept(store, new["stdout"].encode(), SEQ.encode())
    assert "persistedOutputPath" not in new
    assert "persistedOutputSize" not in new


def test_claude_decodes_what_it_shows_and_leaves_out_blank_lines_before_it(
    ask: Ask, store: Store, spilled: Path
) -> None:
    data = b"\n\n  \x1b[31mlead\r\n\xff bad \xe4\xb8 \n" + "é漢😀 row\r\n".encode() * 9000
    spilled.parent.mkdir(parents=True)
    spilled.write_bytes(data)
    shown = data[:30000].decode("utf-8", "replace").lstrip("\n")
    event = claude_spilled(spilled, stdout=shown, persistedOutputSize=len(data))
    new = ask("claude", event)["hookSpecificOutput"]["updatedToolOutput"]
    assert_kept(store, new["stdout"].encode(), data)


PLANTED = (
    *("missing", "link", "linked folder", "folder", "fifo", "short", "long", "old", "other text"),
    *("elsewhere", "above", "other name", "three names", "relative", "odd", "no size"),
)


@pytest.mark.parametrize("what", PLANTED)
def test_a_spilled_file_that_is_not_what_it_should_be_leaves_the_output_to_claude(
    ask: Ask, store: Store, spilled: Path, tmp_path: Path, what: str
) -> None:
    event = claude_spilled(spilled)
    given = event["tool_response"]
    spilled.parent.mkdir(parents=True)
    if what == "link":
        spilled.symlink_to(spill_file(tmp_path / "real.txt", SEQ))
    elif what == "linked folder":
        spill_file(tmp_path / "real" / spilled.name, SEQ)
        spilled.parent.rmdir()
        spilled.parent.symlink_to(tmp_path / "real")
    elif what == "folder":
        spilled.mkdir()
    elif what == "fifo":
        os.mkfifo(spilled)
    elif what != "missing":
        spill_file(spilled, {"short": SEQ[:-1], "long": SEQ + "\n"}.get(what, SEQ))
    if what == "old":
        os.utime(spilled, (time.time(), time.time() - 3600))
    elif what == "other text":
        given["stdout"] = "2\n1\n"
    elif what == "three names":
        os.link(spilled, tmp_path / "two")
        os.link(spilled, tmp_path / "three")
    elif what == "no size":
        del given["persistedOutputSize"]
    elsewhere = {
        "elsewhere": tmp_path / "output.txt",
        "above": spilled.parents[3] / "other/tool-results/output.txt",
        "other name": spilled.with_suffix(".jsonl"),
    }
    if what in elsewhere:
        given["persistedOutputPath"] = str(spill_file(elsewhere[what], SEQ))
    given |= {
        "relative": {"persistedOutputPath": "output.txt"},
        "odd": {"persistedOutputPath": 7},
    }.get(what, {})
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
    assert only_record(store).run.origin.tool == "mcp__server__fetch"


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
