"""The tools and the artifacts as a Model Context Protocol server: one JSON-RPC message a line.

By hand and not with the official SDK: seven methods of plain JSON need none of its dependencies.
Messages in, messages out; knows no descriptor. Written against the revisions named below
(https://modelcontextprotocol.io/specification); a client that first asks for a later one by
server/discover is answered "method not found", upon which it begins with initialize.
"""

import json
from collections.abc import Callable
from typing import Any

from stubcli import __version__
from stubcli.agents.tools import calls
from stubcli.agents.tools.stub_list import list_records
from stubcli.agents.tools.tool import describe_error
from stubcli.debug import swallowed
from stubcli.errors import StubError
from stubcli.settings.table import Settings
from stubcli.text.display import amount

PROTOCOLS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
LONGEST = 4 << 20
SCHEME = "stub://artifact/"
PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS = -32700, -32600, -32601, -32602
INTERNAL, NO_RESOURCE = -32603, -32002
_INSTRUCTIONS = (
    "Outputs that are too large to show are kept whole as artifacts; a text that begins with "
    "[stub artifact:...] takes their place. Read, search and query them with these tools "
    "instead of running a command again."
)
_READ_ONLY = {"readOnlyHint": True, "idempotentHint": True, "openWorldHint": False}
Message = dict[str, Any]


class ProtocolError(Exception):
    """An answer that is an error of the protocol."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class McpServer:
    """Answers messages. settings: read again for each, so that a change of the file counts."""

    def __init__(self, settings: Callable[[], Settings], log: Callable[[str], None]) -> None:
        self._settings = settings
        self._log = log
        self._methods: dict[str, Callable[[Message], Message]] = {
            "initialize": _initialize,
            "ping": lambda _: {},
            "tools/list": lambda _: {"tools": _describe_tools()},
            "tools/call": self._call_tool,
            "resources/list": self._list_resources,
            "resources/templates/list": lambda _: {"resourceTemplates": _describe_templates()},
            "resources/read": self._read_resource,
        }

    def answer(self, line: bytes) -> str | None:
        """The answer to one line, without its end; None for what is not to be answered."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return _encode(_format_failure(None, PARSE_ERROR, "not valid JSON"))
        if not isinstance(message, list):
            reply = self._answer_message(message)
            return None if reply is None else _encode(reply)
        # A batch; only revision 2025-03-26 has them.
        if not message:
            return _encode(_format_failure(None, INVALID_REQUEST, "an empty batch"))
        replies = [reply for each in message if (reply := self._answer_message(each)) is not None]
        return _encode(replies) if replies else None

    def _answer_message(self, message: Any) -> Message | None:
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return _format_failure(None, INVALID_REQUEST, "not a JSON-RPC 2.0 message")
        method, number = message.get("method"), message.get("id")
        if method is None and ("result" in message or "error" in message):
            return None  # an answer, though no request was sent
        if "id" in message and (isinstance(number, bool) or not isinstance(number, int | str)):
            return _format_failure(
                None, INVALID_REQUEST, "the id is neither a string nor an integer"
            )
        if not isinstance(method, str):
            return _format_failure(number, INVALID_REQUEST, "the method is missing")
        if "id" not in message:
            return None  # a notification
        try:
            params = message.get("params")
            if params is None:
                params = {}  # some clients write null where they have none
            if method not in self._methods:
                raise ProtocolError(NO_METHOD, "Method not found")
            if not isinstance(params, dict):
                raise ProtocolError(INVALID_PARAMS, "params is not an object")
            return {"jsonrpc": "2.0", "id": number, "result": self._methods[method](params)}
        except ProtocolError as error:
            return _format_failure(number, error.code, str(error))
        except StubError as error:
            return _format_failure(number, INTERNAL, describe_error(error))
        except Exception as error:
            swallowed("stub mcp", error)
            self._log(f"a bug in stub mcp: {type(error).__name__}: {error}")
            return _format_failure(number, INTERNAL, f"a bug in stub: {type(error).__name__}")

    def _call_tool(self, params: Message) -> Message:
        name = params.get("name")
        if not isinstance(name, str) or name not in calls.TOOLS:
            raise ProtocolError(INVALID_PARAMS, f"Unknown tool: {str(name)[:200]}")
        arguments = params.get("arguments")
        answer = calls.call_tool(name, {} if arguments is None else arguments, self._settings())
        # No structuredContent: clients show it to the model in the place of the text.
        return {"content": [{"type": "text", "text": answer.text}], "isError": answer.is_error}

    def _list_resources(self, params: Message) -> Message:
        cursor = params.get("cursor", "0")
        if not isinstance(cursor, str) or not cursor.isdecimal() or len(cursor) > 15:
            raise ProtocolError(INVALID_PARAMS, "unknown cursor")
        records, following = list_records(self._settings(), int(cursor))
        found = [
            {
                "uri": SCHEME + record.sha256[:16],
                "name": record.reference.file,
                "description": str(record.reference),
                "mimeType": "text/plain",
                "size": record.size,
            }
            for record in records
        ]
        more = {"nextCursor": str(following)} if following else {}
        return {"resources": found, **more}

    def _read_resource(self, params: Message) -> Message:
        uri = params.get("uri")
        if not isinstance(uri, str) or not uri.startswith(SCHEME):
            raise ProtocolError(NO_RESOURCE, "Resource not found")
        ref, _, offset = uri.removeprefix(SCHEME).partition("?offset=")
        arguments: Message = {"ref": ref}
        if offset.isdecimal() and len(offset) <= 15:
            arguments["offset"] = int(offset)
        answer = calls.call_tool("stub_read", arguments, self._settings())
        if answer.is_error:
            raise ProtocolError(NO_RESOURCE, answer.text)
        return {"contents": [{"uri": uri, "mimeType": "text/plain", "text": answer.text}]}


def _initialize(params: Message) -> Message:
    requested = params.get("protocolVersion")
    return {
        "protocolVersion": requested if requested in PROTOCOLS else PROTOCOLS[-1],
        "capabilities": {"tools": {}, "resources": {}},
        "serverInfo": {"name": "stub", "version": __version__},
        "instructions": _INSTRUCTIONS,
    }


def _describe_tools() -> list[Message]:
    return [
        {
            "name": tool.name,
            "description": tool.description,
            "inputSchema": tool.schema,
            "annotations": _READ_ONLY,
        }
        for tool in calls.TOOLS.values()
    ]


def _describe_templates() -> list[Message]:
    return [
        {
            "uriTemplate": SCHEME + "{ref}{?offset}",
            "name": "artifact",
            "description": "A page of a stored output, by the digits that a stub shows; "
            "offset counts characters.",
            "mimeType": "text/plain",
        }
    ]


def _format_failure(number: Any, code: int, message: str) -> Message:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}}


def refuse_long_line() -> str:
    """The answer to a line beyond LONGEST, which nobody has read."""
    return _encode(
        _format_failure(None, INVALID_REQUEST, f"a message beyond {amount(LONGEST, 'byte')}")
    )


def _encode(message: Any) -> str:
    return json.dumps(message)
