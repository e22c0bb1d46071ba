"""Reads source code line by line: its imports, and its symbols with line numbers."""

from stubcli.detect.code.claim import LONGEST
from stubcli.detect.code.facts import CodeFacts, CodeLine
from stubcli.detect.code.languages import LANGUAGES
from stubcli.detect.code.statements import Statements
from stubcli.detect.model import ByteSource, KindClaim, Sample, Scan
from stubcli.detect.reading import lines as lines_of
from stubcli.detect.words import clip
from stubcli.text.characters import decode

_LIMIT = 8 * 1024 * 1024
_IMPORTS = 12
_MOST_IMPORTS = 500
_SYMBOLS = 24


def read(claim: KindClaim, sample: Sample, source: ByteSource, scan: Scan) -> CodeFacts:
    language = next(known for known in LANGUAGES if known.name == claim.form)
    imports: dict[str, None] = {}
    symbols: list[CodeLine] = []
    statements = Statements()
    total = 0
    for number, raw in enumerate(lines_of(source, _LIMIT), 1):
        line = decode(raw[:LONGEST])
        statements.feed(number, line)
        if language.imports.match(line) and len(imports) < _MOST_IMPORTS:
            imports.setdefault(line.strip())
        elif language.symbols.match(line):
            total += 1
            if len(symbols) < _SYMBOLS:
                # Methods stand under their type.
                inner = line[:1] in (" ", "\t")
                symbols.append(CodeLine(number, clip(line.strip(), 90), inner))
    return CodeFacts(
        kind="code",
        form=claim.form,
        notable=scan.notable,
        size=source.size,
        looked_at=min(source.size, _LIMIT),
        lines=scan.lines,
        imports=tuple(clip(line, 120) for line in list(imports)[:_IMPORTS]),
        import_count=len(imports),
        remarkable=statements.remarkable(),
        symbols=tuple(symbols),
        symbol_count=total,
    )
