"""Everything is text that nothing else claims; which form of it, the signs of the forms say.

A form is a file in forms/. The signs of those that came with the package stand together in light
modules; one that is not among them brings its own: PRECEDENCE and holds. The forms compete with
each other and with the kinds: what one tool alone writes scores more than what looks laid out.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Protocol, cast

from stubcli.detect.model import FLOOR, KindClaim, Sample, refused
from stubcli.detect.reading import displayed, sampled_lines
from stubcli.detect.text import line_signs
from stubcli.value import Value

PLAIN = "plain"
# Where nearly every line begins with a time and carries a level, it is a log and nothing else.
_SURE = 0.9
# A precedence of so much takes all worth from a sign.
_SCALE = 500


class Sign(Value):
    """form: the name of its file. precedence: from 0 for lines that only one tool writes, to 150
    for what many texts may look like. holds: whether lines, without colours, are of that form, or
    how surely, from 0 to 1.
    """

    form: str
    precedence: int
    holds: Callable[[list[bytes]], float]

    @property
    def most(self) -> float:
        """The score of lines that are of the form beyond doubt."""
        return 1 - self.precedence / _SCALE

    def score(self, lines: list[bytes]) -> float:
        """How far the lines speak for the form, from 0 to 1."""
        return self.holds(lines) * self.most


class OwnSign(Protocol):
    """What a form offers whose sign does not stand with the others."""

    PRECEDENCE: int

    def holds(self, lines: list[bytes]) -> float: ...


def quick(sample: Sample) -> KindClaim:
    lines = _lines(sample)
    if not _is_nothing_but_a_log(sample, lines):
        return refused("not nothing but a log")
    evidence = f"nearly all of {len(lines)} lines begin with a time and carry a level"
    return KindClaim("text", "log", evidence, sure=True)


def claim(sample: Sample) -> KindClaim:
    lines = _lines(sample)
    scores: dict[str, float] = {}
    for sign in sorted(signs(), key=lambda sign: (sign.precedence, sign.form)):
        # No other can have a better score.
        if sign.most <= max(scores.values(), default=0):
            break
        scores[sign.form] = sign.score(lines)
    best = max(scores, key=lambda form: scores[form])
    if scores[best] < FLOOR:
        return KindClaim("text", PLAIN, f"{len(lines)} lines, of no other form", FLOOR)
    held = ", ".join(f"{form} {score:.2f}" for form, score in sorted(scores.items()) if score)
    return KindClaim("text", best, f"{len(lines)} lines: {held}", scores[best])


def _lines(sample: Sample) -> list[bytes]:
    return [displayed(line) for line in sampled_lines(sample) if line.strip()]


def signs() -> list[Sign]:
    """The sign of each form."""
    from stubcli.detect.text import forms, shape_signs, tool_signs
    from stubcli.discover import modules

    tables = (*tool_signs.SIGNS, *line_signs.SIGNS, *shape_signs.SIGNS)
    known = {sign[0]: Sign(*sign) for sign in tables}
    return [known.get(name) or _own(name) for name in modules(forms.__path__)]


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
