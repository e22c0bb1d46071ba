"""Which API wrote a conversation."""

from typing import Any

from stubcli.errors import UsageError, nearest
from stubcli.messages.formats.anthropic import Anthropic
from stubcli.messages.formats.chat import Chat
from stubcli.messages.formats.common import string
from stubcli.messages.formats.gemini import Gemini
from stubcli.messages.formats.responses import Responses
from stubcli.messages.model import Format, ListShape, MessageItems

# The most particular first: what Chat accepts, the others may have meant. Anthropic stands before
# Responses because its answers, appended as they come, have the type `message` too.
FORMATS: tuple[Format, ...] = (Gemini(), Anthropic(), Responses(), Chat())
NAMES = tuple(one.name for one in FORMATS)


def shape_of(items: MessageItems, container: str, envelope: frozenset[str]) -> ListShape:
    """What all of a list looks like: a sample missed the one result that told two APIs apart."""
    roles, types, blocks = set[str](), set[str](), set[str]()
    objects = parts = True
    for index in range(len(items)):
        item: Any = items[index]
        if not isinstance(item, dict):
            objects = parts = False
            break
        roles.add(string(item.get("role")))
        types.add(string(item.get("type")))
        parts = parts and isinstance(item.get("parts"), list)
        content = item.get("content")
        for block in content if isinstance(content, list) else []:
            blocks.add(string(block.get("type")) if isinstance(block, dict) else "")
    return ListShape(
        container, envelope, objects, parts, frozenset(roles), frozenset(types), frozenset(blocks)
    )


def format_of(
    items: MessageItems,
    name: str | None,
    container: str = "",
    envelope: frozenset[str] = frozenset(),
) -> Format:
    """The format of that name, or the one that is recognised. Raises UsageError for no such list.

    container: the key that the list stands under; envelope: the keys beside it.
    """
    if name is not None and name not in NAMES:
        raise UsageError(f"unknown format {name!r}", nearest(name, NAMES))
    shape = shape_of(items, container, envelope)
    for one in FORMATS:
        if one.accepts(shape) and (name == one.name if name else one.recognises(shape)):
            return one
    what = f"a list of {name} items" if name else "a list of chat messages that stub knows"
    raise UsageError(f"this is not {what}", "known: " + ", ".join(NAMES))
