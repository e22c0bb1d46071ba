"""A strict reader of stubs as text: each line is a frame or data, and any other is an error.

It knows the frames and the mark of data, and nothing of what was shown. `assert_read_back` compares
what it finds with what was to be shown.
"""

import re
import shlex
from dataclasses import dataclass

from stubcli.detect.model import NotableLine
from stubcli.render.model import Facts
from stubcli.render.sections import NARROWER, NOTABLE, shorten
from stubcli.text.characters import decode
from stubcli.text.display import MARK, last_frame, looks_own, neutralise, one_line

_NUMBER = r"([\d,]+)"
_COUNT = r"[\d,]+ \w+"
_NAME = r'("(?:[^"\\]|\\.)*"|[^\s"]+)'
_FIRST = re.compile(rf"\[stub (artifact:\S+|NOT STORED: {_COUNT})\] (.+), {_NUMBER} lines?, "
                    rf"{_NUMBER} bytes?")  # fmt: skip
_ABOUT = re.compile(
    rf"(?:   tool: {_NAME})?(?:   exit: (-?\d+))?(?:   signal: {_NAME})?"
    rf"(?:   (in progress: {_COUNT} so far|interrupted: [\w ]+|capped: [\d,]+ [\w ]+))?"
    r"(?:   path: (see: )?(.+))?"
)
_EDGE = re.compile(
    rf"--- (head|tail) ([0-9a-f]{{8}}): (?:line {_NUMBER}( \(cut\))?"
    rf"|lines {_NUMBER}-{_NUMBER}( \(line [\d,]+ cut\))?), bytes {_NUMBER}-{_NUMBER} ---"
)
_GAP = re.compile(
    rf"--- (?:(?:the rest|a part) of line {_NUMBER}(?: and )?)?(?:{_NUMBER} lines?)? "
    rf"\({_NUMBER} bytes?\) not shown( and not kept|: .+)? ---"
)


@dataclass(frozen=True)
class Section:
    rows: tuple[str, ...] = ()
    more: int = 0


@dataclass(frozen=True)
class NotableRow:
    line: int
    text: str
    folded: int


@dataclass(frozen=True)
class Frame:
    """A head or a tail."""

    digest: str
    first: int
    last: int
    cut: bool
    start: int
    end: int
    rows: tuple[str, ...]

    @property
    def text(self) -> str:
        return "".join(row + "\n" for row in self.rows)


@dataclass(frozen=True)
class Page:
    """A stub, read. path and commands are words of a shell, not yet read by it."""

    label: str
    kind: str
    lines: int
    size: int
    tool: str | None
    exit_status: int | None
    signal: str | None
    state: str
    path: str
    notice: str
    summary: Section
    structure: Section
    notable: tuple[NotableRow, ...]
    notable_more: int
    below: tuple[int, ...]
    head: Frame | None
    tail: Frame | None
    hidden_lines: int
    hidden_bytes: int
    command: str
    next: str

    def line(self, number: int) -> str | None:
        """A line by its number, where the head or the tail shows it whole."""
        for frame in (self.head, self.tail):
            if frame and frame.first <= number <= frame.last:
                edge = frame.last if frame is self.head else frame.first
                if frame.cut and number == edge:
                    return None
                return (frame.rows or ("",))[number - frame.first]
        return None


def parse(stub: str) -> Page:
    """The stub in its parts. An AssertionError names the line that is none of them."""
    return _Reader(stub).page()


def words(command: str) -> list[str]:
    """A command line as bash divides it."""
    found, quoted = [], r"\$'((?:[^'\\]|\\.)*)'"
    for word in re.findall(rf"{quoted}|((?:'[^']*'|\"[^\"]*\"|[^\s'\"])+)", command):
        found.append(_unescaped(word[0]) if word[0] else shlex.split(word[1])[0])
    return found


