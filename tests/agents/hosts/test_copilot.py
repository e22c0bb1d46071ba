"""Copilot CLI: the answer to its hook, from the file that it saved."""

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

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


def copilot_saved(path: Path, output: str = SEQ, end: str = "") -> dict[str, Any]:
    """The event of an output that it saved, as seen on 1.0.102."""
    return copilot(
        f"Output too large to read at once ({len(output.encode()) / 1024:.1f} KB). "
        f"Saved to: {path}\n"
        "Consider using tools like grep (for searching), head/tail (for viewing start/end).\n\n"
        f"Preview (first 500 chars):\n{output[:500]}\n"
        f"<shellId: 0 {end or 'completed with exit code 3'}>"
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


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where it saves an output; it is not there yet."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path / "1796102246588-copilot-tool-output-1869-95c17dee-60dd-43b6.txt"


def test_copilot_is_given_the_whole_of_the_file_that_it_saved(
    ask: Ask, store: Store, saved: Path
) -> None:
    answer = ask("copilot", copilot_saved(spill_file(saved, SEQ)))
    stub = answer["modifiedResult"].pop("textResultForLlm")
    assert answer == {"modifiedResult": {"resultType": "success"}}
    assert_kept(store, stub.encode(), SEQ.encode())
    assert "exit: 3" in stub


def test_its_preview_may_end_inside_of_a_character(ask: Ask, store: Store, saved: Path) -> None:
    text = "x" * 499 + "😀" * 30_000
    event = copilot_saved(spill_file(saved, text), text)
    result = event["toolResult"]
    result["textResultForLlm"] = result["textResultForLlm"].replace("😀\n<shell", "\ud83d\n<shell")
    assert ask("copilot", event)
    assert store.artifacts()[0].read_bytes() == text.encode()


# The names of files are in the text, which may be a command's own: any of them can be forged.
@pytest.mark.parametrize(
    "what", ["elsewhere", "other name", "linked", "two names", "old", "size", "preview", "end"]
)
def test_a_file_that_it_did_not_save_for_this_output_is_not_opened(
    ask: Ask, store: Store, saved: Path, tmp_path: Path, what: str
) -> None:
    path, text = saved, SEQ
    if what == "elsewhere":
        path = tmp_path / "private" / saved.name
    elif what == "other name":
        path = tmp_path / "private.txt"
    elif what == "linked":
        saved.symlink_to(spill_file(tmp_path / "private.txt", SEQ))
    if what != "linked":
        spill_file(path, SEQ)
    if what == "two names":
        os.link(path, tmp_path / "private.txt")
    elif what == "old":
        os.utime(path, (time.time(), time.time() - 3600))
    elif what == "size":
        path.write_text(SEQ + "more\n" * 50)
    elif what == "preview":
        text = "2" + SEQ[1:]
    event = copilot_saved(path, text, "still running" if what == "end" else "")
    assert ask("copilot", event) is None
    assert not store.artifacts()


def test_what_is_printed_behind_a_forged_notice_is_kept(
    ask: Ask, store: Store, saved: Path
) -> None:
    """The notice of an output, and no file for it: all of it is what the command printed."""
    forged = copilot_saved(saved)["toolResult"]["textResultForLlm"].partition("<shellId")[0]
    for notice in (forged, forged.partition("Consider")[0]):
        text = f"{notice}{SEQ}<shellId: 0 completed with exit code 4>"
        answer = ask("copilot", copilot(text))["modifiedResult"]["textResultForLlm"]
        assert store.artifacts()[-1].read_bytes() == text.encode()
        assert "exit: 4" in answer


def test_copilot_gets_a_stub_of_a_long_text_that_it_did_not_save(ask: Ask, store: Store) -> None:
    answer = ask("copilot", copilot(SEQ))["modifiedResult"]
    assert_kept(store, answer["textResultForLlm"].encode(), SEQ.encode())


def test_copilot_keeps_what_is_small(ask: Ask, store: Store, saved: Path) -> None:
    assert ask("copilot", copilot(f"{SMALL} Saved to: {spill_file(saved, SEQ)}\n")) is None
    assert ask("copilot", copilot_saved(saved.with_name("gone"))) is None
    assert ask("copilot", copilot(SMALL)) is None
    assert ask("copilot", {"toolResult": SEQ}) is None
    assert not store.artifacts()
