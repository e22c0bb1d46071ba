"""Where the files of a list are: folders that share nothing and together hold all of them, the
endings of their names, and names that are like no others.

Fed with many paths at a time, bounded in memory; it knows nothing of the lines they stand in.
"""

import re
from collections import Counter
from collections.abc import Sequence

from stubcli.detect.words import clip, listed
from stubcli.text.characters import decode
from stubcli.value import Value

# Beyond so many folders the deepest level of all is counted with the one above it.
_MOST_FOLDERS = 50_000
_MOST_ENDINGS = 2_000
_SHOWN = 12
_ENDINGS_SHOWN = 10
# Children of less than this share of their folder say nothing alone; together, those that do must
# hold this much of it.
_SHARE = 0.05
_TOLD = 0.6
# The first folder of all is opened for less: it says nothing.
_TOLD_FIRST = 0.3
# Names are odd among so many others, and only where so few are.
_AMONG = 100
_FEW = 6
_ENDING = re.compile(rb"\.[A-Za-z][\w-]{0,11}$|\.[0-9][A-Za-z]\w{0,4}$")
# What must not lie around: keys, passwords, settings with secrets in them.
_SECRET = re.compile(
    rb"(?i)(?:^|/)(?:\.env(?:\.(?!example|sample|template|dist)[\w.-]+)?|"
    rb"\.netrc|\.pgpass|\.htpasswd|\.git-credentials|credentials\.(?:json|xml|ini|csv)|"
    rb"id_(?:rsa|dsa|ecdsa|ed25519)(?:\.bak|\.old)?|[^/]*\bsecrets?\.(?:ya?ml|json|txt|env)|"
    rb"[^/]*\.(?:pem|p12|pfx|jks|kdbx|keystore|ovpn)|"
    rb"[^/]*(?:private|secret|deploy|server|tls)[^/]*\.key)$"
)
_SUSPECT = frozenset(
    b".env .netrc .pgpass .htpasswd .git-credentials .pem .p12 .pfx .jks .kdbx .keystore .ovpn "
    b".key .json .xml .ini .csv".split()
)
# What is meant to be read by everyone, or to be an example.
_PUBLIC = re.compile(
    rb"(?i)/(?:certs?|docs?|examples?|tests?|testdata|site-packages|dist-packages)/|"
    rb"ca-?(?:certs?|bundle)"
)


class PathFacts(Value):
    """total: paths. folders: with how many paths each; they do not overlap and hold all paths.
    endings: of names, the most frequent first, of ending_count; without: names that have none.
    secrets: how many names are those of keys and passwords, the first of them quoted.
    """

    total: int = 0
    folders: tuple[tuple[str, int], ...] = ()
    folder_count: int = 0
    endings: tuple[tuple[str, int], ...] = ()
    ending_count: int = 0
    without: int = 0
    secrets: int = 0
    secret_names: tuple[str, ...] = ()


