"""What is being written, or was left over by a crash, can be read, and never passes for complete.

A reader of a store must not see half an artifact under a final name, nor be told that what is
just being written does not exist: https://github.com/vercel/workflow/issues/2296
"""

import json
import os
import random
import shlex
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import stubcli.store.measure
import stubcli.store.posix.unfinished
from stubcli.durable import exists
from stubcli.errors import IntegrityError, MissingError
from stubcli.reference import file_name, file_number
from stubcli.retrieve.listing import list_runs
from stubcli.retrieve.page import BYTES, CHARS, LINES, Window, read_page
from stubcli.store.artifact import Unfinished
from stubcli.store.posix.artifacts import find_record
from stubcli.store.posix.unfinished import list_unfinished, open_number
from stubcli.store.resolve import open_reference
from stubcli.store.surface import Incoming, Session
from stubcli.store.values import IN_PROGRESS, LEFTOVER
from tests.chance import examples
from tests.conftest import Store
from tests.helpers import (
    LARGE,
    Ran,
    ended,
    feed,
    fork,
    forked,
    keep,
    kept_bytes,
    made_run,
    mended,
    session_of,
    sha256,
    started,
    wait_until,
)

BEGUN = b"".join(b"line %d so far\n" % n for n in range(1, 3001))
REF = "artifact:test:tool_result_002.txt"
MARK = f"stub: in progress: {len(BEGUN):,} bytes so far"
ORPHAN = "stub: interrupted: left over by a run that was cut short; stub check --repair adopts it"


@contextmanager
def writing(session: Session, data: bytes) -> Iterator[Incoming]:
    """A writer of the next number that has got so far."""
    incoming = session.begin()
    incoming.write(data)
    yield incoming
    incoming.close()


def left_over(store: Store, data: bytes) -> None:
    """The writer of the next number dies."""
    pid = fork()
    if pid == 0:
        with session_of(store) as session:
            session.begin().write(data)
            os._exit(0)
    os.waitpid(pid, 0)


@pytest.fixture
def store(store: Store) -> Store:
    """One complete artifact, number 1."""
    with session_of(store) as session:
        keep(session, LARGE)
    return store


def stub(store: Store, command: str) -> Ran:
    return forked(store, b"", *shlex.split(command))


def test_what_is_written_so_far_is_read_and_marked(store: Store) -> None:
    with session_of(store) as session, writing(session, BEGUN):
        path = store.folder / ".incoming" / "tool_result_002"
        final = store.results / file_name(2)
        for reference in ("2", "tool_result_002.txt", REF, f"'[{REF}]'", path, final):
            done = stub(store, f"read {reference} --limit 100")
            assert (done.status, done.out) == (0, BEGUN[:100])
            mark, position = done.lines
            assert mark == MARK
            assert f"of 3,000, bytes 0-100 of {len(BEGUN):,} so far; next: stub read " in position
        found = stub(store, "search --count 'line 77' 2")
        assert (found.out, found.lines[0]) == (f"{REF} 11\n".encode(), MARK)
        shown = stub(store, "show 2")
        assert shown.lines == [MARK]
        first, second = shown.out.decode().split("\n")[:2]
        assert first.startswith(f"[stub {REF}] text/plain, 3,000 lines, ")
        assert second.startswith(f"in progress: {len(BEGUN):,} bytes so far   ")


def test_every_answer_in_json_tells_the_state_and_no_digest(store: Store) -> None:
    with session_of(store) as session, writing(session, BEGUN):
        page = json.loads(stub(store, "read 2 --json --limit 5").out)
        assert (page["ref"], page["state"], page["total"]) == (REF, IN_PROGRESS, len(BEGUN))
        known = json.loads(stub(store, "show 2 --json").out)
        assert (known["ref"], known["state"], known["sha256"]) == (REF, IN_PROGRESS, None)
        rows = json.loads(stub(store, "ls --json").out)["runs"]
        assert rows[0] == {
            "ref": REF,
            "session": "test",
            "number": 2,
            "bytes": len(BEGUN),
            "state": IN_PROGRESS,
        }
        assert [row["state"] for row in rows] == [IN_PROGRESS, "complete"]


