"""`stub mcp`: JSON-RPC by the line, and the official client at the other end."""

import asyncio
import json
import os
import sys
from collections.abc import Callable
from typing import Any

import pytest

from stubcli.agents.mcp_server import LONGEST, PROTOCOLS, McpServer
from stubcli.settings.load import load
from tests.conftest import Store
from tests.helpers import LARGE, forked, keep, session_of, sha256

Ask = Callable[[Any], Any]


@pytest.fixture
def logged() -> list[str]:
    return []


@pytest.fixture
def ask(store: Store, logged: list[str]) -> Ask:
    with session_of(store) as session:
        keep(session, LARGE)
    server = McpServer(lambda: load({"home": str(store.home), "session": "test"}), logged.append)

    def answer(message: Any) -> Any:
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        found = server.answer(line)
        assert found is None or "\n" not in found
        return None if found is None else json.loads(found)

    return answer


def request(method: str, number: Any = 1, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def result(ask: Ask, method: str, **params: Any) -> Any:
    answer = ask(request(method, 7, **params))
    assert (answer["jsonrpc"], answer["id"]) == ("2.0", 7)
    return answer["result"]


@pytest.mark.parametrize("version", PROTOCOLS)
def test_a_known_protocol_is_agreed_to(ask: Ask, version: str) -> None:
    answer = result(ask, "initialize", protocolVersion=version, capabilities={})
    assert answer["protocolVersion"] == version
    assert answer["capabilities"] == {"tools": {}, "resources": {}}
    assert answer["serverInfo"]["name"] == "stub"


@pytest.mark.parametrize("version", ["2026-07-28", "", None, 5])
def test_another_protocol_is_answered_with_the_newest_that_is_known(ask: Ask, version: Any) -> None:
    assert result(ask, "initialize", protocolVersion=version)["protocolVersion"] == "2025-11-25"


def test_the_probe_of_later_clients_is_no_method(ask: Ask) -> None:
    answer = ask(request("server/discover", "probe"))
    assert answer == {
        "jsonrpc": "2.0",
        "id": "probe",
        "error": {"code": -32601, "message": "Method not found"},
    }


def test_ping_is_an_empty_object(ask: Ask) -> None:
    assert result(ask, "ping") == {}
    assert ask({"jsonrpc": "2.0", "id": "x", "method": "ping"})["result"] == {}


def test_tools_are_listed_and_called(ask: Ask) -> None:
    tools = result(ask, "tools/list")["tools"]
    assert [tool["name"] for tool in tools] == [
        "stub_read", "stub_search", "stub_query", "stub_list",
    ]  # fmt: skip
    assert all(tool["inputSchema"]["additionalProperties"] is False for tool in tools)
    assert all(tool["annotations"]["readOnlyHint"] for tool in tools)
    answer = result(ask, "tools/call", name="stub_read", arguments={"ref": "1", "limit": 4})
    (block,) = answer["content"]
    assert block["type"] == "text"
    assert block["text"].endswith("]\n1\n2\n")
    assert list(answer) == ["content", "isError"]
    assert answer["isError"] is False


def test_null_stands_for_nothing(ask: Ask) -> None:
    assert ask({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": None})["result"] == {}
    assert result(ask, "tools/call", name="stub_list", arguments=None)["isError"] is False


def test_a_mistake_in_arguments_is_a_result(ask: Ask) -> None:
    answer = result(ask, "tools/call", name="stub_read", arguments={"ref": "99"})
    assert answer["isError"] is True
    assert result(ask, "tools/call", name="stub_list")["isError"] is False


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("tools/call", {"name": "stub_rm"}, -32602),
        ("tools/call", {"name": ["stub_read"]}, -32602),
        ("tools/call", {}, -32602),
        ("resources/list", {"cursor": "x"}, -32602),
        ("resources/list", {"cursor": 1}, -32602),
        ("resources/read", {"uri": "file:///etc/passwd"}, -32002),
        ("resources/read", {"uri": "stub://artifact/../../x"}, -32002),
        ("resources/read", {"uri": "stub://artifact/ffffffffffff"}, -32002),
        ("resources/read", {}, -32002),
        ("prompts/list", {}, -32601),
    ],
)
def test_what_cannot_be_done_is_a_protocol_error(
    ask: Ask, method: str, params: dict[str, Any], code: int
) -> None:
    answer = ask(request(method, **params))
    assert answer["error"]["code"] == code
    assert "result" not in answer


def test_resources_are_listed_and_read_by_page(ask: Ask) -> None:
    (resource,) = result(ask, "resources/list")["resources"]
    assert resource["uri"] == f"stub://artifact/{sha256(LARGE)[:16]}"
    assert resource["size"] == len(LARGE)
    (template,) = result(ask, "resources/templates/list")["resourceTemplates"]
    assert template["uriTemplate"] == "stub://artifact/{ref}{?offset}"
    (page,) = result(ask, "resources/read", uri=resource["uri"])["contents"]
    assert page["uri"] == resource["uri"]
    assert "lines 1-" in page["text"]
    uri = resource["uri"] + "?offset=288890"
    (page,) = result(ask, "resources/read", uri=uri)["contents"]
    assert page["text"].endswith("]\n000\n")


def test_many_resources_come_by_page(ask: Ask, store: Store) -> None:
    with session_of(store) as session:
        for number in range(101):
            keep(session, b"%d\n" % number)
    first = result(ask, "resources/list")
    assert len(first["resources"]) == 100
    rest = result(ask, "resources/list", cursor=first["nextCursor"])
    assert len(rest["resources"]) == 2
    assert "nextCursor" not in rest


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
        {"jsonrpc": "2.0", "method": "tools/call", "params": 5},
        {"jsonrpc": "2.0", "method": "no/such"},
        {"jsonrpc": "2.0", "id": 3, "result": {}},
        {"jsonrpc": "2.0", "id": 3, "error": {"code": 1, "message": "x"}},
        [{"jsonrpc": "2.0", "method": "a"}, {"jsonrpc": "2.0", "method": "b"}],
    ],
)
def test_notifications_and_answers_are_never_answered(ask: Ask, message: Any) -> None:
    assert ask(message) is None


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{", -32700),
        (b"\xff", -32700),
        (b"[" * 100_000, -32700),
        (b"5", -32600),
        (b"[]", -32600),
        (b"{}", -32600),
        (b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": 5}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}', -32602),
    ],
)
def test_what_is_no_message_is_an_error_of_its_kind(ask: Ask, line: bytes, code: int) -> None:
    assert ask(line)["error"]["code"] == code


