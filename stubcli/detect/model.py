"""The values of detection, immutable and with typed fields, and the same as plain JSON.

They hold slices of the input, decoded with surrogateescape and not yet escaped: making them safe to
show is the renderer's work. `Value` gives what a frozen dataclass gives, without the millisecond
that each of those costs at every start.
"""

from types import UnionType
from typing import Any, ClassVar, Protocol, Self, dataclass_transform, get_args, get_origin

_SCALARS = (str, int, bool, type(None))


@dataclass_transform(frozen_default=True)
class Value:
    """A class that inherits from it has the annotated names as its fields, in their order.

    A default is what the class has under that name. kw_only: fields are given by name, so that
    those without a default may follow inherited ones that have one.
    """

    _kinds: ClassVar[dict[str, Any]] = {}

    def __init_subclass__(cls, *, kw_only: bool = False) -> None:
        own = {
            name: kind
            for name, kind in cls.__annotations__.items()
            if not str(kind).startswith("typing.ClassVar")
        }
        cls._kinds = {**cls._kinds, **own}

    def __init__(self, *args: Any, **fields: Any) -> None:
        fields.update(zip(self._kinds, args, strict=False))
        for name in self._kinds:
            if name not in fields and not hasattr(type(self), name):
                raise TypeError(f"{type(self).__name__} needs {name}")
        if len(args) > len(self._kinds) or fields.keys() - self._kinds.keys():
            raise TypeError(f"{type(self).__name__} has the fields {', '.join(self._kinds)}")
        self.__dict__.update(fields)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self._kinds)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        fields = (f"{name}={getattr(self, name)!r}" for name in self._kinds)
        return f"{type(self).__name__}({', '.join(fields)})"

    def replace(self, **changes: Any) -> Self:
        """The same value but for `changes`."""
        return type(self)(**{**self.__dict__, **changes})

    def to_json(self) -> dict[str, Any]:
        """The fields as plain JSON, without those that have their default."""
        found: dict[str, Any] = {}
        for name in self._kinds:
            value = getattr(self, name)
            if not hasattr(type(self), name) or value != getattr(type(self), name):
                found[name] = plain(value)
        return found

    @classmethod
    def from_json(cls, document: object) -> Self:
        """The value that `to_json` wrote. Raises ValueError where it is anything else."""
        if not isinstance(document, dict) or document.keys() - cls._kinds.keys():
            raise ValueError(f"not the fields of {cls.__name__}")
        fields = {name: typed(cls._kinds[name], raw) for name, raw in document.items()}
        try:
            return cls(**fields)
        except TypeError as error:
            raise ValueError(str(error)) from None


def plain(value: Any) -> Any:
    """A field as JSON has it."""
    if isinstance(value, Value):
        return value.to_json()
    return [plain(each) for each in value] if isinstance(value, tuple) else value


def typed(kind: Any, raw: object) -> Any:
    """A field of the type `kind`, from JSON. Raises ValueError where it has another type."""
    if isinstance(kind, UnionType):
        return _one_of(get_args(kind), raw)
    if get_origin(kind) is tuple:
        return _items(get_args(kind), raw)
    if kind is None:
        kind = type(None)
    if kind in _SCALARS:
        if type(raw) is not kind:
            raise ValueError(f"{kind.__name__} expected")
        return raw
    return kind.from_json(raw)


def _one_of(kinds: tuple[Any, ...], raw: object) -> Any:
    for kind in kinds:
        try:
            return typed(kind, raw)
        except ValueError:
            continue
    raise ValueError("none of the expected types")


def _items(kinds: tuple[Any, ...], raw: object) -> tuple[Any, ...]:
    if not isinstance(raw, list):
        raise ValueError("a list expected")
    if len(kinds) == 2 and kinds[1] is ...:
        return tuple(typed(kinds[0], each) for each in raw)
    if len(kinds) != len(raw):
        raise ValueError(f"{len(kinds)} items expected")
    return tuple(typed(kind, each) for kind, each in zip(kinds, raw, strict=True))


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
