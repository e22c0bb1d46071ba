"""Keep every byte of a large output, print one useful page of it, find the rest again."""

__version__ = "0.1.0"
# What `import stubcli` offers is in `stubcli.api`, and is loaded when it is used: the command
# imports this package at every run.
__all__ = [
    "Answer",
    "Change",
    "Checkpoint",
    "Claim",
    "Column",
    "Entity",
    "ExecOwner",
    "Fence",
    "GenerationChanged",
    "IntegrityError",
    "Leaf",
    "Lease",
    "LeaseListing",
    "Leases",
    "Link",
    "Listing",
    "Match",
    "Matches",
    "MemoryEntry",
    "MemoryReference",
    "MemorySource",
    "MissingError",
    "NotStoredError",
    "Observation",
    "Offloaded",
    "Options",
    "Origin",
    "Owner",
    "Page",
    "Plan",
    "Policy",
    "Problem",
    "PublicationRejected",
    "Record",
    "RefusedError",
    "Report",
    "Run",
    "RunRow",
    "Schema",
    "Settlement",
    "Sighting",
    "Snapshot",
    "SqliteOwner",
    "Store",
    "StubError",
    "Type",
    "UsageError",
    "Verdict",
    "Window",
    "compact_messages",
    "offload",
    "offload_messages",
]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from stubcli.api import *

if not TYPE_CHECKING:  # there a name that is not offered is a mistake

    def __getattr__(name: str) -> object:
        if name in __all__:
            from importlib import import_module

            return getattr(import_module("stubcli.api"), name)
        raise AttributeError(f"module 'stubcli' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__all__", "__doc__", "__version__"]
