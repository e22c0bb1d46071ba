"""A number is given once, in order, whatever happened to the hint or to what had it before."""

import os
import subprocess
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from stubcli.reference import LARGEST, file_name, file_number, record_name
from stubcli.store import values
from stubcli.store.posix import collected
from stubcli.store.posix.incoming import IncomingFile
from stubcli.store.posix.lines import seal
from tests.conftest import Store
from tests.helpers import (
    BULK,
    COMMAND,
    artifact_of,
    assert_nothing_is_wrong,
    code_of,
    findings,
    fork,
    forked,
    keep,
    ref_of,
    session_of,
    sha256,
)


def number_of(out: bytes) -> int:
    return file_number(ref_of(out).split(":")[2]) or 0


# https://github.com/gtapps/claude-code-hermit/issues/623
# https://github.com/lsdefine/GenericAgent/issues/665
# https://github.com/parcadei/Continuous-Claude-v3/issues/96
# https://github.com/firecow/gitlab-ci-local/issues/1782
def test_sixty_four_writers_at_once_get_sixty_four_numbers(store: Store, tmp_path: Path) -> None:
    children = []
    for writer in range(64):
        pid = fork()
        if pid == 0:
            done = forked(store, BULK + b"writer %d\n" % writer)
            (tmp_path / f"out.{writer}").write_bytes(done.out)
            os._exit(done.status)
        children.append(pid)
    assert [code_of(os.waitpid(pid, 0)[1]) for pid in children] == [0] * 64
    outs = [(tmp_path / f"out.{writer}").read_bytes() for writer in range(64)]
    assert sorted(map(number_of, outs)) == list(range(1, 65))
    for writer, out in enumerate(outs):
        assert artifact_of(store, out).read_bytes() == BULK + b"writer %d\n" % writer
        assert ref_of(out).endswith(sha256(BULK + b"writer %d\n" % writer)[:16])
    assert_nothing_is_wrong(store)
    assert set(findings(store)) == {"ok"}
    store.artifacts()[-1].unlink()
    assert number_of(forked(store, BULK).out) == 65


def test_processes_of_their_own_at_once_get_numbers_of_their_own(store: Store) -> None:
    processes = [
        subprocess.Popen(
            COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=store.environment()
        )
        for _ in range(8)
    ]
    for number, process in enumerate(processes):
        assert process.stdin
        process.stdin.write(BULK + b"%d" % number)
        process.stdin.close()
    outs = []
    for process in processes:
        assert process.stdout
        outs.append(process.stdout.read())
        process.stdout.close()
        assert process.wait() == 0
    assert sorted(map(number_of, outs)) == list(range(1, 9))


HINTS = {
    "missing": None,
    "empty": b"",
    "garbage": b"\xff\0garbage",
    "torn": b"0000000000",
    "negative": b"-00000000000000005\n",
    "too low": b"%018d\n" % 0,
    "very long": b"9" * 5000,
    "largest": b"%018d\n" % LARGEST,
    "larger than any": b"%d\n" % 2**64,
}


@pytest.mark.parametrize("hint", HINTS)
@pytest.mark.parametrize("kept", [3, 40])
def test_without_a_good_hint_the_next_number_is_found(store: Store, hint: str, kept: int) -> None:
    with session_of(store) as session:
        for number in range(kept):
            keep(session, b"%d" % number)
    place = store.folder / ".sequence"
    content = HINTS[hint]
    if content is None:
        place.unlink()
    else:
        place.write_bytes(content)
    assert [number_of(forked(store, BULK + b"%d" % n).out) for n in range(2)] == [
        kept + 1,
        kept + 2,
    ]
    assert_nothing_is_wrong(store)


def test_the_number_of_a_deleted_artifact_is_not_given_again(store: Store) -> None:
    for number in range(1, 4):
        assert number_of(forked(store, BULK + b"%d" % number).out) == number
    for path in store.results.glob("tool_result_003.*"):
        path.unlink()
    assert number_of(forked(store, BULK + b"4").out) == 4


