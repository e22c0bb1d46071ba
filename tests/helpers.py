"""What the tests of processes, store and reading share: inputs, a cheap `stub`, and oracles."""

import builtins
import hashlib
import importlib
import json
import os
import pkgutil
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol

import pytest

import stubcli
import stubcli.entry
from stubcli.reference import file_name, file_number, parse_record_name, record_name
from stubcli.store.artifact import Artifact
from stubcli.store.measure import Blocks, Meter
from stubcli.store.posix.artifacts import record_names
from stubcli.store.posix.session import PosixSession, open_session
from stubcli.store.records import COMPLETE, Record, Run
from stubcli.store.surface import Session

# A forked child may have become a user who cannot read them, or have no descriptor left; and what
# every one of them would import is imported once.
for _found in pkgutil.walk_packages(stubcli.__path__, "stubcli."):
    if _found.name != "stubcli.__main__":
        importlib.import_module(_found.name)
for _name in ("re2", "regex", "yaml"):
    importlib.import_module(_name)

COMMAND = (sys.executable, "-m", "stubcli")
LARGE = b"".join(b"%d\n" % number for number in range(1, 50001))  # seq 1 50000
# Large, too, in 90 lines: describing the 50,000 takes a child most of its time.
BULK = b"".join(b"%d %s\n" % (number, b"777 " * 125) for number in range(1, 91))
LARGE_SHA = "44969d026ed4164dbe77d48d4d359e98ac4057008cafd61723be72bff83e5fd4"

is_root = os.geteuid() == 0
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="this is only so on Linux")
root_only = pytest.mark.skipif(not is_root, reason="only root may do this")
dev_full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class AnyStore(Protocol):
    """The fixture `store`, as far as it is used here."""

    @property
    def home(self) -> Path: ...
    @property
    def session(self) -> str: ...
    @property
    def results(self) -> Path: ...
    @property
    def folder(self) -> Path: ...
    def environment(self, **more: str) -> dict[str, str]: ...


@dataclass(frozen=True)
class Ran:
    """What a run left: its status, 128+N where a signal ended it, and both streams."""

    status: int
    out: bytes
    err: bytes

    @property
    def lines(self) -> list[str]:
        """What was said; a line end before it, where the output ends none, is not a line."""
        return [line for line in self.err.decode().splitlines() if line]


def forked(
    store: AnyStore,
    data: bytes,
    *arguments: str,
    prepare: Callable[[], None] | None = None,
    environment: dict[str, str] | None = None,
    **more: str,
) -> Ran:
    """`stub` with these arguments in a child of this process: the interpreter starts only once.

    prepare runs in the child before `stub` does and may change anything there.
    """
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, _temporary() as err:
        given.write(data)
        given.seek(0)
        pid = fork()
        if pid == 0:
            _child(store, (given, out, err), arguments, prepare, {**(environment or {}), **more})
        _, status = os.waitpid(pid, 0)
        return Ran(code_of(status), _all_of(out), _all_of(err))


def matches_in(out: bytes) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """What `stub search --json` printed: line, offset and text of every match; the summary."""
    events = [json.loads(line) for line in out.splitlines()]
    assert events[-1]["type"] == "summary"
    found = [
        {"line": data["line_number"], "offset": match["offset"], "data": data}
        | {"text": data["lines"].get("text", "").removesuffix("\n")}
        for data in (event["data"] for event in events if event["type"] == "match")
        for match in data["submatches"]
    ]
    return found, events[-1]["data"]


def _temporary() -> IO[bytes]:
    return tempfile.TemporaryFile()


def fork() -> int:
    with warnings.catch_warnings():
        # Python 3.12 warns of threads; the only other one here waits for the test runner.
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def _child(
    store: AnyStore,
    streams: tuple[IO[bytes], IO[bytes], IO[bytes]],
    arguments: tuple[str, ...],
    prepare: Callable[[], None] | None,
    environment: dict[str, str],
) -> None:
    status = 99
    try:
        for descriptor, stream in enumerate(streams):
            os.dup2(stream.fileno(), descriptor)
        os.environ.update(store.environment(**environment))
        sys.argv = ["stub", *arguments]
        if prepare:
            prepare()
        status = stubcli.entry.main()
    except BaseException:
        os.write(2, traceback.format_exc().encode())
    finally:
        os._exit(status)


def _all_of(stream: IO[bytes]) -> bytes:
    stream.seek(0)
    return stream.read()


