"""`stubcli` as a library: typed, without global state, usable from threads and asyncio."""

import asyncio
import inspect
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, get_type_hints

import pytest

import stubcli
from stubcli import api
from stubcli.api import Options, Store
from stubcli.errors import MissingError, UsageError
from stubcli.settings.table import SETTINGS
from tests.examples.agent_loop import Message, Model, converse
from tests.messages.made import ref_in, turn

LINES = "".join(f"line {number} is fine\n" for number in range(4_000))


@pytest.fixture
def where(tmp_path: Path) -> Any:
    return {"home": str(tmp_path / "store"), "session": "test"}


def test_a_large_output_becomes_a_stub(where: Any) -> None:
    done = stubcli.offload(LINES, tool="bash", call_id="c", **where)
    assert done.ref == ref_in(done.text)
    assert done.failure == ""
    record = Store(**where).record(done.ref)
    assert (record.run.origin.tool, record.run.origin.call_id) == ("bash", "c")
    assert Store(**where).read(done.ref).decode() == LINES


@pytest.mark.parametrize(
    ("given", "shown", "kept"),
    [
        ({"exit_status": 0}, "exit: 0", (0, None)),
        ({"exit_status": 3}, "exit: 3", (3, None)),
        ({"exit_status": -9}, "exit: 137   signal: SIGKILL", (137, "SIGKILL")),
        ({"signal": 15}, "exit: 143   signal: SIGTERM", (143, "SIGTERM")),
        ({"signal": "SIGSEGV"}, "signal: SIGSEGV", (None, "SIGSEGV")),
        ({"exit_status": 1, "signal": signal.SIGHUP}, "exit: 1   signal: SIGHUP", (1, "SIGHUP")),
    ],
)
def test_how_a_command_ended_reaches_the_page_and_the_run(
    given: Any, shown: str, kept: Any, where: Any
) -> None:
    done = stubcli.offload(LINES, **given, **where)
    assert done.ref
    assert shown in done.text.splitlines()[1]
    (run,) = Store(**where).runs(done.ref)
    assert (run.origin.exit_status, run.origin.signal) == kept


@pytest.mark.parametrize(
    ("command", "words"),
    [("make all", ("make all",)), (["make", "all"], ("make", "all")), (None, ())],
)
def test_what_a_command_was_and_where_it_ran_is_kept(
    command: Any, words: Any, where: Any, tmp_path: Path
) -> None:
    ref = stubcli.offload(LINES, command=command, cwd=tmp_path, **where).ref
    assert ref
    origin = Store(**where).record(ref).run.origin
    assert (origin.argv, origin.cwd) == (words, str(tmp_path))


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"output": None}, "output must be str or bytes, not None"),
        ({"output": ["x"]}, "output must be str or bytes, not list"),
        ({"output": 5}, "output must be str or bytes, not int"),
        ({"tool": 5}, "tool must be a str, not int"),
        ({"call_id": b"c"}, "call_id must be a str, not bytes"),
        ({"mime": []}, "mime must be a str, not list"),
        ({"command": 5}, "command must be a str or a sequence of str, not int"),
        ({"command": b"ls"}, "command must be a str or a sequence of str, not bytes"),
        ({"command": ["ls", 5]}, "a word of command must be a str, not int"),
        ({"exit_status": "0"}, "exit_status must be an int, not str"),
        ({"exit_status": True}, "exit_status must be an int, not bool"),
        ({"signal": 1.5}, "signal must be an int or a str, not float"),
        ({"cwd": 5}, "cwd must be a str or a path, not int"),
    ],
)
def test_an_argument_of_another_type_is_named(arguments: Any, reason: str, where: Any) -> None:
    with pytest.raises(UsageError, match=f"^{reason}$"):
        stubcli.offload(**{"output": "small", **where, **arguments})


@pytest.mark.parametrize("messages", [None, 5, "text", b"bytes", {"role": "user"}, {1, 2}])
def test_messages_that_are_no_list_are_named(messages: Any) -> None:
    for call in (stubcli.offload_messages, stubcli.compact_messages):
        with pytest.raises(UsageError, match="messages must be a sequence of messages"):
            call(messages)


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ({"session": "a/b"}, "'a/b' cannot name a session"),
        ({"session": ".."}, "cannot name a session"),
        ({"session": "x" * 129}, "cannot name a session"),
        ({"home": "relative/store"}, "is not absolute"),
    ],
)
@pytest.mark.parametrize("size", [1, len(LINES)])
def test_a_place_that_cannot_be_is_refused_by_every_call_alike(
    place: Any, reason: str, size: int
) -> None:
    calls: list[Any] = [
        lambda: stubcli.offload(LINES[:size], **place),
        lambda: stubcli.offload_messages(turn("openai-chat", ("sh", LINES[:size])), **place),
        lambda: stubcli.compact_messages(turn("openai-chat", ("sh", LINES[:size])), **place),
        lambda: stubcli.offload_messages([], **place),
        lambda: Store(**place),
    ]
    for call in calls:
        with pytest.raises(UsageError, match=reason):
            call()


