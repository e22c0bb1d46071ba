"""Reads a well-formed command line without loading a parser library: 60 to 150 ms for each call.

`split` accepts only what means one thing; everything else (help, mistakes, unusual spellings) is
left to typer in `app`, which is made from the same records. What both accept, both read alike.
"""

from stubcli.cli.command import Command
from stubcli.settings.option import TYPE_CHECKING, Option

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from stubcli.cli.command import Raw


class Unclear(Exception):
    """Not for this parser: a mistake, a wish for help, or a spelling that it does not know."""


def split(command: Command, words: "list[str]") -> "Raw | None":
    """Parameter name → what was typed for it; None where that needs a closer look."""
    try:
        return _Splitter(command).split(words)
    except Unclear:
        return None


class _Splitter:
    def __init__(self, command: Command) -> None:
        self._command = command
        self._flags = {flag: option for option in command.parameters for flag in option.flags}
        self._raw: Raw = {}

    def split(self, words: "list[str]") -> "Raw":
        rest = iter(words)
        positional: list[str] = []
        for word in rest:
            if word == "--":
                positional += rest
            elif not word.startswith("-") or word == "-":
                positional.append(word)
                if not self._command.interspersed:
                    positional += rest
            elif word.startswith("--"):
                self._long(word, rest)
            else:
                self._short(word, rest)
        self._arguments(positional)
        return self._raw

    def _long(self, word: str, rest: "Iterator[str]") -> None:
        flag, equals, value = word.partition("=")
        option = self._known(flag)
        if option.kind == "switch":
            if equals:
                raise Unclear
            self._raw[option.name] = True
        else:
            self._put(option, value if equals else _next(rest))

    def _short(self, word: str, rest: "Iterator[str]") -> None:
        """`-i`, `-iF`, `-m 5`, `-m5`."""
        for place, letter in enumerate(word[1:], 2):
            option = self._known("-" + letter)
            if option.kind == "switch":
                self._raw[option.name] = True
                continue
            value = word[place:]
            if value.startswith("="):
                raise Unclear
            self._put(option, value or _next(rest))
            return

    def _known(self, flag: str) -> "Option[Any]":
        option = self._flags.get(flag)
        if option is None:
            raise Unclear
        return option

    def _put(self, option: "Option[Any]", value: str) -> None:
        if option.kind == "list":
            found = self._raw.setdefault(option.name, [])
            assert isinstance(found, list)
            found.append(value)
        else:
            self._raw[option.name] = value

    def _arguments(self, words: "list[str]") -> None:
        words = list(words)
        for option in self._command.parameters:
            if not option.positional:
                continue
            if option.required and not words:
                raise Unclear
            if option.kind == "rest":
                if words:
                    self._raw[option.name] = words
                words = []
            elif words:
                self._raw[option.name] = words.pop(0)
        if words and not self._command.lenient:
            raise Unclear
        if any(o.required and o.name not in self._raw for o in self._command.parameters):
            raise Unclear


def _next(rest: "Iterator[str]") -> str:
    value = next(rest, "--")
    if value.startswith("-") and value != "-":
        raise Unclear
    return value