def test_what_a_crash_left_is_read_marked_and_adopted(store: Store) -> None:
    left_over(store, BEGUN)
    done = stub(store, "read 2 --unit bytes --offset 10 --limit 20")
    assert (done.status, done.out, done.lines[0]) == (0, BEGUN[10:30], ORPHAN)
    assert json.loads(stub(store, "read 2 --json").out)["state"] == LEFTOVER
    rows = [line.split() for line in stub(store, "ls").out.decode().splitlines()]
    assert rows[1] == ["2", "-", f"{len(BEGUN):,}", "-", "-", "leftover", *"-----"]
    assert mended(store) == [f"tool_result_002.txt: repaired: {len(BEGUN):,} bytes, interrupted"]
    adopted = stub(store, f"read {REF} --all")
    assert adopted.out == BEGUN
    assert adopted.lines[-1].endswith(" (interrupted: the input was cut off)")


def test_the_listing_has_each_in_its_numeric_place(store: Store) -> None:
    with session_of(store) as session, writing(session, BEGUN):
        keep(session, b"third")
        rows = json.loads(stub(store, "ls --json").out)["runs"]
        assert [row["number"] for row in rows] == [3, 2, 1]
        listed = json.loads(stub(store, "ls --json -n 1 --skip 1").out)
        assert (listed["total"], listed["runs"][0]["ref"]) == (3, REF)


def test_last_is_the_newest_complete_one_where_there_is_any(store: Store) -> None:
    with session_of(store) as session, writing(session, BEGUN):
        assert stub(store, "read last --limit 3").out == LARGE[:3]
        found = stub(store, "search -c 'line 77'")
        assert (found.status, found.lines[0]) == (0, f"stub: tool_result_002.txt is {MARK[6:]}")


def test_last_is_what_is_unfinished_where_nothing_else_is(store: Store) -> None:
    alone = Store(store.home, "alone")
    with session_of(alone) as session, writing(session, BEGUN):
        done = forked(alone, b"", "read", "last", "--limit", "3")
        assert (done.out, done.lines[0]) == (BEGUN[:3], MARK)


def test_pages_go_on_while_it_grows_and_after_it_is_complete(store: Store) -> None:
    with started(store) as process:
        feed(process, LARGE[:100_000])
        wait_until(lambda: kept_bytes(store) == 100_000)
        arguments, parts, position = ["read", "2", "--limit", "30000"], [], ""
        while "; later: " not in position:
            done = forked(store, b"", *arguments)
            parts.append(done.out)
            position = done.lines[-1]
            arguments = shlex.split(position.rpartition(": ")[2])[1:]
        assert b"".join(parts) == LARGE[:100_000]
        feed(process, LARGE[100_000:] + b"more")
        assert process.stdin
        process.stdin.close()
        process.stdin = None
        assert ended(process).status == 0
    done = forked(store, b"", *arguments, "--limit", "1000000")
    assert b"".join(parts) + done.out == LARGE + b"more"
    assert done.lines[-1].endswith("; end")


@examples(70)
@given(
    st.lists(
        st.one_of(
            st.binary(min_size=1, max_size=9),
            st.sampled_from(["é", "中文", "😀", "\n", "\r\n", "a b"]).map(str.encode),
        ),
        min_size=1,
        max_size=30,
    ),
    st.integers(1, 20),
    st.sampled_from([CHARS, LINES, BYTES]),
    st.integers(1, 30),
)
def test_pages_of_a_growing_artifact_put_together_are_all_of_it(
    store: Store, pieces: list[bytes], limit: int, unit: str, room: int
) -> None:
    """Written in pieces that divide characters; where a page is the last, it goes on from there."""
    got, window = b"", Window(0, limit, unit, room)
    with session_of(store) as session, writing(session, b"") as incoming:
        for piece in pieces:
            incoming.write(piece)
            with open_number(session, incoming.number) as opened:
                follow: Window | None = window
                while follow is not None:
                    window = follow
                    page = read_page(opened, window)
                    got += page.data
                    follow = page.follow
                assert got.startswith(b"".join(pieces)[: opened.size])
                window = Window(page.end, limit, BYTES, room)
                if unit == CHARS and page.end == opened.size:
                    window = Window(opened.record.characters, limit, CHARS, room)
        assert b"".join(pieces).startswith(got)
        assert len(got) >= len(b"".join(pieces)) - 3
        incoming.discard()


