"""Cursor: results of MCP tools are replaced, and it is always answered with an object."""

import json
from typing import Any

import pytest

from tests.agents.home import Home
from tests.agents.samples import SEQ, SMALL, Ask, Sample, sent
from tests.conftest import Store
from tests.helpers import assert_kept, forked


def cursor(output: str, tool: str = "MCP:search") -> dict[str, Any]:
    return {
        "conversation_id": "c",
        "cursor_version": "2.1.0",
        "hook_event_name": "postToolUse",
        "tool_name": tool,
        "tool_output": output,
        "cwd": "/",
    }


SAMPLE = Sample(".cursor/hooks.json", cursor, "MCP:search")


def test_its_settings_get_the_hook_in_the_shape_that_it_reads(home: Home) -> None:
    home.done("cursor")
    text = home.settings("cursor").read_text().replace(str(home.stub), "STUB")
    assert json.loads(text) == {
        "version": 1,
        "hooks": {
            "postToolUse": [{"command": "STUB hook cursor", "matcher": "^MCP", "timeout": 30}]
        },
    }


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
def test_it_keeps_what_is_small_or_of_no_mcp_tool(ask: Ask, store: Store, event: Any) -> None:
    assert ask("cursor", event) is None
    assert not store.artifacts()


def test_where_nothing_is_replaced_it_is_answered_with_an_empty_object(store: Store) -> None:
    """An answer that is no JSON blocks the tool: https://cursor.com/docs/agent/hooks."""
    for event in (sent(cursor(SMALL)), b"{", b""):
        assert forked(store, event, "hook", "cursor").out == b"{}\n"