@pytest.mark.parametrize("hint", [b"%018d\n" % 0, None], ids=["too low", "missing"])
def test_a_number_whose_record_is_left_is_not_given_again(store: Store, hint: bytes | None) -> None:
    first = ref_of(forked(store, BULK).out)
    store.artifacts()[0].unlink()
    place = store.folder / ".sequence"
    place.unlink()
    if hint is not None:
        place.write_bytes(hint)
    assert number_of(forked(store, BULK + b"more").out) == 2
    assert forked(store, b"", "read", first).status == 3
    assert forked(store, b"", "read", "2", "--all").out == BULK + b"more"


def test_a_number_given_back_unused_is_not_given_again(store: Store) -> None:
    with session_of(store) as session:
        IncomingFile(session).discard()
    assert number_of(forked(store, BULK).out) == 2


def test_a_thousand_comes_after_nine_hundred_and_ninety_nine(store: Store) -> None:
    with session_of(store) as session:
        (store.folder / ".sequence").write_bytes(b"%018d\n" % 998)
        assert [keep(session, b"%d" % n).number for n in range(2)] == [999, 1000]
    (store.folder / ".sequence").unlink()
    done = forked(store, BULK)
    assert ref_of(done.out).split(":")[2] == "tool_result_1001.txt"
    assert forked(store, b"", "read", "1000").out == b"1"


@pytest.mark.parametrize("taken", [10**3, 10**9, 2**53, LARGEST - 1, LARGEST, 2**63, 2**64])
@pytest.mark.parametrize("where", ["tool-results", ".incoming", "record", "run", "collected"])
def test_whatever_number_was_taken_the_next_can_be_read_back(
    store: Store, taken: int, where: str
) -> None:
    assert number_of(forked(store, BULK).out) == 1
    with session_of(store) as session:
        if where == "tool-results":
            (store.results / file_name(taken)).touch()
        elif where == ".incoming":
            (store.folder / ".incoming" / f"tool_result_{taken:03d}").touch()
        elif where == "record":
            (store.results / record_name(taken, "0" * 64)).touch()
        elif where == "run" and taken <= LARGEST:
            record = session.find(1)
            session.note_run(record, record.run.replace(number=taken))
        elif where == "collected":
            collected.append(session, values.Tombstone(taken, "0" * 64, 1, "", ""))
    (store.folder / ".sequence").unlink()
    given = set()
    for text in (b"2", b"3", b"4"):
        out = forked(store, BULK + text).out
        given.add(number_of(out))
        for word in (ref_of(out), sha256(BULK + text), str(number_of(out))):
            assert forked(store, b"", "read", word, "--all").out == BULK + text
    assert len(given) == 3
    assert not given & {0, 1, taken}


def test_no_number_is_given_again_where_the_largest_was_collected(store: Store) -> None:
    with session_of(store) as session:
        for number in (1, 2):
            keep(session, b"%d" % number)
        for number in (2, LARGEST):
            collected.append(session, values.Tombstone(number, "0" * 64, 1, "", ""))
    for place in (store.folder / ".sequence", *store.results.glob("tool_result_002.*")):
        place.unlink()
    assert number_of(forked(store, BULK).out) == 3


@pytest.mark.parametrize(
    "field", [{"highest": "7"}, {"highest": 7.5}, {"number": None}, {"size": []}, {"when": 7}]
)
def test_a_tombstone_that_cannot_be_costs_no_output(store: Store, field: dict[str, Any]) -> None:
    tombstone = {**asdict(values.Tombstone(1, "0" * 64, 1, "", "")), **field}
    assert number_of(forked(store, BULK).out) == 1
    (store.folder / "collected.jsonl").write_bytes(seal({"schema_version": 2, **tombstone}))
    assert number_of(forked(store, BULK + b"more").out) == 2
    assert forked(store, b"", "read", "5").status == 3
    assert "damaged" in findings(store)


def test_a_hint_that_cannot_be_written_costs_nothing(store: Store) -> None:
    """The hint only saves a search."""

    def no_hint() -> None:
        def fails(*_: object) -> int:
            raise OSError(28, "No space left on device")

        os.pwrite = fails

    assert number_of(forked(store, BULK, prepare=no_hint).out) == 1
    assert number_of(forked(store, BULK + b"more", prepare=no_hint).out) == 2
    assert set(findings(store)) == {"ok"}
