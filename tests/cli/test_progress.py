"""How far work is stands on a line that nobody shares, and is gone when the work is."""

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli import debug, descriptors
from stubcli import terminal as module
from stubcli.cli import output, progress
from stubcli.cli.progress import Progress, in_bytes, in_items, tracked
from stubcli.store.artifact import Artifact
from tests.cli.terminal import INTERRUPT, on_terminal, screen
from tests.conftest import Store
from tests.helpers import forked, keep, session_of

ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("emit"), st.text("ab\n", min_size=1, max_size=6)),
        st.tuples(st.just("say"), st.text("cd", min_size=1, max_size=5)),
        st.tuples(st.just("note"), st.text("ef", min_size=1, max_size=5)),
        st.tuples(st.just("add"), st.just("")),
    ),
    max_size=12,
)


@contextmanager
def one_terminal() -> Iterator[list[bytes]]:
    """Standard output and standard error in one place, which is taken for a terminal."""
    written: list[bytes] = []

    def put(_descriptor: int, data: bytes) -> int:
        written.append(bytes(data))
        return len(data)

    class System:
        def __getattr__(self, name: str) -> object:
            return getattr(os, name)

        write = staticmethod(put)
        isatty = staticmethod(lambda _descriptor: True)
        get_terminal_size = staticmethod(lambda _descriptor: os.terminal_size((60, 24)))

    with pytest.MonkeyPatch.context() as patch:
        for where in (module, descriptors, debug, output, progress):
            patch.setattr(where, "os", System())
        patch.setattr(descriptors, "select", _Ready)
        patch.setattr(progress, "_PATIENCE", -1.0)
        patch.setattr(progress, "_PAUSE", 0.0)
        patch.setattr(module.terminal, "unfinished", False)
        patch.setattr(module.terminal, "_passed_on", False)
        patch.setattr(stat, "S_ISFIFO", lambda _mode: False)
        patch.setenv("TERM", "xterm")
        patch.setenv(debug.VARIABLE, "1")
        yield written


class _Ready:
    @staticmethod
    def select(*_: object) -> tuple[list[int], list[int], list[int]]:
        return [], [2], []


@given(ACTS)
def test_whatever_is_written_in_whatever_order_no_line_is_shared(
    acts: list[tuple[str, str]],
) -> None:
    expected = ""
    with one_terminal() as written, Progress("working", 10_000_000) as work:
        for act, text in acts:
            unfinished = bool(expected) and not expected.endswith("\n")
            if act == "emit":
                output.emit(text.encode())
                expected += text
            elif act == "say":
                output.say(text)
                expected += "\n" * unfinished + f"stub: {text}\n"
            elif act == "note":
                debug.note(text)
                expected += "\n" * unfinished + f"stub: debug: {text}\n"
            else:
                work.add(500_000)
                assert unfinished or b"working" in written[-1]
        work.__exit__()
        assert screen(b"".join(written)) == expected.split("\n")


def test_bytes_and_items_are_worded_in_a_unit_that_fits() -> None:
    assert in_bytes(1_500_000, 2_000_000) == "1,500 of 2,000 kB"
    assert in_bytes(412_000_000, 1_204_000_000) == "412 of 1,204 MB"
    assert in_bytes(4 * 10**9, 12 * 10**9) == "4 of 12 GB"
    assert in_bytes(5_000_000, None) == "5,000 kB"
    assert in_items(3, 1200) == "3 of 1,200"


@pytest.mark.parametrize("columns", [1, 9, 20, 44, 80])
def test_the_line_has_room_on_any_terminal(columns: int) -> None:
    parts = ["searching  34%", "12 s left", "412 of 1,204 MB"]
    line = progress._fitted(parts, columns - 1)
    assert len(line) < columns
    assert ", ".join(parts).startswith(line)


