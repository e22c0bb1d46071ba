"""When the store cannot take the bytes: full, read-only, no home, taken away meanwhile."""

import errno
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.conftest import Store
from tests.helpers import (
    LARGE,
    LARGE_SHA,
    Calls,
    Ran,
    assert_nothing_is_wrong,
    ended,
    fail_at,
    feed,
    findings,
    forked,
    is_stub,
    kept_bytes,
    linux_only,
    mended,
    names,
    needs,
    ref_of,
    root_only,
    sha256,
    started,
    wait_until,
)

NOBODY = 61_234


def assert_raw(done: Ran, data: bytes) -> None:
    """Every byte on stdout, status 0, one line that says why."""
    assert done.status == 0, done.err
    assert done.out == data
    assert done.err.startswith(b"stub: not stored: ")
    assert done.err.count(b"\n") == 1
    assert b"Traceback" not in done.err


def assert_preview(done: Ran, data: bytes) -> None:
    assert done.status == 5
    shown = done.out.decode()
    label = f"NOT STORED: {len(data):,} bytes"
    assert shown.startswith(f"[stub {label}] ")
    assert shown.endswith(f"[stub end {label}]\n")
    assert len(shown) <= 5000
    assert "artifact:" not in shown
    assert "\n1\n2\n3\n" in shown
    assert "\n" + data[-50:].decode().split("\n", 1)[1] in shown
    assert done.err.count(b"\n") == 1


def assert_rejected(done: Ran) -> None:
    assert done.status == 5
    assert done.out == b""
    assert done.err.startswith(b"stub: not stored: ")
    assert done.err.count(b"\n") == 1


def full_at_write(number: int) -> Callable[[], None]:
    """A disk that takes so many pieces of 64 KiB of the artifact, or not its record."""
    taken = 0

    def act(_count: int, name: str) -> None:
        nonlocal taken
        if name == "write":
            taken += 1
            if taken > number:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def install() -> None:
        read = os.read
        os.read = lambda descriptor, size: read(descriptor, min(size, 1 << 16))
        Calls(act).install()

    return install


@pytest.mark.parametrize("taken", [0, 1, 2, 4, 5])
class TestADiskThatFillsUp:
    def test_raw_prints_every_byte(self, store: Store, taken: int) -> None:
        done = forked(store, LARGE, prepare=full_at_write(taken))
        assert_raw(done, LARGE)
        assert b"No space left on device" in done.err
        assert_left_nothing(store)

    def test_preview_prints_both_ends_and_leaves_what_was_taken_to_a_repair(
        self, store: Store, taken: int
    ) -> None:
        done = forked(store, LARGE, "--on-failure", "preview", prepare=full_at_write(taken))
        assert_preview(done, LARGE)
        assert_left(store, done, LARGE[: taken << 16])

    def test_reject_prints_nothing_and_leaves_what_was_taken_to_a_repair(
        self, store: Store, taken: int
    ) -> None:
        done = forked(store, LARGE, "--on-failure", "reject", prepare=full_at_write(taken))
        assert_rejected(done)
        assert_left(store, done, LARGE[: taken << 16])


def assert_left(store: Store, done: Ran, data: bytes) -> None:
    """What the line on standard error says is in the store is there, and a repair adopts it."""
    said = f"the first {len(data):,} bytes stay in the store; to adopt them: stub check --repair"
    assert (said in done.err.decode()) == bool(data), done.err
    mended(store)
    assert [path.read_bytes() for path in store.artifacts()] == ([data] if data else [])
    assert_nothing_is_wrong(store)


