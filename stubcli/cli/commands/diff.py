"""`stub diff`: two artifacts compared by git or diff."""

import codecs
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Generator, Iterator
from contextlib import closing

from stubcli.cli.command import Command, Given
from stubcli.cli.output import emit, in_colour, on_terminal, say
from stubcli.cli.place import count_reading, open_kept
from stubcli.cli.progress import Progress
from stubcli.descriptors import CHUNK
from stubcli.errors import OK, USAGE, UsageError
from stubcli.settings import readers
from stubcli.settings.option import Option, repeated
from stubcli.settings.table import Settings
from stubcli.store.artifact import Artifact
from stubcli.text.characters import decode
from stubcli.text.screen import Screen

_DIFFERENT = 1
# Of what the program complains about, at most.
_COMPLAINTS = 1 << 13
# Options of diff that choose what its output looks like.
_FORMS = (
    *("-U", "-u", "-C", "-c", "-y", "-e", "-n", "-q"),
    *("--unified", "--context", "--side", "--ed", "--rcs", "--brief", "--normal"),
)


def _ref(name: str, what: str) -> Option[str]:
    return Option(
        name,
        (),
        f"The {what} one: a number, a digest prefix, 'last', a path, or artifact:….",
        readers.text,
        kind="argument",
        metavar=name.upper(),
        complete="ref",
        required=True,
    )


_OLD, _NEW = _ref("old", "first"), _ref("new", "second")
_OPTIONS = repeated(
    "options",
    (),
    "Options of git diff, or of diff where there is no git.",
    readers.text,
    kind="rest",
    metavar="[-- OPTION]...",
)


@count_reading
def run(given: Given) -> int:
    """Print the differences; 0 where there are none, 1 where there are, more in trouble."""
    settings, options = given.settings(), given[_OPTIONS]
    if options and not options[0].startswith("-"):
        raise UsageError(f"{options[0]!r} is not an option", "give two artifacts, then -- OPTION")
    with (
        open_kept(settings, given[_OLD]) as old,
        open_kept(settings, given[_NEW]) as new,
        tempfile.TemporaryDirectory(prefix="stub-diff-") as folder,
    ):
        names = [str(one.record.reference) for one in (old, new)]
        with Progress("reading", old.size + new.size) as progress:
            for name, artifact in zip(names, (old, new), strict=True):
                progress.follow(artifact)
                _copy(artifact, os.path.join(folder, name))
        return _compare(settings, folder, names, options)


def _copy(artifact: Artifact, path: str) -> None:
    """All of it was verified before anything is compared."""
    with open(path, "wb") as file:
        file.writelines(data for _, data in artifact.blocks())


def _compare(settings: Settings, folder: str, names: list[str], options: tuple[str, ...]) -> int:
    pager = None
    if on_terminal(whole=True):
        from stubcli.cli.pager import choose, show

        pager = choose(settings.pager, None, short=True)
    with tempfile.TemporaryFile() as complaints:
        process = subprocess.Popen(
            _command(names, options, colours=bool(pager and pager.colours and in_colour())),
            stdout=subprocess.PIPE,
            stderr=complaints,
            cwd=folder,
            # What is compared is part of no repository, wherever temporary files are.
            env={**os.environ, "GIT_CEILING_DIRECTORIES": os.path.dirname(folder)},
        )
        try:
            with closing(_output(process)) as pieces:
                if pager:
                    show(pager, _shown(pieces, colours=pager.colours))
                else:
                    _print(pieces)
        finally:
            status = process.wait()
        complaints.seek(0)
        for line in decode(complaints.read(_COMPLAINTS)).split("\n"):
            if not line or line.startswith("usage:"):  # pages of it, of git
                break
            say(line)
    if status == -signal.SIGINT:
        raise KeyboardInterrupt
    # Of SIGPIPE it dies where whoever read it has seen enough.
    return _DIFFERENT if status == -signal.SIGPIPE else USAGE if status not in (OK, 1) else status


def _print(pieces: Iterator[bytes]) -> None:
    """The bytes themselves, unless a terminal is to show them."""
    if not on_terminal():
        for data in pieces:
            emit(data)
        return
    for text in _shown(pieces, colours=False):
        emit(text.encode("utf-8"))


def _command(names: list[str], options: tuple[str, ...], *, colours: bool) -> list[str]:
    """Its labels are the references: of git they are the names of the files."""
    if shutil.which("git"):
        colour = "--color=always" if colours else "--no-color"
        git = ["git", "--no-pager", "diff", "--no-index", "--no-ext-diff", "--no-prefix", colour]
        return [*git, *options, "--", *names]
    if shutil.which("diff"):
        # Of two contexts diff takes the larger.
        form = [] if any(option.startswith(_FORMS) for option in options) else ["-u"]
        return ["diff", *form, "-L", names[0], "-L", names[1], *options, "--", *names]
    raise UsageError("neither git nor diff is installed", "install one of them")


def _output(process: subprocess.Popen[bytes]) -> Generator[bytes]:
    assert process.stdout
    with process.stdout as stream:
        while data := os.read(stream.fileno(), CHUNK):
            yield data


def _shown(pieces: Iterator[bytes], *, colours: bool) -> Iterator[str]:
    """What a terminal may be given: the lines may hold any bytes."""
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    screen = Screen(colours=colours)
    for data in pieces:
        yield screen.add(decoder.decode(data))
    yield screen.add(decoder.decode(b"", final=True)) + screen.rest()


COMMAND = Command(
    "diff",
    """Compare two artifacts with git diff, or with diff -u where there is no git.

    Both are verified first. The labels are the references, and what follows -- goes to the
    program. Its own output reaches a pipe unchanged; on a terminal it goes through your pager.
    """,
    run,
    (_OLD, _NEW, _OPTIONS),
    examples=(
        ("What changed between two outputs:", "stub diff 1 last"),
        ("How much of it, and without changes of space:", "stub diff 1 last -- --stat -w"),
    ),
    statuses=(("1", "They differ."), ("2", "A mistake in what was typed, or git or diff failed.")),
)
