"""What is not as it was recorded is never served: status 4, one line, and the same input anew."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from stubcli.errors import IntegrityError
from stubcli.store.records import BLOCK, Origin, dump, load
from tests.conftest import Store
from tests.helpers import (
    BULK,
    LARGE,
    Ran,
    artifact_of,
    assert_kept,
    assert_one_line_of_advice,
    findings,
    forked,
    is_stub,
    keep,
    linux_only,
    or_dead,
    ref_of,
    session_of,
    sha256,
)

OTHER = b"the other artifact\n" * 9999
SMALL = BULK
WIDE = b"".join(b"line %07d of many\n" % number for number in range(1, 180_001))  # 4 blocks


def record_of(store: Store, out: bytes) -> Path:
    return next(store.results.glob(artifact_of(store, out).stem + ".*.json"))


def run(store: Store, *arguments: str) -> Ran:
    return forked(store, b"", *arguments, prepare=or_dead())


def change(path: Path, content: bytes) -> None:
    """Give a file another content behind the back of the store."""
    path.chmod(0o600)
    path.write_bytes(content)
    path.chmod(0o400)


def flipped(data: bytes, at: int, bit: int = 0) -> bytes:
    return data[:at] + bytes([data[at] ^ (1 << bit)]) + data[at + 1 :]


def assert_the_same_is_kept_anew(store: Store, out: bytes, data: bytes) -> None:
    """Filtering the bytes again gives another artifact, which every printed command reads."""
    again = run_filter(store, data)
    assert_kept(store, again.out, data)
    assert artifact_of(store, again.out) != artifact_of(store, out)
    whole = run(store, "read", ref_of(again.out), "--all")
    assert (whole.status, whole.out) == (0, data)
    # The stub's own commands name it by the first digits of its digest, which both have.
    short = run(store, "read", sha256(data)[:12], "--all")
    assert (short.status, short.out) == (0, data), short.err
    assert run(store, "show", ref_of(again.out)).out == again.out


def run_filter(store: Store, data: bytes) -> Ran:
    done = forked(store, data, prepare=or_dead())
    assert (done.status, done.err) == (0, b"")
    assert is_stub(done.out)
    return done


def assert_check_names(store: Store, name: str) -> None:
    done = run(store, "check")
    assert_one_line_of_advice(done, 4)
    named = [line for line in done.out.decode().splitlines() if name in line]
    assert len(named) == 1, done
    assert ": damaged: " in named[0]


RECORDS: dict[str, Callable[[bytes, bytes], bytes]] = {
    "empty": lambda record, other: b"",
    "one byte": lambda record, other: record[:1],
    "cut in its first half": lambda record, other: record[: len(record) // 3],
    "without its last brace": lambda record, other: record[:-2],
    "written twice": lambda record, other: record + record,
    "of the other artifact": lambda record, other: other,
    "zeros": lambda record, other: bytes(len(record)),
    "no JSON": lambda record, other: b"no JSON at all\n",
    "no object": lambda record, other: b"[1, 2, 3]\n",
    "an empty object": lambda record, other: b"{}\n",
    "no digest of itself": lambda record, other: b'{"schema_version":1}\n',
    "no UTF-8": lambda record, other: b"\xff\xfe" + record,
    "deep lists": lambda record, other: b"[" * 200_000,
    "deep objects": lambda record, other: b'{"a":' * 200_000,
    "a long number": lambda record, other: b'{"size":' + b"9" * 100_000 + b"}",
    "flipped at its start": lambda record, other: flipped(record, 0, 2),
    "flipped at a third": lambda record, other: flipped(record, len(record) // 3),
    "flipped at two thirds": lambda record, other: flipped(record, 2 * len(record) // 3, 1),
    "flipped at its end": lambda record, other: flipped(record, len(record) - 3, 3),
}


@pytest.mark.parametrize("how", RECORDS)
def test_a_damaged_record_is_told_and_nothing_is_served(store: Store, how: str) -> None:
    other, out = run_filter(store, OTHER).out, run_filter(store, SMALL).out
    place = record_of(store, out)
    change(place, RECORDS[how](place.read_bytes(), record_of(store, other).read_bytes()))
    # A third of the commands for each: every one meets six kinds of damage.
    assert_nothing_is_served(store, out, list(RECORDS).index(how) % 3)
    assert_check_names(store, "tool_result_002.txt")
    assert run(store, "read", ref_of(other), "--all").out == OTHER
    listed = run(store, "ls")
    assert b"damaged" in listed.out or listed.status == 4
    assert_the_same_is_kept_anew(store, out, SMALL)


def assert_nothing_is_served(store: Store, out: bytes, third: int) -> None:
    ref = ref_of(out)
    commands = (
        ("read", ref),
        ("read", "2"),
        ("read", sha256(SMALL)[:12]),
        ("read", ref, "--all"),
        ("read", ref, "--json"),
        ("show", ref),
        ("show", ref, "--json"),
        ("search", "7", ref),
        ("search", "7"),
    )
    for command in commands[third::3]:
        done = run(store, *command)
        assert b"777" not in done.out, command
        if command == ("search", "7"):
            assert done.status == 4
            assert b"; " in done.err
        else:
            assert_one_line_of_advice(done, 4)
            assert done.out == b"", command


@linux_only
@pytest.mark.parametrize("kind", ["a pipe", "a link", "a folder", "huge"])
def test_a_record_that_is_no_file_of_ours_is_not_waited_for(
    store: Store, tmp_path: Path, kind: str
) -> None:
    run_filter(store, OTHER)
    out = run_filter(store, SMALL).out
    place = record_of(store, out)
    copy = tmp_path / "copy"
    copy.write_bytes(place.read_bytes())
    place.unlink()
    if kind == "a pipe":
        os.mkfifo(place)
    elif kind == "a link":
        place.symlink_to(copy)
    elif kind == "a folder":
        place.mkdir()
    else:
        place.touch()
        os.truncate(place, 1 << 40)
    assert_one_line_of_advice(run(store, "read", ref_of(out)), 4)
    assert_one_line_of_advice(run(store, "show", "2"), 4)
    assert_check_names(store, "tool_result_002.txt")
    assert_the_same_is_kept_anew(store, out, SMALL)


def test_a_record_that_is_gone_is_told_and_made_again_by_repair(store: Store) -> None:
    out = run_filter(store, SMALL).out
    record_of(store, out).unlink()
    assert_one_line_of_advice(run(store, "read", "1"), 3, 4)
    assert_check_names(store, "tool_result_001.txt")
    assert run(store, "check", "--repair").status == 0
    assert run(store, "read", "1", "--all").out == SMALL
    assert set(findings(store)) == {"ok"}


def test_no_flipped_bit_of_a_record_gives_another_record(store: Store) -> None:
    with session_of(store) as session:
        origin = Origin("grep", "call 1", None, ("grep", "-r", "ä"), "/tmp")
        record = keep(session, b"x" * 3, origin=origin, stub="[stub ä]\n")
    data = dump(record)
    assert load(data, "name") == record
    told = 0
    for at in range(len(data)):
        for bit in range(8):
            try:
                # The case of a digit in an escape means nothing; everything else is told.
                assert load(flipped(data, at, bit), "name") == record, (at, bit)
            except IntegrityError:
                told += 1
    assert told >= 8 * len(data) - 8
    for end in range(len(data) - 1):
        with pytest.raises(IntegrityError):
            load(data[:end], "name")


ARTIFACTS: dict[str, Callable[[bytes], bytes]] = {
    "its first byte flipped": lambda data: flipped(data, 0),
    "its middle byte flipped": lambda data: flipped(data, len(data) // 2, 7),
    "its last byte flipped": lambda data: flipped(data, len(data) - 1, 5),
    "one byte less": lambda data: data[:-1],
    "half of it": lambda data: data[: len(data) // 2],
    "nothing": lambda data: b"",
    "one byte more": lambda data: data + b"\n",
    "twice as much": lambda data: data + data,
    "zeros of the same size": lambda data: bytes(len(data)),
    "another text of the same size": lambda data: (OTHER * 2)[: len(data)],
    "its bytes backwards": lambda data: data[::-1],
}


@pytest.mark.parametrize("how", ARTIFACTS)
def test_a_damaged_artifact_is_told_and_never_served(store: Store, how: str) -> None:
    other, out = run_filter(store, OTHER).out, run_filter(store, SMALL).out
    change(artifact_of(store, out), ARTIFACTS[how](SMALL))
    assert_it_is_never_served(store, out, 4)
    assert_check_names(store, "tool_result_002.txt")
    before = artifact_of(store, out).read_bytes()
    assert run(store, "check", "--repair").status == 4
    assert artifact_of(store, out).read_bytes() == before, "damage is kept as it is"
    assert run(store, "read", ref_of(other), "--all").out == OTHER
    assert_the_same_is_kept_anew(store, out, SMALL)


def assert_it_is_never_served(store: Store, out: bytes, status: int) -> None:
    ref = ref_of(out)
    for command in (
        ("read", ref),
        ("read", "2", "--lines", "1-5"),
        ("read", sha256(SMALL)[:12], "--all"),
        ("read", ref, "--json"),
        ("search", ".", ref),
    ):
        done = run(store, *command)
        assert done.status == status, (command, done)
        told = [line for line in done.err.splitlines() if b"match" not in line]
        assert len(told) == 1, done.err
        assert told[0].startswith(b"stub: ")
        assert b"; " in told[0]
        assert done.out == b"", command
    # What was shown is in the record, which is whole; the bytes are not asked for.
    shown = run(store, "show", ref)
    assert (shown.status, shown.out) in ((0, out), (status, b""))


@pytest.mark.parametrize("kind", ["a link to a copy", "a pipe", "a folder", "nothing"])
def test_an_artifact_that_is_no_file_of_ours_is_told(
    store: Store, tmp_path: Path, kind: str
) -> None:
    run_filter(store, OTHER)
    out = run_filter(store, SMALL).out
    place = artifact_of(store, out)
    shutil.copy(place, tmp_path / "copy")
    place.unlink()
    if kind == "a link to a copy":
        place.symlink_to(tmp_path / "copy")
    elif kind == "a pipe":
        os.mkfifo(place)
    elif kind == "a folder":
        place.mkdir()
    assert_it_is_never_served(store, out, 3 if kind == "nothing" else 4)
    assert_check_names(store, "tool_result_002.txt")
    assert_the_same_is_kept_anew(store, out, SMALL)


@pytest.fixture
def wide(store: Store) -> tuple[Store, bytes, Path]:
    """An artifact of several blocks: the store, its stub and its path."""
    out = run_filter(store, WIDE).out
    return store, out, artifact_of(store, out)


@pytest.mark.parametrize("block", [0, 1, 3])
def test_pages_outside_a_damaged_block_are_still_served(
    wide: tuple[Store, bytes, Path], block: int
) -> None:
    store, out, path = wide
    at = min(block * BLOCK + BLOCK // 3, len(WIDE) - 1)
    change(path, flipped(WIDE, at, 4))
    served = 0
    for offset in range(0, len(WIDE), BLOCK // 4):
        page = ("read", ref_of(out), "--unit", "bytes", "--offset", str(offset), "--limit", "5000")
        done = run(store, *page)
        if done.status == 0:
            assert done.out == WIDE[offset : offset + 5000], offset
            assert not offset <= at < offset + 5000
            served += 1
        else:
            assert_one_line_of_advice(done, 4)
            assert done.out == b""
            # A block is cut up to four bytes short of a MiB.
            assert abs(offset // BLOCK - block) <= 1, offset
    assert served >= len(range(0, len(WIDE), BLOCK // 4)) - 6
    whole = run(store, "read", ref_of(out), "--all")
    assert whole.status == 4
    assert WIDE.startswith(whole.out)
    assert len(whole.out) <= at
    assert_one_line_of_advice(whole, 4)
    assert_check_names(store, path.name)


def test_pages_by_lines_outside_a_damaged_block_are_served_too(
    wide: tuple[Store, bytes, Path],
) -> None:
    store, out, path = wide
    change(path, flipped(WIDE, BLOCK + BLOCK // 2))
    for lines, status in (("1-20", 0), ("70000-70020", 4), ("179990-180000", 0)):
        done = run(store, "read", ref_of(out), "--lines", lines)
        first, last = map(int, lines.split("-"))
        expected = b"".join(WIDE.splitlines(keepends=True)[first - 1 : last])
        assert (done.status, done.out) == (status, b"" if status else expected), done


def test_two_blocks_that_changed_places_are_told(wide: tuple[Store, bytes, Path]) -> None:
    store, out, path = wide
    first, second = WIDE[:100_000], WIDE[BLOCK + 500_000 : BLOCK + 600_000]
    swapped = bytearray(WIDE)
    swapped[:100_000], swapped[BLOCK + 500_000 : BLOCK + 600_000] = second, first
    change(path, bytes(swapped))
    assert_one_line_of_advice(run(store, "read", ref_of(out)), 4)
    assert_check_names(store, path.name)


def test_a_search_in_a_damaged_artifact_says_that_its_answer_is_not_whole(
    wide: tuple[Store, bytes, Path],
) -> None:
    store, out, path = wide
    change(path, flipped(WIDE, 2 * BLOCK))
    done = run(store, "search", "line 0000007 of many", ref_of(out))
    assert done.status == 4
    assert done.out.startswith(b"7:")
    assert b"damaged between bytes" in done.err
    missing = run(store, "search", "line 0179999 of many", ref_of(out))
    assert missing.status == 4, "no match in a damaged artifact is no answer"


def test_a_damaged_artifact_and_its_good_copy_are_told_apart(store: Store) -> None:
    out = run_filter(store, SMALL).out
    change(artifact_of(store, out), flipped(SMALL, 5))
    assert_the_same_is_kept_anew(store, out, SMALL)
    # From now on the copy answers for these bytes; there is no third one.
    assert ref_of(run_filter(store, SMALL).out).split(":")[2] == "tool_result_002.txt"
    assert_one_line_of_advice(run(store, "read", "1"), 4)
    assert_check_names(store, "tool_result_001.txt")


ODD = b"d\xff\xfe x"


# https://github.com/TheR1D/shell_gpt/issues/768
@linux_only
def test_a_folder_whose_name_is_no_text_comes_back_byte_for_byte(
    store: Store, tmp_path: Path
) -> None:
    folder = os.path.join(os.fsencode(tmp_path), ODD)
    os.mkdir(folder)
    done = forked(store, LARGE, prepare=lambda: os.chdir(folder))
    assert_kept(store, done.out, LARGE)
    for path in store.results.glob("*.json"):
        path.read_bytes().decode("ascii")
        assert os.fsencode(json.loads(path.read_bytes())["run"]["origin"]["cwd"]) == folder
    shown = run(store, "show", ref_of(done.out), "--json")
    assert os.fsencode(json.loads(shown.out)["origin"]["cwd"]) == folder
    for command in ("ls", "ls --json", "check", "show 1", "read 1", "search 777"):
        told = forked(store, b"", *command.split(), LC_ALL="C", LANG="C")
        assert told.status == 0, (command, told)


# https://github.com/TheR1D/shell_gpt/issues/768
def test_arguments_that_are_no_text_come_back_byte_for_byte(store: Store) -> None:
    argv = (b"printf", b"a\xffb", b"\xc3\x28", b"\xed\xa0\x80", "ä\U0001f600".encode(), b"")
    with session_of(store) as session:
        origin = Origin(tool="printf", argv=tuple(map(os.fsdecode, argv)), cwd=os.fsdecode(ODD))
        record = keep(session, LARGE, origin=origin)
    assert load(dump(record), "name") == record
    dump(record).decode("ascii")
    shown = run(store, "show", "1", "--json")
    found = json.loads(shown.out)["origin"]
    assert tuple(map(os.fsencode, found["argv"])) == argv
    assert os.fsencode(found["cwd"]) == ODD
    assert set(findings(store)) == {"ok"}
