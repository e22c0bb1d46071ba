"""What git log --oneline writes: commits, tags, and the subjects that undo or release something."""

import re

from stubcli.detect.model import ByteSource, NotableLine, Scan
from stubcli.detect.reading import plain_lines, reach
from stubcli.detect.text.facts import FormFacts
from stubcli.detect.text.forms.history import SUBJECT
from stubcli.detect.text.read import FormReading
from stubcli.detect.text.tool_signs import ONELINE, ungraphed
from stubcli.detect.words import clip, counted, limited, listed
from stubcli.text.characters import decode

NAME = "git-log"
QUOTES = True
_LIMIT = 16 * 1024 * 1024
_TAG = re.compile(rb"tag: ([^,)\s]+)")
_NOTED = 8
_TAGS = 60


class OnelineFacts(FormFacts):
    """tags: the first of them, of tag_count."""

    commits: int = 0
    tags: tuple[str, ...] = ()
    tag_count: int = 0


FACTS = OnelineFacts


def read(source: ByteSource, scan: Scan) -> FormReading:
    commits = 0
    tags: list[str] = []
    noted: list[NotableLine] = []
    seen = reach(source, _LIMIT)
    for number, line in enumerate(plain_lines(source, seen), 1):
        match = ONELINE.match(ungraphed(line[:600])[:400])
        if match is None:
            continue
        commits += 1
        tags += [clip(decode(tag)) for tag in _TAG.findall(match[2] or b"")]
        if len(noted) < _NOTED and SUBJECT.match(b"    " + match[3]):
            noted.append(NotableLine(number, decode(line[:180])))
    facts = OnelineFacts(seen, source.size, commits, tuple(tags[:_TAGS]), len(tags))
    return FormReading(facts, tuple(noted), instead=True)


def words(facts: OnelineFacts) -> list[str]:
    said = [counted(facts.commits, "commit")]
    if facts.tags:
        said.append("tags: " + listed(facts.tags, facts.tag_count, 200, 40))
    return [*said, *limited(facts.seen, facts.size)]