def test_views_of_bytes_are_outputs_too(where: Any) -> None:
    data = bytearray(LINES.encode())
    refs = {stubcli.offload(one, **where).ref for one in (data, memoryview(data), bytes(data))}
    assert len(refs) == 1


def test_a_small_output_is_the_answer_itself(where: Any) -> None:
    assert stubcli.offload("é" * 20_000, **where) == stubcli.Offloaded("é" * 20_000)
    assert stubcli.offload(b"\xff small", **where) == stubcli.Offloaded("\ufffd small")
    assert not Path(where["home"]).exists()


def test_bytes_are_kept_as_they_are(where: Any) -> None:
    data = bytes(range(256)) * 200
    done = stubcli.offload(data, **where)
    assert done.ref is not None
    assert Store(**where).read(done.ref) == data


def test_a_reference_is_told_in_every_form(where: Any) -> None:
    done = stubcli.offload(LINES, format="json", **where)
    assert json.loads(done.text)["ref"] == done.ref


def test_what_could_not_be_kept_is_the_output_and_the_reason(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = stubcli.offload(LINES, home=str(tmp_path / "file" / "store"), session="test")
    assert (done.text, done.ref) == (LINES, None)
    assert done.failure == f"{tmp_path}/file/store: Not a directory"


def test_a_policy_of_a_tool_holds(
    where: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config.yaml").write_text("tools: {cat: {exempt: true}}\n")
    monkeypatch.setenv("STUB_CONFIG", str(tmp_path / "config.yaml"))
    assert stubcli.offload(LINES, tool="cat", **where).text == LINES
    assert stubcli.offload(LINES, tool="dog", **where).ref


def test_settings_are_read_anew_by_each_call(where: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUB_THRESHOLD", "1000000")
    assert stubcli.offload(LINES, **where).ref is None
    monkeypatch.delenv("STUB_THRESHOLD")
    assert stubcli.offload(LINES, **where).ref


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"treshold": 5}, "did you mean threshold"),
        ({"threshold": -5}, "--threshold"),
        ({"keep": "x"}, "--keep"),
    ],
)
def test_a_bad_setting_is_refused_before_anything_is_done(settings: Any, reason: str) -> None:
    for call in (
        lambda: stubcli.offload("x", **settings),
        lambda: stubcli.offload_messages([], **settings),
    ):
        with pytest.raises(UsageError, match=reason):
            call()


def test_pages_follow_each_other_to_the_end(where: Any) -> None:
    ref, store = stubcli.offload(LINES, **where).ref, Store(**where)
    assert ref is not None
    for unit in ("chars", "lines", "bytes"):
        page = store.page(ref, 0, 777, unit)
        parts = [page.data]
        while page.follow:
            page = store.page(ref, page.follow.offset, page.follow.limit, page.follow.unit)
            parts.append(page.data)
        assert b"".join(parts).decode() == LINES
    assert len(store.page(ref).data) == 10_000
    assert store.page(ref, limit=0).data == b""
    assert b"".join(store.blocks(ref)).decode() == LINES


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((-1,), "invalid offset -1"),
        ((0, -1), "invalid limit -1"),
        ((0, 1, "words"), "invalid unit 'words'"),
        ((1.5,), "offset must be an int, not float"),
    ],
)
def test_a_page_that_cannot_be_is_refused(arguments: Any, reason: str, where: Any) -> None:
    stubcli.offload(LINES, **where)
    with pytest.raises(UsageError, match=reason):
        Store(**where).page("last", *arguments)


def test_what_is_not_there_is_said(where: Any) -> None:
    stubcli.offload(LINES, **where)
    with pytest.raises(MissingError):
        Store(**where).read("artifact:test:tool_result_009.txt:0123456789abcdef")


def test_objects_of_sdks_and_other_mappings_are_read(where: Any) -> None:
    class Call:
        """As a pydantic model is."""

        def __init__(self, message: Message) -> None:
            self.message = message

        def model_dump(self, *, exclude_unset: bool) -> Message:
            assert exclude_unset
            return self.message

    call, result = turn("openai-chat", ("bash", LINES))
    messages = [Call(call), result]
    new, report = stubcli.offload_messages(messages, **where)
    assert new[0] is messages[0]
    assert messages[1]["content"] == LINES  # type: ignore[index]
    assert [change.tool for change in report.changes] == ["bash"]


