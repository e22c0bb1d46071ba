"""The files of a diff in words: each on a line, or those together that changed alike."""

from collections.abc import Iterator

from stubcli.detect.words import clip, counted
from stubcli.value import Value

# So many files have a line of their own; beyond, several stand on one.
_LINES = 24
_ROOM = 2000
_WIDE = 280


class ChangedFile(Value):
    """A file, the lines that it gained and lost, and whether it is new, deleted, renamed, …"""

    name: str
    added: int
    removed: int
    note: str = ""


def file_lines(files: tuple[ChangedFile, ...]) -> list[str]:
    """The files with the lines that each gained and lost, largest change first."""
    if len(files) > _LINES:
        return _together(files)
    largest = sorted(files, key=lambda file: -(file.added + file.removed))
    return [f"  {clip(file.name, 120)} {_numbers(file)}" for file in largest]


def _numbers(file: ChangedFile) -> str:
    numbers = f"+{file.added:,} −{file.removed:,}" if file.added or file.removed else ""
    return f"{numbers} {file.note}".strip()


def _together(files: tuple[ChangedFile, ...]) -> list[str]:
    """What is new, gone, moved or binary first; of the rest, what changed by as many lines is said
    together, largest change first.
    """
    noted = [file for file in files if file.note]
    said = [f"  {clip(file.name, 100)} {_numbers(file)}" for file in noted[:_LINES]]
    alike: dict[tuple[int, int], list[str]] = {}
    for file in files:
        if not file.note:
            alike.setdefault((file.added, file.removed), []).append(clip(file.name, 100))
    left = len(noted[_LINES:])
    room = _ROOM - sum(map(len, said))
    for (added, removed), names in sorted(alike.items(), key=lambda item: -sum(item[0])):
        each = " each" if len(names) > 1 else ""
        for line, count in _packed(f"  +{added:,} −{removed:,}{each}:", names):
            room -= len(line)
            if room < 0:
                left += count
            else:
                said.append(line)
    return [*said, f"  +{counted(left, 'more file')}"] if left else said


def _packed(start: str, names: list[str]) -> Iterator[tuple[str, int]]:
    """The names as lines that begin alike, and how many of them each holds."""
    line, count = start, 0
    for name in names:
        if count and len(line) + len(name) > _WIDE:
            yield line, count
            line, count = start, 0
        line, count = f"{line} {name}", count + 1
    if count:
        yield line, count
