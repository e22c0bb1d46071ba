"""The signs of what is told apart by how its lines are built, whatever program wrote them.

They load no reader; a sign is a rule on sampled lines without colours.
"""

from stubcli.detect.text.block_lines import start_of
from stubcli.detect.text.entries import listing
from stubcli.detect.text.layout import find, fit, is_capital, is_rule, repeated_headers
from stubcli.detect.text.mail_lines import mail
from stubcli.detect.text.match_lines import matches
from stubcli.detect.text.record_lines import records
from stubcli.detect.text.section_lines import prose
from stubcli.detect.text.snapshot_lines import snapshot
from stubcli.detect.text.tree_lines import drawn
from stubcli.text.characters import decode

_ROWS = 300


def table(lines: list[bytes]) -> bool:
    """Whether one layout fits nearly all rows, or those under each header of capitals."""
    # What is redrawn is no row.
    if any(b"\r" in line for line in lines[:_ROWS]):
        return False
    rows = [decode(line[:2000]).expandtabs() for line in lines[: 2 * _ROWS]]
    ruled = any(is_rule(row) for row in rows[:6])
    rows = [row for row in rows if not is_rule(row)]
    parts: list[list[str]] = [[]]
    headers = repeated_headers(rows)
    for row in rows:
        if row.strip() in headers and parts[-1]:
            # The line above it is the heading of its table.
            parts.append([parts[-1].pop()])
        elif is_capital(row) and parts[-1] and not is_capital(parts[-1][-1]):
            parts.append([])
        parts[-1].append(row)
    fitting = 0.0
    for part in parts:
        layout = find(part[:_ROWS], ruled)
        if layout is not None:
            fitting += fit(layout, part) * len(part)
    return len(rows) >= 5 and fitting >= 0.8 * len(rows)


def blocks(lines: list[bytes]) -> bool:
    """Whether blocks built alike follow each other, and they are neither rows nor fields alone."""
    start = start_of(lines)
    return start is not None and not records(lines) and bool(start.header or not table(lines))


def tree(lines: list[bytes]) -> bool:
    """Whether branches are drawn, and they are no files."""
    return drawn(lines) and not listing(lines)


# The file of the form, its precedence, and whether lines are of it.
SIGNS = (
    ("mail", 5, mail),
    ("matches", 85, matches),
    ("table", 134, table),
    ("listing", 95, listing),
    ("snapshot", 125, snapshot),
    ("tree", 65, tree),
    ("blocks", 129, blocks),
    ("records", 140, records),
    ("prose", 170, prose),
)
