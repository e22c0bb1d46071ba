"""`stub messages` as a process: what is printed, said, kept and returned."""

import json
import os
import pty
import stat
import subprocess
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from stubcli.errors import INTEGRITY, NOT_STORED, OK, USAGE
from tests.conftest import Store
from tests.helpers import COMMAND, Ran, dev_full, fail_at, forked, names, started
from tests.messages.made import APIS, CONTAINERS, Message, ref_in, said, texts_of, turn

LINES = "a line of an ordinary log\n" * 1_200


def talk(api: str = "openai-chat") -> list[Message]:
    results = (("bash", LINES), ("bash", "small"))
    return [said(api, "user", "go"), *turn(api, *results), said(api, "assistant", "done")]


def written(messages: Any) -> bytes:
    return json.dumps(messages, indent=1).encode() + b"\n"


def run(
    store: Store, verb: str, data: bytes, *arguments: str, status: int = OK, **more: Any
) -> Ran:
    done = forked(store, data, "messages", verb, *arguments, **more)
    assert done.status == status, done
    return done


def assert_as_it_came(done: Ran, data: bytes) -> None:
    """Nothing was changed, and one line says why and what to do."""
    assert done.out == data
    assert len(done.lines) == 1, done.lines
    assert done.lines[0].startswith("stub: ")
    assert "; " in done.lines[0]


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("bare", [True, False])
def test_the_list_is_recognised_and_written_as_it_stood(api: str, bare: bool, store: Store) -> None:
    messages = talk(api)
    data = written(messages if bare else {"model": "m", CONTAINERS[api]: messages})
    done = run(store, "offload", data)
    document = json.loads(done.out)
    new = document if bare else document[CONTAINERS[api]]
    large, small = [text for message in new for _, text in texts_of(api, message)]
    assert small == "small"
    assert store.stub("read", ref_in(large), "--all").out.decode() == LINES
    assert done.out.startswith(data[: data.index(b'"go"')])
    after = len(large) + 5
    what = f"1 text of {len(messages)} messages replaced"
    assert done.lines == [f"stub: offload: {what}, 31,205 -> {after:,} characters"]


def test_compact_says_what_is_still_over(store: Store) -> None:
    done = run(store, "compact", written(talk()), "--max-messages", "2", "--keep", "0")
    assert done.lines[0].startswith("stub: compact: 1 text of 5 messages replaced, 31,")
    assert done.lines[1:] == ["stub: still over: 5 messages of 2: none is ever dropped"]
    assert b"Read them with: stub read" in done.out


def test_a_new_process_repeats_the_bytes_of_the_one_before(store: Store) -> None:
    data = written(talk())
    first = run(store, "offload", data)
    second = store.stub("messages", "offload", "--threshold", "1000000", stdin=data)
    assert second.out == first.out
    assert b"1 text" in second.err


def test_processes_at_once_on_one_session_give_the_same_bytes(store: Store) -> None:
    data = written([*talk(), *turn("openai-chat", ("bash", LINES.upper()), first=5)])
    (store.home.parent / "list.json").write_bytes(data)
    script = " & ".join(
        f"$STUB messages offload --head {number}00 list.json > {number}.out 2>/dev/null"
        for number in range(6)
    )
    done = store.shell(f"cd {store.home.parent}; {script} & wait")
    assert done.status == 0
    outputs = {(store.home.parent / f"{number}.out").read_bytes() for number in range(6)}
    assert len(outputs) == 1
    assert outputs.pop() != data
    assert len(store.artifacts()) == 2