def elsewhere(act: Callable[[], object]) -> object:
    """What `act` gives, by way of JSON, in a child of this process that takes its memory along."""
    reader, writer = os.pipe()
    pid = fork()
    if pid == 0:
        try:
            os.write(writer, json.dumps(act()).encode())
            os._exit(0)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    os.close(writer)
    with os.fdopen(reader, "rb") as given:
        data = given.read()
    assert code_of(os.waitpid(pid, 0)[1]) == 0
    return json.loads(data)


def code_of(wait_status: int) -> int:
    code = os.waitstatus_to_exitcode(wait_status)
    return 128 - code if code < 0 else code


@contextmanager
def started(
    store: AnyStore, *arguments: str, **environment: str
) -> Iterator[subprocess.Popen[bytes]]:
    """A running `stub` with pipes for its three streams, in a group of its own."""
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=store.environment(**environment),
        start_new_session=True,
        bufsize=0,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                try:
                    stream.close()
                except BrokenPipeError:
                    pass
        process.wait()


def feed(process: subprocess.Popen[bytes], data: bytes) -> None:
    """Write all of `data` to the process, which has to take it."""
    assert process.stdin
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(process.stdin.fileno(), rest) :]


def ended(process: subprocess.Popen[bytes]) -> Ran:
    """Wait for the end of the process without closing its input."""
    assert process.stdout
    assert process.stderr
    parts: dict[int, list[bytes]] = {process.stdout.fileno(): [], process.stderr.fileno(): []}
    out, err = list(parts)
    open_still = set(parts)
    while open_still:
        ready, _, _ = select.select(list(open_still), [], [])
        for descriptor in ready:
            data = os.read(descriptor, 1 << 16)
            parts[descriptor].append(data)
            if not data:
                open_still.discard(descriptor)
    code = process.wait()
    return Ran(128 - code if code < 0 else code, b"".join(parts[out]), b"".join(parts[err]))


def wait_until(holds: Callable[[], bool]) -> None:
    """As long as it takes: what never comes meets the time limit of the test."""
    while not holds():
        time.sleep(0.005)


