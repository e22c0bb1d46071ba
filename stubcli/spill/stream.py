"""The state of one stream on its way into the store."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stubcli.descriptors import Input, Output
from stubcli.settings.load import Settings
from stubcli.spill.tally import Tally
from stubcli.store.records import Origin

if TYPE_CHECKING:
    from stubcli.store.surface import Incoming, Session


@dataclass(frozen=True)
class About:
    """What there is to say of a stream at its end.

    reason: why it is kept. notice: a line that its stub carries.
    """

    origin: Origin
    notice: str = ""
    reason: str = "single_threshold"


@dataclass
class Stream:
    """What is known of the stream so far, in whatever state a failure finds it.

    session and incoming are set once its artifact was begun. about is called once, at the end.
    shown: bytes of it that were passed on before it grew large.
    """

    source: Input
    out: Output
    settings: Settings
    about: Callable[[], About]
    started: str
    tally: Tally
    shown: int = 0
    session: "Session | None" = None
    incoming: "Incoming | None" = None
    dropped: int = 0
