"""Which parts of a stub get how much room, and what is given up first where there is little.

Shared by the forms; knows how long they come out only by asking them.
"""

from collections.abc import Callable

from stubcli.advice import Advice
from stubcli.render.model import Ends, Facts, Limits, ends
from stubcli.render.preview import Preview, preview
from stubcli.render.sections import Sections, sections
from stubcli.value import Value


class Detail(Value):
    """What is said besides the contents: each costs room that a small budget has not got."""

    path: bool = True
    next: bool = True
    digest: bool = True
    command: bool = True


class Layout(Value):
    preview: Preview
    detail: Detail = Detail()
    sections: Sections = Sections()


Compose = Callable[[Facts, Layout], str]

# The path is in every listing, the next commands in the help, sixteen digits of the digest in the
# reference; the command that reads the rest is the last to go.
_LADDER = (
    Detail(),
    Detail(path=False),
    Detail(path=False, next=False),
    Detail(path=False, next=False, digest=False),
    Detail(path=False, next=False, digest=False, command=False),
)
# With options longer than this, the commands of a stub would not fit into a line.
_COMMAND = 400
# The frames of a head and a tail.
_FRAMES = 140
# Less than this is not worth two frames: the end of an output says more than its beginning.
_ONE_END = 160


def fit(facts: Facts, limits: Limits, compose: Compose) -> str | None:
    """The fullest rendering within the limits, None where it would save too little."""
    page = _fullest(facts, limits, compose)
    return page if page is not None and limits.worth(page) else None


def _fullest(facts: Facts, limits: Limits, compose: Compose) -> str | None:
    ladder = _LADDER if len(Advice("read").shell(facts.where)) <= _COMMAND else _LADDER[-1:]
    given = ends(facts)
    hidden = preview(given, 0, 0)
    bare = [compose(facts, Layout(hidden, detail)) for detail in ladder]
    # Contents deserve a third of the page before everything that can be said around them.
    around = limits.characters * 2 // 3 - _FRAMES
    ample = next((n for n, one in enumerate(bare) if len(one) <= around), len(ladder) - 1)
    for detail, smallest in zip(ladder[ample:], bare[ample:], strict=True):
        if limits.excess(smallest) == 0:
            page = _FilledPage(given, limits, compose, Layout(hidden, detail))
            return page.filled(limits.characters - len(smallest)) or smallest
    return None


class _FilledPage(Value):
    """A rendering without contents that fits, to be filled with as much as does."""

    given: Ends
    limits: Limits
    compose: Compose
    bare: Layout

    def filled(self, room: int) -> str | None:
        """With a synopsis that leaves a third of the room to a preview which wants it."""
        wanted = self.limits.head + self.limits.tail + _FRAMES
        share = room - min(wanted, room // 3)
        while share > 0:
            chosen = self.bare.replace(sections=sections(self.given.facts.synopsis, share))
            base = self.compose(self.given.facts, chosen)
            over = self.limits.excess(base)
            if over == 0:
                return self._with_preview(chosen, self.limits.characters - len(base)) or base
            share -= _step(over, len(base) > self.limits.characters)
        return self._with_preview(self.bare, room)

    def _with_preview(self, chosen: Layout, room: int) -> str | None:
        limits = self.limits
        wanted = limits.head + limits.tail
        left = min(wanted, room)
        while left > 0:
            head = left * limits.head // wanted if left >= min(_ONE_END, wanted) else 0
            shown = preview(self.given, head, left - head)
            out = self.compose(self.given.facts, chosen.replace(preview=shown))
            over = limits.excess(out)
            if over == 0:
                return out
            left -= _step(over, len(out) > limits.characters)
        return None


def _step(over: int, characters: bool) -> int:
    """How much less to try: a character too many may be several bytes, so those in small steps."""
    return over if characters else over // 3 + 1