class Paths:
    """Counts paths; `add` takes them as they stand, with the number of the first one's line."""

    def __init__(self) -> None:
        self.total = 0
        self._folders: Counter[bytes] = Counter()
        self._endings: Counter[bytes] = Counter()
        self._first: dict[bytes, list[tuple[int, bytes]]] = {}
        self._secrets: list[tuple[int, bytes]] = []
        self._secret_count = 0

    def add(self, paths: Sequence[bytes], numbers: Sequence[int]) -> None:
        """Count a batch; numbers: of the lines that the paths stand in."""
        self.total += len(paths)
        parted = [path.rpartition(b"/") for path in paths]
        self._folders.update([folder + slash for folder, slash, _ in parted])
        if len(self._folders) > _MOST_FOLDERS:
            self._merge()
        endings = [_ending(name) for _, _, name in parted]
        self._endings.update(endings)
        self._note(paths, numbers, endings)
        if len(self._endings) > _MOST_ENDINGS:
            self._endings = Counter(dict(self._endings.most_common(_MOST_ENDINGS // 2)))

    def _note(
        self, paths: Sequence[bytes], numbers: Sequence[int], endings: Sequence[bytes]
    ) -> None:
        """Remember where an ending that is rare so far came, and the names of secrets."""
        rare = {ending for ending in set(endings) if self._endings[ending] <= _FEW}
        if rare and len(self._first) < _MOST_ENDINGS:
            for path, number, ending in zip(paths, numbers, endings, strict=True):
                if ending in rare:
                    self._first.setdefault(ending, []).append((number, path))
        for at, path in enumerate(paths):
            if endings[at] not in _SUSPECT and b"secret" not in path and b"id_" not in path:
                continue
            if _SECRET.search(path) and not _PUBLIC.search(path):
                self._secret_count += 1
                if len(self._secrets) < _FEW:
                    self._secrets.append((numbers[at], path))

    def _merge(self) -> None:
        """Count the folders of the deepest level with those above them."""
        while len(self._folders) > _MOST_FOLDERS // 2:
            deepest = max(folder.count(b"/") for folder in self._folders)
            if deepest <= 1:
                self._folders = Counter(dict(self._folders.most_common(_MOST_FOLDERS // 2)))
                return
            merged: Counter[bytes] = Counter()
            for folder, count in self._folders.items():
                if folder.count(b"/") >= deepest:
                    folder = folder[: folder.rstrip(b"/").rfind(b"/") + 1]
                merged[folder] += count
            self._folders = merged

    def odd(self) -> list[tuple[int, str]]:
        """The lines of names that are like few others, and of secrets where they are few."""
        rare = [
            item
            for ending, first in self._first.items()
            if self._endings[ending] <= 2
            for item in first
        ]
        # Where every other name ends in its own way, none is odd.
        alike = self.total >= _AMONG and len(rare) <= _FEW
        found = dict(rare) if alike else {}
        if self._secret_count <= _FEW:
            found.update(self._secrets)
        return [(number, decode(path)) for number, path in sorted(found.items())]

    def facts(self) -> PathFacts:
        folders = summed(self._folders)
        plain = self._endings.copy()
        without = plain.pop(b"", 0)
        ranked = sorted(plain.items(), key=lambda item: (-item[1], item[0]))
        return PathFacts(
            self.total,
            tuple((clip(decode(name), 120), number) for name, number in folders),
            len(self._folders),
            tuple((decode(name), number) for name, number in ranked[:_ENDINGS_SHOWN]),
            len(ranked),
            without,
            self._secret_count,
            tuple(clip(decode(path), 120) for _, path in self._secrets),
        )


def path_words(facts: PathFacts) -> list[str]:
    """Where the files are, a line each for folders and endings."""
    folders = [f"{name or './'} {number:,}" for name, number in facts.folders]
    said = ["folders: " + listed(folders[:6], min(6, len(folders)), 290, 100)]
    if len(folders) > 6:
        said.append("  " + listed(folders[6:], len(folders) - 6, 290, 100))
    if facts.endings:
        names = [f"{name} {number:,}" for name, number in facts.endings]
        without = [f"none {facts.without:,}"] if facts.without else []
        total = facts.ending_count + len(without)
        said.append("endings: " + listed([*without, *names], total, 200))
    if facts.secrets > _FEW:
        named = listed(facts.secret_names, facts.secrets, 250, 100)
        said.append(f"names of keys and passwords ({facts.secrets:,}): {named}")
    return said


def _ending(name: bytes) -> bytes:
    """How the name ends; of one that only begins with a dot, the whole of it."""
    if name[:1] == b"." and name.count(b".") == 1:
        return name[:40]
    if name[:5] == b".env.":
        return b".env"
    found = _ENDING.search(name)
    return found[0].lower() if found else b""


class _Node:
    """Folders below `prefix`, and how many paths they hold."""

    def __init__(self, prefix: bytes, folders: list[tuple[bytes, int]]) -> None:
        self.prefix, self.folders = prefix, folders
        self.count = sum(count for _, count in folders)
        self.closed = False
        self.rest = ""

    def children(self) -> tuple[list["_Node"], list[tuple[bytes, int]]]:
        """The nodes one level below, and what stands in the folder itself."""
        start = len(self.prefix)
        groups: dict[bytes, list[tuple[bytes, int]]] = {}
        own: list[tuple[bytes, int]] = []
        for folder, count in self.folders:
            end = folder.find(b"/", start) + 1
            if end:
                groups.setdefault(folder[:end], []).append((folder, count))
            else:
                own.append((folder, count))
        return [_Node(prefix, found) for prefix, found in groups.items()], own


def summed(folders: Counter[bytes], most: int = _SHOWN) -> list[tuple[bytes, int]]:
    """At most so many folders that do not overlap and hold all paths, the largest first.

    A folder is opened where a few of those in it hold most of it, and stands for itself where it
    falls into many small ones.
    """
    nodes = [_Node(b"", list(folders.items()))]
    while True:
        still = [node for node in nodes if not node.closed]
        if not still:
            break
        node = max(still, key=lambda one: one.count)
        opened = _opened(node, most - len(nodes) + 1, len(nodes) == 1)
        if opened:
            nodes.remove(node)
            nodes += opened
        else:
            node.closed = True
    nodes.sort(key=lambda node: (-node.count, node.prefix))
    return [(_named(node), node.count) for node in nodes]


def _named(node: _Node) -> bytes:
    if node.rest == "rest":
        return b"rest of " + node.prefix if node.prefix else b"elsewhere"
    return node.prefix + b" itself" if node.rest and node.prefix else node.prefix


def _opened(node: _Node, room: int, first: bool) -> list[_Node]:
    """What takes the place of the node; nothing where it says more than its parts."""
    parts, own = node.children()
    if len(parts) == 1 and not own:
        return parts
    parts.sort(key=lambda part: -part.count)
    large = [part for part in parts[: room - bool(own)] if part.count >= _SHARE * node.count]
    if len(large) < len(parts):
        # What is left out is never as large as what is shown.
        least = parts[min(len(large), room - 1)].count
        large = [part for part in large[: room - 1] if part.count > least]
    told = sum(part.count for part in large)
    share = _TOLD_FIRST if first else _TOLD
    if not large or told < share * node.count:
        return []
    chosen = {part.prefix for part in large}
    left = [item for part in parts if part.prefix not in chosen for item in part.folders] + own
    if left:
        rest = _Node(node.prefix, left)
        rest.closed = True
        rest.rest = "itself" if len(left) == len(own) else "rest"
        large.append(rest)
    return large
