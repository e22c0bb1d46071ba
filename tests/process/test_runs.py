"""`stub run`, `ls`, `show` and `last` where the same output comes again, as processes."""

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.conftest import Store

SAME = "seq 20001"


def run(store: Store, script: str) -> bytes:
    done = store.stub("run", "--", "sh", "-c", script, check=False)
    assert done.out.startswith(b"[stub artifact:"), done
    return done.out


def rows(store: Store) -> list[list[str]]:
    table = [re.split(r"  +", line.strip()) for line in store.stub("ls").text.splitlines()]
    assert table[0] == [
        *("number", "ref", "bytes", "lines", "kind", "state"),
        *("exit", "run", "finished", "command", "first line"),
    ]
    return table[1:]


def test_a_command_that_failed_and_then_did_not_is_told_as_it_was(store: Store) -> None:
    failed, done = run(store, f"{SAME}; exit 3"), run(store, f"{SAME}; exit 0")
    assert (b"exit: 3" in failed, b"exit: 0" in done) == (True, True)
    assert store.stub("show", "last").out == done
    assert store.stub("show", "last", "--run", "1").out == failed
    assert [(row[0], row[5], row[6], row[7], row[9]) for row in rows(store)] == [
        ("1", "complete", "0", "2", f"\"sh -c '{SAME}; exit 0'\""),
        ("1", "complete", "3", "1", f"\"sh -c '{SAME}; exit 3'\""),
    ]


def test_a_command_that_was_killed_and_then_ended_is_complete(store: Store) -> None:
    killed, done = run(store, f"{SAME}; kill -9 $$"), run(store, SAME)
    assert b"SIGKILL" in killed
    assert store.stub("show", "last").out == done
    assert [row[6] for row in rows(store)] == ["0", "SIGKILL"]


def test_a_long_command_is_cut_in_the_list_and_whole_in_show(store: Store) -> None:
    script = f"{SAME}; : {'x' * 500}"
    run(store, script)
    ((*_, command, _),) = rows(store)
    assert (len(command), command[-2:]) == (62, '…"')
    known = json.loads(store.stub("show", "last", "--json").out)
    assert known["origin"]["argv"] == ["sh", "-c", script]


def test_a_command_that_is_no_text_is_listed(store: Store) -> None:
    done = store.shell(f"$STUB run -- sh -c '{SAME}' $'\\xff\\x1b[31m' > /dev/null; $STUB ls")
    assert done.status == 0, done.err
    assert "\\xff" in done.text
    assert b"\x1b" not in done.out


def test_pages_of_runs_follow_each_other(store: Store) -> None:
    for status in (1, 2, 1, 2, 3):
        run(store, f"{SAME}; exit {status}")
    done = store.stub("ls", "-n", "2")
    assert b"5 runs of 1 artifact, 1-2 listed; next: stub ls --limit 2 --skip 2" in done.err
    found = []
    for skip in ("0", "2", "4"):
        page = json.loads(store.stub("ls", "--json", "-n", "2", "--skip", skip).out)
        assert (page["total"], page["skip"]) == (5, int(skip))
        found += [row["exit_status"] for row in page["runs"]]
    assert found == [3, 2, 1, 2, 1]


def test_a_reading_marks_what_came_last(store: Store) -> None:
    store.shell(f"(timeout -s TERM 1 $STUB run -- sh -c '{SAME}; sleep 9') > /dev/null")
    run(store, SAME)
    assert b"complete" in store.stub("ls").out
    assert json.loads(store.stub("read", "last", "--json").out)["state"] == "complete"
    assert json.loads(store.stub("show", "last", "--json").out)["origin"]["exit_status"] == 0


def in_folder(store: Store, folder: Path, command: str) -> tuple[str, str]:
    folder.mkdir(parents=True, exist_ok=True)
    place = shlex.quote(str(folder))
    done = store.shell(f"unset STUB_SESSION; cd {place}; {command.replace('stub ', '$STUB ')}")
    assert done.status == 0, done.err
    return done.text, done.err.decode()


@pytest.mark.parametrize("where", ["..", "../beside"])
def test_an_empty_list_says_that_a_folder_nearby_keeps_something(
    store: Store, tmp_path: Path, where: str
) -> None:
    project = tmp_path / "all" / "project"
    in_folder(store, project, f"{SAME} | stub ")
    _, told = in_folder(store, (project / where).resolve(), "stub ls")
    assert "0 artifacts" not in told
    assert "keeps nothing, sessions of folders nearby do; see: stub ls --session project-" in told
    command = told[told.index("stub ls --session") :].strip()
    assert "20,001" in in_folder(store, tmp_path, command)[0]
    assert "1 artifact" in in_folder(store, project, "stub ls")[1]


def test_an_empty_list_says_that_the_store_keeps_something_elsewhere(
    store: Store, tmp_path: Path
) -> None:
    in_folder(store, tmp_path / "one" / "here", f"{SAME} | stub ")
    _, told = in_folder(store, tmp_path / "two" / "there" / "deep", "stub ls")
    assert told.endswith("keeps nothing, other sessions do; see: stub ls --all-sessions\n")


def test_an_empty_store_is_just_empty(store: Store) -> None:
    assert store.stub("ls").err == b"stub: session test keeps nothing\n"
    assert store.stub("ls", "--all-sessions").err == b"stub: nothing is kept in this store\n"
    store.shell("echo small | $STUB > /dev/null")
    assert store.stub("ls").err == b"stub: session test keeps nothing\n"
