"""Reads YAML line by line: documents, top-level keys, kinds of manifests.

Nothing is loaded: aliases are not followed, and a line costs the same whatever it holds.
"""

import re

from stubcli.detect.fields.values import kind_of
from stubcli.detect.model import ByteSource, KindClaim, Sample, Scan
from stubcli.detect.reading import lines as lines_of
from stubcli.detect.words import clip
from stubcli.detect.yaml.build import scalar
from stubcli.detect.yaml.claim import BLOCK, KEY, MARKER
from stubcli.detect.yaml.facts import YamlFacts, YamlKey
from stubcli.detect.yaml.records import YamlRecords
from stubcli.text.characters import decode

_LIMIT = 32 * 1024 * 1024
# Records are compared with each other up to here; keys, documents and items are counted on.
_COMPARED = 60_000
_KEYS = 30
_BLOCK_ENDS = tuple(bytes([end]) for end in range(33, 127) if chr(end) in "|>+-0123456789")


def read(claim: KindClaim, sample: Sample, source: ByteSource, scan: Scan) -> YamlFacts | None:
    walk = _YamlWalk(source)
    if walk.repeated:
        return None
    several = walk.documents_found > 2
    ranked = sorted(walk.kinds.items(), key=lambda item: (-item[1], item[0]))
    keys = list(walk.keys.items())
    found = walk.records
    shown, others = found.by_kind() if several else found.groups()
    return YamlFacts(
        kind="yaml",
        form="stream" if walk.documents_found > 1 else "document",
        notable=(),
        size=source.size,
        looked_at=min(source.size, _LIMIT),
        lines=scan.lines,
        documents=walk.documents_found,
        items=walk.top_items,
        aliases=walk.aliases,
        kinds=tuple((clip(kind), number) for kind, number in ranked),
        keys=tuple(
            YamlKey(clip(name), kind, walk.lengths.get(name)) for name, kind in keys[:_KEYS]
        ),
        key_count=len(keys),
        word="document" if several else "item",
        groups=shown,
        others=others,
        singles=() if several else found.singles(),
        compared=_COMPARED if scan.lines > _COMPARED else None,
    )


class _YamlWalk:
    """One pass over the lines."""

    def __init__(self, source: ByteSource) -> None:
        self.documents_found = 0
        self.keys: dict[str, str] = {}
        self.lengths: dict[str, int] = {}
        self.kinds: dict[str, int] = {}
        # Whether a key comes twice at the top of one document.
        self.repeated = False
        self._document_keys: set[str] = set()
        self.aliases = self.top_items = 0
        self._key = ""
        self._content = False
        self._block = -1
        self._item_indent = -1
        self.records = YamlRecords()
        self._left = _COMPARED
        for line in lines_of(source, _LIMIT):
            self._left -= 1
            self._line(line.rstrip())
        self.documents_found += self._content
        self.records.end()

    def _line(self, line: bytes) -> None:
        indent = len(line) - len(line.lstrip(b" "))
        if MARKER.match(line):
            self.documents_found += self._content
            self._content, self._block, self._key = len(line) > 4 and line[4:5] != b"#", -1, ""
            self._document_keys = set()
            self.records.end()
            return
        if not line or line[indent : indent + 1] == b"#":
            return
        if 0 <= self._block < indent:
            return
        self._block, self._content = -1, True
        block = (line[-1:] in _BLOCK_ENDS or b"#" in line) and bool(BLOCK.search(line))
        if block:
            self._block = indent
        if b"*" in line and re.search(rb"[:\[,-]\s*\*\w", line):
            self.aliases += 1
        self._item(line, indent)
        self._top(line, indent)
        if self._left > 0:
            self.records.feed(_COMPARED - self._left, decode(line), block)

    def _item(self, line: bytes, indent: int) -> None:
        if line[indent : indent + 1] == b"-" and line[indent + 1 : indent + 2] in (b" ", b""):
            if not self._key:
                self.top_items += indent == 0
            elif self._item_indent < 0 and self.keys.get(self._key) in ("empty", "list"):
                self._item_indent = indent
                self.keys[self._key] = "list"
            if self._key and indent == self._item_indent:
                self.lengths[self._key] = self.lengths.get(self._key, 0) + 1
            inner = indent + 2 if indent == max(self._item_indent, 0) else -1
        else:
            inner = indent if self._item_indent >= 0 and indent == self._item_indent + 2 else -1
        if inner >= 0 and line.startswith(b"kind:", inner):
            key = KEY.match(line[inner:])
            if key and not key[1] and key[4] and len(self.kinds) < 200:
                kind = decode(key[4]).strip()
                self.kinds[kind] = self.kinds.get(kind, 0) + 1

    def _top(self, line: bytes, indent: int) -> None:
        key = None if indent else KEY.match(line)
        if key is None:
            if indent and self.keys.get(self._key) == "empty":
                self.keys[self._key] = "mapping"
            return
        if key[2]:
            return
        self._key, self._item_indent = decode(key[3]).strip(), -1
        self.repeated |= self._key in self._document_keys
        if len(self._document_keys) < 1000:
            self._document_keys.add(self._key)
        value = decode(key[4] or b"").strip()
        if self._key == "kind" and value and len(self.kinds) < 200:
            self.kinds[value] = self.kinds.get(value, 0) + 1
        if len(self.keys) < 1000 or self._key in self.keys:
            self.keys.setdefault(self._key, _type(value))


def _type(value: str) -> str:
    if not value or value[0] in "&#!":
        return "empty"
    found = {"{": "mapping", "[": "list", "*": "alias", "|": "text", ">": "text"}.get(value[0])
    return found or kind_of(scalar(value))
