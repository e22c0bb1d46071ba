"""Whether a stream is YAML: by its lines, not by parsing.

That it would parse is no evidence, a log of "INFO: text" lines would too; keys must be nested.
"""

import re

from stubcli.detect.model import KindClaim, Sample, refused
from stubcli.detect.reading import hinted, sampled_lines

# What lines of nothing but keys and items are worth: less than a table, more than blocks alike.
_WORTH = 0.745
KEY = re.compile(
    rb"""( *)((?:- +)*)("[^"]{1,200}"|'[^']{1,200}'|"""
    rb"""[^\s#:,\[\]{}"'&*!|>%@`-][^:#]{0,120}?):(?: +(.*))?$"""
)
_ALIGNED = re.compile(rb" *[\w ./-]{1,60}:(?: {3,}|\t+)\S")
_ITEM = re.compile(rb"( *)- +\S|( *)-$")
BLOCK = re.compile(rb"(?:^|\s)[|>][+-]?\d?(?:\s+#.*)?$")
_WORD = re.compile(rb"[\"']|(?![0-9a-f]{7,}$)[A-Za-z_][^\s]*$")
MARKER = re.compile(rb"---(?:\s|$)")
# Comments with so many lines for each that is none are the text itself.
_COMMENTS = 10
# A number behind # counts something; nobody writes a comment so.
_COUNTED = re.compile(rb"#\d")


class _Counts:
    """Lines by what they are."""

    def __init__(self) -> None:
        self.keys = self.items = self.other = self.nested = self.comments = self.commas = 0
        self.names: set[bytes] = set()
        # A key of the outermost mapping comes once.
        self._tops: set[bytes] = set()
        self.again = 0
        self._block, self._previous = -1, False

    def line(self, line: bytes) -> None:
        text = line.strip()
        indent = len(line) - len(line.lstrip(b" "))
        if MARKER.match(line):
            self._tops.clear()
        if not text or MARKER.match(line) or line == b"...":
            return
        if text[:1] == b"#" and not _COUNTED.match(text):
            self.comments += 1
            return
        if self._block >= 0 and indent > self._block:
            return
        self._block = -1
        key = KEY.match(line)
        if key:
            self.keys += 1
            self.names.add(key[3])
            self.commas += text[-1:] == b","
            if not indent and not key[2]:
                self.again += key[3] in self._tops
                self._tops.add(key[3])
            self.nested += indent > 0 or (self._previous and bool(key[2]))
            self._previous = not key[4]
            if key[4] and BLOCK.search(key[4]):
                self._block = indent
        elif _ITEM.match(line):
            self.items += 1
            self.nested += self._previous
            self._previous = False
        else:
            self.other += 1


def claim(sample: Sample) -> KindClaim:
    lines = sampled_lines(sample)
    found = _Counts()
    for line in lines:
        found.line(line)
    names, counted = len(found.names), found.keys + found.items
    words = sum(1 for name in found.names if _WORD.match(name))
    if words < (0.5 if found.nested < 0.15 * counted else 0.1) * names:
        return refused("its keys are numbers, addresses or digests: a dump or a list of commits")
    if found.again >= 3 and found.again >= 0.02 * counted:
        return refused(f"{found.again} of its outermost keys come again: records")
    if found.commas > 0.5 * found.keys:
        return refused("most values end with a comma: members of an object in a program")
    if found.comments > _COMMENTS * counted:
        return refused(f"{found.comments} comments beside {counted} lines")
    hint = hinted(sample, "yaml", "yml")
    marked = any(MARKER.match(line) for line in lines[:5])
    evidence = f"{found.keys} keys, {found.items} items, {found.other} other lines"
    if found.keys < 2 or names < 2 or found.other > (0.3 if marked or hint else 0.1) * counted:
        return refused(evidence)
    if not (marked or hint):
        if found.nested < 0.15 * counted and names < 0.8 * found.keys:
            return refused(f"{evidence}, {found.nested} of them nested, {names} names")
        aligned = sum(1 for line in lines if _ALIGNED.match(line))
        if aligned > 0.3 * found.keys:
            return refused("values in a column of their own are a report for humans")
    share = counted / (counted + found.other)
    return KindClaim("yaml", "document", evidence, _WORTH * (share + (0.2 if hint else 0)))
