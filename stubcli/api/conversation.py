"""A conversation through `stub messages`, as Python has it: lists of dictionaries or of objects."""

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from stubcli.api.arguments import one_family, read_flags, read_settings, wrong_type
from stubcli.messages.jsontext import written
from stubcli.messages.model import Report
from stubcli.messages.rewrite import Conversation, Edits, compact_conversation, offload_conversation
from stubcli.messages.transcript import apply_edits
from stubcli.settings.options import Options


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

    Raises UsageError for a bad argument, setting or name of a session, and where the messages are
    not understood; another StubError where the session cannot be used. A result that could not be
    kept stays as it is and is in `failures`.
    """
    plain, flags = _plain_items(messages), _flags_of(settings)
    with one_family():
        edits, report = offload_conversation(_source(plain), api, flags)
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
    plain, flags = _plain_items(messages), _flags_of(settings)
    with one_family():
        edits, report = compact_conversation(_source(plain), api, flags)
    return _with(messages, apply_edits(plain, edits), edits), report


def _plain_items(messages: object) -> list[Any]:
    if not isinstance(messages, Sequence) or isinstance(messages, str | bytes | bytearray):
        raise wrong_type("messages", "a sequence of messages", messages)
    return [_plain(message) for message in messages]


def _flags_of(settings: Options) -> dict[str, str]:
    """Checked also where the list is small and no session is opened. Raises UsageError."""
    flags = read_flags(settings)
    read_settings(flags)
    return flags


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
