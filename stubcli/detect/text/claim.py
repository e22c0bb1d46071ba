"""Everything is text that nothing else claims; which form of it, the signs of the forms say.

A form is a file in forms/. The signs of those that came with the package stand together in
light modules; one that is not among them brings its own: PRECEDENCE and holds.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Protocol, cast

from stubcli.detect.model import KindClaim, Sample, Value
from stubcli.detect.reading import displayed, sampled_lines
from stubcli.detect.text import line_signs

PRECEDENCE = 100
PLAIN = "plain"
# Where nearly every line begins with a time and carries a level, it is a log and nothing else.
_SURE = 0.9


class Sign(Value):
    """form: the name of its file. precedence: the more a line pattern says, the earlier it is
    asked. holds: whether lines, without colours, are of that form.
    """

    form: str
    precedence: int
    holds: Callable[[list[bytes]], bool]


class OwnSign(Protocol):
    """What a form offers whose sign does not stand with the others."""

    PRECEDENCE: int

    def holds(self, lines: list[bytes]) -> bool: ...


def claim(sample: Sample) -> KindClaim:
    lines = [displayed(line) for line in sampled_lines(sample) if line.strip()]
    if _is_nothing_but_a_log(sample, lines):
        evidence = f"nearly all of {len(lines)} lines begin with a time and carry a level"
        return KindClaim("text", "log", evidence, sure=True)
    for sign in signs():
        if sign.holds(lines):
            return KindClaim("text", sign.form, f"{len(lines)} lines, those of a {sign.form}")
    return KindClaim("text", PLAIN, f"{len(lines)} lines, of no other form")


def signs() -> list[Sign]:
    """The sign of each form, in the order in which they are asked."""
    from stubcli.detect.text import forms, shape_signs, tool_signs
    from stubcli.discover import modules

    known = {
        sign[0]: Sign(*sign) for sign in (*tool_signs.SIGNS, *line_signs.SIGNS, *shape_signs.SIGNS)
    }
    found = [known.get(name) or _own(name) for name in modules(forms.__path__)]
    return sorted(found, key=lambda sign: (sign.precedence, sign.form))


def _own(name: str) -> Sign:
    form = cast(OwnSign, import_module(f"stubcli.detect.text.forms.{name}"))
    return Sign(name, form.PRECEDENCE, form.holds)


def _is_nothing_but_a_log(sample: Sample, lines: list[bytes]) -> bool:
    """Whether hardly a line is not one of a log, and none opens JSON or XML."""
    if sample.mime or len(lines) < 3 or not _is_plain_text(sample) or line_signs.access(lines):
        return False
    others = [
        line
        for line in lines
        if not (line_signs.STAMP.match(line[:200]) and line_signs.marked(line[:200]))
    ]
    opening = any(line.lstrip()[:1] in (b"{", b"[", b"<") for line in others)
    return len(others) <= (1 - _SURE) * len(lines) and not opening


def _is_plain_text(sample: Sample) -> bool:
    head = sample.head
    if any(b"\0" in piece for piece in (head, *sample.middle, sample.tail)):
        return False
    return len(head.decode("utf-8", "ignore").encode()) > 0.98 * len(head)
