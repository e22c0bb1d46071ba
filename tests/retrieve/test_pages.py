"""Pages that follow one another are the artifact, and every page says where it stands."""

import base64
import json
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import stubcli.store.measure
from stubcli.errors import UsageError
from stubcli.retrieve.page import (
    BYTES,
    CHARS,
    LARGEST,
    LINES,
    Page,
    Window,
    parse_lines,
    read_page,
    total,
)
from stubcli.retrieve.position import (
    byte_of_character,
    byte_of_line,
    character_of_byte,
    line_of_byte,
)
from stubcli.store.artifact import Artifact
from stubcli.store.posix.artifacts import find_record
from stubcli.store.surface import Session
from stubcli.text.characters import decode, encode
from tests.chance import examples
from tests.conftest import Result, Store
from tests.helpers import LARGE, artifact, forked, keep, session_of

ANY = examples(80)

wild = st.one_of(
    st.binary(min_size=1, max_size=300),
    st.lists(
        st.sampled_from([b"a", b"\n", b"\r\n", "é".encode(), "中".encode(), "😀".encode(), b"\xff",
                         b"\xe4\xb8", b"\xf0\x9f", b"\0", b"long line without any end "]),
        min_size=1,
        max_size=120,
    ).map(b"".join),
)  # fmt: skip


@pytest.fixture(params=[16, 23, 1 << 20])
def session(
    store: Store, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Session]:
    """A session whose blocks are tiny, so that every page lies across many."""
    monkeypatch.setattr(stubcli.store.measure, "BLOCK", request.param)
    with session_of(store) as opened:
        yield opened


def pages(opened: Artifact, window: Window) -> Iterator[Page]:
    """The page, and all that follow it by their `next`."""
    follow: Window | None = window
    for _ in range(100_000):
        if follow is None:
            return
        page = read_page(opened, follow)
        yield page
        follow = page.follow
    raise AssertionError("it does not end")


@ANY
@given(wild, st.integers(1, 60), st.sampled_from([CHARS, LINES, BYTES]), st.integers(1, 40))
def test_pages_put_together_are_the_artifact(
    session: Session, data: bytes, limit: int, unit: str, room: int
) -> None:
    with artifact(session, data) as opened:
        parts = list(pages(opened, Window(0, limit, unit, room)))
        assert b"".join(part.data for part in parts) == data
        assert all(part.data for part in parts)
        assert [part.start for part in parts[1:]] == [part.end for part in parts[:-1]]
        assert all(data[part.start : part.end] == part.data for part in parts)
        if unit == CHARS:
            assert all(len(decode(part.data)) == limit for part in parts[:-1])
        for part in parts:
            assert part.first_line == data.count(b"\n", 0, part.start) + 1
            assert part.last_line == data.count(b"\n", 0, part.end - 1) + 1
            if unit == LINES:
                assert len(decode(part.data)) <= max(room, 1)


@ANY
@given(wild, st.integers(0, 400), st.integers(1, 400), st.sampled_from([CHARS, LINES, BYTES]))
def test_a_page_is_the_slice_that_was_asked_for(
    session: Session, data: bytes, offset: int, limit: int, unit: str
) -> None:
    text = decode(data)
    expected = {
        CHARS: encode(text[offset : offset + limit]),
        BYTES: data[offset : offset + limit],
        LINES: b"".join(lines_of(data)[offset : offset + limit]),
    }[unit]
    with artifact(session, data) as opened:
        page = read_page(opened, Window(offset, limit, unit, 10_000))
        assert page.data == expected
        assert (page.follow is None) == (offset + limit >= total(opened, unit))
        assert (
            total(opened, unit)
            == {
                CHARS: len(text),
                BYTES: len(data),
                LINES: len(lines_of(data)),
            }[unit]
        )


def lines_of(data: bytes) -> list[bytes]:
    """LF ends a line, and the end of the data ends the last one."""
    return re.findall(rb"[^\n]*\n|[^\n]+", data)


@ANY
@given(wild)
def test_every_position_is_what_counting_gives(session: Session, data: bytes) -> None:
    text = decode(data)
    with artifact(session, data) as opened:
        for index in range(len(text) + 2):
            assert byte_of_character(opened, index) == len(encode(text[:index]))
        starts = [0]
        for line in lines_of(data):
            starts.append(starts[-1] + len(line))
        for number, start in enumerate(starts, 1):
            assert byte_of_line(opened, number) == start
        for offset in range(len(data)):
            assert line_of_byte(opened, offset) == data.count(b"\n", 0, offset) + 1
        for index in range(len(text) + 1):
            offset = len(encode(text[:index]))
            assert character_of_byte(opened, offset) == index