class TestWhereTheOutputFailsToo:
    """A limit of file sizes meets the store and a standard output that is a file, alike."""

    LIMIT = 100_000

    def limit(self) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (self.LIMIT, self.LIMIT))

    @pytest.mark.parametrize("words", [(), ("run", "--", "seq", "1", "50000")])
    def test_what_was_stored_stays_and_the_numbers_are_told(
        self, store: Store, words: tuple[str, ...]
    ) -> None:
        done = forked(store, LARGE, *words, prepare=self.limit)
        assert done.status == (125 if words else 5)
        assert done.out == LARGE[: self.LIMIT]
        numbers = f"100,000 of {len(LARGE):,} bytes came out; {len(LARGE) - self.LIMIT:,} are lost"
        assert numbers in done.err.decode()
        assert done.err.count(b"\n") == 2
        assert_left(store, done, LARGE[: self.LIMIT])

    def test_an_output_that_is_closed(self, store: Store) -> None:
        def without_output() -> None:
            os.close(1)
            self.limit()

        done = forked(store, LARGE, prepare=without_output)
        assert done.status == 5
        assert f"0 of {len(LARGE):,} bytes came out" in done.err.decode()
        assert_left(store, done, LARGE[: self.LIMIT])

    def test_a_reader_that_left(self, store: Store) -> None:
        def without_reader() -> None:
            reading, writing = os.pipe()
            os.dup2(writing, 1)
            os.close(reading)
            os.close(writing)
            self.limit()

        done = forked(store, LARGE, prepare=without_reader)
        assert done.status == 5
        assert_left(store, done, LARGE[: self.LIMIT])

    def test_what_was_printed_whole_is_in_one_place(self, store: Store) -> None:
        data = LARGE[: self.LIMIT]

        def only_the_record_fails() -> None:
            full_at_write(2)()

        done = forked(store, data, prepare=only_the_record_fails)
        assert_raw(done, data)
        assert_left_nothing(store)


def assert_left_nothing(store: Store) -> None:
    assert not store.artifacts()
    assert not [name for name in names(store) if name.startswith(".incoming/")]
    assert findings(store) == {}


# https://github.com/anthropics/claude-code/issues/51814
# https://github.com/vshulcz/deja-vu/issues/906
@pytest.mark.parametrize("blocks", [0, 64, 128, 1000])
def test_a_file_size_limit_costs_no_output(store: Store, blocks: int) -> None:
    script = f"(ulimit -f {blocks}; $STUB) | sha256sum; echo ${{PIPESTATUS[0]}}"
    done = store.shell(f"seq 1 2000000 | ({script})")
    data = "".join(f"{n}\n" for n in range(1, 2_000_001)).encode()
    assert done.out == f"{sha256(data)}  -\n0\n".encode()
    assert done.err.startswith(b"stub: not stored: File too large")
    assert done.err.count(b"\n") == 1
    assert not store.artifacts()
    assert store.shell("echo small | $STUB").out == b"small\n"


@pytest.fixture
def tiny(tmp_path: Path) -> Iterator[Store]:
    """A store on a file system of 256 KiB."""
    place = tmp_path / "tiny"
    place.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k,mode=700", "none", place],
        capture_output=True,
        check=False,
    )
    if made.returncode:
        pytest.skip(f"no file system can be mounted here: {made.stderr!r}")
    yield Store(place / "store")
    subprocess.run(["umount", "-l", place], check=True)