def test_the_options_are_the_settings() -> None:
    assert list(get_type_hints(Options)) == [setting.name for setting in SETTINGS]


def test_every_public_name_is_documented_and_found() -> None:
    for name in stubcli.__all__:
        assert inspect.getdoc(getattr(api, name)), name
    assert stubcli.__all__ == dir(api)
    assert set(stubcli.__all__) < set(dir(stubcli))
    for name in stubcli.__all__:
        assert getattr(stubcli, name) is getattr(api, name)
    with pytest.raises(AttributeError, match="no attribute 'offlaod'"):
        getattr(stubcli, "offl" + "aod")


def test_no_handler_of_a_signal_is_touched(where: Any) -> None:
    watched = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE]
    before = [signal.getsignal(number) for number in watched]
    wakeup = signal.set_wakeup_fd(-1)
    stubcli.offload(LINES, **where)
    stubcli.offload_messages(turn("openai-chat", ("bash", LINES)), **where)
    assert [signal.getsignal(number) for number in watched] == before
    assert signal.set_wakeup_fd(-1) == wakeup == -1


def test_no_descriptor_and_no_thread_is_left_open(where: Any) -> None:
    def used() -> tuple[int, int]:
        return len(os.listdir("/dev/fd")), threading.active_count()

    large = LINES * 40  # so many blocks are hashed and scanned in threads
    stubcli.offload(large, **where)
    before = used()
    for number in range(5):
        stubcli.offload(f"{number}{large}", **where)
        stubcli.offload_messages(turn("openai-chat", ("bash", f"{number}{LINES}")), **where)
        with pytest.raises(UsageError):
            stubcli.offload_messages([7], **where)
    assert used() == before


def test_many_calls_at_once_in_asyncio(where: Any) -> None:
    async def all_of_them() -> list[stubcli.Offloaded]:
        calls = (asyncio.to_thread(stubcli.offload, f"{n}\n{LINES}", **where) for n in range(12))
        return await asyncio.gather(*calls)

    done = asyncio.run(all_of_them())
    assert len({one.ref for one in done}) == 12
    for number, one in enumerate(done):
        assert one.ref is not None
        assert Store(**where).read(one.ref).decode() == f"{number}\n{LINES}"


@pytest.mark.parametrize("streaming", [True, False])
def test_an_agent_loop_shows_its_model_stubs_and_keeps_every_word(
    streaming: bool, where: Any
) -> None:
    model = Model()
    answer = asyncio.run(converse(model, streaming=streaming, **where))
    assert answer.startswith("4,000 lines; the page says: line ")
    first, second, third = model.seen
    assert [message["role"] for message in third] == [
        "user",
        "assistant",
        "tool",
        "assistant",
        "tool",
    ]
    # What the model saw once stays as it was, byte for byte: its prompt cache holds.
    assert (second[:1], third[:3]) == (first, second)
    stub = second[2]["content"]
    assert len(stub) <= 5_000
    assert Store(**where).read(ref_in(stub)).decode() == LINES


def test_the_example_runs_as_a_program(tmp_path: Path) -> None:
    path = Path(__file__).parent / "examples" / "agent_loop.py"
    done = subprocess.run(
        [sys.executable, str(path)],
        capture_output=True,
        text=True,
        env={**os.environ, "STUB_HOME": str(tmp_path / "store")},
        check=True,
    )
    assert done.stdout.splitlines()[0].startswith("4,000 lines; the page says: line ")
    assert len(done.stdout.splitlines()) == 2


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="descriptors cannot be counted here")
def test_a_reference_that_leads_nowhere_leaves_nothing_open(tmp_path: Path) -> None:
    # A server asks all day for what gc has taken.
    home = str(tmp_path / "store")
    kept = stubcli.offload("line\n" * 5000, home=home, session="s")
    assert kept.ref
    store = stubcli.Store(home=home, session="s")
    before = len(os.listdir("/proc/self/fd"))
    for ref in (
        "artifact:s:tool_result_099.txt:0123456789abcdef",
        "artifact:other:tool_result_001.txt:0123456789abcdef",
        f"{kept.ref[:-3]}{'000' if kept.ref[-3:] != '000' else '111'}",
        f"{home}/sessions/s/tool-results/tool_result_009.txt",
        "abcdef",
        "77",
    ):
        with pytest.raises(stubcli.StubError):
            store.read(ref)
    assert len(os.listdir("/proc/self/fd")) == before
