"""`stub diff`: git or diff on verified bytes, with the references for labels."""

import os
import shutil
from pathlib import Path

import pytest

from tests.cli.terminal import on_terminal
from tests.conftest import Store
from tests.helpers import keep, session_of

OLD = b"".join(b"line %d\n" % number for number in range(1, 401))
NEW = OLD.replace(b"line 200\n", b"line two hundred\n").removesuffix(b"\n") + b"\xff\x1b[2J"


@pytest.fixture
def kept(store: Store) -> Store:
    with session_of(store) as session:
        for data in (OLD, NEW):
            keep(session, data)
    return store


@pytest.fixture(params=["git", "diff"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A PATH with one of the two programs."""
    if not shutil.which(request.param):
        pytest.skip(f"no {request.param}")
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("sh", "cat", request.param):
        (folder / name).symlink_to(str(shutil.which(name)))
    return str(folder)


def test_the_labels_are_the_references_and_the_status_is_that_of_diff(
    kept: Store, path: str
) -> None:
    done = kept.stub("diff", "1", "2", check=False, PATH=path)
    assert (done.status, done.err) == (1, b"")
    lines = done.out.split(b"\n")
    labels = [line for line in lines if line.startswith((b"--- ", b"+++ "))]
    assert [label[:45] for label in labels] == [
        b"--- artifact:test:tool_result_001.txt:" + kept.digests()[0][:7].encode(),
        b"+++ artifact:test:tool_result_002.txt:" + kept.digests()[1][:7].encode(),
    ]
    assert b"-line 200" in lines
    assert b"+line two hundred" in lines
    assert b"+line 400\xff\x1b[2J" in lines, "a pipe gets the bytes"


def test_where_nothing_differs_there_is_nothing_to_say(kept: Store, path: str) -> None:
    done = kept.stub("diff", "1", "1", PATH=path)
    assert (done.status, done.out, done.err) == (0, b"", b"")


def test_what_stands_behind_two_dashes_goes_to_the_program(kept: Store, path: str) -> None:
    done = kept.stub("diff", "1", "2", "--", "-U0", check=False, PATH=path)
    assert done.status == 1
    assert b"\n line" not in done.out
    wrong = kept.stub("diff", "1", "2", "--", "--no-such-option", check=False, PATH=path)
    assert (wrong.status, wrong.out) == (2, b"")
    assert b"no-such-option" in wrong.err
    assert wrong.err.startswith(b"stub: ")
    assert wrong.err.count(b"\n") <= 2
    third = kept.stub("diff", "1", "2", "1", check=False, PATH=path)
    assert third.status == 2
    assert third.err == b"stub: '1' is not an option; give two artifacts, then -- OPTION\n"


def test_on_a_terminal_nothing_of_the_bytes_drives_it(kept: Store, path: str) -> None:
    status, written = on_terminal(kept, "diff", "1", "2", PATH=path, PAGER="cat")
    assert status == 1
    assert b"+line 400\\xff\r\n" in written
    assert b"\x1b[2J" not in written


def test_a_dumb_terminal_is_safe_too(kept: Store, path: str) -> None:
    status, written = on_terminal(kept, "diff", "1", "2", PATH=path, TERM="dumb")
    assert status == 1
    assert b"+line 400\\xff\r\n" in written
    assert b"\x1b" not in written


def test_colours_are_for_a_pager_that_takes_them(kept: Store, tmp_path: Path, path: str) -> None:
    pager = Path(path, "less")
    pager.write_text('#!/bin/sh\necho "$@"\ncat\n')
    pager.chmod(0o755)
    _, written = on_terminal(kept, "diff", "1", "2", PATH=path)
    assert written.startswith(b"-R -F -X\r\n")
    assert (b"\x1b[31m" in written) == os.path.exists(os.path.join(path, "git"))
    _, written = on_terminal(kept, "diff", "1", "2", PATH=path, NO_COLOR="1")
    assert b"\x1b[31m" not in written


def test_a_reader_that_leaves_is_no_error(kept: Store) -> None:
    with session_of(kept) as session:
        keep(session, OLD * 500)
    done = kept.shell("$STUB diff 1 3 | head -n 1; exit ${PIPESTATUS[0]}")
    assert (done.status, done.err) == (0, b"")


def test_what_is_damaged_is_not_compared_and_nothing_is_left(
    kept: Store, tmp_path: Path, path: str
) -> None:
    artifact = kept.artifacts()[1]
    artifact.chmod(0o600)
    artifact.write_bytes(NEW[:100] + b"?" + NEW[101:])
    folder = tmp_path / "temporary"
    folder.mkdir()
    done = kept.stub("diff", "1", "2", check=False, PATH=path, TMPDIR=str(folder))
    assert (done.status, done.out) == (4, b"")
    assert os.listdir(folder) == []


def test_where_neither_program_is_installed_it_says_so(kept: Store, tmp_path: Path) -> None:
    done = kept.stub("diff", "1", "2", check=False, PATH=str(tmp_path))
    assert done.status == 2
    assert done.err == b"stub: neither git nor diff is installed; install one of them\n"
