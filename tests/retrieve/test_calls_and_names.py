"""A run is found by the id of the call that it answers, and by the name that its user gave it."""

import json
from collections.abc import Callable

import pytest

from stubcli.agents.tools.calls import call_tool
from stubcli.settings.load import load
from tests.conftest import Store
from tests.helpers import LARGE, Ran, forked, is_stub, ref_of

A, B, C = LARGE[:30_000], LARGE[30_000:60_000], LARGE[60_000:90_000]
# As hosts make them, also such as could be something else.
CALLS = [
    "call_abc",
    "toolu_01A9fKx",
    "functions.bash:0",
    "call/7#x",
    "550e8400-e29b-41d4-a716-446655440000",
    "deadbeefdeadbeef",
    "0123456789",
    "chatcmpl-tool-44969d026ed4164d",
    "c" * 256,
]


def read(store: Store, ref: str, *arguments: str) -> Ran:
    return forked(store, b"", "read", "--all", *arguments, "--", ref)


@pytest.mark.parametrize("call", CALLS)
def test_the_id_of_a_call_is_a_reference_in_every_session(store: Store, call: str) -> None:
    forked(store, A, "--call-id", call)
    forked(store, B)
    for around in ("{}", " {}\n", "`{}`", '"{}",'):
        assert read(store, around.format(call)).out == A
    assert read(store, call, "--session", "another").out == A
    assert read(store, call + "x").status in (2, 3)
    settings = load({"home": str(store.home), "session": store.session})
    assert call_tool("stub_read", {"ref": call}, settings).text.splitlines()[1] == "1"


def test_a_call_is_read_with_the_run_that_answered_it(store: Store) -> None:
    printed = forked(store, A, "--call-id", "call_1", "--tool", "one").out
    again = forked(store, A, "--tool", "two").out
    assert printed != again
    assert forked(store, b"", "show", "call_1").out == printed
    assert forked(store, b"", "show", "1").out == again


def test_this_session_answers_first_and_a_number_is_a_number(store: Store) -> None:
    forked(store, A, "--call-id", "call_1", STUB_SESSION="other")
    assert read(store, "call_1").out == A
    forked(store, B, "--call-id", "call_1")
    forked(store, C, "--call-id", "1")
    assert read(store, "call_1").out == B
    assert read(store, "1").out == B


def test_a_call_with_several_outputs_lists_them(store: Store) -> None:
    refs = [ref_of(forked(store, data, "--call-id", "call_1").out) for data in (A, B, A)]
    done = read(store, "call_1")
    assert (done.status, done.out) == (2, b"")
    assert done.err.count(b"\n") == 1
    for ref in refs:
        assert ref.rpartition(":")[2].encode() in done.err
    assert read(store, refs[1].rpartition(":")[2]).out == B


def test_a_call_that_is_not_kept_is_one_line(store: Store) -> None:
    forked(store, A, "--call-id", "call_1")
    done = read(store, "call_2")
    assert (done.status, done.out) == (2, b"")
    assert b"no call has that id" in done.err
    assert done.err.count(b"\n") == 1


def test_a_name_is_the_newest_run_of_that_name(store: Store) -> None:
    printed = {}
    for data in (A, B, A):
        printed[data] = forked(store, data, "--name", "nightly").out
        assert read(store, "@nightly").out == data
        assert forked(store, b"", "show", "@nightly").out == printed[data]
    forked(store, C, "--name", "night")
    forked(store, C, "--tool", "x")
    assert read(store, "(@nightly).").out == A
    assert read(store, "@night").out == C
    found = forked(store, b"", "search", "-c", "^9999$", "@nightly", "@night")
    assert found.status in (0, 1), found.err
    assert json.loads(forked(store, b"", "show", "@night", "--json").out)["runs_total"] == 2
    listed = forked(store, b"", "ls").out.decode()
    assert listed.count("@nightly") == 3


def test_a_name_may_be_given_to_a_command(store: Store) -> None:
    done = store.stub("run", "--name", "nightly", "--", "seq", "50000")
    assert is_stub(done.out)
    assert read(store, "@nightly").out == LARGE
    assert b"@nightly" in forked(store, b"", "ls").out