def test_a_file_is_read_and_left_alone(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "list.json"
    path.write_bytes(written(talk()))
    done = run(store, "offload", b"", str(path))
    assert done.out != path.read_bytes()
    assert path.read_bytes() == written(talk())


def test_in_place_keeps_what_stood_there(store: Store, tmp_path: Path) -> None:
    path, link = tmp_path / "list.json", tmp_path / "link.json"
    path.write_bytes(written(talk()))
    path.chmod(0o640)
    link.symlink_to(path)
    done = run(store, "offload", b"", "--in-place", str(link))
    backup = tmp_path / "list.json.before-stub"
    assert done.out == b""
    assert done.lines[0] == f"stub: the previous file is kept as {backup}"
    assert backup.read_bytes() == written(talk())
    assert b"[stub artifact:" in path.read_bytes()
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    # Nothing to do: nothing is replaced, and no second copy is made.
    before = path.read_bytes()
    run(store, "offload", b"", "--in-place", str(path))
    assert path.read_bytes() == before
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [
        "link.json", "list.json", "list.json.before-stub", "store",
    ]  # fmt: skip
    # Once more with something to do: the first copy stays what it is.
    path.write_bytes(written([*talk(), *turn("openai-chat", ("bash", LINES * 2), first=3)]))
    run(store, "offload", b"", "--in-place", str(path))
    assert backup.read_bytes() == written(talk())
    assert (tmp_path / "list.json.before-stub.2").exists()


def test_in_place_that_fails_leaves_the_file(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "list.json"
    path.write_bytes(b"[1, 2]")
    done = run(store, "offload", b"", "--in-place", str(path), status=USAGE)
    assert_as_it_came(done, b"")
    assert path.read_bytes() == b"[1, 2]"
    assert "needs a file" in run(store, "offload", b"[]", "--in-place", status=USAGE).lines[0]
    both = run(store, "offload", b"", "--in-place", "--dry-run", str(path), status=USAGE)
    assert "--in-place goes with no --dry-run" in both.lines[0]


def test_a_dry_run_keeps_and_changes_nothing(store: Store, tmp_path: Path) -> None:
    for verb, more in (("offload", ()), ("compact", ("--max-messages", "0", "--keep", "0"))):
        done = run(store, verb, written(talk()), "--dry-run", *more)
        assert not store.home.exists()
        document = json.loads(done.out)
        assert (document["verb"], document["replaced"], document["pretended"]) == (verb, 1, True)
        assert document["changes"][0]["ref"] == ""
        assert "would be replaced, 31,2" in done.lines[0]
        assert "-> about" in done.lines[0]
        true = json.loads(run(store, verb, written(talk()), *more).out)
        size = len(texts_of("openai-chat", true[2])[0][1])
        assert abs(document["changes"][0]["after"] - size) <= 300
        before = names(store)
        run(store, verb, written([*talk(), *talk()]), "--dry-run", *more)
        assert names(store) == before
        store = Store(tmp_path / "another")


def test_the_report_is_a_file_of_its_own(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    messages = talk()
    messages[1]["tool_calls"][0]["id"] = messages[2]["tool_call_id"] = "\ud83d\x1b[31m"
    done = run(store, "offload", written(messages), "--report", str(path))
    document = json.loads(path.read_text())
    (change,) = document["changes"]
    assert (document["format"], document["items"], document["replaced"]) == ("openai-chat", 5, 1)
    assert (change["index"], change["tool"], change["call_id"]) == (2, "bash", "\ud83d\x1b[31m")
    assert change["ref"] == ref_in(json.loads(done.out)[2]["content"])
    assert b"\x1b" not in path.read_bytes()
    nowhere = run(store, "offload", written(talk()), "--report", str(tmp_path), status=NOT_STORED)
    assert b"[stub artifact:" in nowhere.out
    assert "the report" in nowhere.lines[-1]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not json",
        b"[1, 2, 3]",
        b'[{"role": "critic", "content": "x"}]',
        b'{"role": "user", "content": "x"}\n{"role": "user", "content": "y"}\n',
        b"[]\n[]\n",
        b'[{"role": "user", "content": "\xff"}]',
        b'[{"role": "tool", "content": "cut off',
        b"[" * 100_000,
        b"\x00" * 1000,
    ],
)
@pytest.mark.parametrize("verb", ["offload", "compact"])
def test_what_is_not_understood_passes_as_it_came(verb: str, data: bytes, store: Store) -> None:
    assert_as_it_came(run(store, verb, data, status=USAGE), data)
    assert not store.home.exists()


def test_lists_in_lines_are_said_to_be_more_than_one_document(store: Store) -> None:
    data = b'{"messages": []}\n{"messages": []}\n'
    done = run(store, "offload", data, status=USAGE)
    assert_as_it_came(done, data)
    assert "it is more than one document: the next begins at 17" in done.lines[0]


@pytest.mark.parametrize("data", [b"[]", b" [ ]\n", b'{"messages": []}', b"\xef\xbb\xbf[]\r\n"])
def test_an_empty_list_is_one(data: bytes, store: Store) -> None:
    assert run(store, "offload", data).out == data
    assert run(store, "compact", data, "--format", "gemini").out == data


def test_an_unknown_format_or_setting_is_refused_and_the_list_passes(store: Store) -> None:
    for more in (("--format", "antropic"), ("--threshold", "many"), ("--session", "../x")):
        done = run(store, "offload", written(talk()), *more, status=USAGE)
        assert_as_it_came(done, written(talk()))
    done = run(store, "offload", written(talk()), "--format", "gemini", status=USAGE)
    assert "this is not a list of gemini items" in done.lines[0]


def test_a_format_that_is_named_is_taken(store: Store) -> None:
    data = written([{"role": "user", "content": "plain"}])
    for api in APIS[:3]:
        assert run(store, "offload", data, "--format", api).out == data


def test_a_file_that_cannot_be_read_is_one_line(store: Store, tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        done = run(store, "offload", b"", str(path), status=USAGE)
        assert_as_it_came(done, b"")


def test_a_store_that_cannot_be_made_passes_the_list(store: Store) -> None:
    store.home.write_text("in the way")
    assert_as_it_came(run(store, "offload", written(talk()), status=NOT_STORED), written(talk()))


def test_a_store_that_takes_no_file_passes_the_list(store: Store) -> None:
    def no_file() -> None:
        full = OSError(28, "No space left on device")
        mock.patch("stubcli.spill.in_memory.begin", side_effect=full).start()

    done = run(store, "offload", written(talk()), prepare=no_file, status=NOT_STORED)
    assert_as_it_came(done, written(talk()))
    assert done.lines == ["stub: not stored: No space left on device; left as it was"]
    # What was not kept was not seen: it is tried again.
    assert b"[stub artifact:" in run(store, "offload", written(talk())).out


def test_wherever_the_store_fails_the_list_is_whole(store: Store, tmp_path: Path) -> None:
    data, outcomes = written(talk()), set()
    for number in range(1, 400):
        here = Store(tmp_path / f"store{number}")
        prepare = fail_at(number, 28, onwards=True)
        done = forked(here, data, "messages", "offload", prepare=prepare)
        outcomes.add(done.status)
        assert done.status in (OK, NOT_STORED), done
        if done.out != data:
            stub = json.loads(done.out)[2]["content"]
            assert here.stub("read", ref_in(stub), "--all").out.decode() == LINES
        if done.status == OK:
            break
    assert outcomes == {OK, NOT_STORED}


def test_an_artifact_that_was_collected_is_kept_anew(store: Store) -> None:
    first = run(store, "offload", written(talk()))
    for path in store.artifacts():
        os.utime(path, (0, 0))
    store.stub("gc", "--apply", "--older-than", "0s")
    assert store.artifacts() == []
    second = run(store, "offload", written(talk()))
    stub = json.loads(second.out)[2]["content"]
    assert ref_in(stub) != ref_in(json.loads(first.out)[2]["content"])
    assert store.stub("read", ref_in(stub), "--all").out.decode() == LINES
    assert run(store, "offload", written(talk())).out == second.out


@dev_full
def test_a_full_output_is_no_success(store: Store) -> None:
    done = store.shell(f"echo '{json.dumps([])}' | $STUB messages offload > /dev/full")
    assert done.status == NOT_STORED


def test_a_reader_that_leaves_is_no_error(store: Store) -> None:
    (store.home.parent / "list.json").write_bytes(
        written([said("openai-chat", "user", LINES * 99)])
    )
    done = store.shell(f"$STUB messages offload {store.home.parent}/list.json | head -c 10")
    assert (done.status, done.err) == (0, b"")


def test_on_a_terminal_it_does_not_wait(store: Store) -> None:
    master, slave = pty.openpty()
    try:
        done = subprocess.run(
            [*COMMAND, "messages", "offload"],
            stdin=slave,
            capture_output=True,
            env=store.environment(),
            check=False,
        )
    finally:
        os.close(master)
        os.close(slave)
    assert done.returncode == USAGE
    assert done.stderr == b"stub: no list of messages to read; give a FILE, or pipe one in\n"


def test_slow_and_non_blocking_input_is_read_to_its_end(store: Store) -> None:
    data = written(talk())
    with started(store, "messages", "offload") as process:
        assert process.stdin
        os.set_blocking(process.stdin.fileno(), False)
        for at in range(0, len(data), 9_000):
            process.stdin.write(data[at : at + 9_000])
            process.stdin.flush()
        out, _ = process.communicate()
    assert b"[stub artifact:" in out
    assert len(json.loads(out)) == 5


def test_disabled_it_is_a_copy(store: Store) -> None:
    done = run(store, "offload", written(talk()), environment={"STUB_DISABLE": "1"})
    assert done.out == written(talk())
    assert not store.home.exists()


def test_memory_does_not_grow_with_the_number_of_results_kept(store: Store, tmp_path: Path) -> None:
    def peak(count: int) -> int:
        path = tmp_path / f"{count}.json"
        messages = [
            message
            for number in range(count)
            for message in turn("openai-chat", ("bash", f"{number} {'word ' * 6000}"), first=number)
        ]
        path.write_bytes(
            written([*messages, said("openai-chat", "user", "x" * (20_000_000 - 30_100 * count))])
        )
        sink = os.open(os.devnull, os.O_WRONLY)
        child = subprocess.Popen(
            [*COMMAND, "messages", "offload", str(path)],
            stdout=sink,
            stderr=sink,
            env=store.environment(),
        )
        _, status, usage = os.wait4(child.pid, 0)
        os.close(sink)
        child.returncode = os.waitstatus_to_exitcode(status)
        assert child.returncode == 0
        return usage.ru_maxrss * (1 if os.uname().sysname == "Darwin" else 1024)

    few, many = peak(2), peak(300)
    assert len(store.artifacts()) == 300
    assert many < few + (25 << 20)


def test_an_artifact_that_is_damaged_stops_no_list(store: Store) -> None:
    first = run(store, "offload", written(talk()))
    for path in store.artifacts():
        path.chmod(0o600)
        path.write_bytes(b"short")
    second = run(store, "offload", written(talk()))
    stub = json.loads(second.out)[2]["content"]
    assert ref_in(stub) != ref_in(json.loads(first.out)[2]["content"])
    assert store.stub("read", ref_in(stub), "--all").out.decode() == LINES
    damaged = ref_in(json.loads(first.out)[2]["content"])
    assert store.stub("read", damaged, check=False).status == INTEGRITY
