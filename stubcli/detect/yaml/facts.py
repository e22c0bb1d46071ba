"""What is known of a stream of YAML."""

from typing import ClassVar

from stubcli.detect.facts import KindFacts
from stubcli.detect.fields.facts import ItemsFacts
from stubcli.value import Value


class YamlKey(Value):
    """A key at the top; items: of a list. type: of its scalar, or text, list, mapping, alias …"""

    name: str
    type: str
    items: int | None = None


class YamlSingle(Value):
    """A scalar that stands in no list, its path, type and text."""

    path: str
    type: str
    text: str


class YamlGroup(Value):
    """A list, a map or a kind of document that is not described, and how many records it holds."""

    path: str
    count: int


class YamlFacts(KindFacts, kw_only=True):
    """documents: those with content. items: of a list at the top. aliases: lines that hold one.
    kinds: of manifests, with their number. keys: the first of key_count. word: what the compared
    records are, document or item. groups: those that say most, others the rest. looked_at: so many
    of `size` bytes. compared: so many lines were compared, None for all.
    """

    VERSION: ClassVar[int] = 2
    size: int
    looked_at: int
    lines: int
    documents: int
    items: int = 0
    aliases: int = 0
    kinds: tuple[tuple[str, int], ...] = ()
    keys: tuple[YamlKey, ...] = ()
    key_count: int = 0
    word: str = ""
    groups: tuple[ItemsFacts, ...] = ()
    others: tuple[YamlGroup, ...] = ()
    singles: tuple[YamlSingle, ...] = ()
    compared: int | None = None


FACTS = YamlFacts