def _unescaped(text: str) -> str:
    def one(escape: re.Match[str]) -> str:
        named = {"n": "\n", "t": "\t", "r": "\r"}
        return named.get(escape[1]) or (
            bytes([int(escape[1], 8)]).decode("latin-1") if len(escape[1]) == 3 else escape[1]
        )

    # Each byte that is escaped, and each of the others, as one character of Latin-1.
    plain = text.encode("utf-8").decode("latin-1")
    return (
        re.sub(r"\\([0-7]{3}|.)", one, plain).encode("latin-1").decode("utf-8", "surrogateescape")
    )


def number(text: str) -> int:
    return int(text.replace(",", ""))


def unmark(line: str) -> str:
    """A line of data without the mark that was set before it."""
    inside = line.removeprefix(MARK)
    return inside if inside != line and looks_own(inside) else line


def is_data(line: str) -> bool:
    return line.startswith(MARK) or not looks_own(line)


class _Reader:
    def __init__(self, stub: str) -> None:
        assert stub.endswith("\n")
        self._lines = stub.removesuffix("\n").split("\n")
        self._at = 0

    def _peek(self) -> str:
        return self._lines[self._at]

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.fullmatch(self._peek())
        self._at += found is not None
        return found

    def _data(self) -> list[str]:
        rows = []
        while is_data(self._peek()):
            rows.append(unmark(self._peek()))
            self._at += 1
        return rows

    def _indented(self) -> list[str]:
        rows = []
        while self._peek().startswith("  "):
            rows.append(self._peek()[2:])
            self._at += 1
        return rows

    def page(self) -> Page:
        first = self._take(_FIRST)
        assert first, self._peek()
        about = _ABOUT.fullmatch("   " + self._peek())
        self._at += about is not None
        notice = unmark(self._peek()) if is_data(self._peek()) else ""
        self._at += bool(notice)
        summary = self._section("Summary", "summary")
        notable, more, below = self._notable()
        structure = self._section("Structure", "structure")
        head = self._edge("head")
        gap = self._take(_GAP)
        tail = self._edge("tail")
        following = self._take(re.compile("Next: (.+)"))
        end = self._take(re.compile(rf"\[stub end {re.escape(first[1])}\]"))
        assert end, self._peek()
        assert self._at == len(self._lines)
        tool, status, signal, state, see, path = about.groups() if about else (None,) * 6
        return Page(
            first[1],
            first[2],
            number(first[3]),
            number(first[4]),
            _plain(tool) if tool else None,
            int(status) if status else None,
            _plain(signal) if signal else None,
            state or "",
            "" if see else path or "",
            notice,
            summary,
            structure,
            notable,
            more,
            below,
            head,
            tail,
            number(gap[2] or "0") if gap else 0,
            number(gap[3]) if gap else 0,
            (gap[4] or "").removeprefix(": ") if gap else "",
            following[1] if following else "",
        )

    def _section(self, heading: str, noun: str) -> Section:
        if found := self._take(re.compile(rf"{heading}: … {_NUMBER} lines? not shown")):
            return Section((), number(found[1]))
        if not self._take(re.compile(f"{heading}:")):
            return Section()
        rows = self._indented()
        more = re.fullmatch(rf"… {_NUMBER} more lines? of {noun}", rows[-1])
        kept = rows[:-1] if more else rows
        assert all(map(is_data, kept)), kept
        return Section(tuple(map(unmark, kept)), number(more[1]) if more else 0)

    def _notable(self) -> tuple[tuple[NotableRow, ...], int, tuple[int, ...]]:
        if found := self._take(re.compile(rf"Notable lines: … {_NUMBER} not shown")):
            return (), number(found[1]), ()
        if not self._take(re.compile("Notable lines:")):
            return (), 0, ()
        found_rows: list[NotableRow] = []
        left_out = 0
        below: tuple[int, ...] = ()
        for row in self._indented():
            if skipped := re.fullmatch(rf"… {_NUMBER} more notable lines?", row):
                left_out += number(skipped[1])
            elif folded := re.fullmatch(rf"… {_NUMBER} more like line (\d+)", row):
                last = found_rows[-1]
                assert last.line == int(folded[2])
                found_rows[-1] = NotableRow(last.line, last.text, number(folded[1]))
            elif shown := re.fullmatch(r"… shown below: ([\d, ]+)", row):
                below = tuple(map(int, shown[1].split(", ")))
            else:
                line, _, text = row.partition(": ")
                assert is_data(text), row
                found_rows.append(NotableRow(int(line), unmark(text), 0))
        return tuple(found_rows), left_out, below

    def _edge(self, name: str) -> Frame | None:
        found = _EDGE.fullmatch(self._peek())
        if found is None or found[1] != name:
            return None
        self._at += 1
        _, digest, only, cut, first, last, cut_too, start, end = found.groups()
        return Frame(
            digest,
            number(only or first),
            number(only or last),
            bool(cut or cut_too),
            number(start),
            number(end),
            tuple(self._data()),
        )


