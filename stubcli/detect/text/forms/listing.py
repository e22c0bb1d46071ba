"""Lists of files, as ls -l, find, tar, unzip, du, tree or md5sum write them: where the files are,
the largest, names and modes unlike the others.
"""

import re
from collections import Counter
from collections.abc import Iterator

from stubcli.detect.fields.crossing import RECORDS, Crossing
from stubcli.detect.fields.facts import CrossedFacts
from stubcli.detect.fields.words import crossed_lines
from stubcli.detect.model import ByteSource, NotableLine, Scan
from stubcli.detect.reading import plain_lines, reach
from stubcli.detect.text.entries import (
    BARE,
    TREE_SHAPE,
    leaves,
    names_a_file,
    pattern_of,
    shape_of,
    size_of,
)
from stubcli.detect.text.facts import FormFacts
from stubcli.detect.text.line_signs import named_file
from stubcli.detect.text.modes import Modes
from stubcli.detect.text.paths import PathFacts, Paths, path_words
from stubcli.detect.text.read import FormReading
from stubcli.detect.words import clip, counted, listed
from stubcli.text.characters import decode, encode
from stubcli.value import Value

NAME = "listing"
# Paths alone cost a tenth of what a line costs that has to be taken apart.
_PATH_BYTES, _PATH_LINES = 96 * 1024 * 1024, 1_500_000
_LIMIT = 32 * 1024 * 1024
_SAMPLED = 400
_BATCH = 20_000
_DATE = re.compile(rb"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?(?= )")
_LARGEST = 5
_ODD = 10
_SIGNS = 12
_OWNERS = 8
SELVES = (b".", b"..")
_ORDER = ("file", "directory", "link", "other")
_TYPES = {b"-": "file", b"d": "directory", b"l": "link", b"h": "file"}


class SizedFile(Value):
    """size: as it stands in the line."""

    path: str
    size: str
    line: int


class ListingFacts(FormFacts):
    """types: file, directory, link and other with their entries, where modes are listed. paths:
    of all entries. others: lines that name no file. total: bytes in files, 0 where sizes are
    rounded. signs: how files changed, with how many did so. listed: folders with a heading of
    their own. owners: who owns entries, where they differ. crossed: folders unlike the others.
    """

    VERSION = 4
    shape: str = ""
    types: tuple[tuple[str, int], ...] = ()
    paths: PathFacts = PathFacts()
    others: int = 0
    total: int = 0
    largest: tuple[SizedFile, ...] = ()
    modes: tuple[tuple[str, int], ...] = ()
    mode_count: int = 0
    signs: tuple[tuple[str, int], ...] = ()
    listed: int = 0
    owners: tuple[tuple[str, int], ...] = ()
    owner_count: int = 0
    crossed: CrossedFacts | None = None


FACTS = ListingFacts
Entry = tuple[int, bytes, bytes, bytes, bytes, bytes]


def read(source: ByteSource, scan: Scan) -> FormReading:
    head = [line.rstrip(b"\r") for line in plain_lines(source, 256 * 1024) if line.strip()]
    shape = shape_of(head[:_SAMPLED]) or shape_of(head) or BARE
    walk = _ListingWalk(shape, source)
    walk.run()
    already = {line.number for line in _messages(scan)}
    fresh = [line for line in walk.odd() if line.number not in already]
    shown = sorted((*_messages(scan), *fresh[:_ODD]), key=lambda line: line.number)
    return FormReading(walk.facts(), tuple(shown), instead=True)


