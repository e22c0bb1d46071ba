"""Source code in words: its language, its imports, its outline."""

from stubcli.detect.code.facts import CodeFacts, CodeLine, Filled
from stubcli.detect.words import counted, limited, listed

_TABLES = 16


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
    if facts.filled:
        said.append(f"rows go into {counted(len(facts.filled), 'table')}:")
        said += [f"  {_filled(one)}" for one in facts.filled[:_TABLES]]
        if len(facts.filled) > _TABLES:
            said.append(f"  +{len(facts.filled) - _TABLES:,} more")
    said += [f"symbols ({facts.symbol_count:,}):", *map(_numbered, facts.symbols)]
    if facts.symbol_count > len(facts.symbols):
        said.append(f"  +{facts.symbol_count - len(facts.symbols):,} more")
    return said


def _filled(one: Filled) -> str:
    parts = [counted(one.inserts, "INSERT")] if one.inserts else []
    if one.copied is not None:
        parts.append(f"{counted(one.copied, 'row')} of COPY")
    return f"{one.table}: {', '.join(parts)}"


def _numbered(line: CodeLine) -> str:
    return f"  {line.line}: {'  ' if line.inner else ''}{line.text}"
