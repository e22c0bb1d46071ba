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
        # Where documents begin.
        self._lines: list[int] = []
        self._line = 0

    def feed(self, number: int, line: str, block: bool) -> None:
        """A line that holds something."""
        self._line = self._line or number
        self._builder.feed(line, block)

    def end(self) -> None:
        """What was fed since the last call is one document."""
        value, line = self._builder.finish(), self._line
        self._line = 0
        if value is None:
            return
        self._documents += 1
        self._lines.append(line)
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
            shown.append(self._placed(group.facts(kind, room)))
            inside = [one for one in self._inside[kind].lists.items() if one[1].differ()]
            shown += [self._placed(one.facts(path, 3)) for path, one in inside[:_INSIDE]]
        rest = found[_SHOWN_KINDS:]
        return tuple(shown), tuple(YamlGroup(clip(kind), group.count) for kind, group in rest)

    def _placed(self, items: ItemsFacts) -> ItemsFacts:
        """With the lines at which the documents begin that differ, or hold what does."""
        placed = []
        for one in items.differing:
            number = str(one.row).partition("[")[0].partition(".")[0]
            line = self._lines[int(number) - 1]
            placed.append(one.replace(row=f"{clip(str(one.row), 30)} (from line {line:,})"))
        return items.replace(differing=tuple(placed))

    def singles(self) -> tuple[YamlSingle, ...]:
        """Values that stand outside of lists and maps."""
        found = self.tree.singles.items()
        return tuple(YamlSingle(clip(path), kind, clip(text)) for path, (kind, text) in found)


def _kind(value: Any) -> str:
    kind = value.get("kind") if isinstance(value, dict) else None
    return kind if isinstance(kind, str) else ""
