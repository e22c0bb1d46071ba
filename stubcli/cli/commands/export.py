"""`stub export`: an artifact as a file, byte for byte."""

from stubcli.cli.command import REF, Command, Given
from stubcli.cli.output import emit, on_terminal, say
from stubcli.cli.place import count_reading, home_of, open_kept
from stubcli.cli.progress import Progress
from stubcli.errors import UsageError
from stubcli.retrieve.export import export
from stubcli.settings import readers
from stubcli.settings.option import Option, flag
from stubcli.store.artifact import Artifact
from stubcli.text.display import amount, one_line

_STDOUT = "-"
_OUTPUT: Option[str] = Option(
    "output",
    ("-o", "--output"),
    "Write to this file; - is standard output.",
    readers.text,
    metavar="FILE",
    complete="file",
    required=True,
)
_FORCE = flag("force", ("-f", "--force"), "Replace FILE where it exists.")


@count_reading
def run(given: Given) -> int:
    """Write the bytes, verified."""
    settings, path = given.settings(), given[_OUTPUT]
    if path == _STDOUT and on_terminal():
        raise UsageError("standard output is a terminal", "see: stub view REF, or give a file")
    with (
        open_kept(settings, given[REF]) as artifact,
        Progress("exporting", artifact.size) as progress,
    ):
        progress.follow(artifact)
        if path == _STDOUT:
            for _, data in artifact.blocks():
                emit(data)
            return 0
        export(artifact, path, home_of(settings), force=given[_FORCE])
    say(_done(artifact, path))
    return 0


def _done(artifact: Artifact, path: str) -> str:
    record = artifact.record
    size = f"{amount(record.lines, 'line')}, {amount(record.size, 'byte')}"
    return f"{size} written to {one_line(path)}"


COMMAND = Command(
    "export",
    """Write an artifact to a file, byte for byte.

    Every byte is verified, and FILE has its name once all of it is there. It is a new file that
    only you may read; one that exists is replaced with --force alone. A symbolic link is refused,
    and so is whatever lies in the store.
    """,
    run,
    (REF, _OUTPUT, _FORCE),
    examples=(
        ("The newest output as a file:", "stub export last -o build.log"),
        ("Compressed:", "stub export last -o - | gzip > build.log.gz"),
    ),
    statuses=(("6", "FILE exists, is a symbolic link, or lies in the store."),),
)
