"""`stub hook HOST`: the event of a coding agent on stdin, an answer on stdout.

A hook never breaks its host: whatever is not as expected, nothing is answered and the status is 0,
so that the host goes on as it would without us.
"""

import json
import os
from typing import Any

from stubcli.agents.adapters import ADAPTERS
from stubcli.agents.desk import LARGEST, Desk
from stubcli.cli.command import Command, Given
from stubcli.descriptors import STDIN, STDOUT, say, write_all
from stubcli.errors import OK, StubError
from stubcli.settings import readers
from stubcli.settings.option import Option

_AGENT: Option[str] = Option(
    "agent",
    (),
    "The agent whose event it is.",
    readers.text,
    kind="argument",
    default="",
    metavar="AGENT",
    complete="agent",
)


def run(given: Given) -> int:
    """Answer one event. The session is the one of the directory that the host works in."""
    host = given[_AGENT]
    answer: Any = None
    desk = Desk()
    try:
        data = _event()
        if data and host in ADAPTERS:
            answer = _answer(host, data, desk)
    except StubError as error:
        desk.failures.append(str(error))
    except Exception as error:
        desk.failures.append(f"{type(error).__name__}, which is a bug in stub")
    if answer is None and host == "cursor":
        answer = {}  # an answer that is no JSON would block the tool
    try:
        if answer is not None:
            write_all(STDOUT, json.dumps(answer).encode("ascii") + b"\n")
    except OSError:
        pass  # the host is gone
    for failure in desk.failures:
        say(f"not stored: {failure}; the output stays as it was")
    return OK


def _event() -> bytes | None:
    """What stands on stdin, to its end; None where it is too much, or a terminal."""
    if os.isatty(STDIN):
        return None
    parts, size = [], 0
    while data := os.read(STDIN, 1 << 20):
        size += len(data)
        # Read on all the same: a host may wait until all that it writes is taken.
        if size <= LARGEST:
            parts.append(data)
    return b"".join(parts) if size <= LARGEST else None


def _answer(host: str, data: bytes, desk: Desk) -> Any:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text, desk.errors = data.decode("utf-8", "surrogateescape"), "surrogateescape"
    try:
        event = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(event, dict):
        return None
    cwd = event.get("cwd")
    if isinstance(cwd, str) and os.path.isabs(cwd):
        try:
            os.chdir(cwd)
        except (OSError, ValueError):
            pass
    return ADAPTERS[host](event, desk)


COMMAND = Command(
    "hook",
    """Answer an event of a coding agent.

    JSON on stdin and stdout; installed by stub init.

    Anything unexpected is answered with nothing and status 0, and the agent goes on without it.
    """,
    run,
    (_AGENT,),
    store=False,
    lenient=True,
    examples=(("What an agent runs after a command:", "echo '{}' | stub hook claude"),),
)
