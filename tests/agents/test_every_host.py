"""What holds for the hook of every agent, of one that is added tomorrow too."""

from pathlib import Path
from typing import Any

import pytest

from stubcli.agents.host import load_host
from tests.agents.samples import SEQ, Ask, event_of, hosts_with_hook, only_record, sample_of
from tests.conftest import Store

HOSTS = hosts_with_hook()
ODD: list[Any] = [None, {"odd": []}]
WITH_COMMAND = [host for host in HOSTS if sample_of(host).arguments]


def event_with(host: str, arguments: Any) -> dict[str, Any]:
    return event_of(host, SEQ) | {sample_of(host).arguments: arguments}


@pytest.mark.parametrize("host", HOSTS)
def test_a_large_output_is_stored_under_the_name_of_its_tool(
    ask: Ask, store: Store, host: str
) -> None:
    assert ask(host, event_of(host, SEQ))
    (path,) = store.artifacts()
    assert path.read_bytes() == SEQ.encode()
    assert only_record(store).run.origin.tool == sample_of(host).tool


@pytest.mark.parametrize("host", HOSTS)
def test_what_is_stubbed_already_is_left_alone(
    ask: Ask, store: Store, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """https://github.com/yvgude/lean-ctx/issues/604: wrapped again, it is lost."""
    ask(host, event_of(host, SEQ * 3))
    stub = only_record(store).run.stub
    monkeypatch.setenv("STUB_THRESHOLD", "900")
    assert len(stub) > 900
    assert ask(host, event_of(host, stub)) is None
    assert len(store.artifacts()) == 1


@pytest.mark.parametrize("host", HOSTS)
def test_unknown_fields_and_unknown_types_harm_nothing(ask: Ask, store: Store, host: str) -> None:
    odd = {"new_field": {"deep": [1]}, "tool_use_id": {"a": 1}}
    for arguments in ("text", 5, None, {"command": ["seq"]}):
        assert ask(host, event_with(host, arguments) | odd)
    assert len(store.artifacts()) == 1


@pytest.mark.parametrize("host", HOSTS)
def test_an_event_without_its_fields_is_left_alone(ask: Ask, store: Store, host: str) -> None:
    event = event_of(host, SEQ)
    assert ask(host, {}) is None
    for name in event:
        for value in ODD:
            ask(host, event | {name: value})
        ask(host, {key: value for key, value in event.items() if key != name})
    assert {path.read_bytes() for path in store.artifacts()} <= {SEQ.encode()}


@pytest.mark.parametrize("host", WITH_COMMAND)
def test_a_command_of_5_mb_is_no_obstacle(ask: Ask, store: Store, host: str) -> None:
    command = "echo '" + "x" * 5_000_000 + "'"
    assert ask(host, event_with(host, {"command": command}))
    assert only_record(store).run.origin.argv == ()


@pytest.mark.parametrize("host", WITH_COMMAND)
def test_the_command_is_recorded(ask: Ask, store: Store, host: str) -> None:
    assert ask(host, event_with(host, {"command": "make -j2"}))
    assert only_record(store).run.origin.argv == ("make -j2",)


@pytest.mark.parametrize("host", WITH_COMMAND)
def test_a_command_that_asks_for_its_output_whole_gets_it(
    ask: Ask, store: Store, host: str
) -> None:
    assert ask(host, event_with(host, {"command": "STUB_DISABLE=1 seq 1 20000"})) is None
    assert not store.artifacts()


@pytest.mark.parametrize("host", HOSTS)
def test_the_tools_policy_of_the_configuration_counts(
    ask: Ask, store: Store, host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "config.yaml"
    config.write_text(f"tools:\n  '{sample_of(host).tool}':\n    exempt: true\n")
    monkeypatch.setenv("STUB_CONFIG", str(config))
    assert ask(host, event_of(host, SEQ)) is None
    assert not store.artifacts()


@pytest.mark.parametrize("host", HOSTS)
def test_a_hook_is_installed_where_an_adapter_answers_it(host: str) -> None:
    declared = load_host(host)
    assert declared.event
    assert declared.hook_entry
    assert declared.answer
