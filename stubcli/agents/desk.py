"""What an adapter needs of the world: keep a text, read the file that a host spilled to itself.

Text that came as JSON is turned into the bytes that it stands for, whatever they are. Hosts call a
hook for every output, most of them small: what only a large one needs is imported late.
"""

import os
import stat

from stubcli.settings.load import load
from stubcli.threshold import passes

# Of a host's event, and of a file that it names. More stays the host's own affair.
LARGEST = 64 << 20
_LONGEST_NAME = 200
_LONGEST_COMMAND = 4096


class Desk:
    """errors: how text becomes bytes again; failures: why something was not kept."""

    def __init__(self) -> None:
        self.errors = "surrogatepass"
        self.failures: list[str] = []

    def keep(
        self,
        text: str | bytes,
        tool: object,
        *,
        call_id: object = None,
        command: object = None,
        status: object = None,
        notice: str = "",
    ) -> str | None:
        """The stub to show in place of `text`; None where it is to stay. Raises StubError.

        What is not of the type that it should be is left out of the record.
        """
        typed = command if isinstance(command, str) else ""
        if "STUB_DISABLE=1" in typed:
            return None  # as stub-shell lets it pass: this one is wanted whole
        name = _name(tool)
        settings = load({"format": "text"}, name)
        data = text if isinstance(text, bytes) else self._bytes(text)
        if passes(data, settings.threshold):
            return None
        from stubcli.spill.offload import offload
        from stubcli.store.records import Origin

        origin = Origin(
            tool=name,
            call_id=_name(call_id),
            argv=(typed,) if 0 < len(typed) <= _LONGEST_COMMAND else (),
            cwd=_here(),
            exit_status=status if type(status) is int else None,
        )
        done = offload(data, settings, origin, notice)
        if done.failure:
            self.failures.append(done.failure)
        return done.stub

    def _bytes(self, text: str) -> bytes:
        try:
            return text.encode("utf-8", self.errors)
        except UnicodeEncodeError:
            # Half a pair of surrogates beside bytes that are no UTF-8: it has no bytes of its own.
            return text.encode("utf-8", "surrogatepass")


def _name(value: object) -> str | None:
    return value[:_LONGEST_NAME] if isinstance(value, str) and value else None


def _here() -> str | None:
    try:
        return os.getcwd()
    except OSError:
        return None


def spilled(path: object) -> bytes | None:
    """What stands in the file that a host names; None where it is not its plain own file."""
    if not isinstance(path, str) or not os.path.isabs(path):
        return None
    try:
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        descriptor = os.open(path, flags)
    except (OSError, ValueError):
        return None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid():
            return None
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            data = file.read(LARGEST + 1)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return data if len(data) <= LARGEST else None


def short_reference(stub: str) -> str:
    """The digits by which a stub's artifact is found from any session."""
    from stubcli.reference import parse

    return (parse(stub[: stub.index("]") + 1]).digest or "")[:16]
