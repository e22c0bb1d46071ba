"""Immutable values with typed fields, and the same as plain JSON.

`Value` gives what a frozen dataclass gives, without the half a millisecond that each of those costs
at every start, and without the modules behind them: together 14 ms of a kept output.
"""

from types import UnionType
from typing import Any, ClassVar, Self, dataclass_transform, get_args, get_origin

_SCALARS = (str, int, bool, type(None))


@dataclass_transform(frozen_default=True)
class Value:
    """A class that inherits from it has the annotated names as its fields, in their order.

    A default is what the class has under that name. kw_only: fields are given by name, so that
    those without a default may follow inherited ones that have one.
    """

    _kinds: ClassVar[dict[str, Any]] = {}
    _needed: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls, *, kw_only: bool = False) -> None:
        own = {
            name: kind
            for name, kind in cls.__annotations__.items()
            if not str(kind).startswith("typing.ClassVar")
        }
        cls._kinds = {**cls._kinds, **own}
        cls._needed = frozenset(name for name in cls._kinds if not hasattr(cls, name))

    def __init__(self, *args: Any, **fields: Any) -> None:
        given = dict(zip(self._kinds, args, strict=False))
        named = given | fields
        if not (
            len(args) + len(fields) == len(named)
            and self._needed <= named.keys() <= self._kinds.keys()
        ):
            missing = ", ".join(sorted(self._needed - named.keys())) or "no more"
            known = ", ".join(self._kinds)
            raise TypeError(f"{type(self).__name__} needs {missing}; its fields are {known}")
        self.__dict__.update(named)

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

    def as_dict(self) -> dict[str, Any]:
        """Every field by its name, and so those of the values in it."""
        return {name: _with_names(getattr(self, name)) for name in self._kinds}

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


def _with_names(value: Any) -> Any:
    if isinstance(value, Value):
        return value.as_dict()
    return tuple(map(_with_names, value)) if isinstance(value, tuple) else value


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
