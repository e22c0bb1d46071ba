"""Codex: the answer to its hook, and how its text becomes bytes again."""

import json
from typing import Any

import pytest

from tests.agents.home import Home
from tests.agents.samples import CALL, SEQ, SMALL, Ask, Sample, only_record
from tests.conftest import Store
from tests.helpers import assert_kept


def codex(response: object, **more: object) -> dict[str, Any]:
    return {
        "session_id": "s",
        "turn_id": "t",
        "cwd": "/",
        "hook_event_name": "PostToolUse",
        "model": "m",
        "permission_mode": "default",
        "tool_name": "Bash",
        "tool_input": {"command": "seq 1 20000"},
        "tool_response": response,
        "tool_use_id": CALL,
        **more,
    }


SAMPLE = Sample(".codex/hooks.json", codex, "Bash", "tool_input")


def test_its_settings_get_the_hook_in_the_shape_that_it_reads(home: Home) -> None:
    home.done("codex")
    text = home.settings("codex").read_text().replace(str(home.stub), "STUB")
    assert json.loads(text) == {
        "hooks": {
            "PostToolUse": [
                {
                    "matcher": "Bash",
                    "hooks": [{"type": "command", "command": "STUB hook codex", "timeout": 30}],
                }
            ]
        }
    }


def test_codex_home_moves_its_files(home: Home) -> None:
    home.done("codex", CODEX_HOME=str(home.path / "moved"))
    assert list(home.files()) == ["moved/hooks.json"]


def test_codex_is_answered_with_two_keys_and_no_other(ask: Ask, store: Store) -> None:
    answer = ask("codex", codex(SEQ))
    assert list(answer) == ["decision", "reason"]
    assert answer["decision"] == "block"
    assert_kept(store, answer["reason"].encode(), SEQ.encode())
    assert "Codex tells a hook no exit status" in answer["reason"]
    assert only_record(store).run.origin.exit_status is None


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


@pytest.mark.parametrize("text", ["\x00\x1b[31m\u202e" * 9000, "é漢😀\r\n" * 9000, "\ufeff" + SEQ])
def test_bytes_are_kept_as_the_text_says_them(ask: Ask, store: Store, text: str) -> None:
    assert ask("codex", codex(text))
    assert store.artifacts()[0].read_bytes() == text.encode()


def test_half_a_pair_of_surrogates_is_kept_apart_from_bytes(ask: Ask, store: Store) -> None:
    """A host that cuts its text by UTF-16 units leaves such halves, U+DC80 among them."""
    text = "\udc80" + SEQ + "\ud83d"
    assert ask("codex", codex(text))
    assert store.artifacts()[0].read_bytes() == text.encode("utf-8", "surrogatepass")
