"""Commands in this process, and commands that run beside it.

`forked` of the adapter is the rule. What looks at a store after a fault, and what comes in masses,
runs here without a child.
"""

import os
import sys
import tempfile
import traceback
from dataclasses import dataclass
from typing import Any

from tests.proof.adapter import Prepare, Ran, Store, child, code_of, main
from tests.proof.processes import fork


def invoke(store: Store, data: bytes, *arguments: str, **environment: str) -> Ran:
    """`stub` in this very process: for what looks at a store after a fault, and for mass.

    Descriptors that it leaves open are closed; nothing else of it is undone.
    """
    saved = [os.dup(number) for number in (0, 1, 2)]
    before, argv, known = _open_descriptors(), sys.argv, dict(os.environ)
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out:
        err = tempfile.TemporaryFile()  # noqa: SIM115
        mine = {given.fileno(), out.fileno(), err.fileno()}
        given.write(data)
        given.seek(0)
        try:
            for number, file in enumerate((given, out, err)):
                os.dup2(file.fileno(), number)
            os.environ.update(store.environment(**environment))
            sys.argv = ["stub", *arguments]
            status = _main()
        finally:
            sys.argv = argv
            os.environ.clear()
            os.environ.update(known)
            for number, copy in enumerate(saved):
                os.dup2(copy, number)
            for number in _open_descriptors() - before - mine:
                _close(number)
            for copy in saved:
                os.close(copy)
        done = Ran(status, *(_all_of(file) for file in (out, err)))
        err.close()
        return done


def _main() -> int:
    try:
        return main()
    except BaseException:
        os.write(2, traceback.format_exc().encode())
        return 99
    finally:
        sys.stdout.flush()


def _open_descriptors() -> set[int]:
    return {int(name) for name in os.listdir("/dev/fd")}


def _close(descriptor: int) -> None:
    try:
        os.close(descriptor)
    except OSError:
        pass  # it was that of the listing itself


def _all_of(file: Any) -> bytes:
    file.seek(0)
    found: bytes = file.read()
    return found


@dataclass(frozen=True)
class Started:
    """A forked `stub` that runs beside this process."""

    pid: int
    out: Any
    err: Any

    def end(self) -> Ran:
        """What it left. It must have ended, or be about to."""
        _, status = os.waitpid(self.pid, 0)
        with self.out, self.err:
            return Ran(code_of(status), _all_of(self.out), _all_of(self.err))


def start(store: Store, data: bytes, *arguments: str, prepare: Prepare) -> Started:
    """`stub` in a child of this process, left running; prepare as for `forked`."""
    out, err = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115
    with tempfile.TemporaryFile() as given:
        given.write(data)
        given.seek(0)
        pid = fork()
        if pid == 0:
            child(store, (given, out, err), arguments, prepare)
    return Started(pid, out, err)