@ANY
@given(wild, st.integers(0, 320), st.integers(0, 320))
def test_bytes_read_anywhere_are_those_of_the_artifact(
    session: Session, data: bytes, offset: int, length: int
) -> None:
    with artifact(session, data) as opened:
        assert opened.read_at(offset, length) == data[offset : offset + length]


def test_a_page_is_found_without_reading_what_lies_before_it(store: Store) -> None:
    with session_of(store) as session:
        record = keep(session, b"0123456789abcde\n" * (1 << 20), block=1 << 20)
        with session.open(record) as opened:
            read: list[int] = []
            block = opened.block

            def counting(index: int) -> bytes:
                read.append(index)
                return block(index)

            opened.block = counting  # type: ignore[method-assign]
            page = read_page(opened, Window(1_000_000, 3, LINES, 10_000))
            assert page.data == b"0123456789abcde\n" * 3
            assert len(set(read)) <= 2


@pytest.mark.parametrize("unit", [CHARS, LINES, BYTES])
def test_pages_of_a_binary_artifact_with_text_in_it_lose_nothing(store: Store, unit: str) -> None:
    """Several blocks that are mostly no text, between blocks that are."""
    data = (
        b"a line\n" * 200_000 + (b"\xff\xff\xff" + "é".encode()) * 500_000 + "中文\n".encode() * 9
    )
    forked(store, data)
    with session_of(store) as session:
        record = find_record(session, 1)
        assert record.characters == len(decode(data))
        with session.open(record) as opened:
            parts = list(pages(opened, Window(0, 100_000, unit, 100_000)))
    assert all(part.data for part in parts)
    assert b"".join(part.data for part in parts) == data


SEQ = LARGE


@pytest.fixture
def kept(store: Store, large: Callable[[Store], Store]) -> Store:
    return large(store)


def read(store: Store, *arguments: str) -> Result:
    done = forked(store, b"", "read", *arguments)
    return Result(done.status, done.out, done.err)


def test_a_page_without_options_is_the_first_ten_thousand_characters(kept: Store) -> None:
    done = read(kept, "last")
    assert done.out == SEQ[:10_000]
    said = done.err.decode()
    # The page ends inside a line, which what is said of it does not go on.
    assert said.startswith("\nstub: lines 1-2,222 of 50,000, bytes 0-10,000 of 288,894; next: ")
    assert said.count("\n") == 2


# https://github.com/langchain-ai/deepagents/issues/2142
# https://github.com/open-octo/octo-agent/issues/402
# https://github.com/Kilo-Org/kilocode/issues/6572
@pytest.mark.parametrize(
    "start",
    ["last", "last --unit lines --limit 1000", "last --limit 19999", "last --unit bytes",
     "last --lines 1-3000", "last --offset 0 --limit 100000"],
)  # fmt: skip
def test_following_the_printed_commands_visits_every_byte_once(kept: Store, start: str) -> None:
    arguments = start.split()
    parts = []
    for _ in range(120):
        done = read(kept, *arguments)
        parts.append(done.out)
        said = done.err.decode()
        if said.endswith("; end\n"):
            break
        command = shlex.split(said.partition("; next: ")[2])
        assert command[:2] == ["stub", "read"]
        arguments = command[2:]
    assert b"".join(parts) == SEQ
    assert "of 50,000" in said
    assert "of 288,894" in said


def test_the_printed_command_works_where_the_store_was_named(kept: Store) -> None:
    done = read(kept, "last", "--home", str(kept.home))
    command = shlex.split(done.err.decode().partition("; next: ")[2])[2:]
    shown = forked(kept, b"", "read", *command, STUB_HOME="/nonexistent")
    assert shown.out == SEQ[10_000:20_000]


# https://github.com/Zoo-Code-Org/Zoo-Code/issues/1728
# https://github.com/langchain-ai/deepagents/issues/568
@pytest.mark.parametrize(
    "arguments",
    ["--unit lines --offset 50000", "--unit lines --offset 50001", "--unit lines --offset 99999",
     "--unit lines --offset 999999999999999999999", "--offset 288894", "--offset 288895",
     "--unit bytes --offset 288894", "--lines 50001-", "--lines 60000-70000"],
)  # fmt: skip
def test_at_or_past_the_end_there_is_nothing_and_the_true_size(kept: Store, arguments: str) -> None:
    done = (
        read(kept, "last", *arguments.split(), "--limit", "5")
        if "--lines" not in arguments
        else read(kept, "last", *arguments.split())
    )
    assert (done.status, done.out) == (0, b"")
    said = done.err.decode()
    assert said.count("\n") == 1
    assert "50,000 lines" in said
    assert "288,894 bytes" in said
    as_json = json.loads(read(kept, "last", *arguments.split(), "--json").out)
    assert (as_json["content"], as_json["has_more"], as_json["next"]) == ("", False, None)


