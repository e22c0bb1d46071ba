"""A publisher or a remover that is a program: one JSON line on its standard input, its exit status.

What it prints goes to standard error, so that standard output stays that of `stub`.
"""

import json
import os
import shutil
import signal
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from stubcli.debug import swallowed
from stubcli.descriptors import STDERR
from stubcli.errors import StubError
from stubcli.retention.leases.lease import PublicationRejected
from stubcli.retention.leases.memory import MemoryReference
from stubcli.retention.leases.model import Lease
from stubcli.text.durations import span

if TYPE_CHECKING:
    import subprocess

# "Nothing was written, nor will be." Meant on purpose, never by accident: perl's die gives an
# errno (to 133), a shell 128+N (to 192), systemd 200 to 243, and a language's negative statuses
# begin at 255 and go down.
REJECTED = 195
CANNOT_RUN, NOT_FOUND = 126, 127
_GRACE = 2.0


class ProgramFailed(Exception):
    """The program ran and did not succeed: what it did is not known. The message says how."""


class NotStarted(Exception):
    """The system refused to start the program, so it did nothing at all."""


def check_program(argv: Sequence[str]) -> None:
    """Look for a command before anything is prepared for it. Raises StubError, 126 or 127."""
    if argv and shutil.which(argv[0]):
        return
    name = argv[0] if argv else ""
    there = "/" in name and os.path.exists(name)
    what = "cannot be executed" if there else "was not found"
    raise StubError(
        f"the command {name!r} {what}", CANNOT_RUN if there else NOT_FOUND, "nothing was changed"
    )


def publisher(
    argv: Sequence[str], reference: MemoryReference, timeout: float | None
) -> Callable[[Lease], None]:
    """A publisher for `lease.publish`: the memory reference, with its transaction, for `argv`.

    It raises PublicationRejected where the program ended with 195 or never began to run, and
    ProgramFailed where nobody can know what it did. timeout is in seconds.
    """

    def publish(lease: Lease) -> None:
        document = {"transaction_id": lease.transaction_id, **reference.to_dict()}
        try:
            status = _run(argv, document, timeout)
        except NotStarted as error:
            # The lease is a moment old and this was its only publisher: nothing was written.
            raise PublicationRejected(f"{argv[0]!r} cannot be started: {error}") from None
        if status == REJECTED:
            raise PublicationRejected(f"{argv[0]!r} rejected it before it wrote anything")
        if status:
            raise ProgramFailed(_ended(argv, status))

    return publish


def remover(argv: Sequence[str], timeout: float | None) -> Callable[[Lease], None]:
    """A remover for `lease.remove`; it raises ProgramFailed where the program did not succeed."""

    def remove(lease: Lease) -> None:
        document = {
            "transaction_id": lease.transaction_id,
            "source_id": lease.claim.source_id,
            "content_sha256": lease.claim.sha256,
        }
        try:
            status = _run(argv, document, timeout)
        except NotStarted as error:
            raise ProgramFailed(f"{argv[0]!r} cannot be started: {error}") from None
        if status:
            raise ProgramFailed(_ended(argv, status))

    return remove


def _ended(argv: Sequence[str], status: int) -> str:
    if status > 0:
        return f"{argv[0]!r} ended with status {status}"
    return f"{argv[0]!r} was killed by signal {-status}"


def _run(argv: Sequence[str], document: dict[str, Any], timeout: float | None) -> int:
    """The exit status, -N where signal N ended it. Raises NotStarted, ProgramFailed."""
    import subprocess

    try:
        process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=STDERR)
    except (OSError, ValueError) as error:
        raise NotStarted(getattr(error, "strerror", None) or str(error)) from None
    except KeyboardInterrupt:
        # The program may have begun already, and has heard the key too.
        raise ProgramFailed(f"{argv[0]!r} was interrupted") from None
    try:
        process.communicate(json.dumps(document).encode("ascii") + b"\n", timeout)
    except subprocess.TimeoutExpired:
        process.terminate()
        raise ProgramFailed(f"{argv[0]!r} took longer than {span(timeout or 0)}") from None
    except KeyboardInterrupt:
        raise ProgramFailed(f"{argv[0]!r} was interrupted") from None
    finally:
        end(process)
    return process.returncode


def end(process: "subprocess.Popen[bytes]", *, group: bool = False) -> None:
    """See that a process ends: it has a moment to do so, is asked to, and then is killed.

    group: it leads one, and whatever it started ends with it where it has to be forced.
    """
    if _ends(process):
        return
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            if group:
                os.killpg(process.pid, number)
            else:
                process.send_signal(number)
        except (ProcessLookupError, PermissionError) as error:  # nobody of it is left
            swallowed("ending a program", error)
        _ends(process)


def _ends(process: "subprocess.Popen[bytes]") -> bool:
    import subprocess

    try:
        process.wait(_GRACE)
    except subprocess.TimeoutExpired:
        return False
    return True
