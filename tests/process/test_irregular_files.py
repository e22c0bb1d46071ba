"""A file that is named and is none that ends is refused at once: nothing waits for a writer."""

import os
import socket
from pathlib import Path

import pytest

from tests.conftest import Store
from tests.helpers import LARGE, Ran, assert_one_line_of_advice, forked, is_stub, or_dead

KINDS = ["fifo", "folder", "socket", "device"]
TALK = b'[{"role": "user", "content": "hello"}]'


@pytest.fixture(params=KINDS)
def irregular(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The path of something that is not a regular file."""
    path = tmp_path / "named"
    if request.param == "fifo":
        os.mkfifo(path)
    elif request.param == "folder":
        path.mkdir()
    elif request.param == "socket":
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(os.path.relpath(path))  # an absolute one may be too long
    else:
        path.symlink_to("/dev/zero")
    return str(path)


def refused(done: Ran, path: str, status: int = 2) -> None:
    assert_one_line_of_advice(done, status)
    assert path in done.err.decode()


@pytest.mark.parametrize("data", [b"small\n", LARGE])
def test_a_configuration_costs_no_input(store: Store, irregular: str, data: bytes) -> None:
    done = forked(store, data, prepare=or_dead(), STUB_CONFIG=irregular)
    refused(done, irregular)
    assert done.out == data
    assert not store.home.exists()


def test_a_configuration_stops_no_command_that_is_run(store: Store, irregular: str) -> None:
    arguments = ("run", "--", "seq", "1", "50000")
    done = forked(store, b"", *arguments, prepare=or_dead(), STUB_CONFIG=irregular)
    assert (done.status, done.out) == (0, LARGE)
    assert irregular in done.err.decode()
    refused(forked(store, b"", "ls", prepare=or_dead(), STUB_CONFIG=irregular), irregular)


def test_the_null_device_is_an_empty_configuration(store: Store) -> None:
    assert is_stub(forked(store, LARGE, STUB_CONFIG=os.devnull).out)


def test_a_plan(store: Store, irregular: str) -> None:
    store.stub(stdin=LARGE)
    arguments = ("gc", "--apply", "--plan", irregular)
    refused(forked(store, b"", *arguments, prepare=or_dead()), irregular)
    assert len(store.artifacts()) == 1


@pytest.mark.parametrize("verb", ["offload", "compact"])
def test_a_list_of_messages(store: Store, irregular: str, verb: str) -> None:
    for options in ((), ("--in-place",), ("--dry-run",)):
        done = forked(store, b"", "messages", verb, *options, irregular, prepare=or_dead())
        refused(done, irregular)


def test_a_report_costs_no_list(store: Store, irregular: str) -> None:
    arguments = ("messages", "offload", "--report", irregular)
    done = forked(store, TALK, *arguments, prepare=or_dead())
    assert (done.status, done.out) == (5, TALK)
    assert irregular in done.lines[-1]


def test_a_report_replaces_what_was_there(store: Store, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    report.write_text("x" * 100_000)
    forked(store, TALK, "messages", "offload", "--report", str(report))
    assert report.read_text().endswith("}\n")
    assert len(report.read_text()) < 1000


def test_where_debugging_is_written(store: Store, irregular: str) -> None:
    done = forked(store, LARGE, prepare=or_dead(), STUB_DEBUG=irregular)
    assert done.status == 0
    assert is_stub(done.out)
