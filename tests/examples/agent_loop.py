"""A whole agent loop with `stubcli` in it, against a stand-in for the model.

Runs as it is: `python tests/examples/agent_loop.py`. A real loop differs in `Model` alone: any
client of Chat Completions has the same two ways to answer, whole or in pieces.
"""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from typing import Any

import stubcli

Message = dict[str, Any]
ASKED = "How many lines does the log have, and what is wrong in it?"


class Model:
    """Calls the shell once, reads back what the stub left out, and answers."""

    def __init__(self) -> None:
        self.seen: list[list[Message]] = []

    async def stream(self, messages: list[Message]) -> AsyncIterator[Message]:
        self.seen.append([*messages])
        results = [message["content"] for message in messages if message["role"] == "tool"]
        if not results:
            script = "print(*(f'line {n} is fine' for n in range(4000)), sep='\\n')"
            yield _call("call_0", "shell", {"argv": [sys.executable, "-c", script]})
        elif len(results) == 1:
            ref = results[0].split("]")[0].removeprefix("[stub ")
            yield _call("call_1", "stub_read", {"ref": ref, "offset": 36_000, "limit": 200})
        else:
            for word in ("4,000 lines; ", "the page says: ", results[1].splitlines()[1]):
                yield {"role": "assistant", "content": word}

    async def answer(self, messages: list[Message]) -> Message:
        return _joined([piece async for piece in self.stream(messages)])


def _call(call_id: str, name: str, arguments: Message) -> Message:
    function = {"name": name, "arguments": json.dumps(arguments)}
    called = {"id": call_id, "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [called]}


def _joined(pieces: list[Message]) -> Message:
    return {**pieces[0], "content": "".join(piece["content"] or "" for piece in pieces)}


def run_tool(store: stubcli.Store, name: str, arguments: Message) -> str:
    """Run one tool; its whole output."""
    if name == "stub_read":
        page = store.page(arguments["ref"], arguments["offset"], arguments["limit"])
        return page.data.decode("utf-8", "replace")
    done = subprocess.run(arguments["argv"], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


async def converse(model: Model, *, streaming: bool, session: str, home: str | None = None) -> str:
    """Ask, and run tools until the model has an answer."""
    store = stubcli.Store(home=home, session=session)
    messages: list[Message] = [{"role": "user", "content": ASKED}]
    while True:
        # Large results become stubs and old ones a reference, before the model is asked. Both
        # wait for the disk, so in a thread; `messages` itself keeps every word.
        shown, _ = await asyncio.to_thread(
            stubcli.offload_messages, messages, home=home, session=session
        )
        shown, _ = await asyncio.to_thread(
            stubcli.compact_messages, shown, home=home, session=session
        )
        if streaming:
            answer = _joined([piece async for piece in model.stream(shown)])
        else:
            answer = await model.answer(shown)
        messages.append(answer)
        if not answer.get("tool_calls"):
            return str(answer["content"])
        for call in answer["tool_calls"]:
            function = call["function"]
            arguments = json.loads(function["arguments"])
            output = await asyncio.to_thread(run_tool, store, function["name"], arguments)
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": output})


if __name__ == "__main__":
    for way in (False, True):
        print(asyncio.run(converse(Model(), streaming=way, session="example")))