def test_in_a_pipe_and_on_a_dumb_terminal_there_is_none(store: Store) -> None:
    def at_once() -> None:
        progress._PATIENCE = -1.0

    with session_of(store) as session:
        keep(session, b"one line\n" * 400_000)
    done = forked(store, b"", "check", prepare=at_once)
    assert done.err == b"stub: 1 ok\n"

    def dumb() -> None:
        at_once()
        os.isatty = lambda descriptor: descriptor == 2

    assert forked(store, b"", "check", prepare=dumb, TERM="dumb").err == b"stub: 1 ok\n"


# It reads files as they are, not block by block.
COLLECT = "gc --older-than 0"
COMMANDS = ["check", "search nothing-of-it", COLLECT, "export 1 -o FILE",
            "read 1 --all", "diff 1 2"]  # fmt: skip


def watched() -> None:
    """A terminal for standard error alone, and no patience."""
    progress._PATIENCE, progress._PAUSE = -1.0, 0.0
    os.isatty = lambda descriptor: descriptor == 2
    os.get_terminal_size = lambda _descriptor=1: os.terminal_size((80, 24))


def two_artifacts(store: Store) -> None:
    with session_of(store) as session:
        keep(session, b"one line\n" * 400_000)
        keep(session, b"another line\n" * 400_000)


@pytest.mark.parametrize("command", COMMANDS)
def test_it_goes_on_with_the_bytes_and_leaves_no_trace(
    store: Store, tmp_path: Path, command: str
) -> None:
    two_artifacts(store)
    words = command.replace("FILE", str(tmp_path / "file")).split()
    done = forked(store, b"", *words, prepare=watched, TERM="xterm")
    percents = [int(number) for number in re.findall(rb"(\d+)%", done.err)]
    assert len(set(percents)) > 3, done.err
    assert percents == sorted(percents)
    assert not any("%" in line for line in screen(done.err)), done.err


@pytest.mark.parametrize("command", [one for one in COMMANDS if one != COLLECT])
def test_an_interrupt_leaves_the_terminal_as_it_was(
    store: Store, tmp_path: Path, command: str
) -> None:
    def interrupted() -> None:
        watched()
        real, blocks = Artifact._compare, []

        def compare(artifact: Artifact, *given: object) -> None:
            blocks.append(given)
            if len(blocks) == 3:
                raise KeyboardInterrupt
            real(artifact, *given)  # type: ignore[arg-type]

        pytest.MonkeyPatch().setattr(Artifact, "_compare", compare)

    two_artifacts(store)
    words = command.replace("FILE", str(tmp_path / "file")).split()
    done = forked(store, b"", *words, prepare=interrupted, TERM="xterm")
    assert done.status == 130
    assert screen(done.err) == [""]
    assert os.listdir(tmp_path) == ["store"]


def test_output_that_somebody_else_passes_on_is_not_disturbed() -> None:
    with one_terminal() as written, pytest.MonkeyPatch.context() as patch:
        patch.setattr(stat, "S_ISFIFO", lambda _mode: True)
        with Progress("working") as work:
            work.add(1)
            output.emit(b"for another program\n")
            count = len(written)
            work.add(1)
            assert len(written) == count


def test_what_is_tracked_comes_out_as_it_is() -> None:
    with one_terminal() as written:
        assert list(tracked("abc", "counting", 3)) == ["a", "b", "c"]
        assert screen(b"".join(written)) == [""]


def test_on_a_real_terminal_ctrl_c_ends_a_search_and_leaves_a_clean_line(store: Store) -> None:
    with session_of(store) as session:
        keep(session, b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n" * 3_000_000)
    status, written = on_terminal(
        store, "search", "(a|b|c)+x?(a|d){9}y", "last", key=INTERRUPT, once=b"searching"
    )
    assert b"\x1b[?25l" not in written, "the cursor was hidden"
    # On a machine that searches faster than a second there is nothing to interrupt.
    assert (status, screen(written)[-1]) == (130, "") or b"searching" not in written
