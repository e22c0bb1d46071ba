"""Copilot CLI: the answer to its hook, from the file that it saved."""

import json
from pathlib import Path
from typing import Any

from tests.agents.home import Home
from tests.agents.samples import SEQ, SMALL, Ask, Sample, spill_file
from tests.conftest import Store
from tests.helpers import assert_kept


def copilot(text: str, **more: object) -> dict[str, Any]:
    return {
        "sessionId": "s",
        "timestamp": 1796022709300,
        "cwd": "/",
        "toolName": "bash",
        "toolArgs": {"command": "seq 1 20000"},
        "toolResult": {"resultType": "success", "textResultForLlm": text},
        **more,
    }


def copilot_saved(path: Path, end: str = "completed with exit code 3") -> dict[str, Any]:
    return copilot(
        f"Output too large to read at once (106.4 KB). Saved to: {path}\n"
        f"Consider using tools like grep.\n\nPreview (first 500 chars):\n1\n2\n\n<shellId: 0 {end}>"
    )


SAMPLE = Sample(".copilot/hooks/stub.json", copilot, "bash", "toolArgs")


def test_its_settings_get_the_hook_in_the_shape_that_it_reads(home: Home) -> None:
    home.done("copilot")
    text = home.settings("copilot").read_text().replace(str(home.stub), "STUB")
    assert json.loads(text) == {
        "version": 1,
        "hooks": {
            "postToolUse": [
                {
                    "type": "command",
                    "matcher": "bash",
                    "bash": "STUB hook copilot",
                    "timeoutSec": 30,
                }
            ]
        },
    }


def test_copilot_home_moves_its_files(home: Home) -> None:
    home.done("copilot", COPILOT_HOME=str(home.path / "moved"))
    assert list(home.files()) == ["moved/hooks/stub.json"]


def test_copilot_is_given_the_whole_of_the_file_that_it_saved(
    ask: Ask, store: Store, tmp_path: Path
) -> None:
    path = spill_file(tmp_path, SEQ, "1-copilot-tool-output-2.txt")
    answer = ask("copilot", copilot_saved(path))
    stub = answer["modifiedResult"].pop("textResultForLlm")
    assert answer == {"modifiedResult": {"resultType": "success"}}
    assert_kept(store, stub.encode(), SEQ.encode())
    assert "exit: 3" in stub


def test_copilot_gets_a_stub_of_a_long_text_that_it_did_not_save(ask: Ask, store: Store) -> None:
    answer = ask("copilot", copilot(SEQ))["modifiedResult"]
    assert_kept(store, answer["textResultForLlm"].encode(), SEQ.encode())


def test_copilot_keeps_an_output_that_still_grows(ask: Ask, store: Store, tmp_path: Path) -> None:
    path = spill_file(tmp_path, SEQ)
    assert ask("copilot", copilot_saved(path, "still running")) is None
    assert ask("copilot", copilot_saved(tmp_path / "gone")) is None
    assert ask("copilot", copilot(f"{SMALL} Saved to: {path}\n")) is None
    assert ask("copilot", copilot(SMALL)) is None
    assert ask("copilot", {"toolResult": SEQ}) is None
    assert not store.artifacts()
