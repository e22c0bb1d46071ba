"""A stand-in for the models of several vendors, on loopback: asks for one command, then ends.

Speaks as much of four APIs as the clients need: Gemini generateContent, OpenAI Responses, OpenAI
Chat Completions and Anthropic Messages.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

# 108 KB, and a last line on standard error, and a status. Some agents read the two streams apart
# and put them together as they come: without the pause the last line stood anywhere under load.
COMMAND = "bash -c 'seq 1 20000; sleep 1; echo REALTAIL >&2; exit 3'"
Event = dict[str, Any]
_USAGE = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    results: list[str]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Says nothing."""

    def do_GET(self) -> None:
        self._answer("application/json", b'{"data": [], "models": []}')

    def do_POST(self) -> None:
        try:
            body = json.loads(self._body())
        except ValueError:
            body = {}
        path = self.path.partition("?")[0]
        if "enerateContent" in path:
            self._stream(_gemini(body, self._note), named=False, single="stream" not in path)
        elif path.endswith("/responses"):
            self._stream(_responses(body, self._note), named=True)
        elif path.endswith("/chat/completions"):
            self._stream(_chat(body, self._note), named=False, end="data: [DONE]\n\n")
        elif path.endswith("/v1/messages"):
            self._stream(_messages(body, self._note), named=True)
        else:
            self._answer("application/json", b"{}")

    def _body(self) -> bytes:
        if self.headers.get("transfer-encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        data = b""
        while size := int(self.rfile.readline(), 16):
            data += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return data

    def _note(self, result: str) -> None:
        assert isinstance(self.server, _Server)
        self.server.results.append(result)

    def _stream(
        self, events: list[Event], *, named: bool, end: str = "", single: bool = False
    ) -> None:
        if single:
            self._answer("application/json", json.dumps(events[0]).encode())
            return
        lines = [
            (f"event: {event['type']}\n" if named else "") + f"data: {json.dumps(event)}\n\n"
            for event in events
        ]
        self._answer("text/event-stream", ("".join(lines) + end).encode())

    def _answer(self, kind: str, data: bytes) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _gemini(body: Event, note: Any) -> list[Event]:
    parts = [part for content in body.get("contents", []) for part in content.get("parts", [])]
    answers = [part["functionResponse"]["response"] for part in parts if "functionResponse" in part]
    part: Event = {"text": "done"}
    for answer in answers:
        note(str(answer.get("output", answer)))
    if not answers and "run_shell_command" in json.dumps(body.get("tools", [])):
        arguments = {"command": COMMAND, "description": "run it"}
        part = {"functionCall": {"name": "run_shell_command", "args": arguments}}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    return [{"candidates": [candidate], "usageMetadata": {"totalTokenCount": 2}}]


def _responses(body: Event, note: Any) -> list[Event]:
    items = [item for item in body.get("input", []) if isinstance(item, dict)]
    outputs = [item for item in items if item.get("type") == "function_call_output"]
    for output in outputs:
        note(str(output["output"]))
    names = [tool.get("name") for tool in body.get("tools", [])]
    item: Event = {
        "type": "message",
        "role": "assistant",
        "id": "m1",
        "content": [{"type": "output_text", "text": "done"}],
    }
    if not outputs and "exec_command" in names:
        arguments = json.dumps({"cmd": COMMAND, "yield_time_ms": 10000, "max_output_tokens": 50000})
        item = {
            "type": "function_call",
            "id": "f1",
            "call_id": "c1",
            "name": "exec_command",
            "arguments": arguments,
        }
    return [
        {"type": "response.created", "response": {"id": "r1"}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": {"id": "r1", "usage": _USAGE}},
    ]


def _chat(body: Event, note: Any) -> list[Event]:
    results = [each for each in body.get("messages", []) if each.get("role") == "tool"]
    for result in results:
        note(str(result["content"]))
    names = [tool["function"]["name"] for tool in body.get("tools", [])]
    delta: Event = {"role": "assistant", "content": "done"}
    if not results and "bash" in names:
        arguments = json.dumps({"command": COMMAND, "description": "run it"})
        function = {"name": "bash", "arguments": arguments}
        call = {"index": 0, "id": "c1", "type": "function", "function": function}
        delta = {"role": "assistant", "content": None, "tool_calls": [call]}
    reason = "tool_calls" if "tool_calls" in delta else "stop"
    chunk = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return [
        chunk | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
        chunk | {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]},
    ]


def _messages(body: Event, note: Any) -> list[Event]:
    blocks = [
        block
        for message in body.get("messages", [])
        if isinstance(message["content"], list)
        for block in message["content"]
        if block.get("type") == "tool_result"
    ]
    for block in blocks:
        note(str(block["content"]))
    names = [tool.get("name") for tool in body.get("tools", [])]
    start: Event = {"type": "text", "text": ""}
    delta: Event = {"type": "text_delta", "text": "done"}
    if not blocks and "Bash" in names:
        arguments = json.dumps({"command": COMMAND, "description": "run it"})
        start = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {}}
        delta = {"type": "input_json_delta", "partial_json": arguments}
    reason = "tool_use" if start["type"] == "tool_use" else "end_turn"
    message: Event = {
        "id": "m1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": _USAGE,
    }
    return [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": start},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": _USAGE},
        {"type": "message_stop"},
    ]


@contextmanager
def model() -> Iterator[tuple[str, list[str]]]:
    """The address of a model that runs meanwhile, and the results of commands as it gets them."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.results = []
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", server.results
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
