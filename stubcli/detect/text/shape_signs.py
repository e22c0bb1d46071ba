"""The signs of what is told apart by how its lines are built, whatever program wrote them.

They load no reader; a sign is a rule on sampled lines without colours.
"""

from stubcli.detect.text.entries import listing, tabbed
from stubcli.detect.text.match_lines import matches

# The file of the form, its precedence, and whether lines are of it.
SIGNS = (
    ("matches", 85, matches),
    ("listing", 120, listing),
)


def no_structure(lines: list[bytes]) -> bool:
    """Whether a path before each line, or behind a tab, makes it no table, code or YAML."""
    return tabbed(lines) or matches(lines)