def _plain(name: str) -> str:
    if not name.startswith('"'):
        return name
    return re.sub(r"\\(.)", r"\1", name[1:-1])


def assert_read_back(stub: str, of: Facts) -> Page:
    """The stub read, if it says exactly what was put in: neither more nor less, nor elsewhere."""
    page = parse(stub)
    if of.reference:
        assert page.label == str(of.reference)
    assert (page.lines, page.size) == (of.lines, of.size)
    assert page.kind == of.synopsis.label
    for read, given in ((page.tool, of.tool), (page.signal, of.signal)):
        assert _is_beginning(read, None if given is None else one_line(given)), (read, given)
    assert page.exit_status == of.exit_status
    assert page.notice == (shorten(of.notice, 200) if of.notice else "")
    if page.path:
        assert words(page.path) == [of.path]
    for section, lines in (
        (page.summary, of.synopsis.summary),
        (page.structure, of.synopsis.structure),
    ):
        assert len(section.rows) + section.more == len(lines)
        for row, line in zip(section.rows, lines, strict=False):
            assert _is_beginning(row, shorten(line, 600)), (row, line)
    _assert_notable(page, of)
    for frame, data in ((page.head, of.head), (page.tail, of.tail)):
        if frame:
            assert frame.digest == of.sha256[:8]
            place = 0 if frame is page.head else of.size - len(of.tail)
            assert frame.rows == _rows(data[frame.start - place : frame.end - place], of)
    return page


def _is_beginning(read: str | None, given: str | None) -> bool:
    """Whether it is that, or its beginning and an ellipsis."""
    if read is None or given is None:
        return read is given
    return read == given or (read.endswith("…") and given.startswith(read[:-1]))


def _quotes(row: NotableRow, line: NotableLine) -> bool:
    """Whether the row is that line, cut no more than where all of them are cut."""
    cut = {shorten(line.text, width) for width in (NOTABLE, *NARROWER)}
    return (row.line, row.folded) == (line.number, line.folded) and row.text in cut


def _assert_notable(page: Page, of: Facts) -> None:
    given = of.synopsis.notable
    assert len(page.notable) + page.notable_more + len(page.below) == len(given)
    rest = iter(given)
    for row in page.notable:
        assert any(_quotes(row, line) for line in rest), (row, given)
        assert row.folded or page.line(row.line) is None, row
    rest = iter(given)
    for shown in page.below:
        assert any(one.number == shown and not one.folded for one in rest), (shown, given)
        assert page.line(shown) is not None, shown


def _rows(data: bytes, of: Facts) -> tuple[str, ...]:
    """The lines of a part of an artifact, as they are shown."""
    encoding = of.synopsis.encoding
    if encoding.startswith("utf-16"):
        even = len(data) & ~1
        text = data[:even].decode(encoding, "surrogatepass")
        text += data[even:].decode("ascii", "surrogateescape")
    else:
        text = decode(data)
    only = of.lines == 1 and not of.tail.endswith(b"\n") and of.synopsis.form != "progress"
    apart = "\r" if only else "\n"
    return tuple(neutralise(last_frame(line)) for line in text.removesuffix(apart).split(apart))