def test_a_character_that_is_cut_by_the_writing_is_shown_when_it_is_whole(store: Store) -> None:
    text = "中文".encode()
    with session_of(store) as session, writing(session, text[:4]) as incoming:
        with open_number(session, 2) as opened:
            assert (opened.size, opened.record.characters) == (3, 1)
        incoming.write(text[4:])
        with open_number(session, 2) as opened:
            assert (opened.size, opened.record.characters) == (6, 2)
    left_over(store, text[:4])
    with session_of(store) as session, open_number(session, 3) as opened:
        assert (opened.size, opened.record.characters) == (4, 2)  # nothing will complete it


def test_it_is_published_while_it_is_measured(store: Store) -> None:
    with session_of(store) as session, writing(session, BEGUN) as incoming:

        def publishes(items: Iterator[bytes], _label: str, _total: int) -> Iterator[bytes]:
            yield from items
            publish(incoming)

        opened = open_number(session, 2, publishes)  # type: ignore[arg-type]
        assert not isinstance(opened, Unfinished)
        opened.verify()
        assert opened.run.state == "complete"
        opened.close()


def publish(incoming: Incoming) -> None:
    data = incoming.read_at(0, incoming.size)
    meter = stubcli.store.measure.Meter()
    meter.feed(data)
    incoming.publish(meter.finish().record("test", incoming.number, made_run(incoming.number)))


@pytest.mark.parametrize("seen_after", ["listing the incoming", "looking for the final name"])
def test_it_is_published_between_two_looks(
    store: Store, monkeypatch: pytest.MonkeyPatch, seen_after: str
) -> None:
    with session_of(store) as session, writing(session, BEGUN) as incoming:
        if seen_after == "listing the incoming":
            listdir = os.listdir

            def lists(place: int) -> list[str]:
                found = listdir(place)
                if place == session.incoming and "tool_result_002" in found:
                    publish(incoming)
                return found

            monkeypatch.setattr(os, "listdir", lists)
            assert list_unfinished(session) == {}
        else:

            def looks(name: str, within: int) -> bool:
                found = exists(name, within)
                if name == file_name(2) and not found:
                    publish(incoming)
                return found

            monkeypatch.setattr(stubcli.store.posix.unfinished, "exists", looks)
            with open_number(session, 2) as opened:
                assert not isinstance(opened, Unfinished)
                opened.verify()


def test_what_its_writer_takes_back_is_not_there(store: Store) -> None:
    with session_of(store) as session, writing(session, BEGUN) as incoming:

        def discards(items: Iterator[bytes], _label: str, _total: int) -> Iterator[bytes]:
            yield from items
            incoming.discard()

        with pytest.raises(MissingError, match="there is no artifact 2"):
            open_number(session, 2, discards)  # type: ignore[arg-type]
        assert list_unfinished(session) == {}


def test_bytes_that_change_under_a_reader_are_not_served(store: Store) -> None:
    with (
        session_of(store) as session,
        writing(session, BEGUN),
        open_number(session, 2) as opened,
        (store.folder / ".incoming" / "tool_result_002").open("r+b", buffering=0) as file,
    ):
        file.seek(40)
        file.write(b"X")
        with pytest.raises(IntegrityError, match="was changed while it was read") as raised:
            opened.read_at(0, 10)
        assert raised.value.hint == "try again"