def test_a_batch_is_answered_as_one(ask: Ask) -> None:
    answers = ask([request("ping", 1), {"jsonrpc": "2.0", "method": "n"}, request("none", 2)])
    assert [answer["id"] for answer in answers] == [1, 2]
    assert "error" in answers[1]


def test_a_bug_is_logged_and_the_server_lives_on(
    ask: Ask, logged: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from stubcli.agents.tools import calls

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(calls, "call_tool", fail)
    answer = ask(request("tools/call", name="stub_list"))
    assert answer["error"]["code"] == -32603
    assert logged == ["a bug in stub mcp: ZeroDivisionError: "]
    assert result(ask, "ping") == {}


def test_a_conversation_as_a_process(store: Store) -> None:
    lines = [
        json.dumps(request("initialize", 1, protocolVersion="2025-06-18")).encode(),
        b'{"jsonrpc": "2.0", "method": "notifications/initialized"}',
        b"",
        b"not json",
        b"x" * (LONGEST + 100_000),
        json.dumps(request("ping", 2)).encode() + b"\r",
        json.dumps(request("ping", 3)).encode(),
    ]
    ran = forked(store, b"\n".join(lines), "mcp")
    assert (ran.status, ran.err) == (0, b"")
    answers = [json.loads(line) for line in ran.out.splitlines()]
    assert [answer["id"] for answer in answers] == [1, None, None, 2, 3]
    assert [answer["error"]["code"] for answer in answers[1:3]] == [-32700, -32600]


def test_a_store_that_cannot_be_used_is_a_result(store: Store) -> None:
    line = json.dumps(request("tools/call", name="stub_list")).encode()
    ran = forked(store, line + b"\n", "mcp", STUB_HOME="relative")
    (answer,) = map(json.loads, ran.out.splitlines())
    assert answer["result"]["isError"] is True


def test_a_broken_configuration_is_an_error_and_the_server_lives_on(store: Store) -> None:
    lines = [request("tools/call", 1, name="stub_list"), request("ping", 2)]
    data = "".join(json.dumps(line) + "\n" for line in lines).encode()
    ran = forked(store, data, "mcp", STUB_CONFIG="/no/such.yaml")
    first, second = map(json.loads, ran.out.splitlines())
    assert first["error"]["code"] == -32603
    assert second["result"] == {}


def test_the_official_client_lists_reads_and_searches(store: Store) -> None:
    """The SDK first asks for server/discover and falls back to initialize."""
    sdk = pytest.importorskip("mcp", reason="the official SDK is not installed: pip install mcp")
    store.stub("--tool", "seq", stdin=LARGE)
    server = sdk.StdioServerParameters(
        command=sys.executable,
        args=["-m", "stubcli", "mcp"],
        env={**store.environment(), "PYTHONPATH": os.environ["PYTHONPATH"]},
    )

    async def talk() -> None:
        async with sdk.Client(sdk.stdio_client(server)) as client:
            tools = await client.list_tools()
            assert len(tools.tools) == 4
            answer = await client.call_tool("stub_search", {"pattern": "^4242$"})
            assert not answer.is_error
            assert "1 matches" in answer.content[0].text
            wrong = await client.call_tool("stub_read", {"ref": "99"})
            assert wrong.is_error
            resources = await client.list_resources()
            page = await client.read_resource(resources.resources[0].uri)
            assert "lines 1-" in page.contents[0].text

    asyncio.run(talk())
