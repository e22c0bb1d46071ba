"""What is known of a text: its counts, its templates, and what its form says.

The facts of a form are in the file of the form, which is found by its name when they are read
back.
"""

from importlib import import_module
from typing import Any, ClassVar, Self, cast

from stubcli.detect.facts import KindFacts
from stubcli.value import Value


class FormFacts(Value):
    """What a form says of a stream. seen: so many of its `size` bytes were looked at."""

    VERSION: ClassVar[int] = 1
    seen: int = 0
    size: int = 0

    @property
    def file(self) -> str:
        return type(self).__module__.rpartition(".")[2]

    def to_json(self) -> dict[str, Any]:
        return {"file": self.file, "version": self.VERSION, **super().to_json()}

    @classmethod
    def from_json(cls, document: object) -> Self:
        if not isinstance(document, dict):
            raise ValueError("the facts of a form expected")
        fields = dict(document)
        file, version = fields.pop("file", None), fields.pop("version", None)
        if not isinstance(file, str) or not file.isidentifier():
            raise ValueError(f"{file!r} is not a form")
        found = cast("type[Self]", import_module(f"stubcli.detect.text.forms.{file}").FACTS)
        if version != found.VERSION:
            raise ValueError(f"version {version} of {file}")
        return super(FormFacts, found).from_json(fields)


class TextCounts(Value):
    """How much text there is, and the bytes in it that are none; None where nobody counted."""

    lines: int
    words: int | None
    characters: int
    nul: int
    undecodable: int | None
    escapes: int
    returns: int
    unseen: int


class Heading(Value):
    line: int
    text: str


class Headings(Value):
    """Groups of a build's log by name, and headings with their lines; how many there are."""

    groups: tuple[str, ...] = ()
    group_count: int = 0
    headings: tuple[Heading, ...] = ()
    heading_count: int = 0


class Division(Value):
    """What stands below the heading `text` in line `line`: so many lines, some told of."""

    line: int
    text: str
    lines: int
    told: tuple[str, ...] = ()


class Divisions(Value):
    """Some of `count` divisions, in their order."""

    shown: tuple[Division, ...] = ()
    count: int = 0


class LineTemplate(Value):
    """So many lines are as `text`, in which … stands for what varies.

    values: of places where few words vary, those words with their counts, the largest first.
    """

    count: int
    text: str
    values: tuple[tuple[tuple[str, int], ...], ...] = ()


class Apart(Value):
    """A line that stands apart. count: of so many lines like it, the first.

    owner: the nearest less indented line above, with its number. others: so many lines have at
    one place what is `usual`.
    """

    line: int
    text: str
    count: int = 1
    owner_line: int = 0
    owner: str = ""
    others: int = 0
    usual: str = ""


class Unanswered(Value):
    """Of so many lines of the kind `begins`, those that no line of the kind `ends` follows with the
    same identifier: how many, and the first of them with their numbers. among: so many first
    lines were looked at, 0 for all.
    """

    begins: str
    ends: str
    begun: int
    open: int
    lines: tuple[tuple[int, str], ...]
    among: int = 0


class Took(Value):
    """A line that tells how long something took; of: what began with the same number."""

    line: int
    text: str
    of: str = ""


class Longest(Value):
    """Of so many lines of a kind, those that took longest; among: as above."""

    kind: str
    count: int
    lines: tuple[Took, ...]
    among: int = 0


class Bulk(Value):
    """What lines have in common. templates: the largest of `count`; rest: the lines of the largest
    that is not among them. apart: lines that stand apart, the most telling of `apart_count` first.
    """

    templates: tuple[LineTemplate, ...] = ()
    count: int = 0
    rest: int = 0
    apart: tuple[Apart, ...] = ()
    apart_count: int = 0
    unanswered: tuple[Unanswered, ...] = ()
    longest: tuple[Longest, ...] = ()
    divisions: Divisions = Divisions()


class Groups(Value):
    """Lines by what they begin with: the most frequent of `count` groups, which hold `lines`."""

    largest: tuple[tuple[str, int], ...] = ()
    count: int = 0
    lines: int = 0


class Peak(Value):
    """So many in the fullest slice, whose first time is written so."""

    count: int
    time: str


class Course(Value):
    """Entries, and errors, in slices of time of `width` seconds each; () where there are none."""

    width: int
    entries: tuple[int, ...]
    most: Peak | None
    errors: tuple[int, ...] = ()
    most_errors: Peak | None = None


# Levels of entries that say what went wrong.
GRAVE = frozenset((b"ERROR", b"ERR", b"FATAL", b"CRITICAL", b"CRIT", b"SEVERE", b"E", b"F"))


class EntryTie(Value):
    """What log entries with one value of a field share: the value, how many have it, the line of
    the first, and by field the value, how many have it and how many any.
    """

    column: str
    text: str
    times: int
    line: int
    shared: tuple[tuple[str, str, int, int], ...]


class EntryFields(Value):
    """Fields of log entries compared. looked: of the first so many lines, 0 for all. few: fields of
    few values, with the most frequent.
    """

    looked: int = 0
    ties: tuple[EntryTie, ...] = ()
    few: tuple[tuple[str, tuple[tuple[str, int], ...]], ...] = ()


class Within(Value):
    """What was counted is of the first lines only: so many bytes of the stream's size."""

    lines: int
    seen: int
    size: int


class TextFacts(KindFacts, kw_only=True):
    """declared: the MIME type, where it promised a structure that could not be read as `promised`.
    within: which lines headings and templates were counted in, None for all.
    """

    VERSION: ClassVar[int] = 2

    counts: TextCounts
    declared: str = ""
    promised: str = ""
    body: FormFacts | None = None
    headings: Headings = Headings()
    groups: Groups = Groups()
    bulk: Bulk = Bulk()
    within: Within | None = None


FACTS = TextFacts
