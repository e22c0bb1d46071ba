"""What git log --oneline writes: commits, tags, and the subjects that undo or release something."""

import re

from stubcli.detect.brief import counted, limited, listed
from stubcli.detect.forms.described import Described
from stubcli.detect.forms.history import SUBJECT
from stubcli.detect.forms.plainlines import lines as lines_of
from stubcli.detect.forms.plainlines import reach
from stubcli.detect.model import NotableLine, Scan, Source
from stubcli.text.decode import decode

NAME = "git-log"
_LIMIT = 16 * 1024 * 1024
_COMMIT = re.compile(rb"[*|\\/ ]{0,20}([0-9a-f]{7,40}) (?:\(([^)]*)\) )?(\S.*)")
_TAG = re.compile(rb"tag: ([^,)\s]+)")
_NOTED = 8


def holds(lines: list[bytes]) -> bool:
    if len(lines) < 5:
        return False
    found = [match for line in lines if (match := _COMMIT.match(line[:400]))]
    # Words of letters alone may be names; hashes hold digits.
    digits = sum(any(48 <= byte <= 57 for byte in match[1]) for match in found)
    widths = {len(match[1]) for match in found}
    # As md5sum and sha1sum mark files that were read as binary ones.
    if sum(match[3][:1] == b"*" for match in found) > 0.5 * len(found):
        return False
    return len(found) >= 0.85 * len(lines) and digits >= 0.8 * len(found) and len(widths) <= 3


def describe(source: Source, scan: Scan) -> Described:
    commits = 0
    tags: list[str] = []
    noted: list[NotableLine] = []
    seen = reach(source, _LIMIT)
    for number, line in enumerate(lines_of(source, seen), 1):
        match = _COMMIT.match(line[:400])
        if match is None:
            continue
        commits += 1
        tags += [decode(tag) for tag in _TAG.findall(match[2] or b"")]
        if len(noted) < _NOTED and SUBJECT.match(b"    " + match[3]):
            noted.append(NotableLine(number, decode(line[:180])))
    told = [counted(commits, "commit")]
    if tags:
        told.append("tags: " + listed(tags, len(tags), 200, 40))
    told += limited(seen, source.size)
    return Described(told, tuple(noted), instead=True)
