"""Keep every byte of a large output, print one useful page of it, find the rest again."""

__version__ = "0.1.0"
# What `import stubcli` offers stands in `stubcli.api`, and is loaded when it is used: the command
# imports this package at every run.
__all__ = [
    "Change",
    "IntegrityError",
    "MissingError",
    "NotStoredError",
    "Offloaded",
    "Options",
    "Page",
    "Record",
    "RefusedError",
    "Report",
    "Store",
    "StubError",
    "UsageError",
    "compact_messages",
    "offload",
    "offload_messages",
]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from stubcli.api import (
        Change,
        IntegrityError,
        MissingError,
        NotStoredError,
        Offloaded,
        Options,
        Page,
        Record,
        RefusedError,
        Report,
        Store,
        StubError,
        UsageError,
        compact_messages,
        offload,
        offload_messages,
    )


def __getattr__(name: str) -> object:
    if name in __all__:
        from importlib import import_module

        return getattr(import_module("stubcli.api"), name)
    raise AttributeError(f"module 'stubcli' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__all__", "__doc__", "__version__"]
