"""The state of one stream on its way into the store."""

from dataclasses import dataclass

from stubcli.descriptors import Input, Output
from stubcli.settings.load import Settings
from stubcli.spill.tally import Tally
from stubcli.store.incoming import Incoming
from stubcli.store.records import Origin


@dataclass
class Stream:
    """What is known of the stream so far, in whatever state a failure finds it."""

    source: Input
    out: Output
    settings: Settings
    origin: Origin
    started: str
    tally: Tally
    incoming: Incoming | None = None
    dropped: int = 0
