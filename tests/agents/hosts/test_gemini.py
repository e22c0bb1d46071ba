"""Gemini CLI: the answer to its hook, and the comments in its settings."""

import json
from typing import Any

import pytest

from tests.agents.home import Home
from tests.agents.samples import SEQ, SMALL, Ask, Sample, only_record
from tests.conftest import Store


def gemini(output: str, trailer: str = "", **more: object) -> dict[str, Any]:
    framed = (
        f"<untrusted_context>\nOutput: {output}{trailer}\n"
        "Process Group PGID: 4711\n</untrusted_context>"
    )
    return {
        "session_id": "s",
        "cwd": "/",
        "hook_event_name": "AfterTool",
        "tool_name": "run_shell_command",
        "tool_input": {"command": "seq 1 20000"},
        "tool_response": {"llmContent": framed, "returnDisplay": output},
        **more,
    }


SAMPLE = Sample(".gemini/settings.json", gemini, "run_shell_command", "tool_input")


def test_its_settings_get_the_hook_in_the_shape_that_it_reads(home: Home) -> None:
    home.done("gemini")
    text = home.settings("gemini").read_text().replace(str(home.stub), "STUB")
    assert json.loads(text) == {
        "hooks": {
            "AfterTool": [
                {
                    "matcher": "run_shell_command",
                    "hooks": [
                        {
                            "name": "stub",
                            "type": "command",
                            "command": "STUB hook gemini",
                            "timeout": 30000,
                        }
                    ],
                }
            ]
        }
    }


def test_comments_in_its_settings_are_kept(home: Home) -> None:
    text = '// mine\n{\n  "theme": "x" // dark\n}\n'
    home.write("gemini", text)
    home.done("gemini")
    new = home.settings("gemini").read_text()
    assert new.startswith('// mine\n{\n  "theme": "x", // dark\n  "hooks": {\n')
    home.done("gemini", "--uninstall")
    assert home.settings("gemini").read_text() == text


def test_its_user_is_told_to_allow_the_second_command(home: Home) -> None:
    assert "stub: Gemini CLI: allow it to run `stub show`\n" in home.done("gemini").err.decode()


@pytest.mark.parametrize(("trailer", "status"), [("\nExit Code: 3", 3), ("", None)])
def test_gemini_is_asked_to_show_the_stub_of_the_output_alone(
    ask: Ask, store: Store, trailer: str, status: int | None
) -> None:
    answer = ask("gemini", gemini(SEQ + "REALTAIL", trailer))["hookSpecificOutput"]
    kept = only_record(store)
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
    assert only_record(store).run.origin.exit_status is None


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
