"""Reads source code line by line: its imports, and its symbols with line numbers."""

import re

from stubcli.detect.code.dump import Dump
from stubcli.detect.code.facts import CodeFacts
from stubcli.detect.code.languages import PATTERNS, Patterns
from stubcli.detect.code.outline import Outline
from stubcli.detect.code.statements import Statements
from stubcli.detect.model import ByteSource, KindClaim, Sample, Scan
from stubcli.detect.reading import lines as lines_of
from stubcli.detect.words import clip
from stubcli.text.characters import decode

_LIMIT = 8 * 1024 * 1024
_LONGEST = 300
_IMPORTS = 12
_MOST_IMPORTS = 500


def read(claim: KindClaim, sample: Sample, source: ByteSource, scan: Scan) -> CodeFacts:
    patterns = PATTERNS.get(claim.form, Patterns("", ""))
    # Nothing begins with what matches nothing.
    is_import = re.compile(patterns.imports or r"(?!)").match
    imports: dict[str, None] = {}
    outline, statements = Outline(patterns), Statements()
    dump = Dump() if claim.form == "SQL" else None
    for number, raw in enumerate(lines_of(source, _LIMIT), 1):
        line = decode(raw[:_LONGEST]).rstrip("\r")
        if dump and dump.feed(number, line):
            continue
        statements.feed(number, line)
        if is_import(line) and len(imports) < _MOST_IMPORTS:
            imports.setdefault(line.strip())
        else:
            outline.feed(number, line)
    return CodeFacts(
        kind="code",
        form=claim.form,
        notable=scan.notable,
        size=source.size,
        looked_at=min(source.size, _LIMIT),
        lines=scan.lines,
        imports=tuple(clip(line, 120) for line in list(imports)[:_IMPORTS]),
        import_count=len(imports),
        remarkable=(*(dump.alarms() if dump else ()), *statements.remarkable()),
        filled=dump.filled() if dump else (),
        symbols=outline.lines(),
        symbol_count=outline.count,
    )
