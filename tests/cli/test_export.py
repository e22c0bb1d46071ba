"""`stub export`: the bytes under a name of the user's, at once or not at all."""

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Store
from tests.helpers import forked, keep, linux_only, session_of

DATA = b"\x00\xff bytes\r\n" * 300_000 + b"no end"


@pytest.fixture
def kept(store: Store) -> Store:
    with session_of(store) as session:
        keep(session, DATA)
    return store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "folder"
    made.mkdir()
    return made


def test_a_file_has_every_byte_and_is_the_users_alone(kept: Store, folder: Path) -> None:
    target = folder / "out"
    done = kept.stub("export", "last", "-o", str(target))
    assert target.read_bytes() == DATA
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert done.out == b""
    said = f"stub: 300,001 lines, {len(DATA):,} bytes written to {target}\n"
    assert done.err == said.encode()
    assert os.listdir(folder) == ["out"]


def test_standard_output_gets_every_byte(kept: Store) -> None:
    done = kept.stub("export", "last", "-o", "-")
    assert (done.out, done.err) == (DATA, b"")


def test_a_file_that_exists_is_replaced_by_force_alone(kept: Store, folder: Path) -> None:
    target = folder / "out"
    target.write_bytes(b"precious")
    done = kept.stub("export", "last", "-o", str(target), check=False)
    assert done.status == 6
    assert b"exists" in done.err
    assert target.read_bytes() == b"precious"
    kept.stub("export", "last", "-f", "-o", str(target))
    assert target.read_bytes() == DATA
    assert os.listdir(folder) == ["out"]


def test_one_that_comes_while_it_is_written_is_not_replaced(kept: Store, folder: Path) -> None:
    target = folder / "out"

    def comes_late() -> None:
        real = os.fsync

        def sync(descriptor: Any) -> None:
            target.write_bytes(b"precious")
            real(descriptor)

        pytest.MonkeyPatch().setattr(os, "fsync", sync)

    done = forked(kept, b"", "export", "last", "-o", str(target), prepare=comes_late)
    assert done.status == 6
    assert target.read_bytes() == b"precious"
    assert os.listdir(folder) == ["out"]


@pytest.mark.parametrize("force", [[], ["--force"]])
@pytest.mark.parametrize("there", [True, False])
def test_a_symbolic_link_is_neither_followed_nor_replaced(
    kept: Store, folder: Path, force: list[str], there: bool
) -> None:
    link, precious = folder / "link", folder / "precious"
    link.symlink_to(precious)
    if there:
        precious.write_bytes(b"precious")
    done = kept.stub("export", "last", "-o", str(link), *force, check=False)
    assert done.status == 6
    assert os.readlink(link) == str(precious)
    assert precious.exists() == there
    assert not there or precious.read_bytes() == b"precious"


def test_neither_a_folder_nor_a_device_is_replaced(kept: Store, folder: Path) -> None:
    fifo = folder / "fifo"
    os.mkfifo(fifo)
    for target in (str(folder), str(folder) + "/", str(fifo), "/dev/null", str(folder / "no/x")):
        done = kept.stub("export", "last", "--force", "-o", target, check=False)
        assert done.status in (2, 6), target
        assert done.err.count(b"\n") == 1
    assert stat.S_ISFIFO(fifo.stat().st_mode)
    assert os.listdir(folder) == ["fifo"]


def test_nothing_is_written_into_the_store_by_whatever_path(kept: Store, folder: Path) -> None:
    link = folder / "elsewhere"
    link.symlink_to(kept.results)
    before = sorted(kept.home.rglob("*"))
    (artifact,) = kept.artifacts()
    for target in (kept.home / "x", kept.results / "x", link / "x", artifact,
                   kept.home / ".." / kept.home.name / "x"):  # fmt: skip
        done = kept.stub("export", "last", "--force", "-o", str(target), check=False)
        assert done.status == 6, target
        assert b"inside the store" in done.err
    assert sorted(kept.home.rglob("*")) == before
    assert artifact.read_bytes() == DATA


def test_damage_leaves_nothing(kept: Store, folder: Path) -> None:
    (artifact,) = kept.artifacts()
    artifact.chmod(0o600)
    artifact.write_bytes(DATA[:2_500_000] + b"?" + DATA[2_500_001:])
    done = kept.stub("export", "last", "-o", str(folder / "out"), check=False)
    assert done.status == 4
    assert os.listdir(folder) == []


def _fails(name: str, number: int) -> Callable[[], None]:
    def prepare() -> None:
        def fail(*_: object, **__: object) -> None:
            raise OSError(number, os.strerror(number))

        setattr(os, name, fail)

    return prepare


@linux_only
@pytest.mark.parametrize(
    ("name", "number"), [("write", errno.ENOSPC), ("fsync", errno.EIO), ("link", errno.EIO)]
)
def test_a_disk_that_fails_leaves_nothing(
    kept: Store, folder: Path, name: str, number: int
) -> None:
    out = str(folder / "out")
    done = forked(kept, b"", "export", "last", "-o", out, prepare=_fails(name, number))
    assert done.status == 5
    assert os.listdir(folder) == []


def test_a_file_system_without_links_gets_it_too(kept: Store, folder: Path) -> None:
    prepare = _fails("link", errno.EPERM)
    done = forked(kept, b"", "export", "last", "-o", str(folder / "out"), prepare=prepare)
    assert done.status == 0
    assert (folder / "out").read_bytes() == DATA


def test_what_is_still_written_is_not_exported(store: Store, folder: Path) -> None:
    with session_of(store) as session:
        incoming = session.begin()
        incoming.write(DATA)
        done = store.stub("export", "1", "-o", str(folder / "out"), check=False)
        incoming.discard()
    assert done.status == 3
    assert os.listdir(folder) == []
