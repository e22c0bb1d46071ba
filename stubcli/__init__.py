"""Keep every byte of a large output, print one useful page of it, find the rest again."""

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs 9 ms, on the road of every small input
    from stubcli.api import Offloaded as Offloaded
    from stubcli.api import Report as Report
    from stubcli.api import Store as Store
    from stubcli.api import StubError as StubError
    from stubcli.api import compact_messages as compact_messages
    from stubcli.api import offload as offload
    from stubcli.api import offload_messages as offload_messages

_NAMES = (
    "Offloaded",
    "Report",
    "Store",
    "StubError",
    "compact_messages",
    "offload",
    "offload_messages",
)


def __getattr__(name: str) -> object:
    if name in _NAMES:
        from importlib import import_module

        return getattr(import_module("stubcli.api"), name)
    raise AttributeError(f"module 'stubcli' has no attribute {name!r}")
