"""What the tests of all hosts need of each: an event of it, and where its settings are.

The sample of an agent is in the test of its file, `hosts/test_NAME.py`: one file an agent here too.
"""

import importlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stubcli.agents.host import host_names
from stubcli.store.posix.artifacts import read_record, record_names
from stubcli.store.records import Record
from tests.conftest import Store
from tests.helpers import session_of

Ask = Callable[[str, Any], Any]
SEQ = "".join(f"{number}\n" for number in range(1, 20001))
SMALL = "ok\n"
CALL = "toolu_01"


@dataclass(frozen=True)
class Sample:
    """settings: the user's file, below the home. event: what a hook gets for that output.

    tool: the name that the output is recorded under. arguments: the member of the event that holds
    the command; empty where there is none.
    """

    settings: str
    event: Callable[[str], dict[str, Any]] | None = None
    tool: str = ""
    arguments: str = ""


def sample_of(host: str) -> Sample:
    sample: Sample = importlib.import_module(f"tests.agents.hosts.test_{host}").SAMPLE
    return sample


def hosts_with_hook() -> list[str]:
    return [host for host in host_names() if sample_of(host).event]


def event_of(host: str, output: str) -> dict[str, Any]:
    event = sample_of(host).event
    assert event
    return event(output)


def sent(event: object) -> bytes:
    return json.dumps(event).encode()


def spill_file(path: Path, text: str) -> Path:
    """What a host wrote of an output that was too large for it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def only_record(store: Store) -> Record:
    with session_of(store) as session:
        ((name,),) = record_names(session).values()
        return read_record(session, name)
