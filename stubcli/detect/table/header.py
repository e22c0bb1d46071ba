"""Whether a row names the columns of those below it, and the names that they have then.

The one decision about headers: the page and a query both follow it.
"""

import re

from stubcli.detect.fields.column import is_typed, shape

_LONGEST_NAME = 200
_AGAIN = 3
# What names have and data has not: few words begin with a digit, and none is a hash.
_WORD = re.compile(r"[^\W_]+")
_HASH = re.compile(r"(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,}$")
_DATA = re.compile(r"\d\d:\d\d|\d{4}-\d\d|[()={}]")


def is_header(rows: list[list[str]]) -> bool:
    """Whether the first row names the columns: distinct words that do not come again.

    Where some names are blank or the same, the rows below must have types besides.
    """
    rows = _once(rows)
    if len(rows) < 2:
        return False
    if names_columns(rows):
        return True
    cells = [cell.strip() for cell in rows[0]]
    filled = sum(bool(cell) for cell in cells)
    named = list(distinct(cells))
    if named == cells or 2 * filled < len(cells) or (filled < 2 < len(cells)):
        return False
    return names_columns([named, *rows[1:]]) and has_types(rows[1:])


def _once(rows: list[list[str]]) -> list[list[str]]:
    """The rows without the first one where it comes again as a whole, a few times above types.

    A header does so where files were put one behind the other.
    """
    below = [row for row in rows[1:] if row != rows[0]]
    again = len(rows) - 1 - len(below)
    if not again or again > max(_AGAIN, len(rows) // 10) or not below or not has_types(below):
        return rows
    return [rows[0], *below]


def names_columns(rows: list[list[str]]) -> bool:
    """Whether the first row is one of distinct words, hardly any blank, that do not come again."""
    first = [cell.strip() for cell in rows[0]]
    if len(set(first)) < len(first) or sum(not cell for cell in first) > len(first) / 4:
        return False
    if any(shape(cell) not in ("text", "empty") or len(cell) > _LONGEST_NAME for cell in first):
        return False
    if any(_DATA.search(cell) for cell in first) or not all(map(_is_name, first)):
        return False
    if any(_same_form(cell, [row[at] for row in rows[1:50]]) for at, cell in enumerate(first)):
        return False
    again = sum(
        row[at].strip() == cell for row in rows[1:] for at, cell in enumerate(first) if cell
    )
    return not again


def has_types(rows: list[list[str]]) -> bool:
    """Whether a column holds numbers or dates."""
    return any(is_typed(row[at] for row in rows) for at in range(len(rows[0])))


def _is_name(cell: str) -> bool:
    """Whether a cell consists of words rather than of numbers, hashes and signs."""
    words = _WORD.findall(cell)
    data = sum(word[0].isdigit() or bool(_HASH.match(word)) for word in words)
    return not cell or (bool(words) and 2 * data <= len(words))


def _same_form(cell: str, others: list[str]) -> bool:
    """Whether most cells differ from this one in digits only, or have its signs in its places."""
    form = re.sub(r"\d+", "0", cell)
    if "0" in form and 2 * sum(re.sub(r"\d+", "0", o) == form for o in others) > len(others):
        return True
    signs = _WORD.sub("a", cell)
    # Two plain words are a form that names and values share.
    if not signs.strip("a _-"):
        return False
    return 2 * sum(_WORD.sub("a", other) == signs for other in others) > len(others)


def distinct(header: list[str]) -> tuple[str, ...]:
    """Names that differ, whatever the case, and are not empty."""
    names: list[str] = []
    taken = {cell.lower() for cell in header}
    used: set[str] = set()
    for place, cell in enumerate(header, 1):
        name = cell or f"column{place}"
        more = 1
        while name.lower() in used or (name != cell and name.lower() in taken):
            more += 1
            name = f"{cell or 'column'}_{more}"
        used.add(name.lower())
        names.append(name)
    return tuple(names)
