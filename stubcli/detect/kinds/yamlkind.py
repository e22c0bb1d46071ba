"""YAML, read by its lines: documents, top-level keys, kinds of manifests.

Nothing is loaded: aliases are not followed, and a line costs the same whatever it holds. That it
would parse is no evidence, a log of "INFO: text" lines would too; keys must be nested.
"""

import re
from dataclasses import dataclass, field

from stubcli.detect.brief import clip, counted, limited, listed
from stubcli.detect.kinds.yamlrecords import Records
from stubcli.detect.model import Claim, Sample, Scan, Source, Synopsis
from stubcli.detect.reading import hinted, sampled_lines
from stubcli.detect.reading import lines as lines_of
from stubcli.text.decode import decode

_LIMIT = 32 * 1024 * 1024
# Records are compared with each other up to here; keys, documents and items are counted on.
_COMPARED = 60_000
_KEYS = 30
_A_LINE = 10
_KEY = re.compile(
    rb"""( *)((?:- +)*)("[^"]{1,200}"|'[^']{1,200}'|"""
    rb"""[^\s#:,\[\]{}"'&*!|>%@`-][^:#]{0,120}?):(?: +(.*))?$"""
)
_ALIGNED = re.compile(rb" *[\w ./-]{1,60}:(?: {3,}|\t+)\S")
_ITEM = re.compile(rb"( *)- +\S|( *)-$")
_BLOCK = re.compile(rb"(?:^|\s)[|>][+-]?\d?(?:\s+#.*)?$")
_BLOCK_ENDS = tuple(bytes([end]) for end in range(33, 127) if chr(end) in "|>+-0123456789")
_WORD = re.compile(rb"[\"']|(?![0-9a-f]{7,}$)[A-Za-z_][^\s]*$")
_MARKER = re.compile(rb"---(?:\s|$)")


def detect(sample: Sample) -> Claim | None:
    lines = sampled_lines(sample)
    keys = items = other = nested = 0
    names: set[bytes] = set()
    block, previous = -1, False
    for line in lines:
        text = line.strip()
        indent = len(line) - len(line.lstrip(b" "))
        if not text or text[:1] == b"#" or _MARKER.match(line) or line == b"...":
            continue
        if block >= 0 and indent > block:
            continue
        block = -1
        key = _KEY.match(line)
        if key:
            keys += 1
            names.add(key[3])
            nested += indent > 0 or (previous and bool(key[2]))
            previous = not key[4]
            if key[4] and _BLOCK.search(key[4]):
                block = indent
        elif _ITEM.match(line):
            items += 1
            nested += previous
            previous = False
        else:
            other += 1
    words = sum(1 for name in names if _WORD.match(name))
    if nested < 0.15 * (keys + items) and words < 0.5 * len(names):
        return None  # flat, and its keys are addresses or digests: a dump or a list of commits
    return _judged(sample, lines, keys, items, other, nested, len(names))


def _judged(
    sample: Sample, lines: list[bytes], keys: int, items: int, other: int, nested: int, names: int
) -> Claim | None:
    from stubcli.detect.forms import compiler, log, testreport, traceback

    hint = hinted(sample, "yaml")
    marked = any(_MARKER.match(line) for line in lines[:5])
    if keys < 2 or names < 2 or other > (0.3 if marked or hint else 0.1) * (keys + items):
        return None
    if not (marked or hint) and nested < 0.15 * (keys + items) and names < 0.8 * keys:
        return None
    # Values in a column of their own are a report for humans.
    aligned = sum(1 for line in lines if _ALIGNED.match(line))
    if not (marked or hint) and aligned > 0.3 * keys:
        return None
    if log.is_log(lines) or any(form.holds(lines) for form in (compiler, testreport, traceback)):
        return None
    return Claim("yaml", "document", f"{keys} keys, {items} items, {other} other lines")


@dataclass
class _Read:
    documents: int = 0
    keys: dict[str, str] = field(default_factory=dict)
    lengths: dict[str, int] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)
    item_keys: dict[str, int] = field(default_factory=dict)
    anchors: int = 0
    top_items: int = 0