def test_readers_do_not_take_each_other_for_the_writer_nor_stop_a_repair(store: Store) -> None:
    left_over(store, BEGUN)
    with (
        session_of(store) as session,
        open_number(session, 2) as one,
        open_number(session, 2) as two,
    ):
        assert {one.run.state, two.run.state} == {LEFTOVER}
        assert mended(store)
        assert one.read_at(0, 20) == two.read_at(0, 20) == BEGUN[:20]


@pytest.mark.parametrize("planted", ["a link", "a second name", "a pipe", "a folder"])
def test_what_is_planted_in_its_place_is_refused_and_not_listed(
    store: Store, tmp_path: Path, planted: str
) -> None:
    secret, place = tmp_path / "secret", store.folder / ".incoming" / "tool_result_002"
    secret.write_text("kept from all")
    plant: dict[str, Callable[[], None]] = {
        "a link": lambda: place.symlink_to(secret),
        "a second name": lambda: place.hardlink_to(secret),
        "a pipe": lambda: os.mkfifo(place),
        "a folder": place.mkdir,
    }
    plant[planted]()
    done = stub(store, "read 2")
    assert (done.status, done.out) == (4, b"")
    assert done.err.count(b"\n") == 1
    assert json.loads(stub(store, "ls --json").out)["total"] == 1
    assert stub(store, "read last --limit 3").out == LARGE[:3]


def test_nothing_is_written_yet(store: Store) -> None:
    with session_of(store) as session, writing(session, b""):
        done = stub(store, "read 2")
        assert (done.status, done.out) == (0, b"")
        assert done.lines[0] == "stub: in progress: 0 bytes so far"
        assert "nothing here: the artifact ends at 0 lines, " in done.lines[1]
        assert stub(store, "show 2").status == 0


def test_a_reference_with_a_digest_never_means_what_is_unfinished(store: Store) -> None:
    with session_of(store) as session, writing(session, BEGUN):
        for digest in (sha256(BEGUN)[:12], sha256(BEGUN)[:16], sha256(BEGUN)):
            for reference in (digest, f"{REF}:{digest}"):
                done = stub(store, f"read {reference}")
                assert (done.status, done.out) == (3, b""), reference


def test_a_poller_never_sees_half_an_artifact_and_never_a_gap(
    store: Store, dice: random.Random
) -> None:
    """https://github.com/vercel/workflow/issues/2296"""
    slow = [b"%d\n" % n * 500 for n in range(200)]
    done, numbers = threading.Event(), range(2, 12)

    def writes() -> None:
        with session_of(store) as session:
            for number in numbers:
                with writing(session, b"%d " % number) as incoming:
                    for piece in slow[:: dice.randint(9, 40)]:
                        incoming.write(piece)
                        time.sleep(0.0005)
                    publish(incoming)
        done.set()

    writer = threading.Thread(target=writes)
    writer.start()
    states: set[str] = set()
    highest = 1
    with session_of(store) as session:
        while not done.is_set():
            seen = listed(store)
            assert seen == set(range(1, max(seen) + 1)), "a number vanished"
            assert max(seen) >= highest
            highest = max(seen)
            for name in os.listdir(session.results):
                if (number := file_number(name)) is not None:
                    with session.open(find_record(session, number)) as opened:
                        opened.verify()
            for reference in (str(highest), "last"):
                with open_reference(str(store.home), store.session, reference) as opened:
                    opened.verify()
                    states.add(opened.run.state)
                    begun = b"1\n" if opened.record.number == 1 else b"%d " % opened.record.number
                    assert begun.startswith(opened.read_at(0, len(begun)))
    writer.join()
    assert states == {IN_PROGRESS, "complete"}


def listed(store: Store) -> set[int]:
    """The numbers as `stub ls` finds them."""
    rows = list_runs(str(store.home), [store.session], limit=100, skip=0).rows
    for row in rows:
        assert row.record or row.sighting, "an artifact was called damaged"
    return {row.number for row in rows}
