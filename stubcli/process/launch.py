"""Start a command as a shell would: its argv, its environment and its signals, nothing of ours.

On the way of every `stub run`: spawned without `subprocess`, which costs as much as the
interpreter's own start.
"""

import _signal  # type: ignore[import-not-found]
import os
import sys
from collections.abc import Iterable

from stubcli.descriptors import STDERR, STDOUT
from stubcli.errors import RUN_FAILED, StubError, reason_of

NOT_EXECUTABLE, NOT_FOUND = 126, 127
# What the interpreter ignores at its start, and a command of its own would not.
_RESTORED = [number for number in (_signal.SIGPIPE, getattr(_signal, "SIGXFSZ", 0)) if number]


class CannotStart(StubError):
    """The command was not run: 126 or 127 as of a shell, 125 where the fault is not its own."""


def environment() -> dict[bytes, bytes]:
    """The environment that this process was given.

    Under the C locale the interpreter sets LC_CTYPE in its own (PEP 538); no command asked for it.
    """
    own = dict(os.environb)
    own.pop(b"", None)  # "=C:=C:\\" of a Windows shell: Python can pass on no such entry
    if sys.platform == "linux" and own.get(b"LC_CTYPE") in (b"C.UTF-8", b"C.utf8", b"UTF-8"):
        try:
            with open("/proc/self/environ", "rb") as file:
                given = file.read()
        except OSError:
            return own
        del own[b"LC_CTYPE"]
        for entry in given.split(b"\0"):
            if entry.startswith(b"LC_CTYPE="):
                own[b"LC_CTYPE"] = entry.partition(b"=")[2]
    return own


def spawn(
    argv: list[str],
    output: int,
    *,
    stderr: bool,
    cwd: str | None,
    own_group: bool,
    mask: Iterable[int],
) -> int:
    """Run `argv` with its stdout on `output`; the process id. Raises CannotStart.

    stderr: whether that goes to `output` too. cwd: another directory to run in. own_group: in a
    process group of its own, so that a time-out ends all of it. mask: the signals it has blocked.
    """
    actions = [(os.POSIX_SPAWN_DUP2, output, STDOUT)]
    if stderr:
        actions.append((os.POSIX_SPAWN_DUP2, output, STDERR))
    back = _enter(cwd)
    try:
        return _spawned(argv, actions, own_group, mask)
    except OSError as error:
        raise _refused(argv, error) from None
    finally:
        if back is not None:
            _return(back)


def _spawned(
    argv: list[str], actions: list[tuple[int, int, int]], own_group: bool, mask: Iterable[int]
) -> int:
    def start(program: str, argv: list[str]) -> int:
        if own_group:
            return os.posix_spawnp(
                program,
                argv,
                environment(),
                file_actions=actions,
                setsigmask=mask,
                setsigdef=_RESTORED,
                setpgroup=0,
            )
        # Not setpgroup=getpgrp(): that is 0 where the group is outside of our pid namespace.
        return os.posix_spawnp(
            program,
            argv,
            environment(),
            file_actions=actions,
            setsigmask=mask,
            setsigdef=_RESTORED,
        )

    if not argv[0]:
        raise FileNotFoundError(argv[0])
    try:
        return start(argv[0], argv)
    except OSError as error:
        if not _is_script(error):
            raise
    shell = _as_script(argv)
    return start(shell[0], shell)


def become(argv: list[str], cwd: str | None) -> None:
    """Be the command instead of running it. Returns never; raises CannotStart."""
    for number in _RESTORED:
        _signal.signal(number, _signal.SIG_DFL)
    _enter(cwd)
    try:
        # Not execvpe: that goes on along PATH where it finds a script without a first line.
        program = _found(argv[0])
        try:
            os.execve(program, argv, environment())  # noqa: S606 - no shell is the point
        except OSError as error:
            if not _is_script(error):
                raise
        shell = _as_script(argv)
        os.execve(shell[0], shell, environment())  # noqa: S606
    except OSError as error:
        raise _refused(argv, error) from None


def _is_script(error: OSError) -> bool:
    """Whether it is a script without its first line: every shell runs that itself."""
    import errno

    return error.errno == errno.ENOEXEC


def _as_script(argv: list[str]) -> list[str]:
    return ["/bin/sh", _found(argv[0]), *argv[1:]]


def _found(name: str) -> str:
    """The path of a command. Raises FileNotFoundError."""
    if "/" in name:
        return name
    for folder in os.get_exec_path():
        path = os.path.join(folder, name)
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    raise FileNotFoundError(name)


def _enter(cwd: str | None) -> int | None:
    """Change to `cwd`; a descriptor of where we were. Raises CannotStart."""
    if cwd is None:
        return None
    try:
        # O_PATH: one may stand in a directory that one may not read.
        back = os.open(".", getattr(os, "O_PATH", os.O_RDONLY) | os.O_CLOEXEC)
        os.chdir(cwd)
    except OSError as error:
        # Not 126 or 127: the command itself was never looked for.
        raise CannotStart(
            f"--cwd {cwd}: {reason_of(error)}", RUN_FAILED, "give a directory"
        ) from None
    return back


def _return(back: int) -> None:
    try:
        os.fchdir(back)
    except OSError:
        pass  # we may not enter it again; the command runs already
    os.close(back)


def _refused(argv: list[str], error: OSError) -> CannotStart:
    """As a shell puts it."""
    import errno

    name, why = argv[0], reason_of(error)
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        if "/" in name and os.path.exists(name):
            return CannotStart(f"{name}: its interpreter: {why}", NOT_EXECUTABLE, "see its line 1")
        from stubcli.process.meant import advise

        if "/" in name:
            return CannotStart(f"{name}: {why}", NOT_FOUND, advise(argv, "check the path"))
        name = name or "''"
        hint = advise(argv, "check the name and PATH")
        return CannotStart(f"{name}: command not found", NOT_FOUND, hint)
    if error.errno in (errno.EAGAIN, errno.ENOMEM):
        return CannotStart(f"{name}: {why}", RUN_FAILED, "try again when less is running")
    return CannotStart(f"{name}: {why}", NOT_EXECUTABLE, "it cannot be executed")


def drain(descriptor: int) -> None:
    """Throw away what others still write to our end of a pipe, so that none dies of writing.

    A process of its own, because we end and they live on. It holds nothing else that we were given.
    """
    try:
        null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        os.posix_spawnp(
            "cat",
            ["cat"],
            {},
            file_actions=[
                (os.POSIX_SPAWN_DUP2, descriptor, 0),
                (os.POSIX_SPAWN_DUP2, null, 1),
                (os.POSIX_SPAWN_DUP2, null, 2),
                *((os.POSIX_SPAWN_CLOSE, number) for number in _inherited()),
            ],
            setpgroup=0,
        )
    except OSError:
        pass  # then they meet a closed pipe, as behind any reader that left


def _inherited() -> list[int]:
    """The descriptors beyond the standard three that a program started now would have."""
    found = []
    for name in os.listdir("/dev/fd"):
        try:
            if int(name) > STDERR and os.get_inheritable(int(name)):
                found.append(int(name))
        except OSError:
            pass  # the one that listed them
    return found
