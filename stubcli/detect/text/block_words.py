"""What blocks of keys and values hold, in words; which notable lines are none in blocks alike."""

from stubcli.detect.model import NotableLine
from stubcli.detect.text.block_counts import KeyValues, Owned
from stubcli.detect.words import listed

# What is in every third block is usual.
_USUAL = 3


def unusual(lines: tuple[NotableLine, ...], blocks: int) -> tuple[NotableLine, ...]:
    """Those of the lines that are not in many of the blocks."""
    return tuple(line for line in lines if _USUAL * (line.folded + 1) <= max(blocks, _USUAL))


def key_words(keys: tuple[KeyValues, ...], blocks: int) -> list[str]:
    """A line for each key."""
    said = []
    for key in keys:
        within = f" (in {key.blocks:,})" if 0 < key.blocks < blocks else ""
        values = (f"{value} {number:,}" for value, number in key.values)
        shown = listed(values, len(key.values), 150, 50) if key.values else ""
        if key.low is not None:
            span = f"{key.low}–{key.high}" if key.low != key.high else f"all {key.low}"
            shown = f"{span}; {shown}" if 1 < len(key.values) <= 6 else span
        said.append(f"  {key.name}{within}: {shown}")
    return said


def owned_words(said: str, lines: tuple[Owned, ...]) -> list[str]:
    """The lines below what is said of them, each with what its block is called."""
    shown = (f"  {one.line:,}: {one.text} ({one.owner})" for one in lines)
    return [f"{said}:", *shown] if lines else []
