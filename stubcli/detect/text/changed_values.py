"""The constants and settings of a diff that have another value than before."""

import re
from collections import Counter

from stubcli.detect.words import clip, masked
from stubcli.text.characters import decode
from stubcli.value import Value

_LONGEST = 200
_KEPT = 400
_SETTING = re.compile(
    rb"\s*(\S.{0,100}?\s*(?:=>|:=|=|:)\s*)"
    rb"([\^~>=]{0,2}-?v?\d[\w.+-]*|\"[^\"]{0,60}\"|'[^']{0,60}'|true|false)\W{0,3}(?:\.\w+)?\s*$",
    re.IGNORECASE,
)


class ChangedValue(Value):
    """said: the line that is new, line `line` of the diff. old: the value before it."""

    file: str
    line: int
    said: str
    old: str


class ChangedValues:
    """Fed with the removed and added lines of each change, the removed ones first."""

    def __init__(self) -> None:
        self.count = 0
        self._found: list[tuple[bytes, ChangedValue]] = []
        self._names: Counter[bytes] = Counter()
        self._old: dict[bytes, bytes] = {}

    def removed(self, text: bytes) -> None:
        match = _SETTING.match(text) if len(text) <= _LONGEST else None
        if match and len(self._old) < _KEPT:
            self._old[b"".join(match[1].split())] = match[2]

    def added(self, text: bytes, number: int, file: str) -> None:
        match = _SETTING.match(text) if self._old and len(text) <= _LONGEST else None
        if match is None:
            return
        name = b"".join(match[1].split())
        old = self._old.pop(name, match[2])
        if old != match[2]:
            self.count += 1
            self._names[name] += len(self._found) < _KEPT or name in self._names
            if len(self._found) < _KEPT:
                said, before = masked(decode(text.strip())), masked(decode(old))
                one = ChangedValue(clip(file), number, clip(said, 120), clip(before, 60))
                self._found.append((name, one))

    def end(self) -> None:
        """A line that stays parts two changes."""
        self._old.clear()

    def rarest(self, most: int) -> tuple[ChangedValue, ...]:
        """Those first whose name changed in the fewest places."""
        ranked = sorted(self._found, key=lambda item: self._names[item[0]])
        return tuple(one for _, one in ranked[:most])