def summarise(claim: Claim, sample: Sample, source: Source, scan: Scan) -> Synopsis | None:
    walk = _Walk(source)
    read = walk.found
    form = "stream" if read.documents > 1 else "document"
    summary = [f"{counted(read.documents, 'document')} with content, {counted(scan.lines, 'line')}"]
    if read.top_items:
        summary.append(f"a list of {counted(read.top_items, 'item')} at the top")
    if read.anchors:
        summary.append(f"{counted(read.anchors, 'line')} with aliases, none followed")
    summary += limited(min(source.size, _LIMIT), source.size)
    structure = []
    if read.kinds:
        ranked = sorted(read.kinds.items(), key=lambda item: (-item[1], item[0]))
        structure.append("kinds: " + listed((f"{k} {n:,}" for k, n in ranked), len(ranked)))
    told = []
    for key, kind in read.keys.items():
        length = f" {read.lengths[key]:,}" if key in read.lengths else ""
        told.append(f"{clip(key, 60)} {kind}{length}")
    for at in range(0, min(len(told), _KEYS), _A_LINE):
        name = f"keys ({len(told):,}): " if not at else "  "
        last = at + _A_LINE >= min(len(told), _KEYS)
        total = len(told) - at if last else 0
        structure.append(name + listed(told[at : min(at + _A_LINE, _KEYS)], total, 290, 60))
    if read.item_keys:
        structure.append("keys of items: " + listed(read.item_keys, len(read.item_keys)))
    structure += (walk.documents if read.documents > 2 else walk.items).told()
    if scan.lines > _COMPARED:
        structure.append(f"  values of the first {_COMPARED:,} lines only")
    return Synopsis("yaml", form, tuple(summary), tuple(structure), scan.notable)


class _Walk:
    """One pass over the lines."""

    def __init__(self, source: Source) -> None:
        self.found = _Read()
        self._key = ""
        self._content = False
        self._block = -1
        self._item_indent = -1
        self.documents, self.items = Records("document"), Records("item")
        self._left = _COMPARED
        for line in lines_of(source, _LIMIT):
            self._left -= 1
            self._line(line.rstrip())
        self.found.documents += self._content

    def _line(self, line: bytes) -> None:
        indent = len(line) - len(line.lstrip(b" "))
        if _MARKER.match(line):
            self.found.documents += self._content
            self._content, self._block, self._key = len(line) > 4 and line[4:5] != b"#", -1, ""
            self.documents.begin()
            return
        if not line or line[indent : indent + 1] == b"#":
            return
        if 0 <= self._block < indent:
            return
        self._block, self._content = -1, True
        if (line[-1:] in _BLOCK_ENDS or b"#" in line) and _BLOCK.search(line):
            self._block = indent
        if b"*" in line and re.search(rb"[:\[,-]\s*\*\w", line):
            self.found.anchors += 1
        self._item(line, indent)
        self._top(line, indent)
        if self._left > 0:
            self._compare(line, indent)

    def _compare(self, line: bytes, indent: int) -> None:
        text = decode(line)
        self.documents.feed(text)
        if self.found.documents > 2:
            return
        border = max(self._item_indent, 0) if self._item_indent >= 0 or not self._key else -1
        if indent == border and text[indent : indent + 2] in ("- ", "-"):
            self.items.begin()
            self.items.feed(text)
        elif 0 <= border < indent:
            self.items.feed(text)

    def _item(self, line: bytes, indent: int) -> None:
        found = self.found
        if line[indent : indent + 1] == b"-" and line[indent + 1 : indent + 2] in (b" ", b""):
            if not self._key:
                found.top_items += indent == 0
            elif self._item_indent < 0 and found.keys.get(self._key) in ("empty", "list"):
                self._item_indent = indent
                found.keys[self._key] = "list"
            if self._key and indent == self._item_indent:
                found.lengths[self._key] = found.lengths.get(self._key, 0) + 1
            inner = indent + 2 if indent == max(self._item_indent, 0) else -1
        else:
            inner = indent if self._item_indent >= 0 and indent == self._item_indent + 2 else -1
        if inner >= 0 and (len(found.item_keys) < _KEYS or line.startswith(b"kind:", inner)):
            key = _KEY.match(line[inner:])
            if key and not key[1] and len(found.item_keys) < _KEYS:
                name = decode(key[3])
                found.item_keys[name] = found.item_keys.get(name, 0) + 1
            if key and not key[1] and key[3] == b"kind" and key[4] and len(found.kinds) < 200:
                kind = decode(key[4]).strip()
                found.kinds[kind] = found.kinds.get(kind, 0) + 1

    def _top(self, line: bytes, indent: int) -> None:
        found = self.found
        key = None if indent else _KEY.match(line)
        if key is None:
            if indent and found.keys.get(self._key) == "empty":
                found.keys[self._key] = "mapping"
            return
        if key[2]:
            return
        self._key, self._item_indent = decode(key[3]).strip(), -1
        value = decode(key[4] or b"").strip()
        if self._key == "kind" and value and len(found.kinds) < 200:
            found.kinds[value] = found.kinds.get(value, 0) + 1
        if len(found.keys) < 1000 or self._key in found.keys:
            found.keys.setdefault(self._key, _type(value))


def _type(value: str) -> str:
    if not value or value[0] in "&#!":
        return "empty"
    return {"{": "mapping", "[": "list", "*": "alias", "|": "text", ">": "text"}.get(
        value[0], "scalar"
    )
