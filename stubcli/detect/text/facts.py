"""What is known of a text: its counts, how its lines begin, and what its form says.

The facts of a form are in the file of the form, which is found by its name when they are read
back.
"""

from importlib import import_module
from typing import Any, ClassVar, Self, cast

from stubcli.detect.facts import KindFacts
from stubcli.detect.model import Value


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


class Alike(Value):
    """So many lines begin as `text` does."""

    count: int
    text: str


class Within(Value):
    """What was counted is of the first lines only: so many bytes of the stream's size."""

    lines: int
    seen: int
    size: int


class TextFacts(KindFacts, kw_only=True):
    """declared: the MIME type, where it promised a structure that could not be read as `promised`.
    within: which lines headings and alike were counted in, None for all.
    """

    counts: TextCounts
    declared: str = ""
    promised: str = ""
    body: FormFacts | None = None
    headings: Headings = Headings()
    alike: tuple[Alike, ...] = ()
    within: Within | None = None


FACTS = TextFacts
