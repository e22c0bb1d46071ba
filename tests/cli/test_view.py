"""`stub view`: the user's pager, at the line, with what a terminal would show."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.terminal import INTERRUPT, on_terminal, screen
from tests.conftest import Store
from tests.helpers import keep, session_of

TEXT = b"".join(b"\x1b[32mline\x1b[0m %d\n" % number for number in range(1, 5001))
BAT = ["bat", "--paging=always"]
PLAIN = b"".join(b"line %d\n" % number for number in range(1, 5001))
# Notes how it was called and what it was given, as a pager that shows all of it at once.
PAGER = '#!/bin/sh\necho "$0" "$@" > {0}/called\ncat > {0}/text\n'
Install = Callable[..., str]


@pytest.fixture
def install(tmp_path: Path) -> Install:
    """Makes pagers of these names, and a PATH that has them and no other."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("sh", "cat", "env"):
        (folder / name).symlink_to(str(shutil.which(name)))

    def make(*names: str, script: str = PAGER) -> str:
        for name in names:
            (folder / name).write_text(script.format(tmp_path))
            (folder / name).chmod(0o755)
        return str(folder)

    return make


def called(tmp_path: Path) -> list[str]:
    name, *options = (tmp_path / "called").read_text().split()
    return [os.path.basename(name), *options]


@pytest.fixture
def kept(store: Store) -> Store:
    with session_of(store) as session:
        keep(session, TEXT)
    return store


@pytest.mark.parametrize(
    ("environment", "installed", "options"),
    [
        ({}, ("less", "bat", "more"), ["less", "-R", "+500"]),
        ({}, ("bat", "more"), BAT),
        ({}, ("more",), ["more", "+500"]),
        ({"PAGER": "more -s"}, ("less", "more"), ["more", "-s", "+500"]),
        ({"PAGER": "bat"}, ("less", "bat"), [*BAT, "--pager", "less", "-R", "+500"]),
        ({"PAGER": "more", "STUB_PAGER": "less -S"}, ("less",), ["less", "-S", "-R", "+500"]),
        ({"PAGER": "strange -x"}, ("less", "strange"), ["strange", "-x"]),
    ],
    ids=lambda value: str(value),
)  # fmt: skip
def test_each_pager_is_told_the_line_in_its_own_way(
    kept: Store,
    tmp_path: Path,
    install: Install,
    environment: dict[str, str],
    installed: tuple[str, ...],
    options: list[str],
) -> None:
    path = install(*installed)
    status, written = on_terminal(kept, "view", "last", "500", PATH=path, environment=environment)
    assert (status, called(tmp_path)) == (0, options)
    told = b"look for line 500" in written
    assert told == ("+500" not in options)
    less = options[0] == "less"
    assert (tmp_path / "text").read_bytes() == (TEXT + b"\x1b[0m" if less else PLAIN)


def test_the_users_wish_not_to_see_colours_is_respected(
    kept: Store, tmp_path: Path, install: Install
) -> None:
    on_terminal(kept, "view", "last", PATH=install("less"), NO_COLOR="1")
    assert (tmp_path / "text").read_bytes() == PLAIN
    assert called(tmp_path) == ["less", "-R"]


def test_a_pager_by_another_name_is_known_and_a_small_one_is_not_taken_for_it(
    kept: Store, tmp_path: Path, install: Install
) -> None:
    path = Path(install("less", "busybox"))
    (path / "pager").symlink_to("less")
    on_terminal(kept, "view", "last", "7", PATH=str(path), PAGER="pager")
    assert called(tmp_path) == ["pager", "-R", "+7"]
    (path / "less").unlink()
    (path / "less").symlink_to("busybox")
    _, written = on_terminal(kept, "view", "last", "7", PATH=str(path))
    assert called(tmp_path) == ["less"]
    assert b"look for line 7" in written


def test_a_pager_may_be_a_script_for_a_shell(kept: Store, tmp_path: Path, install: Install) -> None:
    on_terminal(kept, "view", "last", PATH=install("less"), PAGER="X=1 less | cat")
    assert (called(tmp_path), (tmp_path / "text").read_bytes()) == (["less"], PLAIN)


def test_a_pager_that_is_left_early_is_no_error(kept: Store, install: Install) -> None:
    path = install("less", script="#!/bin/sh\nread line; echo seen\n")
    with session_of(kept) as session:
        keep(session, PLAIN * 400)
    assert on_terminal(kept, "view", "last", PATH=path) == (0, b"seen\r\n")


@pytest.mark.parametrize(
    ("pager", "why"),
    [("nonsuch", b"No such file"), ("nonsuch | nonsuch", b"ended with status 127")],
)
def test_a_pager_that_cannot_be_started_is_named(
    kept: Store, install: Install, pager: str, why: bytes
) -> None:
    status, written = on_terminal(kept, "view", "last", PATH=install("less"), PAGER=pager)
    assert status == 2
    assert why in written
    assert b"set STUB_PAGER" in written
    assert b"Traceback" not in written


def test_without_any_pager_it_says_what_to_install(kept: Store, install: Install) -> None:
    status, written = on_terminal(kept, "view", "last", PATH=install())
    assert (status, written) == (
        2, b"stub: no pager is installed; install less, or set STUB_PAGER\r\n"
    )  # fmt: skip


def test_an_interrupt_is_for_the_pager(kept: Store, tmp_path: Path, install: Install) -> None:
    heard = "trap 'echo heard; cat > {0}/text; exit 0' INT"
    script = f"#!/bin/sh\n{heard}\necho ready; while :; do :; done\n"
    path = install("less", script=script)
    status, written = on_terminal(kept, "view", "last", PATH=path, key=INTERRUPT, once=b"ready")
    assert status == 0
    assert written.endswith(b"heard\r\n")
    assert (tmp_path / "text").read_bytes().startswith(TEXT[:100])


def test_damage_is_found_before_the_pager_is_opened(
    kept: Store, tmp_path: Path, install: Install
) -> None:
    (path,) = kept.artifacts()
    path.chmod(0o600)
    path.write_bytes(TEXT[:100] + b"?" + TEXT[101:])
    status, written = on_terminal(kept, "view", "last", PATH=install("less"))
    assert status == 4
    assert b"is damaged" in written
    assert not (tmp_path / "called").exists()


def test_in_a_pipe_it_is_the_text_itself_from_the_line_on(kept: Store) -> None:
    assert kept.stub("view", "last").out == PLAIN
    assert kept.stub("view", "last", "4,999").out == b"line 4999\nline 5000\n"
    assert kept.stub("view", "last", "6000").out == b""
    done = kept.shell("$STUB view last | head -n 1")
    assert (done.status, done.out, done.err) == (0, b"line 1\n", b"")


def test_on_a_dumb_terminal_it_is_the_text_too(kept: Store, install: Install) -> None:
    status, written = on_terminal(kept, "view", "last", "5000", PATH=install("less"), TERM="dumb")
    assert (status, screen(written)) == (0, ["line 5000", ""])


@pytest.mark.parametrize("line", ["0", "x", "-3", "1,3", "1-3"])
def test_a_line_is_a_number_from_one_on(kept: Store, line: str) -> None:
    done = kept.stub("view", "last", "--", line, check=False)
    assert done.status == 2
    assert b"invalid line" in done.err
