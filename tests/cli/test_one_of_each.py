"""One of a thing is never called by its plural, whatever says it."""

import json
import re
from pathlib import Path

import pytest

from tests.conftest import Store
from tests.helpers import Ran, forked

# A number that is not the end of a longer one, and the plural of a noun.
PLURAL = re.compile(
    r"(?<![\d,.:\-/+])1 (?:more |other |physical |distinct )?"
    r"(?!is\b|has\b|was\b|as\b|plus\b|this\b|its\b|stays\b|s\b|ms\b)[a-z]+s\b"
)
INPUTS = {
    "a line": b"needle" + b"x" * 21_000,
    "a line with its end": b"needle" + b"y" * 21_000 + b"\n",
    "a record of CSV": b"id,needle\n1," + b"z" * 21_000 + b"\n",
    "a key of JSON": json.dumps({"needle": "v" * 21_000}).encode(),
    "an item of JSON": json.dumps([{"needle": "w" * 21_000}]).encode(),
    "a line of JSON": json.dumps({"needle": "w" * 21_000}).encode() + b"\n",
    "a match": b"src/a.py:1:needle " + b"m" * 21_000 + b"\n",
    "an escape and a return": b"needle\x1b[31m\r" + b"u" * 21_000 + b"\n",
    "one byte that is no text": b"needle\xff" + b"u" * 21_000,
    "one line more than its ends": b"needle\n" + b"line that is shown\n" * 1400,
}
COMMANDS = (
    "ls", "ls --all-sessions", "ls --limit 1", "ls --failed", "find 1", "find none",
    "read last", "read last --all", "read last --lines 1", "read last --lines 9000",
    "read last --offset 0 --limit 1", "read last --unit bytes --offset 1 --limit 1",
    "search needle", "search needle last", "search -c needle", "search -l needle",
    "search -C 1 needle last", "search -m 1 e last", "search nothing",
    "show last", "view last 1", "diff last last", "export last -o FILE",
    "query last", "query last 'SELECT 1 AS one'", "query last 'SELECT * FROM artifact'",
    "stats", "check", "check --all-sessions", "config",
    "lease prepare last --transaction t", "lease ls", "lease commit t", "lease release t",
    "pin last", "unpin last",
    "gc", "gc --older-than 0", "gc --older-than 0 --keep-bytes 1",
    "gc --older-than 0 --apply --max-deletions 1",
    "ls", "stats", "check", "gc",
)  # fmt: skip
CALLS: dict[str, list[dict[str, object]]] = {
    "stub_read": [{"ref": "last"}, {"ref": "last", "first_line": 9000}],
    "stub_search": [{"pattern": "needle"}, {"pattern": "nothing"}],
    "stub_list": [{}],
    "stub_query": [{"ref": "last"}, {"ref": "last", "sql": "SELECT 1 AS one"}],
}


def plurals(done: Ran) -> list[str]:
    # What stands in the output itself is none of our words.
    text = (done.out + done.err).decode("utf-8", "replace")
    return [line for line in text.split("\n") if PLURAL.search(line)]


@pytest.mark.parametrize("kind", INPUTS)
def test_every_command_says_one_of_it(store: Store, tmp_path: Path, kind: str) -> None:
    stubbed = forked(store, INPUTS[kind], "--tool", "one")
    found = plurals(stubbed)
    for name, calls in CALLS.items():
        for call in calls:
            found += plurals(forked(store, json.dumps(call).encode(), "tools", "call", name))
    for command in COMMANDS:
        words = [word.strip("'") for word in re.findall(r"'[^']*'|\S+", command)]
        words = [str(tmp_path / "file") if word == "FILE" else word for word in words]
        found += plurals(forked(store, b"", *words))
        (tmp_path / "file").unlink(missing_ok=True)
    assert found == []


@pytest.mark.parametrize("verb", ["offload", "compact"])
def test_a_list_of_one_message_is_one(store: Store, verb: str) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    answer = {"role": "tool", "tool_call_id": "c", "content": "x" * 30_000}
    for messages in ([answer], [{"role": "assistant", "tool_calls": [call]}, answer]):
        done = forked(store, json.dumps(messages).encode(), "messages", verb, "--dry-run")
        assert plurals(done) == []
        done = forked(store, json.dumps(messages).encode(), "messages", verb)
        assert plurals(done) == []
