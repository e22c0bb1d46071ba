"""Lines of a tree that is drawn with branches: what each holds, how deep. It loads no reader."""

import re

from stubcli.text.characters import decode
from stubcli.value import Value

# What runs a build writes its level before each line.
_LEVEL = re.compile(r"\[\w+\] ")
_BRANCH = re.compile(
    r"(?P<rails>[|│ \xa0]*)(?P<branch>[+\\`├└╰|][-─—]{1,3}[┬]?(?:[ >]|(?=[\w●○×*])))"
    r"[ >]*(?P<node>[^\s|+│-].*)"
)
_LINE = 300
_MOST = 0.6
_LEAST = 12


class Branch(Value):
    """rails: how many characters stand before the branch."""

    rails: int
    node: str


def bare(line: bytes) -> str:
    """The line without what a build writes before it."""
    return _LEVEL.sub("", decode(line[:_LINE]), count=1).rstrip()


def branch(text: str) -> Branch | None:
    """The branch that the line draws; None for any other line."""
    found = _BRANCH.match(text)
    if found is None:
        return None
    return Branch(len(found["rails"]), found["node"].strip())


def drawn(lines: list[bytes]) -> bool:
    """Whether most lines are branches."""
    found = sum(branch(bare(line)) is not None for line in lines)
    return found >= max(_LEAST, _MOST * len(lines))
