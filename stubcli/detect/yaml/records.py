"""What YAML records have in common: items of lists, values of maps, or the documents of a stream.

Documents of one `kind` are compared with each other.
"""

from typing import Any

from stubcli.detect.fields.facts import ItemsFacts
from stubcli.detect.fields.items import RecordGroup
from stubcli.detect.fields.tree import Tree, blocks
from stubcli.detect.words import clip
from stubcli.detect.yaml.build import YamlBuilder
from stubcli.detect.yaml.facts import YamlGroup, YamlSingle

_KINDS = 12
_SHOWN_KINDS = 4
_ROOM = (8, 6, 4, 3)
# Lists in documents of one kind that are told because an item differs.
_INSIDE = 2
# Further documents are told as records of a stream only.
_DOCUMENTS = 2


class YamlRecords:
    """The values of the documents, as far as they were looked at."""

    def __init__(self) -> None:
        self.tree = Tree()
        self._kinds: dict[str, RecordGroup] = {}
        # What documents of a kind hold inside.
        self._inside: dict[str, Tree] = {}
        self._builder = YamlBuilder()
        self._documents = 0

    def feed(self, line: str, block: bool) -> None:
        """A line that holds something."""
        self._builder.feed(line, block)

    def end(self) -> None:
        """What was fed since the last call is one document."""
        value = self._builder.finish()
        if value is None:
            return
        self._documents += 1
        if self._documents <= _DOCUMENTS:
            self.tree.value(value, "")
        kind = _kind(value)
        if kind not in self._kinds and len(self._kinds) >= _KINDS:
            kind = ""
        tree = self._inside.setdefault(kind, Tree())
        group = self._kinds.setdefault(kind, RecordGroup("document", tree, clip(kind)))
        group.add(value, "", self._documents)

    def groups(self) -> tuple[tuple[ItemsFacts, ...], tuple[YamlGroup, ...]]:
        """The lists and maps inside a document, and those that are not described."""
        shown, others = blocks(self.tree)
        return shown, tuple(YamlGroup(clip(path), count) for path, count in others)

    def by_kind(self) -> tuple[tuple[ItemsFacts, ...], tuple[YamlGroup, ...]]:
        """The documents of a stream by their kind."""
        found = sorted(self._kinds.items(), key=lambda one: -one[1].count)
        shown: list[ItemsFacts] = []
        for (kind, group), room in zip(found, _ROOM, strict=False):
            shown.append(group.facts(kind, room))
            inside = self._inside[kind].lists.items()
            shown += [one.facts(path, 3) for path, one in inside if one.differ()][:_INSIDE]
        rest = found[_SHOWN_KINDS:]
        return tuple(shown), tuple(YamlGroup(clip(kind), group.count) for kind, group in rest)

    def singles(self) -> tuple[YamlSingle, ...]:
        """Values that stand outside of lists and maps."""
        found = self.tree.singles.items()
        return tuple(YamlSingle(clip(path), kind, clip(text)) for path, (kind, text) in found)


def _kind(value: Any) -> str:
    kind = value.get("kind") if isinstance(value, dict) else None
    return kind if isinstance(kind, str) else ""
