"""The findings of a compiler, a linter or a scanner in its lines: those of one line, those whose
file is named above or below them, and those in blocks. What becomes of them is the caller's.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from stubcli.detect.model import NotableLine
from stubcli.detect.text.finding_lines import (
    ARROW,
    GRAVE,
    HEADING,
    LOCATED,
    STEP,
    TITLE,
    SaidFinding,
    coded_number,
    finding,
)
from stubcli.text.characters import decode

# How far below the title of a block its severity and place may stand.
_BLOCK = 12
CALM = ("note", "info")


class _OpenFinding:
    """A finding that is said in several lines: its title, then severity and place."""

    def __init__(self, number: int, text: bytes, code: bytes, message: bytes) -> None:
        self.number, self.text, self.code, self.message = number, text, code, message
        self.severity, self.path, self.place = "", b"", b""
        self.beside: list[NotableLine] = []


class FindingWalk(ABC):
    """Fed line by line; `flush` at the end."""

    def __init__(self) -> None:
        self._open = False
        self._heading = b""
        self._pending: tuple[int, bytes, SaidFinding] | None = None
        self._block: _OpenFinding | None = None

    @abstractmethod
    def found(
        self, number: int, line: bytes, found: SaidFinding, beside: Sequence[NotableLine] = ()
    ) -> None:
        """A finding that is no note; its path is that of the file named above, where one was."""

    @abstractmethod
    def placed(self, path: bytes, line: bytes) -> None:
        """The place of the last finding, which had none, stands in this line."""

    @abstractmethod
    def noted(self, number: int, line: bytes, found: SaidFinding) -> None:
        """A note, which explains a finding."""

    @abstractmethod
    def stepped(self, name: bytes) -> None:
        """A step of a build."""

    def see(self, number: int, line: bytes) -> bool:
        """Whether the line is a part of a finding or of a note."""
        if self._arrow(line) or self._in_block(number, line):
            return True
        found = finding(line)
        if found is not None:
            if found.severity in CALM:
                self.noted(number, line, self._with_path(found))
            else:
                self._take(number, line, found)
            return True
        numbered = coded_number(line)
        if numbered is not None:
            self._pending = (number, line, numbered)
            return True
        return self._aside(line)

    def _take(
        self, number: int, line: bytes, found: SaidFinding, beside: Sequence[NotableLine] = ()
    ) -> None:
        self._open = not found.path and not found.under
        self.found(number, line, self._with_path(found), beside)

    def _with_path(self, found: SaidFinding) -> SaidFinding:
        return found.replace(path=self._heading) if found.under and not found.path else found

    def _aside(self, line: bytes) -> bool:
        step = STEP.match(line)
        if step:
            self.stepped(step[1] or step[3] or b"[n/m]")
            return False
        heading = HEADING.match(line)
        if heading:
            self._heading = heading[1]
        return heading is not None

    def _arrow(self, line: bytes) -> bool:
        """Whether the line is the place of the finding before it."""
        pending, self._pending = self._pending, None
        arrow = ARROW.match(line) if self._open or pending else None
        if not arrow:
            return False
        if pending:
            self._take(*pending)
        self._open = False
        self.placed(arrow[1], line)
        return True

    def _in_block(self, number: int, line: bytes) -> bool:
        title = TITLE.match(line)
        if title:
            self.flush()
            code, name = title[1] or b"", title[2]
            self._block = _OpenFinding(
                number, line, code + (b":" + name if name else b""), title[3]
            )
            return True
        block = self._block
        if block is None:
            return False
        grave, located = GRAVE.match(line), LOCATED.match(line)
        if grave and not block.severity:
            block.severity = decode(grave[1]).lower()
            block.beside.append(NotableLine(number, decode(line[:199])))
        elif located and not block.path:
            block.path, block.place = located[1], line
            block.beside.append(NotableLine(number, decode(line[:199])))
        else:
            if number - block.number > _BLOCK:
                self.flush()
            return False
        if block.severity and block.path:
            self.flush()
        return True

    def flush(self) -> None:
        """Take the block, which ends here, where it was a finding."""
        block, self._block = self._block, None
        if block is not None and (block.severity or block.path):
            message = decode(block.message)[:60]
            found = SaidFinding(
                block.severity or "finding",
                decode(block.code),
                message,
                said=block.message,
            )
            self._take(block.number, block.text, found, block.beside)
            if block.place:
                self.placed(block.path, block.place)
            self._open = False