@root_only
@linux_only
class TestASmallFileSystem:
    DATA = LARGE * 4

    def test_raw(self, tiny: Store) -> None:
        done = tiny.stub(stdin=self.DATA)
        assert_raw(Ran(done.status, done.out, done.err), self.DATA)
        assert not tiny.artifacts()

    def test_the_output_beside_the_store(self, tiny: Store) -> None:
        """Both fill the same room: what the store took stays, and nothing is deleted for it."""
        tiny.home.mkdir(mode=0o700)
        with (tiny.home.parent / "out").open("wb") as out:

            def beside() -> None:
                os.dup2(out.fileno(), 1)

            done = forked(tiny, self.DATA, prepare=beside)
        assert done.status == 5
        (tiny.home.parent / "out").unlink()
        assert b"bytes came out" in done.err
        subprocess.run(["mount", "-o", "remount,size=1m", tiny.home.parent], check=True)
        mended(tiny)
        [path] = tiny.artifacts()
        kept = path.read_bytes()
        assert self.DATA.startswith(kept)
        assert len(kept) > 128 << 10
        assert f"the first {len(kept):,} bytes stay in the store" in done.err.decode()

    def test_preview(self, tiny: Store) -> None:
        done = tiny.stub("--on-failure", "preview", stdin=self.DATA, check=False)
        assert_preview(Ran(done.status, done.out, done.err), self.DATA)

    def test_reject(self, tiny: Store) -> None:
        done = tiny.stub("--on-failure", "reject", stdin=self.DATA, check=False)
        assert_rejected(Ran(done.status, done.out, done.err))

    def test_there_is_room_again_afterwards_and_what_was_kept_is_whole(self, tiny: Store) -> None:
        small = LARGE[:60_000]
        first = tiny.stub(stdin=small)
        assert tiny.stub(stdin=self.DATA).out == self.DATA
        second = tiny.stub(stdin=LARGE[60_000:120_000])
        assert tiny.stub("read", first.ref, "--all").out == small
        assert tiny.stub("read", second.ref, "--all").out == LARGE[60_000:120_000]
        assert tiny.stub("check").status == 0

    def test_a_small_input_passes_where_nothing_more_can_be_kept(self, tiny: Store) -> None:
        tiny.home.mkdir()
        with (tiny.home / "filler").open("wb", buffering=0) as filler:
            try:
                while filler.write(b"f" * 4096):
                    pass
            except OSError:
                pass
        assert tiny.stub(stdin=b"small").out == b"small"
        done = tiny.stub(stdin=LARGE)
        assert_raw(Ran(done.status, done.out, done.err), LARGE)

    def test_a_read_only_file_system_is_a_store_that_can_be_read(self, tiny: Store) -> None:
        first = tiny.stub(stdin=LARGE[:60_000])
        subprocess.run(["mount", "-o", "remount,ro", tiny.home.parent], check=True)
        done = tiny.stub(stdin=LARGE)
        assert_raw(Ran(done.status, done.out, done.err), LARGE)
        assert b"Read-only file system" in done.err
        assert tiny.stub("read", first.ref, "--all").out == LARGE[:60_000]
        assert first.ref.split(":")[3][:12] in tiny.stub("ls").text
        assert tiny.stub("search", "777", "last").status == 0
        assert tiny.stub("check").status == 0