def lives(pid: int) -> bool:
    """Whether that process runs; a zombie does not."""
    try:
        os.kill(pid, 0)
        stat = Path(f"/proc/{pid}/stat")
        return not stat.exists() or stat.read_text().rpartition(") ")[2][0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def kept_bytes(store: AnyStore) -> int:
    """How many bytes stand in files that are being written."""
    incoming = store.folder / ".incoming"
    try:
        return sum(path.stat().st_size for path in incoming.iterdir())
    except FileNotFoundError:
        return 0


def read_and_write_little() -> None:
    """For `prepare`, where memory is refused: pieces whose lengths are numbers that exist already.

    A refusal after the call, for the number or for making the piece shorter, would lose track of
    bytes. No allocator refuses those: only a test that counts requests does.
    """
    readv, write, most = os.readv, os.write, 256

    def read_little(descriptor: int, size: int) -> bytes:
        room = bytearray(min(size, most))
        count = readv(descriptor, [room])
        while True:
            try:
                return bytes(memoryview(room)[:count])
            except MemoryError:
                continue

    os.read = read_little
    os.write = lambda descriptor, data: write(descriptor, memoryview(data)[:most])


def ref_of(out: bytes) -> str:
    """The reference of a stub, which its first and its last line carry."""
    lines = out.decode().splitlines()
    found = re.match(r"\[stub (artifact:[^\]]+)\] ", lines[0])
    assert found, lines[0][:200]
    assert lines[-1] == f"[stub end {found[1]}]"
    return found[1]


def is_stub(out: bytes) -> bool:
    return out.startswith(b"[stub artifact:")


def artifact_of(store: AnyStore, out: bytes) -> Path:
    """The file that the reference of a stub means."""
    return store.results / ref_of(out).split(":")[2]


def assert_kept(store: AnyStore, out: bytes, data: bytes) -> None:
    """`out` is a stub, and its artifact holds `data`."""
    path = artifact_of(store, out)
    assert path.read_bytes() == data
    assert ref_of(out).split(":")[3] == sha256(data)[:16]


def documents(data: bytes) -> list[dict[str, object]]:
    found = json.loads(data)
    return found if isinstance(found, list) else [found]


@contextmanager
def session_of(store: AnyStore) -> Iterator[PosixSession]:
    session = open_session(str(store.home), store.session, create=True)
    try:
        yield session
    finally:
        session.close()


def keep(session: Session, data: bytes, block: int = 0, **fields: object) -> Record:
    """Store `data` as an artifact without a process, and give its record."""
    incoming, blocks, meter = session.begin(), Blocks(), Meter()
    pieces = [data[at : at + block] for at in range(0, len(data), block)] if block else [data]
    for piece in pieces:
        incoming.write(piece)
        for one in blocks.add(piece):
            meter.feed(one)
    if rest := blocks.rest():
        meter.feed(rest)
    of_record: dict[str, Any] = {name: fields.pop(name) for name in RECORD if name in fields}
    run = made_run(incoming.number, **fields)
    record = meter.finish().record(session.name, incoming.number, run).replace(**of_record)
    incoming.publish(record)
    incoming.close()
    return record


RECORD = list(Record._kinds)


def made_run(number: int, **fields: object) -> Run:
    """A run as a test needs it."""
    values: dict[str, object] = {
        "state": COMPLETE,
        "reason": "single_threshold",
        "started": "2020-01-01T00:00:00Z",
        "finished": "2020-01-01T00:00:01Z",
        **fields,
    }
    return Run(number, **values)  # type: ignore[arg-type]


@contextmanager
def artifact(session: Session, data: bytes, **fields: object) -> Iterator[Artifact]:
    """An open artifact that holds `data`."""
    with session.open(keep(session, data, **fields)) as opened:  # type: ignore[arg-type]
        yield opened


def findings(store: AnyStore) -> dict[str, list[str]]:
    """What `check` finds, by status."""
    found: dict[str, list[str]] = {}
    with session_of(store) as session:
        for one in session.verify():
            found.setdefault(one.status, []).append(f"{one.name}: {one.what}")
    return found


def mended(store: AnyStore) -> list[str]:
    with session_of(store) as session:
        return [f"{one.name}: {one.status}: {one.what}" for one in session.repair()]


def assert_nothing_is_wrong(store: AnyStore) -> None:
    """Every final name has one record, and holds what its record says."""
    with session_of(store) as session:
        records = record_names(session)
        for name in sorted(os.listdir(session.results)):
            number = file_number(name)
            if number is None:
                assert parse_record_name(name), f"{name} does not belong here"
                continue
            digest = sha256((store.results / name).read_bytes())
            assert records.get(number) == [record_name(number, digest)], name
        for number in records:
            assert (store.results / file_name(number)).exists(), f"record {number} has no data"


def names(store: AnyStore) -> list[str]:
    """Every name in the session, but for hints and counters, for comparing before and after."""
    return sorted(
        str(path.relative_to(store.folder))
        for path in store.folder.rglob("*")
        if not {".index", ".readback"} & set(path.parts)
    )


class Calls:
    """Stands between `stub` and the kernel in a forked child, and acts at the N-th call.

    Reading standard input and writing standard output are not counted.
    """

    NAMES = (
        "open", "mkdir", "chmod", "fchmod", "write", "pwrite", "ftruncate", "fsync", "fdatasync",
        "link", "rename", "unlink", "symlink", "pread", "fstat", "stat", "listdir", "lseek",
    )  # fmt: skip

    def __init__(self, act: Callable[[int, str], None]) -> None:
        self._act = act
        self.count = 0

    def install(self) -> None:
        for name in self.NAMES:
            self._wrap(name)

    def _wrap(self, name: str) -> None:
        real = getattr(os, name)

        def call(*arguments: object, **named: object) -> object:
            standard = arguments and type(arguments[0]) is int and arguments[0] in (0, 1, 2)
            if not standard:
                self.count += 1
                self._act(self.count, name)
            return real(*arguments, **named)

        setattr(os, name, call)


@contextmanager
def disturbed(prepare: Callable[[], None]) -> Iterator[None]:
    """What `prepare` does to the calls, in this very process: they are themselves again after it.

    For what is only refused. A death needs a process of its own.
    """
    real = {name: getattr(os, name) for name in Calls.NAMES}
    try:
        prepare()
        yield
    finally:
        for name, call in real.items():
            setattr(os, name, call)


def fail_at(number: int, error: int, *, onwards: bool) -> Callable[[], None]:
    """For `prepare`: the call of that number fails, and where `onwards` every later one too."""

    def act(count: int, name: str) -> None:
        # A full disk still reads and looks.
        reads = name in ("pread", "fstat", "stat", "listdir", "unlink", "lseek", "ftruncate")
        if count == number or (onwards and count > number and not reads):
            raise OSError(error, os.strerror(error))

    return Calls(act).install


def kill_at(number: int) -> Callable[[], None]:
    """For `prepare`: the process is gone before the call of that number."""

    def act(count: int, _name: str) -> None:
        if count == number:
            os.kill(os.getpid(), signal.SIGKILL)

    return Calls(act).install


def calls_of(store: AnyStore, data: bytes, *arguments: str) -> list[str]:
    """The names of the calls that `stub` makes for `data`, in order."""
    with tempfile.NamedTemporaryFile() as log:
        descriptor = os.open(log.name, os.O_WRONLY | os.O_APPEND)
        real = os.write

        def act(_count: int, name: str) -> None:
            real(descriptor, name.encode() + b"\n")

        forked(store, data, *arguments, prepare=Calls(act).install)
        os.close(descriptor)
        return Path(log.name).read_text().splitlines()


def begun(store: AnyStore, streams: tuple[IO[bytes], IO[bytes], IO[bytes]], *arguments: str) -> int:
    """Like `forked`, but it is left running on these three files: its process id."""
    pid = fork()
    if pid == 0:
        # Other children's pipes are open here too, and would never come to their end.
        _child(store, streams, arguments, lambda: os.closerange(3, 65536), {})
    return pid


def or_dead(seconds: int = 20) -> Callable[[], None]:
    """For `prepare`: what hangs ends with status 142 and not with the patience of the runner."""

    def prepare() -> None:
        signal.alarm(seconds)

    return prepare


def assert_one_line_of_advice(done: Ran, *statuses: int) -> None:
    """An error as users meet it: a documented status, one line, and what to do next."""
    assert done.status in statuses, done
    assert re.fullmatch(rb"\n?stub: [^\n]+; [^\n]+\n", done.err), done.err
    assert b"a bug in stub" not in done.err


def assert_final_names_are_right(store: AnyStore) -> None:
    """Data under a final name is what its record says; a record may still wait for its data."""
    for path in sorted(store.results.glob("tool_result_*.txt")):
        digest = sha256(path.read_bytes())
        found = [record.name for record in store.results.glob(path.stem + ".*.json")]
        assert found == [record_name(file_number(path.name) or 0, digest)], path.name


@dataclass(frozen=True)
class Call:
    """A call to the kernel that succeeded: the paths it was about, and the mode it asked for."""

    name: str
    path: str
    target: str = ""
    mode: int = 0
    creates: bool = False


def traced(
    store: AnyStore, data: bytes, prepare: Callable[[], None] | None = None
) -> tuple[Ran, list[Call]]:
    """What `stub` does with `data`, and its calls in order; standard output has the path `1`."""
    with tempfile.TemporaryFile() as log:

        def install() -> None:
            if prepare:
                prepare()
            _Trace(log.fileno()).install()

        done = forked(store, data, prepare=install)
        return done, [Call(**json.loads(line)) for line in _all_of(log).splitlines()]


class _Trace:
    """Notes the calls of this process that change anything."""

    NAMES = (
        "open", "mkdir", "chmod", "fchmod", "write", "pwrite", "fsync", "fdatasync", "link",
        "rename", "unlink", "symlink",
    )  # fmt: skip

    def __init__(self, log: int) -> None:
        self._log = log
        self._write = os.write
        self._paths: dict[int, str] = {}

    def install(self) -> None:
        for name in self.NAMES:
            self._wrap(name, getattr(os, name))

    def _wrap(self, name: str, real: Callable[..., object]) -> None:
        def call(*arguments: object, **named: object) -> object:
            result = real(*arguments, **named)
            two = name in ("link", "rename")
            path = self._path(arguments[0], named.get("src_dir_fd" if two else "dir_fd"))
            document: dict[str, object] = {"name": name, "path": path}
            if two:
                document["target"] = self._path(arguments[1], named.get("dst_dir_fd"))
            if name == "open":
                assert isinstance(result, int)
                assert isinstance(arguments[1], int)
                self._paths[result] = path
                document["creates"] = bool(arguments[1] & os.O_CREAT)
            if name in ("open", "mkdir", "chmod", "fchmod"):
                document["mode"] = arguments[-1] if len(arguments) > 1 else 0o777
            self._write(self._log, json.dumps(document).encode() + b"\n")
            return result

        setattr(os, name, call)

    def _path(self, what: object, within: object) -> str:
        if isinstance(what, int):
            return self._paths.get(what, str(what))
        folder = self._paths.get(within, os.getcwd()) if isinstance(within, int) else os.getcwd()
        return os.path.join(folder, os.fsdecode(str(what)))


def fail_import(due: int, error: type[Exception]) -> None:
    """The import of that number does not succeed, though the module is there."""
    real, count = builtins.__import__, 0

    def load(name: str, *given: Any, **named: Any) -> Any:
        nonlocal count
        count += 1
        if count == due:
            raise error(name)
        return real(name, *given, **named)

    builtins.__import__ = load


def refuse_memory(number: int, count: int) -> None:
    """From the allocation of that number on, so many of them."""
    import _testcapi  # type: ignore[import-not-found]

    _testcapi.set_nomemory(number, number + count)