# https://github.com/langchain-ai/deepagents/issues/5184
# https://github.com/anomalyco/opencode/issues/4398
@pytest.mark.parametrize(
    "arguments",
    ["--limit 0", "--limit -1", "--offset -1", "--offset -1780 --limit 40", "--limit abc",
     "--limit 1e3", "--limit 1.5", "--offset 0x10", "--unit words", "--lines 0-5", "--lines 5-3",
     "--lines a-b", "--lines -5", "--lines 1-2-3", "--lines 1-5 --offset 3", "--all --limit 3",
     "--lines 3-4 --unit bytes", "--lines 3,1", "--lines 1,3-5", "--lines 1,2,3", "--lines 1,",
     "--lines 1,300", "--lines 12,300", "--lines 1,00-2", "--lines 0,5"],
)  # fmt: skip
def test_a_window_that_cannot_be_is_a_usage_error_of_one_line(kept: Store, arguments: str) -> None:
    done = read(kept, "last", *arguments.split())
    assert (done.status, done.out) == (2, b"")
    assert done.err.startswith(b"stub: ")
    assert done.err.count(b"\n") == 1
    assert b"Traceback" not in done.err


def test_a_huge_limit_is_cut_and_the_next_command_is_given(store: Store) -> None:
    data = b"0123456789abcdef" * (3 << 16)
    store.stub(stdin=data)
    done = read(store, "last", "--limit", "1000000000000")
    assert done.out == data[:LARGEST]
    assert f"next: stub read {store.digests()[0][:12]} --offset {LARGEST}" in done.err.decode()


@pytest.mark.parametrize(
    ("lines", "first", "last"),
    [("3-5", 3, 5), ("3", 3, 3), ("49990-", 49_990, 50_000), ("1,000-1,002", 1000, 1002),
     ("49,999-60,000", 49_999, 50_000), ("50000", 50_000, 50_000), ("1,3", 1, 3),
     ("10,12", 10, 12), ("4,1000", 4, 1000), ("50,000-", 50_000, 50_000),
     ("30,010", 30_010, 30_010)],
)  # fmt: skip
def test_lines_are_named_in_every_form(kept: Store, lines: str, first: int, last: int) -> None:
    done = read(kept, "last", "--lines", lines)
    assert done.out == b"".join(b"%d\n" % n for n in range(first, last + 1))
    assert f"lines {first:,}-{last:,} of 50,000" in done.err.decode()


@given(st.integers(1, 10**7), st.integers(0, 10**7))
def test_a_comma_never_makes_another_number(first: int, more: int) -> None:
    """Between groups of three digits it separates thousands, elsewhere it is the one of sed."""
    last = first + more
    assert parse_lines(f"{first:,}-{last:,}") == (first, last)
    pair = f"{first},{last}"
    if re.fullmatch(r"\d{1,3},\d{3}", pair):
        with pytest.raises(UsageError, match=f"give {first}{last:03}, or the range {first}-{last}"):
            parse_lines(pair)
    else:
        assert parse_lines(pair) == (first, last)


def test_what_is_said_of_a_page_never_goes_on_in_its_line(store: Store) -> None:
    data = b"one\ntwo\nthree" * 2000
    store.stub(stdin=data)
    for options in ("--limit 5", "--limit 4", "--all", "--lines 2", "--offset 99999999"):
        done = store.shell(f"$STUB read last {options} 2>&1")
        page, _, said = done.out.rpartition(b"stub: ")
        assert page[-1:] in (b"", b"\n")
        assert said.count(b"\n") == 1


def test_lines_are_bounded_in_characters_and_go_on_in_the_range(kept: Store) -> None:
    done = read(kept, "last", "--lines", "1-20000")
    assert len(done.out) <= 10_000
    assert done.out.endswith(b"\n")
    command = shlex.split(done.err.decode().partition("; next: ")[2])
    assert command[3:] == ["--lines", f"{done.out.count(10) + 1}-20000"]


