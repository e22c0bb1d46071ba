"""The synopsis as lines that are safe to show, as many as there is room for.

What does not fit is counted, never dropped in silence.
"""

from stubcli.detect.model import Synopsis
from stubcli.text.characters import clip
from stubcli.text.display import amount, last_frame, neutralise
from stubcli.value import Value

# Of one line of the synopsis, so that a single one cannot take the page.
_ROW = 600
NOTABLE = 240
# Before any is left out, all are cut so far.
NARROWER = (170, 150)
# What a rendering adds to a line: an indent and a line end, or two quotes and a comma.
_MARGIN = 3
# A heading and the line that says how many are left out.
_FRAME = 48
# Less room than this is not divided: what it is comes first, then the lines that decide.
_TIGHT = 300
_BY_RANK = (0, 2, 1)


class Rows(Value):
    """kept lines of a section, and how many more there are."""

    kept: tuple[str, ...] = ()
    more: int = 0


class Notable(Value):
    """One notable line, safe to show. skipped: how many are left out before it."""

    line: int
    text: str
    folded: int
    skipped: int = 0


class Sections(Value):
    summary: Rows = Rows()
    structure: Rows = Rows()
    notable: tuple[Notable, ...] = ()
    notable_more: int = 0


def shorten(text: str, room: int) -> str:
    """`text` as one safe line of at most about `room` characters; what is cut off is counted."""
    # A TAB stands as it does in the head and the tail.
    shown = neutralise(last_frame(text)).replace("\n", "\\n")
    if len(shown) <= room:
        return shown
    kept = clip(shown, room)
    return f"{kept}… (+{amount(len(shown) - len(kept), 'character')})"


def sections(synopsis: Synopsis, room: int) -> Sections:
    """What `room` characters hold of the synopsis: no section starves another, none wastes room."""
    summary = _rows(synopsis.summary)
    structure = _rows(synopsis.structure)
    notable = _quoted(synopsis, NOTABLE)
    needs = [sum(map(_cost, summary)), sum(map(_cost, structure)), sum(map(_notable_cost, notable))]
    shares = _share([need + _FRAME if need else 0 for need in needs], room)
    for width in NARROWER:
        if sum(map(_notable_cost, notable)) > shares[2] - _FRAME:
            notable = _quoted(synopsis, width)
    kept, more = _middle_out(notable, shares[2] - _FRAME)
    return Sections(
        _fill(summary, shares[0] - _FRAME), _fill(structure, shares[1] - _FRAME), kept, more
    )


def _rows(lines: tuple[str, ...]) -> list[str]:
    return [shorten(line, _ROW) for line in lines]


def _quoted(synopsis: Synopsis, width: int) -> list[Notable]:
    return [
        Notable(line.number, shorten(line.text, width), line.folded) for line in synopsis.notable
    ]


def _cost(row: str) -> int:
    return len(row) + _MARGIN


def _notable_cost(one: Notable) -> int:
    return _cost(one.text) + len(f"{one.line}: ") + (40 if one.folded else 0)


def _share(needs: list[int], room: int) -> list[int]:
    """`room` divided: who needs less than an equal share leaves the rest to the others."""
    shares = [0] * len(needs)
    tight = room < _TIGHT
    order = _BY_RANK if tight else sorted(_BY_RANK, key=lambda index: needs[index])
    for place, index in enumerate(order):
        among = 1 if tight else len(needs) - place
        shares[index] = min(needs[index], max(0, room) // among)
        room -= shares[index]
    return shares


def _fill(rows: list[str], room: int) -> Rows:
    """The first rows, which are the most important ones; a first that is too long is shortened."""
    kept: list[str] = []
    for row in rows:
        cost = _cost(row)
        if cost > room:
            break
        kept.append(row)
        room -= cost
    if rows and not kept and room >= 40:
        kept.append(clip(rows[0], room - _MARGIN - 1) + "…")
    return Rows(tuple(kept), len(rows) - len(kept))


def _middle_out(lines: list[Notable], room: int) -> tuple[tuple[Notable, ...], int]:
    """The first and the last lines: how it began and how it ended, whatever repeats between."""
    kept: set[int] = set()
    for step in range(len(lines)):
        index = step // 2 if step % 2 == 0 else len(lines) - 1 - step // 2
        room -= _notable_cost(lines[index])
        if room < 0:
            break
        kept.add(index)
    shown, last = [], -1
    for index in sorted(kept):
        one = lines[index]
        shown.append(Notable(one.line, one.text, one.folded, index - last - 1))
        last = index
    return tuple(shown), len(lines) - 1 - last if kept else len(lines)
