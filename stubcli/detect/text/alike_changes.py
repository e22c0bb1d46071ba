"""Changes of a diff that come again in many places, and those that are like no other.

What is compared is what differs between the lines that are gone and those that stand in their
place, and the name that they begin with: the rest may be another one in each file.
"""

import re

from stubcli.detect.words import clip, counted, masked
from stubcli.text.characters import decode
from stubcli.value import Value

_LONGEST = 300
_KEPT = 1000
# Longer runs are texts that were rewritten.
_RUN = 200
# So many files with the same change make it one that comes again; where these are so large a
# share of all changes, the others are told one by one.
_AGAIN = 4
_SHARE = 0.5
_TEXT = 120
_WORD = re.compile(rb"([^\w.\-]+)")
_NAME = re.compile(rb"[\w.\-\"' ]{1,60}?(?=\s*[:=])|\S+")
# Digests and numbers of revisions differ everywhere.
_DIGEST = re.compile(rb"\b(?=[a-f]*\d)[\da-f]{7,64}\b")
_NUMBER = re.compile(rb"\d+")

_Key = tuple[bytes, bytes, bytes]


class AlikeChange(Value):
    """A change of `old` to `new`, in line `line` of the diff and in `files` files, of which `file`
    is the first; so many times in all. "" where nothing stood or stands there.
    """

    file: str
    line: int
    old: str
    new: str
    files: int = 1
    times: int = 1


class _Counted:
    """A change so far."""

    __slots__ = ("file", "files", "last", "line", "new", "old", "times")

    def __init__(self, file: str, line: int, old: bytes, new: bytes) -> None:
        self.file = self.last = file
        self.line, self.old, self.new = line, old, new
        self.files = self.times = 1

    def said(self) -> AlikeChange:
        old, new = (
            clip(masked(decode(b" ".join(one.split()))), _TEXT) for one in (self.old, self.new)
        )
        return AlikeChange(clip(self.file), self.line, old, new, self.files, self.times)


class AlikeChanges:
    """Fed with the lines of each change, the removed ones first."""

    def __init__(self) -> None:
        self._found: dict[_Key, _Counted] = {}
        self._removed: list[bytes] = []
        self._added: list[bytes] = []
        self._number, self._file = 0, ""
        self._full = False

    def removed(self, text: bytes, number: int, file: str) -> None:
        if self._added:
            self.end()
        if not self._removed:
            self._number, self._file = number, file
        if len(self._removed) < _RUN:
            self._removed.append(text[:_LONGEST])

    def added(self, text: bytes, number: int, file: str) -> None:
        if not self._added:
            self._number, self._file = number, file
        if len(self._added) < _RUN:
            self._added.append(text[:_LONGEST])

    def end(self) -> None:
        """A line that stays parts two changes."""
        removed, added = self._removed, self._added
        if len(removed) == len(added):
            for at, (old, new) in enumerate(zip(removed, added, strict=True)):
                if old != new and not self._full:
                    self._count(_key(old, new), old, new, at)
        elif removed or added:
            self._uneven(removed, added)
        self._full = self._full or max(len(removed), len(added)) >= _RUN
        if removed or added:
            self._removed, self._added = [], []

    def _uneven(self, removed: list[bytes], added: list[bytes]) -> None:
        """More lines on one side: those that end in the same word, as a list of files does, belong
        together; the others are alone.
        """
        before = {line.split()[-1]: line for line in removed if line.strip()}
        after = {line.split()[-1]: line for line in added if line.strip()}
        repeated = len(before) < len(removed) or len(after) < len(added)
        if repeated or 2 * len(before.keys() & after.keys()) < max(len(removed), len(added)):
            old, new = b" ".join(removed), b" ".join(added)
            self._count((b"", old[:_LONGEST], new[:_LONGEST]), old, new, 0)
            return
        for word in before | after:
            old, new = before.get(word, b""), after.get(word, b"")
            if old != new and not self._full:
                at = added.index(new) if new else 0
                self._count(_key(old, new) if old and new else (b"", old, new), old, new, at)

    def _count(self, key: _Key, old: bytes, new: bytes, at: int) -> None:
        known = self._found.get(key)
        if known is None:
            self._full = len(self._found) >= _KEPT
            self._found[key] = _Counted(self._file, self._number + at, old, new)
            return
        known.times += 1
        known.files += known.last != self._file
        known.last = self._file

    def told(self, most: int) -> tuple[tuple[AlikeChange, ...], int]:
        """Those in the fewest files first, then those that come again; and how many there are.
        () where hardly any comes again.
        """
        self.end()
        found = list(self._found.values())
        again = [one for one in found if one.files >= _AGAIN]
        if self._full or sum(one.files for one in again) < _SHARE * sum(one.files for one in found):
            return (), 0
        again.sort(key=lambda one: -one.files)
        alone = sorted((one for one in found if one.files < _AGAIN), key=lambda one: one.files)
        some = alone[: max(most - len(again), most // 2)]
        return tuple(one.said() for one in (*some, *again[: most - len(some)])), len(found)


def _key(old: bytes, new: bytes) -> _Key:
    """The name that both begin with, and the words between what both begin and end with."""
    name = _NAME.match(old.strip())
    one, two = _WORD.split(_DIGEST.sub(b"#", old)), _WORD.split(_DIGEST.sub(b"#", new))
    least = min(len(one), len(two))
    start = next((at for at in range(least) if one[at] != two[at]), least)
    end = next((at for at in range(least - start) if one[-1 - at] != two[-1 - at]), least - start)
    gone, come = (b"".join(words[start : len(words) - end]) for words in (one, two))
    if b" " in gone.strip() and b" " in come.strip():
        # Of several words that differ, sizes and times differ everywhere.
        gone, come = _NUMBER.sub(b"0", gone), _NUMBER.sub(b"0", come)
    return name[0] if name else b"", gone, come


def alike_words(shown: tuple[AlikeChange, ...], count: int) -> list[str]:
    some = f", {len(shown)} of them" if len(shown) < count else ""
    said = [f"{counted(count, 'different change')}{some}:"]
    for one in shown:
        many = f" ({one.files:,} files changed alike)" if one.files > 1 else ""
        if one.files == 1 and one.times > 1:
            many = f" ({one.times:,} lines changed alike)"
        parts = (f"-{one.old}" if one.old else "", f"+{one.new}" if one.new else "")
        text = " ".join(filter(None, parts))
        said.append(f"  {clip(one.file, 60)}, line {one.line:,}{many}: {text}")
    return said
