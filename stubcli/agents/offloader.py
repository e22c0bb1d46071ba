"""The output in a host's event goes to the store, and its stub comes back.

Text that came as JSON is turned into the bytes that it stands for, whatever they are. Hosts call a
hook for every output, most of them small: what only a large one needs is imported late. Knows no
host.
"""

import os

from stubcli.settings.load import load
from stubcli.spill.filter import passes

# Of a host's event, and of a file that it names. More stays the host's own affair.
LARGEST = 64 << 20
_LONGEST_NAME = 200
_LONGEST_COMMAND = 4096


class Offloader:
    """errors: how text becomes bytes again; failures: why something was not stored."""

    def __init__(self) -> None:
        self.errors = "surrogatepass"
        self.failures: list[str] = []

    def offload(
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
        name = _name_of(tool)
        settings = load({"format": "text"}, name)
        data = text if isinstance(text, bytes) else self._encode(text)
        if passes(data, settings.threshold):
            return None
        from stubcli.spill.in_memory import offload
        from stubcli.store.records import Origin

        origin = Origin(
            tool=name,
            call_id=_name_of(call_id),
            argv=(typed,) if 0 < len(typed) <= _LONGEST_COMMAND else (),
            cwd=_working_directory(),
            exit_status=status if type(status) is int else None,
        )
        done = offload(data, settings, origin, notice)
        if done.failure:
            self.failures.append(done.failure)
        return done.stub

    def _encode(self, text: str) -> bytes:
        try:
            return text.encode("utf-8", self.errors)
        except UnicodeEncodeError:
            # Half a pair of surrogates beside bytes that are not UTF-8: it has no bytes of its own.
            return text.encode("utf-8", "surrogatepass")


def _name_of(value: object) -> str | None:
    return value[:_LONGEST_NAME] if isinstance(value, str) and value else None


def _working_directory() -> str | None:
    try:
        return os.getcwd()
    except OSError:
        return None