@pytest.mark.parametrize("kind", ["a file", "below a file", "a dangling link"])
def test_a_home_that_cannot_be_costs_no_output(store: Store, tmp_path: Path, kind: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    home = {
        "a file": f"{tmp_path}/file",
        "below a file": f"{tmp_path}/file/store",
        "a dangling link": f"{tmp_path}/link",
    }[kind]
    done = forked(store, LARGE, STUB_HOME=home)
    assert_raw(done, LARGE)
    assert f"not stored: {home}: " in done.err.decode()
    assert_preview(forked(store, LARGE, "--on-failure", "preview", STUB_HOME=home), LARGE)
    assert_rejected(forked(store, LARGE, "--on-failure", "reject", STUB_HOME=home))
    assert forked(store, b"small", STUB_HOME=home) == Ran(0, b"small", b"")


@pytest.mark.parametrize("command", ["ls", "read last", "search 7", "show 1", "check", "stats"])
@pytest.mark.parametrize("kind", ["a file", "below a file", "a link", "open to others"])
def test_a_command_says_in_one_line_that_a_home_cannot_be(
    store: Store, tmp_path: Path, kind: str, command: str
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    (tmp_path / "link").symlink_to(tmp_path / "open")
    home = {
        "a file": f"{tmp_path}/file",
        "below a file": f"{tmp_path}/file/store",
        "a link": f"{tmp_path}/link",
        "open to others": f"{tmp_path}/open",
    }[kind]
    done = forked(store, b"", *command.split(), STUB_HOME=home)
    assert done.status not in (0, 1, 70), done.err
    assert done.out == b""
    assert done.err.count(b"\n") == 1
    assert b"a bug" not in done.err


def as_user(uid: int, **environment: str) -> Callable[[], None]:
    """For `prepare`: from here on that user, who need not be in any password file."""
    for name in ("stubcli", "re2"):
        origin = (find_spec(name) or find_spec("os")).origin  # type: ignore[union-attr]
        if not all(place.stat().st_mode & 0o001 for place in Path(str(origin)).parents):
            pytest.skip(f"another user may not read where {name} is installed here")

    def become() -> None:
        os.setgroups([])
        os.setgid(uid)
        os.setuid(uid)
        os.chdir("/")
        os.environ.pop("STUB_HOME")
        os.environ.update(environment)

    return become


@pytest.fixture
def shared() -> Iterator[Path]:
    """A directory where everybody may write, as /tmp is."""
    place = Path(tempfile.mkdtemp(prefix="stub-shared-"))
    place.chmod(0o1777)
    yield place
    shutil.rmtree(place)


@root_only
def test_without_any_home_the_input_passes_and_the_line_says_so(store: Store) -> None:
    def homeless() -> None:
        as_user(NOBODY)()
        os.environ.pop("HOME")

    done = forked(store, LARGE, prepare=homeless)
    assert_raw(done, LARGE)
    assert b"no home directory" in done.err
    assert forked(store, b"small", prepare=homeless) == Ran(0, b"small", b"")
    listed = forked(store, b"", "ls", prepare=homeless)
    assert listed.status == 5
    assert listed.err.count(b"\n") == 1


@root_only
def test_a_home_that_may_not_be_written_costs_no_output(store: Store, shared: Path) -> None:
    shared.chmod(0o755)
    done = forked(store, LARGE, prepare=as_user(NOBODY, HOME=str(shared)))
    assert_raw(done, LARGE)
    assert b"Permission denied" in done.err


# https://github.com/letta-ai/letta-code/issues/2810
# https://github.com/anthropics/claude-code/issues/17665
# https://github.com/cline/cline/issues/10128
@root_only
def test_two_users_of_one_temporary_directory_neither_meet_nor_see_each_other(
    store: Store, shared: Path
) -> None:
    for uid in (61_001, 61_002):
        (shared / str(uid)).mkdir()
        os.chown(shared / str(uid), uid, uid)
        me = as_user(uid, HOME=f"{shared}/{uid}", TMPDIR=str(shared))
        done = forked(store, LARGE, prepare=me)
        assert (done.status, done.err) == (0, b"")
        assert f"path: {shared}/{uid}/" in done.out.decode()
        assert forked(store, b"", "ls", "--all-sessions", prepare=me).out.count(b"\n") == 2
    for command in (["ls"], ["read", "1"], ["check"]):
        there = as_user(61_002, STUB_HOME=f"{shared}/61001/.local/state/stub")
        theirs = forked(store, b"", *command, prepare=there)
        assert theirs.status not in (0, 70)
        assert theirs.out == b""
        assert theirs.err.count(b"\n") == 1


@root_only
@pytest.mark.parametrize("mask", [0o000, 0o077, 0o777])
def test_any_umask_works_again_and_again_for_the_owner(
    store: Store, shared: Path, mask: int
) -> None:
    home = shared / "home"
    home.mkdir()
    os.chown(home, NOBODY, NOBODY)

    def me() -> None:
        as_user(NOBODY, HOME=str(home))()
        os.umask(mask)

    for data in (LARGE, LARGE + b"more\n"):
        done = forked(store, data, prepare=me)
        assert (done.status, done.err) == (0, b"")
        assert is_stub(done.out)
    assert forked(store, b"", "read", "last", "--all", prepare=me).out == LARGE + b"more\n"


# https://github.com/earendil-works/pi/issues/7531
# https://github.com/openclaw/openclaw/issues/7862
@pytest.mark.parametrize("mask", ["000", "022", "777"])
def test_what_is_kept_is_private_whatever_the_umask(store: Store, mask: str) -> None:
    for last in (50_000, 50_001):
        done = store.shell(f"umask {mask}; seq 1 {last} | $STUB")
        assert (done.status, done.err) == (0, b"")
    assert len(store.artifacts()) == 2
    found = {
        str(path.relative_to(store.home)): path.lstat().st_mode & 0o7777
        for path in store.home.rglob("*")
        if not path.is_symlink()
    }
    assert store.home.stat().st_mode & 0o777 == 0o700
    for name, mode in found.items():
        path = store.home / name
        if path.is_dir():
            assert mode == 0o700, name
        elif path.parent == store.results:
            assert mode == 0o400, name
        else:
            assert mode & 0o177 == 0, name


# https://github.com/jelmer/dulwich/issues/2336
@pytest.mark.parametrize("part", ["", "sessions/test", "sessions/test/.incoming"])
def test_a_store_that_is_removed_meanwhile_costs_no_output(store: Store, part: str) -> None:
    first = store.stub(stdin=b"first" * 9999)
    with started(store) as process:
        feed(process, LARGE[:200_000])
        wait_until(lambda: kept_bytes(store) > 100_000)
        shutil.rmtree(store.home / part)
        feed(process, LARGE[200_000:])
        assert process.stdin
        process.stdin.close()
        done = ended(process)
    assert_raw(done, LARGE)
    again = store.stub(stdin=LARGE)
    assert LARGE_SHA in store.digests()
    assert store.home.stat().st_mode & 0o777 == 0o700
    assert store.stub("read", again.ref, "--all").out == LARGE
    if not part.endswith(".incoming"):
        gone = store.stub("read", first.ref, check=False)
        assert gone.status == 3
        assert gone.err.count(b"\n") == 1
    assert_nothing_is_wrong(store)


def test_a_store_that_is_removed_meanwhile_is_said_in_a_preview_too(store: Store) -> None:
    with started(store, "--on-failure", "preview") as process:
        feed(process, LARGE[:200_000])
        wait_until(lambda: kept_bytes(store) > 100_000)
        shutil.rmtree(store.home)
        feed(process, LARGE[200_000:])
        assert process.stdin
        process.stdin.close()
        assert_preview(ended(process), LARGE)


# https://github.com/anthropics/claude-code/issues/33705
# https://github.com/anthropics/claude-code/issues/32282
def test_an_input_made_of_the_store_itself_ends(store: Store) -> None:
    store.stub(stdin=LARGE)
    for command in (
        f"cat {store.home}/*/*/*/* | $STUB",
        f"cat {store.results}/* | $STUB",
        f"shopt -s globstar; cat {store.home}/** 2>/dev/null | $STUB",
        f"tail -qn 90000 {store.results}/*.txt | $STUB",
    ):
        done = store.shell(command)
        assert done.status == 0, done.err
        assert is_stub(done.out)
    assert sum(path.stat().st_size for path in store.artifacts()) < 10_000_000


def test_a_search_that_reads_the_file_being_written_ends(store: Store) -> None:
    """grep -r follows a growing file; it reads what it is told the size is, or is told to stop."""
    store.stub(stdin=LARGE)
    done = store.shell(f"timeout 20 grep -rh . {store.results} | $STUB")
    assert done.status == 0
    assert is_stub(done.out)


@linux_only
@needs("timeout")
def test_a_failing_sync_is_final_and_gives_every_byte_back(store: Store) -> None:
    syncs: list[int] = []

    def act(_count: int, name: str) -> None:
        if name == "fsync" and store.artifacts() == [] and kept_bytes(store):
            syncs.append(1)
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    assert_raw(forked(store, LARGE, prepare=Calls(act).install), LARGE)
    assert not store.artifacts()


def test_a_disk_that_is_full_from_the_start_costs_a_small_input_nothing(store: Store) -> None:
    full = fail_at(1, errno.ENOSPC, onwards=True)
    assert forked(store, b"small", prepare=full).out == b"small"


@pytest.mark.parametrize("module", ["re2", "stubcli.spill.keep"])
def test_a_library_that_cannot_be_loaded_costs_no_byte(store: Store, module: str) -> None:
    def broken() -> None:
        sys.modules[module] = None  # type: ignore[assignment]

    done = forked(store, LARGE, prepare=broken)
    if module == "re2":
        assert ref_of(done.out)
        assert (done.status, done.err) == (0, b"")
    else:
        assert (done.status, done.out) == (70, LARGE)
