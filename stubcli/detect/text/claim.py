"""Everything is text that nothing else claims; which form of it, the signs of the forms say.

A form is a file in forms/. The signs of those that came with the package stand together in two
light modules; one that is not among them brings its own: PRECEDENCE and holds.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol, cast

from stubcli.detect.model import Claim, Sample
from stubcli.detect.reading import plain, sampled_lines
from stubcli.detect.text import forms, line_signs, tool_signs
from stubcli.detect.text.signs import Sign

PRECEDENCE = 100
PLAIN = "plain"
# A log where nearly every line begins with a time and carries a level is no table and no YAML.
_SURE = 0.9
_KNOWN = {sign.form: sign for sign in (*tool_signs.SIGNS, *line_signs.SIGNS)}


class OwnSign(Protocol):
    """What a form offers whose sign does not stand with the others."""

    PRECEDENCE: int

    def holds(self, lines: list[bytes]) -> bool: ...


def claim(sample: Sample) -> Claim:
    lines = [plain(line) for line in sampled_lines(sample) if line.strip()]
    for sign in signs():
        if sign.holds(lines):
            evidence = f"{len(lines)} lines, those of a {sign.form}"
            sure = sign.form == "log" and _sure(sample, lines)
            return Claim("text", sign.form, evidence, sure=sure)
    return Claim("text", PLAIN, f"{len(lines)} lines, of no other form")


def signs() -> list[Sign]:
    """The sign of each form, in the order in which they are asked."""
    found = [
        _KNOWN.get(module.name) or _own(module.name) for module in iter_modules(forms.__path__)
    ]
    return sorted(found, key=lambda sign: (sign.precedence, sign.form))


def _own(name: str) -> Sign:
    form = cast(OwnSign, import_module(f"stubcli.detect.text.forms.{name}"))
    return Sign(name, form.PRECEDENCE, form.holds)


def _sure(sample: Sample, lines: list[bytes]) -> bool:
    """Whether nothing but a log looks so: hardly a line is not one of it, and none opens JSON."""
    if sample.mime or b"\0" in sample.head or b"\0" in sample.tail:
        return False
    if any(b"\0" in piece for piece in sample.middle) or not _is_utf8(sample.head):
        return False
    others = [
        line
        for line in lines
        if not (line_signs.STAMP.match(line[:200]) and line_signs.marked(line[:200]))
    ]
    opening = any(line.lstrip()[:1] in (b"{", b"[", b"<") for line in others)
    return len(others) <= (1 - _SURE) * len(lines) and not opening


def _is_utf8(head: bytes) -> bool:
    return len(head.decode("utf-8", "ignore").encode()) > 0.98 * len(head)
