"""Processes, mounts and limits as the proof needs them; the system's calls that Python lacks."""

import ctypes
import os
import pickle
import signal
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar, cast

from tests.proof.point import NotRun

Value = TypeVar("Value")
_CHILD_SUBREAPER = 36
_NEW_NAMESPACE = 0x00020000
_REC_PRIVATE = 0x4000 | 0x40000
IS_ROOT = os.geteuid() == 0
IS_LINUX = sys.platform == "linux"


def fork() -> int:
    with warnings.catch_warnings():
        # Python 3.12 warns of threads; there are none here.
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def value_in_child(work: Callable[[], Value]) -> Value:
    """What `work` gives, run in a child of its own. Raises RuntimeError with its traceback."""
    with tempfile.TemporaryFile() as answer:
        pid = fork()
        if pid == 0:
            try:
                pickle.dump((True, work()), answer)
            except BaseException:
                answer.seek(0)
                pickle.dump((False, traceback.format_exc()), answer)
            answer.flush()
            os._exit(0)
        os.waitpid(pid, 0)
        answer.seek(0)
        fine, found = pickle.load(answer)
    if not fine:
        raise RuntimeError(found)
    return cast(Value, found)


@contextmanager
def adopting_orphans() -> Iterator[None]:
    """Meanwhile be the parent of what points leave behind, so that it can be ended."""
    if not IS_LINUX:
        yield
        return
    prctl = ctypes.CDLL(None).prctl
    prctl(_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:  # what runs in this process later would inherit strangers
        prctl(_CHILD_SUBREAPER, 0, 0, 0, 0)


def children() -> set[int]:
    """The children of this process; none where the system does not tell."""
    try:
        text = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text()
    except OSError:
        return set()
    return {int(word) for word in text.split()}


def end_orphans(known: set[int]) -> None:
    """End every child of this process that is not among the known ones."""
    for pid in children() - known:
        try:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        except (ProcessLookupError, ChildProcessError):
            pass


def own_mounts() -> None:
    """From here on what this process mounts is its own, and gone when it ends. Raises NotRun."""
    if not IS_LINUX:
        raise NotRun("needs Linux")
    if not IS_ROOT:
        raise NotRun("needs root")
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_NEW_NAMESPACE) or libc.mount(b"none", b"/", None, _REC_PRIVATE, None):
        raise NotRun("needs mount namespaces")
    os.environ["PATH"] += ":/usr/sbin:/sbin"


# Images of disks and 100,000 artifacts, for two points at once.
ROOM = 2 << 30


def fast_place() -> str:
    """Where a fsync costs nothing, if there is room: none of them is about the disk."""
    if os.access("/dev/shm", os.W_OK):
        status = os.statvfs("/dev/shm")  # 64 MB of it in a container
        if status.f_bavail * status.f_frsize > ROOM:
            return "/dev/shm"
    return tempfile.gettempdir()


def isolate(place: Path) -> None:
    """Nothing from here on can reach the home, the store or the settings of who runs this."""
    for name in [name for name in os.environ if name.startswith(("STUB_", "XDG_", "_STUB"))]:
        del os.environ[name]
    for name, folder in (("HOME", "home"), ("TMPDIR", "tmp")):
        (place / folder).mkdir(exist_ok=True)
        os.environ[name] = str(place / folder)
    # What becomes another user must be able to write there, and to pass through here.
    (place / "tmp").chmod(0o1777)
    place.chmod(0o755)
    tempfile.tempdir = None
    root = str(Path(__file__).resolve().parents[2])
    os.environ["PYTHONPATH"] = root
    os.environ["STUB_THRESHOLD"] = "1000"
    sys.path[:] = [root, *(entry for entry in sys.path if entry not in ("", root))]
