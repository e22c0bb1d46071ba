"""`stub hook` as a process: whatever comes, it ends with 0 and says nothing that harms its host."""

import errno
import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from stubcli.agents.host import host_names, load_host
from stubcli.agents.offloader import LARGEST
from tests.agents.hosts.test_claude import claude, claude_bash
from tests.agents.hosts.test_codex import codex
from tests.agents.hosts.test_gemini import gemini
from tests.agents.samples import SEQ, event_of, hosts_with_hook, sent
from tests.conftest import Store
from tests.helpers import Ran, artifact_of, forked, is_root
from tests.test_startup import loaded, within

EVENT = sent(claude(claude_bash(SEQ)))


def hook(store: Store, data: bytes, *words: str, **environment: str) -> Ran:
    ran = forked(store, data, "hook", *words, environment=environment)
    assert ran.status == 0, ran
    return ran


def silence_of(host: str) -> bytes:
    """What a host gets where there is nothing to say; a host that is none gets nothing."""
    unchanged = load_host(host).unchanged if host in host_names() else None
    return b"" if unchanged is None else json.dumps(unchanged).encode() + b"\n"


def stub_of(ran: Ran) -> bytes:
    answer = json.loads(ran.out)
    text: str = answer["hookSpecificOutput"]["updatedToolOutput"]["stdout"]
    return text.encode()


def test_the_whole_way(store: Store) -> None:
    done = store.stub("hook", "claude", stdin=EVENT)
    stub = json.loads(done.out)["hookSpecificOutput"]["updatedToolOutput"]["stdout"].encode()
    assert artifact_of(store, stub).read_bytes() == SEQ.encode()
    assert store.stub("show", "last").out == stub
    assert done.err == b""


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"text"',
        b"\xff\xfe",
        b"{}{}",
        b"[" * 100_000,
        b'{"hook_event_name": "PostToolUse"}',
        b'{"cwd": "\\u0000"}',
        EVENT[:-1],
    ],
)
@pytest.mark.parametrize("host", [*host_names(), "who", "-x"])
def test_what_is_no_event_is_answered_with_nothing(store: Store, host: str, data: bytes) -> None:
    ran = hook(store, data, host)
    assert ran.out == silence_of(host)
    assert not store.artifacts()


def test_more_words_and_unknown_options_are_passed_over(store: Store) -> None:
    assert hook(store, EVENT, "claude", "post", "--new=1", "-z").out


def test_a_host_that_is_none_is_answered_with_nothing(store: Store) -> None:
    assert hook(store, EVENT) == Ran(0, b"", b"")
    assert hook(store, EVENT, "who") == Ran(0, b"", b"")


def test_bytes_that_are_no_utf_8_come_through(store: Store) -> None:
    data = sent(codex(SEQ + "X")).replace(b"X", b"\xff\x80\xc3")
    answer = json.loads(hook(store, data, "codex").out)
    kept = artifact_of(store, answer["reason"].encode()).read_bytes()
    assert kept == SEQ.encode() + b"\xff\x80\xc3"


def test_an_event_beyond_the_bound_is_read_to_its_end_and_left_alone(store: Store) -> None:
    data = sent(claude(claude_bash("x" * (LARGEST + 1))))
    assert hook(store, data, "claude") == Ran(0, b"", b"")


def test_the_session_is_that_of_the_hosts_directory(store: Store, tmp_path: Path) -> None:
    project = tmp_path / "some project"
    (project / ".git").mkdir(parents=True)
    (project / "deep").mkdir()
    event = sent(claude(claude_bash(SEQ), cwd=str(project / "deep")))
    stub = stub_of(hook(store, event, "claude", STUB_SESSION=""))
    assert stub.startswith(b"[stub artifact:some-project-")


def test_a_directory_that_is_gone_is_no_obstacle(store: Store) -> None:
    assert hook(store, sent(claude(claude_bash(SEQ), cwd="/no/such")), "claude").out


def test_the_format_of_a_stub_is_text_whatever_the_configuration(store: Store) -> None:
    assert stub_of(hook(store, EVENT, "claude", STUB_FORMAT="json")).startswith(b"[stub ")


def test_a_disabled_stub_answers_nothing(store: Store) -> None:
    assert hook(store, EVENT, "claude", STUB_DISABLE="1") == Ran(0, b"", b"")


@pytest.mark.parametrize(
    "environment",
    [
        {"STUB_HOME": "/proc/nowhere"},
        {"STUB_HOME": "relative"},
        {"STUB_SESSION": "../up"},
        {"STUB_CONFIG": "/no/such/config.yaml"},
        {"STUB_THRESHOLD": "many"},
    ],
)
@pytest.mark.parametrize("host", hosts_with_hook())
def test_a_store_that_cannot_be_used_is_said_and_the_output_stays(
    store: Store, host: str, environment: dict[str, str]
) -> None:
    ran = hook(store, sent(event_of(host, SEQ)), host, **environment)
    assert ran.out == silence_of(host)
    (line,) = ran.lines
    assert line.startswith("stub: not stored: ")
    assert line.endswith("; the output stays as it was")


