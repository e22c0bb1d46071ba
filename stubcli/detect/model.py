"""The values of detection.

They hold slices of the input, decoded with surrogateescape and not yet escaped: making them safe to
show is the renderer's work.
"""

from typing import Protocol

from stubcli.value import Value


class ByteSource(Protocol):
    """The whole stream, after its end: random access, as often as needed, verified by the caller.

    `size` is in bytes; `read_at` returns exactly `length` bytes, or fewer at the end.
    """

    @property
    def size(self) -> int: ...

    def read_at(self, offset: int, length: int) -> bytes: ...


class Sample(Value):
    """What detection may look at, however large the stream is.

    head and tail: at most 64 KiB each, cut anywhere; they overlap or coincide where the stream is
    small. middle: a few slices from between them, in order. size: of the stream, in bytes.
    mime: what the caller says it is. names: words of the command that may name a file.
    """

    head: bytes
    middle: tuple[bytes, ...]
    tail: bytes
    size: int
    mime: str | None = None
    names: tuple[str, ...] = ()


class NotableLine(Value):
    """One line that decides.

    number: 1-based line number in the stream. text: a slice of at most 200 characters of it.
    folded: how many more lines are like it and not listed. rank: its severity; 0 for a line that
    only states an outcome.
    """

    number: int
    text: str
    folded: int = 0
    rank: int = 0


class Scan(Value):
    """What one pass over all bytes counted.

    words and invalid are None where they were not counted. nul, escapes (ESC bytes), returns
    (CR not before LF) and invalid (undecodable UTF-8) are byte counts. unseen: how often error,
    fail or warn stands in lines that were not examined one by one, because too many had been.
    labelled: of the lines that decide, those that may stand beside data; spoken: of those, the
    ones that name the program that says so. outcomes: lines by which tools say how it ended.
    """

    characters: int
    lines: int
    words: int | None
    nul: int
    escapes: int
    returns: int
    invalid: int | None
    notable: tuple[NotableLine, ...]
    unseen: int = 0
    labelled: tuple[NotableLine, ...] = ()
    spoken: tuple[NotableLine, ...] = ()
    outcomes: tuple[NotableLine, ...] = ()


# What scores less than this is text of no form.
FLOOR = 0.5
# What a claim scores of which nothing more is known than that its pattern fits.
USUAL = 0.95


class KindClaim(Value):
    """A kind's answer to a sample: this kind, this form, on this evidence (words for a human).

    score: how far the evidence speaks for it, from 0 to 1; the claim of the best score is read.
    sure: whether no other kind could score as much, so that none needs to be asked.
    """

    kind: str
    form: str
    evidence: str
    score: float = USUAL
    sure: bool = False

    @property
    def holds(self) -> bool:
        """Whether it claims the stream at all; where not, the evidence says why."""
        return self.score >= FLOOR


def refused(evidence: str) -> KindClaim:
    """The claim of a kind that a stream is not of."""
    return KindClaim("", "", evidence, 0.0)


class Synopsis(Value):
    """What a page says of a stream: the words that were made from its facts.

    kind: json, csv, tsv, yaml, xml, code, text or unknown; form says more, and may be empty.
    summary and structure are lines, most important first; notable is in line order.
    encoding: how a preview of the bytes is to be decoded: utf-8, utf-16-le or utf-16-be.
    columns: names by which a query finds a value in each record, exactly as they stand in the
    stream, some of them and perhaps none; None where the stream is no table.
    """

    kind: str
    form: str
    summary: tuple[str, ...]
    structure: tuple[str, ...] = ()
    notable: tuple[NotableLine, ...] = ()
    encoding: str = "utf-8"
    columns: tuple[str, ...] | None = None

    @property
    def label(self) -> str:
        return f"{self.kind}/{self.form}" if self.form else self.kind
