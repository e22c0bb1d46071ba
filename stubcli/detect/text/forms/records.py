"""Records for human eyes: blocks of keys and values, as package managers, kubectl describe, ethtool
or address books write them. Blocks are counted, and the values of each key; what one block has and
the others have not is quoted with the line that names the block.
"""

from stubcli.detect.model import ByteSource, Scan
from stubcli.detect.reading import plain_lines, reach
from stubcli.detect.text.block_counts import (
    BlockCounts,
    KeyValues,
    Owned,
)
from stubcli.detect.text.block_words import key_words, owned_words, unusual
from stubcli.detect.text.facts import FormFacts
from stubcli.detect.text.read import FormReading, joined
from stubcli.detect.text.record_lines import COLON, Style, heads, style_of
from stubcli.detect.text.record_lines import field as field_of
from stubcli.detect.words import clip, counted, limited, listed
from stubcli.text.characters import decode

NAME = "records"
_LIMIT = 8 * 1024 * 1024
_SAMPLED = 2000
_PREFIXES = 30


class BlockFacts(FormFacts):
    """blocks: that begin with the key `first`, with a heading where it is empty. keys: those of
    few values or of numbers, of key_count. prefixes: of keys where all are one block. endings: what
    ends first, where blocks tell when they end.
    """

    VERSION = 3
    blocks: int = 0
    first: str = ""
    keys: tuple[KeyValues, ...] = ()
    key_count: int = 0
    fields: int = 0
    prefixes: tuple[tuple[str, int], ...] = ()
    prefix_count: int = 0
    endings: tuple[Owned, ...] = ()


FACTS = BlockFacts


class _Blocks(BlockCounts):
    """Fields and what begins a record, as the style has them."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self._headed = False

    def line(self, number: int, line: bytes) -> None:
        if self._style.first == b"" and heads(line, self._style.name):
            # Of two lines that name a record, the first begins it.
            if not self._headed:
                self.begin(number, line)
            self._headed = True
            return
        self._headed = False
        match = field_of(line[:300], self._style.name)
        if match is None:
            return
        key, value = match[2], match[3] or b""
        if key == self._style.first and not match[1]:
            self.begin(number, line)
        if not value:
            return
        if self._style.first is None:
            self.prefixes[key.partition(b".")[0]] += 1
        self.add(number, line, key, value)


def read(source: ByteSource, scan: Scan) -> FormReading:
    head = [line.rstrip(b"\r") for line in plain_lines(source, 256 * 1024) if line.strip()]
    style = style_of(head[:_SAMPLED]) or Style(COLON, None)
    found = _Blocks(style)
    seen = reach(source, _LIMIT)
    for number, line in enumerate(plain_lines(source, seen), 1):
        if line.strip():
            found.line(number, line)
    ranked = sorted(found.prefixes.items(), key=lambda item: (-item[1], item[0]))
    facts = BlockFacts(
        seen,
        source.size,
        found.blocks,
        clip(decode(style.first or b"")),
        found.facts(),
        len(found.keys),
        found.fields,
        tuple((clip(decode(name), 60), times) for name, times in ranked[:_PREFIXES]),
        len(ranked),
        found.endings(),
    )
    return FormReading(
        facts, joined(found.rare(), unusual(scan.notable, found.blocks)), instead=True
    )


def words(facts: BlockFacts) -> list[str]:
    fields = f"{facts.fields:,} values of {counted(facts.key_count, 'key')}"
    if not facts.blocks:
        said = [fields]
    elif facts.first:
        many = counted(facts.blocks, "block")
        said = [f"{many} that begin with {clip(facts.first, 40)}", fields]
    else:
        said = [f"{counted(facts.blocks, 'block')} under a line that names them", fields]
    if not facts.blocks and facts.prefix_count > 1:
        groups = (f"{name} {times:,}" for name, times in facts.prefixes)
        said.append("keys by their first part: " + listed(groups, facts.prefix_count, 290, 40))
    said += [*key_words(facts.keys, facts.blocks), *owned_words("ends first", facts.endings)]
    return [*said, *limited(facts.seen, facts.size)]