def test_a_full_disk_leaves_no_trace(store: Store) -> None:
    def no_space() -> None:
        real = os.fsync

        def full(descriptor: int) -> None:
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            real(descriptor)

        os.fsync = full  # type: ignore[assignment]

    ran = forked(store, EVENT, "hook", "claude", prepare=no_space)
    assert (ran.status, ran.out) == (0, b"")
    assert ran.lines == ["stub: not stored: No space left on device; the output stays as it was"]
    assert not store.artifacts()
    assert not list((store.folder / ".incoming").iterdir())


def test_a_bug_is_one_line_and_the_output_stays(store: Store) -> None:
    def broken() -> None:
        import stubcli.agents.offloader as offloader

        def fail(*_: object) -> Any:
            raise ZeroDivisionError

        vars(offloader)["load"] = fail

    ran = forked(store, EVENT, "hook", "claude", prepare=broken)
    assert (ran.status, ran.out) == (0, b"")
    assert ran.lines == [
        "stub: not stored: ZeroDivisionError, which is a bug in stub; the output stays as it was"
    ]


@pytest.mark.skipif(is_root, reason="root may write everywhere")
def test_a_read_only_home_is_said(store: Store) -> None:
    store.home.mkdir(mode=0o500)
    assert hook(store, EVENT, "claude").out == b""


def test_gemini_shows_exactly_the_stub_that_was_made(store: Store) -> None:
    ran = hook(store, sent(gemini(SEQ, "\nExit Code: 3")), "gemini")
    tail = json.loads(ran.out)["hookSpecificOutput"]["tailToolCallRequest"]
    words = tail["args"]["command"].split()
    shown = store.stub(*words[1:]).out
    assert b"exit: 3" in shown
    assert artifact_of(store, shown).read_bytes() == SEQ.encode()


# Each is for another command, another agent, or for the output that is large.
FOR_OTHERS = frozenset(
    (
        *("typer", "rich", "pydantic", "yaml", "platformdirs", "duckdb", "importlib.metadata"),
        *("stubcli.cli.app", "stubcli.cli.output", "stubcli.cli.default", "stubcli.api"),
        *("stubcli.messages", "stubcli.retrieve"),
        *("stubcli.agents.install", "stubcli.agents.merge", "stubcli.agents.jsonedit"),
        *("stubcli.agents.user_files", "stubcli.agents.instructions"),
        *("stubcli.agents.tools", "stubcli.agents.mcp_server", "pkgutil"),
    )
)
FOR_LARGE = frozenset(
    (
        *("typing", "dataclasses", "hashlib", "threading", "subprocess", "shutil", "tempfile"),
        *("pathlib", "re2", "regex", "stubcli.store", "stubcli.detect", "stubcli.render"),
        *(f"stubcli.spill.{name}" for name in ("keep", "offload", "page", "show", "stream")),
        "stubcli.reference",
    )
)


def other_hosts(host: str) -> frozenset[str]:
    return frozenset(f"stubcli.agents.hosts.{name}" for name in host_names() if name != host)


@pytest.mark.parametrize("host", hosts_with_hook())
def test_a_small_output_loads_the_file_of_its_host_and_little_else(
    tmp_path: Path, host: str
) -> None:
    """A host calls its hook for every output, and most are small."""
    modules, _ = loaded(tmp_path, "hook", host, stdin=sent(event_of(host, "small\n")))
    assert f"stubcli.agents.hosts.{host}" in modules
    assert within(modules, FOR_OTHERS | FOR_LARGE | other_hosts(host)) == []
    assert len([name for name in modules if name.startswith("stubcli")]) <= 28


@pytest.mark.parametrize("host", hosts_with_hook())
def test_a_large_output_loads_no_other_host_and_no_command_line(tmp_path: Path, host: str) -> None:
    event = sent(event_of(host, SEQ))
    modules, out = loaded(tmp_path, "hook", host, stdin=event, bare=False)
    assert out
    assert within(modules, FOR_OTHERS | other_hosts(host)) == []


@pytest.mark.parametrize("event", [b"{", b"\xff", sent({"cwd": "/no/such"})])
def test_what_is_swallowed_can_be_seen(store: Store, event: bytes) -> None:
    ran = hook(store, event, "claude", STUB_DEBUG="1")
    assert ran.out == b""
    assert ran.lines[0].startswith("stub: debug: stub hook: ")