@pytest.mark.parametrize("unit", ["chars", "lines", "bytes"])
def test_json_tells_all_of_a_page(kept: Store, unit: str) -> None:
    found = json.loads(
        read(kept, "last", "--json", "--unit", unit, "--offset", "10", "--limit", "20").out
    )
    assert found["unit"] == unit
    assert (found["offset"], found["limit"]) == (10, 20)
    assert found["total"] == {"chars": 288_894, "lines": 50_000, "bytes": 288_894}[unit]
    assert found["has_more"] is True
    assert found["next"] == {"offset": 30, "limit": 20, "unit": unit}
    assert found["content"] == SEQ[found["start"] : found["end"]].decode()
    assert found["encoding"] == "utf-8"


def test_json_carries_bytes_that_are_no_text(store: Store) -> None:
    data = b"\xff\xfe\x00\x80" * 6000
    forked(store, data)
    found = json.loads(read(store, "last", "--json", "--unit", "bytes", "--limit", "9").out)
    assert found["encoding"] == "base64"
    assert base64.b64decode(found["content"]) == data[:9]


@pytest.mark.parametrize("command", [["read", "last"], ["show", "last", "--json"], ["ls"]])
def test_what_a_command_prints_by_default_would_pass_the_filter(
    store: Store, command: list[str]
) -> None:
    for number in range(3):
        forked(store, ("中文😀" * 20_000 + str(number)).encode())
    done = forked(store, b"", *command)
    assert len(done.out.decode()) <= 20_000


# https://github.com/google-gemini/gemini-cli/issues/28090
def test_a_listing_of_many_artifacts_stays_below_the_threshold(store: Store) -> None:
    with session_of(store) as session:
        for number in range(300):
            keep(session, b"%d" % number, origin=stubcli.store.records.Origin(tool="t" * 500))
    for command in (["ls"], ["ls", "--json"], ["stats"], ["check"]):
        done = forked(store, b"", *command)
        assert done.status == 0
        assert len(done.out.decode()) <= 20_000, command


# https://github.com/galaxyproject/galaxy/issues/22331
# https://github.com/google-gemini/gemini-cli/issues/10492
def test_a_line_of_fifty_megabytes_is_reached_anywhere_in_little_memory(
    store: Store, tmp_path: Path
) -> None:
    script = (
        "import os, resource, subprocess, sys\n"
        "done = subprocess.run([sys.executable, '-m', 'stubcli', *sys.argv[1:]])\n"
        "peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss\n"
        "peak //= 1024 if sys.platform == 'darwin' else 1\n"
        "open(os.environ['PEAK'], 'w').write(str(peak))\n"
        "sys.exit(done.returncode)\n"
    )
    (tmp_path / "measured.py").write_text(script)
    peak = tmp_path / "peak"
    line = "import sys;[sys.stdout.write('0123456789abcdef'*65536) for _ in range(50)]"
    python = shlex.quote(sys.executable)
    run = f"PEAK={peak} {python} {tmp_path}/measured.py"
    done = store.shell(f'{python} -c "{line}" | {run}')
    assert done.status == 0, done.err
    assert len(done.out) < 16_000
    assert "1 line," in done.text.splitlines()[0]
    assert int(peak.read_text()) < 120_000
    page = store.shell(f"{run} read last --unit bytes --offset 40000000 --limit 32")
    assert page.out == b"0123456789abcdef" * 2
    assert int(peak.read_text()) < 120_000
    page = store.shell(f"{run} read last --offset 40000003 --limit 3")
    assert page.out == b"345"
    found = store.shell(f"{run} search fedcba last")
    assert found.status == 1
    assert int(peak.read_text()) < 120_000


# https://github.com/BurntSushi/ripgrep/issues/1300
# https://github.com/twaugh/patchutils/issues/62
@pytest.mark.parametrize("end", ["\r\n", "\r", "mixed"])
def test_carriage_returns_are_kept_and_only_line_feeds_count(store: Store, end: str) -> None:
    ends = ["\r\n", "\n", "\r"] if end == "mixed" else [end] * 3
    data = "".join(
        f"row number {n} of the file with some text{ends[n % 3]}" for n in range(3000)
    ).encode()
    forked(store, data)
    assert read(store, "last", "--all").out == data
    assert json.loads(forked(store, b"", "show", "last", "--json").out)["lines"] == len(
        lines_of(data)
    )
    page = read(store, "last", "--lines", "1-2").out
    assert page == b"".join(lines_of(data)[:2])[:10_000]
