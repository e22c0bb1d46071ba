"""Dispatch: a well-formed command line runs at once, everything else goes through typer in `cli`.

The error boundary: what no command expected is one line and its status, a bug is status 70 and a
log. It imports nothing when it is loaded, and what it does for a bug needs next to no memory: what
went wrong may be that there is none, or that a module cannot be loaded.
"""

import atexit
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NoReturn

_BUG = 70
_NO_LOG, _NO_MEMORY = (
    b"stub: a bug in stub; no log could be written\n",
    b"stub: not enough memory\n",
)
_TRIES = 32
_ROOM = bytearray(1 << 12)
_ROOMS, _VIEW = (_ROOM,), memoryview(_ROOM)


def run() -> "NoReturn":
    """Run `stub` as this process, and end it."""
    status = main()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            pass  # closed, or failed before, which was said then
    # Taking the interpreter apart takes 1.4 ms of 11, and aborts where a thread is in a library.
    os._exit(status)


def main() -> int:
    """Run `stub` with the arguments of this process; the exit status."""
    # For what is raised where nobody can catch it, as in a thread that has no memory to begin.
    # Printing it would cost memory too, as would any function that is not built in.
    sys.unraisablehook = callable
    try:
        return _run()
    except SystemExit:
        raise
    except BaseException as error:
        failure = error
    refused = 0
    while True:
        try:
            return _answer(failure)
        except MemoryError:  # there may be some a moment later, and what was done is not done again
            refused += 1
            if refused == _TRIES:
                return _BUG


def _run() -> int:
    from stubcli.descriptors import guard_standard

    closed = guard_standard()
    if "_STUB_COMPLETE" not in os.environ:
        if len(sys.argv) == 1:
            from stubcli.spill.filter import run_filter

            return run_filter({}, closed)
        from stubcli.cli.dispatch import find, invoke
        from stubcli.cli.parse import split

        command, words = find(sys.argv[1:])
        if (raw := split(command, words)) is not None:
            return invoke(command, raw, closed)
    from stubcli.cli.app import run_app

    return run_app(closed)


def _is_to_pass(error: BaseException) -> bool:
    """Whether nobody has read the standard input that the filter was given, so that it is passed
    on here: as far as that can be seen where modules cannot be loaded."""
    if isinstance(error, BrokenPipeError) or hasattr(error, "status"):
        return False  # no accident: somebody left, or made a mistake that was told
    words = sys.argv[1:]
    if words[:1] == ["messages"]:
        from stubcli.piped import is_piped_list

        return is_piped_list(words) and not _is_read()
    folder = os.path.join(os.path.dirname(__file__), "cli", "commands")
    paths = [os.path.join(folder, word) for word in words if word.isidentifier()]
    named = any(os.path.exists(path) or os.path.exists(path + ".py") for path in paths)
    if named or "--help" in words or "--version" in words or os.isatty(0):
        return False
    return not _is_read()


def _is_read() -> bool:
    return 0 in getattr(sys.modules.get("stubcli.descriptors"), "in_use", ())


def _answer(error: BaseException) -> int:
    """What is left to do where nothing else did it; the exit status. Raises MemoryError alone."""
    try:
        if _is_to_pass(error):
            _pass_input()
    except KeyboardInterrupt:
        return 130
    try:
        from stubcli.descriptors import say

        status, line = _status_and_line(error)
        if line:
            say(line)
        return status
    except KeyboardInterrupt:
        return 130
    except BaseException:
        try:
            os.write(2, _NO_MEMORY if isinstance(error, MemoryError) else _NO_LOG)
        except OSError:
            pass
        return _BUG


def _pass_input() -> None:
    """Standard input to standard output, in place: the filter could not even be loaded."""
    import select

    count = done = refused = 0
    gone = False
    while True:
        try:
            if done == count:
                count = done = 0
                count = os.readv(0, _ROOMS)
                if not count:
                    return
            done = count if gone else done + os.write(1, _VIEW[done:count])
        except BlockingIOError:
            select.select([0] if done == count else [], [] if done == count else [1], [])
        except MemoryError:
            refused += 1
            if refused == _TRIES:
                raise
        except OSError:
            if done == count:
                return  # it cannot be read on
            gone = True  # the producer is still read to its end


def _status_and_line(error: BaseException) -> tuple[int, str]:
    from stubcli.descriptors import leave_stdout
    from stubcli.errors import BUG, NOT_STORED, OK, StubError, explain, refusal

    if isinstance(error, StubError):
        return error.status, error.line()
    if isinstance(error, BrokenPipeError):
        leave_stdout()
        return OK, ""
    if isinstance(error, KeyboardInterrupt):
        return 130, ""
    if isinstance(error, OSError):
        return NOT_STORED, refusal(error).line()
    path = _log(error)
    report = f"please report it with {path}" if path else "no log could be written"
    if isinstance(error, MemoryError):
        return BUG, f"not enough memory; {report}, if there is enough" if path else explain(error)
    return BUG, f"a bug in stub: {type(error).__name__}; {report}"


def _log(error: BaseException) -> str:
    """Write where the error came from to a new file of this user; its path, "" where none is."""
    names = (os.environ.get(name, "") for name in ("TMPDIR", "TEMP", "TMP"))
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    for folder in (*filter(None, names), "/tmp", "/var/tmp"):  # noqa: S108 - exclusive, 0600
        path = os.path.join(folder, f"stub-bug-{os.urandom(8).hex()}.log")
        try:
            descriptor = os.open(path, flags, 0o600)
            for line in _trace(error):
                os.write(descriptor, line.encode("utf-8", "backslashreplace"))
            os.close(descriptor)
        except OSError:
            continue
        return path
    return ""


def _trace(error: BaseException) -> "Iterator[str]":
    """What `traceback` would print, but for the lines of the source: that takes 40 modules."""
    chain, seen = [error], {id(error)}
    while (before := chain[-1].__cause__ or chain[-1].__context__) and id(before) not in seen:
        chain.append(before)
        seen.add(id(before))
    for one in reversed(chain):
        trace = one.__traceback__
        while trace is not None:
            code = trace.tb_frame.f_code
            yield f'  File "{code.co_filename}", line {trace.tb_lineno}, in {code.co_name}\n'
            trace = trace.tb_next
        yield f"{type(one).__name__}: {one}\n"
