"""`stub hook HOST`: the event of a coding agent on stdin, an answer on stdout.

A hook never breaks its host: whatever is not as expected, nothing is answered and the status is 0,
so that the host goes on as it would without us.
"""

import json
import os

from stubcli.agents.host import Event, Host, load_host
from stubcli.agents.offloader import LARGEST, Offloader
from stubcli.cli.command import Command, Given
from stubcli.debug import swallowed
from stubcli.descriptors import STDIN, STDOUT, say, write_all
from stubcli.errors import OK, StubError, UsageError
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
    found: Host | None = None
    answer: Event | None = None
    offloader = Offloader()
    try:
        found = _find_host(host)
        data = _event()
        if data and found:
            answer = _answer(found, data, offloader)
    except StubError as error:
        offloader.failures.append(str(error))
    except Exception as error:
        swallowed("stub hook", error)
        offloader.failures.append(f"{type(error).__name__}, which is a bug in stub")
    if answer is None and found:
        answer = found.unchanged
    try:
        if answer is not None:
            write_all(STDOUT, json.dumps(answer).encode("ascii") + b"\n")
    except OSError as error:
        swallowed("stub hook", error)  # the host is gone
    for failure in offloader.failures:
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


def _find_host(name: str) -> Host | None:
    try:
        return load_host(name)
    except UsageError as error:
        swallowed("stub hook", error)
        return None


def _answer(host: Host, data: bytes, offloader: Offloader) -> Event | None:
    if host.answer is None:
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text, offloader.errors = data.decode("utf-8", "surrogateescape"), "surrogateescape"
    try:
        event = json.loads(text)
    except (ValueError, RecursionError) as error:
        swallowed("stub hook", error)
        return None
    if not isinstance(event, dict):
        return None
    cwd = event.get("cwd")
    if isinstance(cwd, str) and os.path.isabs(cwd):
        try:
            os.chdir(cwd)
        except (OSError, ValueError) as error:
            swallowed("stub hook", error)
    return host.answer(event, offloader)


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
