"""Lines that begin with a path and a place in it, counted by path: matches, findings, warnings."""

from collections import Counter

from stubcli.detect.text.facts import Groups
from stubcli.detect.words import clip
from stubcli.text.characters import decode

_SHOWN = 12
_NAME = 60
_SAMPLED = 200
_SHARE = 0.6
# More paths are counted by folder, the deepest that leaves few enough.
_PATHS = 60


def find(lines: list[bytes]) -> Groups:
    """The paths with the most lines; none where few lines begin with one."""
    sample = [line for line in lines[:: max(1, len(lines) // _SAMPLED)] if line.strip()]
    if sum(_path(line) != b"" for line in sample) < max(3, _SHARE * len(sample)):
        return Groups()
    counts = Counter(map(_path, lines))
    del counts[b""]
    groups, depth = counts, max(path.count(b"/") for path in counts)
    while len(groups) > _PATHS and depth > 0:
        groups = Counter()
        for path, count in counts.items():
            folder = b"/".join(path.split(b"/")[:depth])
            groups[folder + b"/" if folder != path else path] += count
        depth -= 1
    if len(groups) < 2:
        return Groups()
    ranked = sorted(groups.items(), key=lambda item: (-item[1], item[0]))
    largest = tuple((clip(decode(name), _NAME), count) for name, count in ranked[:_SHOWN])
    return Groups(largest, len(groups), counts.total())


def _path(line: bytes) -> bytes:
    """The path that a line begins with, where the number of a line follows; empty for none."""
    path, colon, rest = line[:400].partition(b":")
    if not colon or not rest[:1].isdigit() or b" " in path or not (b"/" in path or b"." in path):
        return b""
    return path
