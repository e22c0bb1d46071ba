"""`stub view`: an artifact in the user's pager, as a terminal shows it."""

from collections.abc import Iterator

from stubcli.cli.command import REF, Command, Given
from stubcli.cli.output import emit, in_colour, on_terminal
from stubcli.cli.place import count_reading, open_artifact
from stubcli.errors import OK
from stubcli.retrieve.page import LAST_LINE, parse_line, read_lines
from stubcli.settings.option import optional
from stubcli.store.artifact import Artifact
from stubcli.text.characters import decode
from stubcli.text.screen import Screen

_LINE = optional(
    "line", (), "Open at this line, counted from 1.", parse_line, kind="argument", metavar="[LINE]"
)


@count_reading
def run(given: Given) -> int:
    """Show the artifact from its beginning to wherever the user leaves it."""
    settings, line = given.settings(), given[_LINE]
    with open_artifact(settings, given[REF]) as artifact:
        if not on_terminal(whole=True):
            for piece in _text(artifact, line or 1, colours=False):
                emit(piece.encode("utf-8"))
            return OK
        from stubcli.cli.pager import choose, show, warn_of_line

        pager = choose(settings.pager, line and min(line, artifact.record.lines))
        warn_of_line(pager, line)
        show(pager, _text(artifact, 1, colours=pager.colours and in_colour()))
    return OK


def _text(artifact: Artifact, first: int, *, colours: bool) -> Iterator[str]:
    screen = Screen(colours=colours)
    blocks = (
        (data for _, data in artifact.blocks())
        if first == 1
        else read_lines(artifact, first, LAST_LINE)
    )
    for data in blocks:
        yield screen.add(decode(data))
    yield screen.rest()


COMMAND = Command(
    "view",
    """Show an artifact in your pager, as a terminal shows it.

    Verified and read as far as you look. Escape sequences are taken out, and what was overwritten
    is not shown; less shows the colours. Where standard output is no terminal, the text is
    printed, from LINE on.
    """,
    run,
    (REF, _LINE),
    examples=(
        ("The newest output:", "stub view last"),
        ("At a line that its stub names:", "stub view last 500"),
        ("As text without colours, to another program:", "stub view last | wc -l"),
    ),
)
