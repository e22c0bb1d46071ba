"""A memory system that is a program: questions on its standard input, answers on its output.

One JSON object a line, each question answered by one line, one process for each fence:

    {"request": "inspect", "transaction_id", "source_id", "content_sha256"}
        take the fence and answer {"transaction_id", "generation", "presence": "published",
        "absent" or "unknown", "absence_sealed": true where a tombstone stands, and where it is
        published "source_id" and "content_sha256"}
    {"request": "seal", "transaction_id", "generation"}
        write the tombstone durably and answer as above, or {"error": "generation_changed"}
    {"request": "release", "transaction_id"}
        give the fence up, answer {}, and end. The end of the input means the same.

Any other {"error": ...}, silence, garbage or death leaves the lease pending.
"""

import json
import os
import select
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from stubcli.descriptors import write_all
from stubcli.retention.leases.model import Lease
from stubcli.retention.leases.owners import GenerationChanged, Observation
from stubcli.retention.leases.program import end
from stubcli.text.durations import span

if TYPE_CHECKING:
    import subprocess

_LONGEST = 1 << 16


class OwnerFailed(Exception):
    """The program gave no answer that could be understood; the message says what it did."""


class ExecOwner:
    """The memory behind the program `argv`, which has `timeout` seconds for each answer."""

    def __init__(self, argv: Sequence[str], *, timeout: float = 30) -> None:
        self._argv = list(argv)
        self._timeout = timeout

    @contextmanager
    def fence(self, lease: Lease) -> Iterator["_ProgramFence"]:
        """A process that holds the fence until it is asked to release it."""
        import subprocess

        # A session of its own: what it starts in turn is ended with it, and a Ctrl-C that is
        # meant for us does not take it away between its answer and our record.
        process = subprocess.Popen(
            self._argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        fence = _ProgramFence(process, lease, self._timeout)
        try:
            yield fence
            fence.release()
        finally:
            fence.close()


class _ProgramFence:
    """A conversation with one process about one transaction."""

    def __init__(self, process: "subprocess.Popen[bytes]", lease: Lease, timeout: float) -> None:
        self._process = process
        self._lease = lease
        self._timeout = timeout

    def observe(self) -> Observation:
        claim = self._lease.claim
        return self._observation(
            self._ask("inspect", source_id=claim.source_id, content_sha256=claim.sha256)
        )

    def seal(self, generation: int) -> Observation:
        answer = self._ask("seal", generation=generation)
        if answer.get("error") == "generation_changed":
            raise GenerationChanged
        return self._observation(answer)

    def release(self) -> None:
        self._ask("release")

    def close(self) -> None:
        """End the process and whatever it started."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        end(self._process, group=True)
        self._process.stdout.close()

    def _observation(self, answer: dict[str, Any]) -> Observation:
        if "error" in answer:
            raise OwnerFailed(f"it says: {answer['error']}")
        try:
            return Observation(
                answer["transaction_id"],
                answer["generation"],
                answer["presence"],
                answer.get("source_id"),
                answer.get("content_sha256"),
                answer.get("absence_sealed", False),
            )
        except KeyError as error:
            raise OwnerFailed(f"its answer lacks {error}") from None
        except ValueError as error:
            raise OwnerFailed(str(error)) from None

    def _ask(self, request: str, **more: object) -> dict[str, Any]:
        """One question and its answer. Raises OwnerFailed."""
        assert self._process.stdin
        question = {"request": request, "transaction_id": self._lease.transaction_id, **more}
        try:
            # Less than PIPE_BUF, so that it is taken whole even by one that reads nothing.
            write_all(self._process.stdin.fileno(), json.dumps(question).encode() + b"\n")
        except OSError:
            raise OwnerFailed(f"it ended before it was asked to {request}") from None
        try:
            answer = json.loads(self._line(request))
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise OwnerFailed(f"its answer to {request} is no JSON object")
        return answer

    def _line(self, request: str) -> bytes:
        assert self._process.stdout
        descriptor = self._process.stdout.fileno()
        deadline = time.monotonic() + self._timeout
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        line = b""
        while not line.endswith(b"\n"):
            left = deadline - time.monotonic()
            if left <= 0 or not poll.poll(left * 1000):
                raise OwnerFailed(f"it gave no answer to {request} in {span(self._timeout)}")
            data = os.read(descriptor, _LONGEST)
            if not data:
                raise OwnerFailed(f"it ended without an answer to {request}")
            line += data
            if len(line) > _LONGEST:
                raise OwnerFailed(f"its answer to {request} is too long")
        return line
