"""`stubcli` as a library: the same work as the commands, for agent loops, servers and memories.

No global state and no signal handlers; every call stands for itself and may run in any thread.
All of it blocks on the disk: in an async server, give it to a thread (`asyncio.to_thread`).
Settings are those of the command line (`stub config`), keywords above all else. Every error is a
StubError.

Names are loaded when they are used: the command imports this package's parent at every run, and
who offloads has no use for leases.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from stubcli.api.conversation import compact_messages as compact_messages
    from stubcli.api.conversation import offload_messages as offload_messages
    from stubcli.api.leases import Leases as Leases
    from stubcli.api.offloading import Offloaded as Offloaded
    from stubcli.api.offloading import offload as offload
    from stubcli.api.searching import Matches as Matches
    from stubcli.api.store import Store as Store
    from stubcli.errors import IntegrityError as IntegrityError
    from stubcli.errors import MissingError as MissingError
    from stubcli.errors import NotStoredError as NotStoredError
    from stubcli.errors import RefusedError as RefusedError
    from stubcli.errors import StubError as StubError
    from stubcli.errors import UsageError as UsageError
    from stubcli.messages.model import Change as Change
    from stubcli.messages.model import Report as Report
    from stubcli.retention.gc.model import Plan as Plan
    from stubcli.retention.gc.model import Policy as Policy
    from stubcli.retention.gc.model import Problem as Problem
    from stubcli.retention.gc.model import Verdict as Verdict
    from stubcli.retention.leases.exec_owner import ExecOwner as ExecOwner
    from stubcli.retention.leases.lease import PublicationRejected as PublicationRejected
    from stubcli.retention.leases.memory import MemoryReference as MemoryReference
    from stubcli.retention.leases.memory import MemorySource as MemorySource
    from stubcli.retention.leases.model import Claim as Claim
    from stubcli.retention.leases.model import Lease as Lease
    from stubcli.retention.leases.newest import LeaseListing as LeaseListing
    from stubcli.retention.leases.owners import Fence as Fence
    from stubcli.retention.leases.owners import GenerationChanged as GenerationChanged
    from stubcli.retention.leases.owners import Observation as Observation
    from stubcli.retention.leases.owners import Owner as Owner
    from stubcli.retention.leases.reconcile import Settlement as Settlement
    from stubcli.retention.leases.sqlite_owner import MemoryEntry as MemoryEntry
    from stubcli.retention.leases.sqlite_owner import SqliteOwner as SqliteOwner
    from stubcli.retrieve.hits import Match as Match
    from stubcli.retrieve.listing import Listing as Listing
    from stubcli.retrieve.listing import RunRow as RunRow
    from stubcli.retrieve.page import Page as Page
    from stubcli.retrieve.page import Window as Window
    from stubcli.retrieve.query.asking import Answer as Answer
    from stubcli.retrieve.query.shape import Entity as Entity
    from stubcli.retrieve.query.shape import Link as Link
    from stubcli.retrieve.query.shape import Schema as Schema
    from stubcli.retrieve.query.types import Column as Column
    from stubcli.retrieve.query.types import Leaf as Leaf
    from stubcli.retrieve.query.types import Type as Type
    from stubcli.settings.options import Options as Options
    from stubcli.store.records import Checkpoint as Checkpoint
    from stubcli.store.records import Origin as Origin
    from stubcli.store.records import Record as Record
    from stubcli.store.records import Run as Run
    from stubcli.store.values import Sighting as Sighting
    from stubcli.store.values import Snapshot as Snapshot

_NAMES = {
    "api.conversation": ("compact_messages", "offload_messages"),
    "api.leases": ("Leases",),
    "api.offloading": ("Offloaded", "offload"),
    "api.searching": ("Matches",),
    "api.store": ("Store",),
    "errors": (
        *("IntegrityError", "MissingError", "NotStoredError"),
        *("RefusedError", "StubError", "UsageError"),
    ),
    "messages.model": ("Change", "Report"),
    "retention.gc.model": ("Plan", "Policy", "Problem", "Verdict"),
    "retention.leases.exec_owner": ("ExecOwner",),
    "retention.leases.lease": ("PublicationRejected",),
    "retention.leases.memory": ("MemoryReference", "MemorySource"),
    "retention.leases.model": ("Claim", "Lease"),
    "retention.leases.newest": ("LeaseListing",),
    "retention.leases.owners": ("Fence", "GenerationChanged", "Observation", "Owner"),
    "retention.leases.reconcile": ("Settlement",),
    "retention.leases.sqlite_owner": ("MemoryEntry", "SqliteOwner"),
    "retrieve.hits": ("Match",),
    "retrieve.listing": ("Listing", "RunRow"),
    "retrieve.page": ("Page", "Window"),
    "retrieve.query.asking": ("Answer",),
    "retrieve.query.shape": ("Entity", "Link", "Schema"),
    "retrieve.query.types": ("Column", "Leaf", "Type"),
    "settings.options": ("Options",),
    "store.records": ("Checkpoint", "Origin", "Record", "Run"),
    "store.values": ("Sighting", "Snapshot"),
}
_PLACES = {name: f"stubcli.{module}" for module, names in _NAMES.items() for name in names}

if not TYPE_CHECKING:  # there a name that is not offered is a mistake

    def __getattr__(name: str) -> object:
        if name not in _PLACES:
            raise AttributeError(f"module 'stubcli' has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted(_PLACES)
