"""`stubcli` as a library: the same code as the commands, for agent loops and servers.

No global state and no signal handlers; every call stands for itself and may run in any thread.
All of it blocks on the disk: in an async server, give it to a thread (`asyncio.to_thread`).
Settings are those of the command line (`stub config`), keywords above all else.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from stubcli.errors import (
    IntegrityError,
    MissingError,
    NotStoredError,
    RefusedError,
    StubError,
    UsageError,
    nearest,
)
from stubcli.messages.apply import Conversation, Edits, compact_conversation, offload_conversation
from stubcli.messages.jsontext import written
from stubcli.messages.model import Change, Report
from stubcli.messages.survey import to_bytes
from stubcli.messages.transcript import apply_edits
from stubcli.retrieve.page import CHARS, UNITS, Page, Window, read_page
from stubcli.settings.load import home_of, load, session_of
from stubcli.settings.options import Options
from stubcli.settings.table import SETTINGS
from stubcli.spill.offload import offload as _offload
from stubcli.store.artifact import Artifact
from stubcli.store.records import Origin, Record
from stubcli.store.resolve import open_reference

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


@dataclass(frozen=True)
class Offloaded:
    """What to show in place of an output.

    text: the stub, or the output itself where it is small or could not be kept. ref: the name by
    which it is found again, None where it was not kept. failure: why it could not be, or "".
    """

    text: str
    ref: str | None = None
    failure: str = ""


def offload(
    output: str | bytes,
    *,
    tool: str | None = None,
    call_id: str | None = None,
    mime: str | None = None,
    **settings: Unpack[Options],
) -> Offloaded:
    """The output of one tool, or its stub where it exceeds the threshold.

    tool chooses the policy of that name; settings are those of `stub config` (threshold=…,
    session=…, home=…). Bytes that are no UTF-8 are shown escaped in the stub, and kept as they
    are; where they pass, each becomes U+FFFD in `text`. Raises UsageError for a bad setting;
    whatever fails in the store is told in `failure`, and the text is the output.
    """
    data = to_bytes(output) if isinstance(output, str) else output
    done = _offload(data, load(_flags(settings), tool), Origin(tool, call_id, mime))
    if done.stub is not None:
        return Offloaded(done.stub, done.ref)
    text = output if isinstance(output, str) else output.decode("utf-8", "replace")
    return Offloaded(text, None, done.failure)


def offload_messages(
    messages: Sequence[Any],
    *,
    api: str | None = None,
    **settings: Unpack[Options],
) -> tuple[list[Any], Report]:
    """The messages with large tool results replaced by stubs, and what was done.

    messages: items of OpenAI Chat Completions, OpenAI Responses, Anthropic Messages or Gemini, as
    dictionaries or as the objects of their SDKs; api names which (`openai-chat`,
    `openai-responses`, `anthropic`, `gemini`), else it is recognised. The list is not changed;
    items that nothing was replaced in are the same objects in the new list, the others are
    dictionaries. What was decided is remembered in the session, and repeated byte for byte in
    later calls.

    Raises UsageError where the messages are not understood, StubError and OSError where the
    session cannot be used; a result that could not be kept stays as it is and is in `failures`.
    """
    plain = [_plain(message) for message in messages]
    edits, report = offload_conversation(_source(plain), api, _flags(settings))
    return _with(messages, apply_edits(plain, edits), edits), report


def compact_messages(
    messages: Sequence[Any],
    *,
    api: str | None = None,
    **settings: Unpack[Options],
) -> tuple[list[Any], Report]:
    """The messages with old results and texts replaced by lines, where the window is exceeded.

    What was there can be read back: each result by its reference, the whole list by the one that
    the lines name. Otherwise as `offload_messages`.
    """
    plain = [_plain(message) for message in messages]
    edits, report = compact_conversation(_source(plain), api, _flags(settings))
    return _with(messages, apply_edits(plain, edits), edits), report


def _source(plain: list[Any]) -> Conversation:
    return Conversation(plain, "", frozenset(), lambda: [written(plain)])


def _with(messages: Sequence[Any], new: list[Any], edits: Edits) -> list[Any]:
    return [new[index] if index in edits else one for index, one in enumerate(messages)]


def _plain(value: Any) -> Any:
    """The same in dictionaries and lists; the objects of the SDKs are pydantic's."""
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if callable(dump := getattr(value, "model_dump", None)):
        # Unset is absent: the APIs refuse keys that they sent as null themselves.
        return _plain(dump(exclude_unset=True))
    return value


class Store:
    """What is kept, read back. home and session as on the command line; both are found anew at
    each call, and no file stays open between two."""

    def __init__(self, *, home: str | None = None, session: str | None = None) -> None:
        """Raises UsageError for a bad setting."""
        self._settings = load(_flags({"home": home, "session": session}))

    def _open(self, ref: str) -> Artifact:
        return open_reference(home_of(self._settings), session_of(self._settings), ref)

    def record(self, ref: str) -> Record:
        """All that is known of an artifact. Raises UsageError, MissingError, IntegrityError."""
        with self._open(ref) as artifact:
            return artifact.record

    def page(self, ref: str, offset: int = 0, limit: int | None = None, unit: str = CHARS) -> Page:
        """`limit` chars, lines or bytes from `offset` on, verified; `follow` is what comes next.

        Raises UsageError, MissingError, IntegrityError.
        """
        room = self._settings.page
        if unit not in UNITS or offset < 0 or (limit or 0) < 0:
            raise UsageError(
                f"no page has offset {offset}, limit {limit}, unit {unit!r}",
                "offset and limit count from 0, in chars, lines or bytes",
            )
        with self._open(ref) as artifact:
            return read_page(artifact, Window(offset, room if limit is None else limit, unit, room))

    def blocks(self, ref: str) -> Iterator[bytes]:
        """All of an artifact in blocks of about 1 MiB, each verified before it is given."""
        with self._open(ref) as artifact:
            for _, data in artifact.blocks():
                yield data

    def read(self, ref: str) -> bytes:
        """All of an artifact, in memory."""
        return b"".join(self.blocks(ref))


def _flags(settings: Mapping[str, object]) -> dict[str, str]:
    known = tuple(setting.name for setting in SETTINGS)
    for name in settings:
        if name not in known:
            raise UsageError(f"unknown setting {name!r}", nearest(name, known))
    return {name: str(value) for name, value in settings.items() if value is not None}
