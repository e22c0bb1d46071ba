"""What is known of a stream of YAML."""

from stubcli.detect.facts import KindFacts
from stubcli.detect.fields.facts import FieldFacts
from stubcli.detect.model import Value


class YamlKey(Value):
    """A key at the top; type: scalar, text, list, mapping, alias or empty; items: of a list."""

    name: str
    type: str
    items: int | None = None


class DifferingRecord(Value):
    """A document or an item with what few others have: its name, then what differs."""

    row: int
    values: tuple[tuple[str, str], ...]


class YamlFacts(KindFacts, kw_only=True):
    """documents: those with content. items: of a list at the top. aliases: lines that hold one.
    kinds: of manifests, with their number. keys: the first of key_count. item_keys: of lists.
    word: what the compared records are, document or item. looked_at: so many of `size` bytes.
    compared: so many lines were compared, None for all.
    """

    size: int
    looked_at: int
    lines: int
    documents: int
    items: int = 0
    aliases: int = 0
    kinds: tuple[tuple[str, int], ...] = ()
    keys: tuple[YamlKey, ...] = ()
    key_count: int = 0
    item_keys: tuple[str, ...] = ()
    word: str = ""
    differing: tuple[DifferingRecord, ...] = ()
    fields: tuple[FieldFacts, ...] = ()
    compared: int | None = None


FACTS = YamlFacts
