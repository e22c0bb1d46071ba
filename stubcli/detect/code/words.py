"""Source code in words: its language, its imports, its outline."""

from stubcli.detect.code.facts import CodeFacts, CodeLine
from stubcli.detect.words import counted, limited, listed


def summary(facts: CodeFacts) -> list[str]:
    said = f"{facts.form}, {counted(facts.lines, 'line')}"
    return [said, *limited(facts.looked_at, facts.size)]


def structure(facts: CodeFacts) -> list[str]:
    said = []
    if facts.imports:
        imports = listed(facts.imports, facts.import_count, 290, 120)
        said.append(f"imports ({facts.import_count}): {imports}")
    for found in facts.remarkable:
        said += [f"{found.name} ({found.count:,}):", *map(_numbered, found.lines)]
    said += [f"symbols ({facts.symbol_count:,}):", *map(_numbered, facts.symbols)]
    if facts.symbol_count > len(facts.symbols):
        said.append(f"  +{facts.symbol_count - len(facts.symbols):,} more")
    return said


def _numbered(line: CodeLine) -> str:
    return f"  {line.line}: {'  ' if line.inner else ''}{line.text}"