@pytest.mark.parametrize(
    "name", ["", "a b", "../x", "-x", ".x", "x.", "@x", "a:b", "ä", "x" * 65, "a\n"]
)
def test_what_can_be_no_name_is_refused_and_the_input_passes(store: Store, name: str) -> None:
    done = forked(store, A, f"--name={name}")
    assert (done.status, done.out) == (2, A)
    assert done.err.count(b"\n") == 1
    ran = forked(store, b"", "run", f"--name={name}", "--", "seq", "50000")
    assert (ran.status, ran.out) == (125, b"")
    assert ran.err.count(b"\n") == 1
    if name.strip() == name.strip(".@"):
        asked = read(store, f"@{name}")
        assert (asked.status, asked.out) == (2, b"")


@pytest.mark.parametrize(
    ("typed", "fill"),
    [
        ("@nightly", lambda store: forked(store, A, "--name", "nightly", STUB_SESSION="b")),
        ("2", lambda store: [forked(store, data, STUB_SESSION="b") for data in (A, B)]),
        (
            "tool_result_002.txt",
            lambda store: [forked(store, data, STUB_SESSION="b") for data in (A, B)],
        ),
        ("last", lambda store: forked(store, A, STUB_SESSION="b")),
    ],
)
@pytest.mark.parametrize("here", [False, True])
def test_what_another_session_has_is_named_with_the_command_that_reads_it(
    store: Store, typed: str, fill: Callable[[Store], object], here: bool
) -> None:
    fill(store)
    if here and not typed.startswith("last"):
        forked(store, C)
    done = read(store, typed)
    assert (done.status, done.out) == (3, b"")
    assert done.err.count(b"\n") == 1
    assert b"; session b has " in done.err
    command = f"stub read {typed.replace('tool_result_002.txt', '2')} --session b"
    assert done.err.decode().endswith(f"see: {command}\n")
    typed_home = forked(store, b"", "read", typed, "--home", str(store.home), "--session", "test")
    assert typed_home.err.decode().endswith(f"see: {command} --home {store.home}\n")
    assert forked(store, b"", *command.split()[1:], "--limit", "1").status == 0


def test_of_what_is_gone_here_another_session_is_no_hint(store: Store) -> None:
    forked(store, A)
    forked(store, A, STUB_SESSION="b")
    forked(store, b"", "gc", "--older-than", "0", "--apply")
    done = read(store, "1")
    assert done.status == 3
    assert b"collected by gc" in done.err
    assert b"session b" not in done.err


def test_a_name_of_which_the_newest_is_damaged_is_not_answered_by_an_older_one(
    store: Store,
) -> None:
    forked(store, A, "--name", "nightly")
    forked(store, B, "--name", "nightly")
    record = next(store.results.glob("tool_result_002.*.json"))
    record.chmod(0o600)
    record.write_bytes(b"{}")
    assert read(store, "@nightly").status == 4


def test_a_summary_that_lies_is_held_against_the_record(store: Store) -> None:
    forked(store, A, "--call-id", "call_1", "--name", "nightly")
    log = store.folder / "runs.jsonl"
    log.write_bytes(log.read_bytes().replace(b"call_1", b"call_2").replace(b"nightly", b"weekly"))
    assert read(store, "call_2").status == 2
    assert read(store, "@weekly").status == 3


def test_a_model_lists_what_has_a_text_or_failed(store: Store) -> None:
    forked(store, A, "--tool", "make", "--name", "nightly")
    forked(store, b"first of B\n" + B, "--tool", "grep")
    settings = load({"home": str(store.home), "session": store.session})
    found = [
        call_tool("stub_list", arguments, settings).text.splitlines()
        for arguments in ({"text": "FIRST OF"}, {"text": "nightly"}, {"failed": True})
    ]
    assert found[0][1].endswith('grep: "first of B"')
    assert "@nightly" in found[1][1]
    assert found[2] == ["[session test has no artifacts like that among 2 runs]"]