class _ListingWalk:
    """One pass over the lines of one shape."""

    def __init__(self, shape: str, source: ByteSource) -> None:
        self.shape, self.source = shape, source
        self.paths, self.modes = Paths(), Modes()
        self.types: Counter[str] = Counter()
        self.signs: Counter[str] = Counter()
        self.total = 0.0
        self.folders = 0
        self.exact = True
        self.largest: list[tuple[float, int, str, str]] = []
        self.others: list[NotableLine] = []
        self.rest = 0
        # Of the first dated entries: folder, date, number of the line.
        self._dated: list[tuple[str, str, int]] = []
        bare = shape == BARE
        self.seen = reach(source, _PATH_BYTES, _PATH_LINES) if bare else reach(source, _LIMIT)

    def run(self) -> None:
        if self.shape == BARE:
            self._run_bare()
            return
        paths: list[bytes] = []
        numbers: list[int] = []
        for number, path in self._tree() if self.shape == TREE_SHAPE else self._entries():
            paths.append(path)
            numbers.append(number)
            if len(paths) >= _BATCH:
                self.paths.add(paths, numbers)
                paths, numbers = [], []
        self.paths.add(paths, numbers)

    def _run_bare(self) -> None:
        batch: list[bytes] = []
        number = 0
        for line in plain_lines(self.source, self.seen):
            batch.append(line)
            if len(batch) == _BATCH:
                self._add_bare(batch, number)
                number += len(batch)
                batch = []
        self._add_bare(batch, number)

    def _add_bare(self, batch: list[bytes], before: int) -> None:
        found = [named_file(line) for line in batch]
        dotted = b"./"
        if not all(found):
            # A name with blanks in it is one where the others stand below the same folder.
            for at, line in enumerate(batch):
                if not found[at] and line.strip():
                    if line[:2] == dotted or line[:1] == b"/":
                        found[at] = line
                    else:
                        self._other(before + at + 1, line)
        numbers = [before + at for at, path in enumerate(found, 1) if path]
        self.paths.add([path for path in found if path], numbers)

    def _entries(self) -> Iterator[tuple[int, bytes]]:
        pattern = pattern_of(self.shape)
        groups = pattern.groupindex
        directory = root = b""
        for number, line in enumerate(plain_lines(self.source, self.seen), 1):
            match = pattern.match(line[:2000])
            if match is None:
                heading = line.rstrip()
                if heading.endswith(b":") and self.shape == "ls":
                    directory = heading[:-1].rstrip(b"/") + b"/"
                    self.folders += 1
                elif heading and not heading.startswith(b"total "):
                    self._other(number, line)
                continue
            name = match["path"].rstrip(b"\r")
            if name in SELVES and self.shape == "ls":
                # What is above stands elsewhere, and so does what a listed folder holds.
                below = bool(root) and directory.startswith(root) and directory != root
                if name == b"." and not below:
                    root = directory
                    self.types["directory"] += 1
                    self.modes.see(number, line, match["mode"], match["owner"])
                continue
            path = directory + name
            mode = match["mode"] if "mode" in groups else b""
            if mode:
                self.types[_TYPES.get(mode[:1], "other")] += not mode.isdigit()
                owner = match["owner"] if "owner" in groups else b""
                self.modes.see(number, line, mode, owner)
            if "sign" in groups:
                self.signs[decode(match["sign"])] += 1
            if "size" in groups and match["size"] and mode[:1] in (b"", b"-", b"1"):
                self._sized(number, path, match["size"])
            if len(self._dated) < RECORDS and (date := _DATE.search(line, 0, match.start("path"))):
                folder = decode(path.rpartition(b"/")[0]) + "/"
                self._dated.append((folder, decode(date[0]), number))
            yield number, path.partition(b" -> ")[0] if mode[:1] == b"l" else path

    def _sized(self, number: int, path: bytes, text: bytes) -> None:
        size = size_of(text)
        self.total += size
        self.exact = self.exact and text.isdigit()
        # Of du, a directory holds what is in it, and comes after it: the total is its line.
        if len(self.largest) < _LARGEST or size > self.largest[-1][0]:
            one = (size, number, decode(path), decode(text))
            ranked = sorted([*self.largest, one], key=lambda each: (-each[0], each[1]))
            self.largest = ranked[:_LARGEST]

    def _tree(self) -> Iterator[tuple[int, bytes]]:
        for number, path, other in leaves(enumerate(plain_lines(self.source, self.seen), 1)):
            if path:
                yield number, path
            else:
                self._other(number, other)

    def _crossed(self) -> CrossedFacts | None:
        """Folders that have fewer entries than the others, or end before them."""
        crossing = Crossing()
        folders, dates, numbers = zip(*self._dated, strict=True) if self._dated else ((), (), ())
        crossing.add(("folder", "time"), (folders, dates), numbers)
        crossing.whole = len(self._dated) < RECORDS
        return CrossedFacts(uneven=found.uneven) if (found := crossing.facts()) else None

    def _other(self, number: int, line: bytes) -> None:
        self.rest += 1
        if len(self.others) < _ODD:
            self.others.append(NotableLine(number, decode(line[:190])))

    def odd(self) -> list[NotableLine]:
        """Lines that say something else, names and modes that few others have."""
        shown = {line.number: line for line in self.others} if self.rest <= _ODD else {}
        for line in self.modes.odd():
            shown.setdefault(line.number, line)
        for number, path in self.paths.odd():
            shown.setdefault(number, NotableLine(number, path[:190]))
        return list(shown.values())

    def facts(self) -> ListingFacts:
        nested = self.shape == "sized"
        largest = (SizedFile(clip(path), size, number) for _, number, path, size in self.largest)
        modes, mode_count = self.modes.ranked()
        owners = self.modes.owners()
        return ListingFacts(
            self.seen,
            self.source.size,
            self.shape,
            tuple((name, self.types[name]) for name in _ORDER if self.types[name]),
            self.paths.facts(),
            self.rest,
            int(self.total) if self.exact and not nested else 0,
            tuple(largest),
            modes,
            mode_count,
            tuple(self.signs.most_common(_SIGNS)),
            self.folders,
            tuple((clip(owner), number) for owner, number in owners[:_OWNERS]),
            len(owners),
            self._crossed(),
        )


def words(facts: ListingFacts) -> list[str]:
    types = ", ".join(
        counted(number, name, "directories" if name == "directory" else "")
        for name, number in facts.types
    )
    name = "leaf" if facts.shape == TREE_SHAPE else "path"
    many = types or counted(facts.paths.total, name, "leaves" if name == "leaf" else "")
    if facts.seen < facts.size:
        many += f" in the first {facts.seen:,} of {facts.size:,} bytes"
    if facts.listed > 1:
        many += f", listed by {counted(facts.listed, 'folder')}"
    others = f", {counted(facts.others, 'other line')}" if facts.others else ""
    total = f"; {counted(facts.total, 'byte')} in files" if facts.total else ""
    said = [f"{many}{others}{total}"]
    if facts.signs:
        said.append("marked: " + ", ".join(f"{sign} {number:,}" for sign, number in facts.signs))
    said += [*path_words(facts.paths), *crossed_lines(facts.crossed, "line")]
    if facts.largest:
        said.append("largest:")
        said += [
            f"  {one.size}  {clip(one.path, 150)} (line {one.line:,})" for one in facts.largest
        ]
    if facts.modes:
        modes = (f"{mode} {number:,}" for mode, number in facts.modes)
        said.append("modes: " + listed(modes, facts.mode_count, 200, 20))
    if facts.owner_count > 1:
        owners = (f"{clip(owner, 40)} {number:,}" for owner, number in facts.owners)
        said.append("owners: " + listed(owners, facts.owner_count, 200, 40))
    return said


def _messages(scan: Scan) -> tuple[NotableLine, ...]:
    """What the scan found, but for lines that only name a file: one called error is none."""
    return tuple(line for line in scan.notable if not names_a_file(encode(line.text)))
