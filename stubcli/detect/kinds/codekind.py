"""Source code: the language, its imports, and its symbols with line numbers.

A claim needs several kinds of signals on many lines; one line of code in a log or in prose is
none.
"""

from stubcli.detect.brief import clip, counted, limited, listed
from stubcli.detect.kinds.language import Language
from stubcli.detect.kinds.statements import Statements
from stubcli.detect.model import Claim, Sample, Scan, Source, Synopsis
from stubcli.detect.reading import hinted, sampled_lines
from stubcli.detect.reading import lines as lines_of
from stubcli.text.decode import decode

_LIMIT = 8 * 1024 * 1024
_LONGEST = 300
_IMPORTS = 12
_SYMBOLS = 24
# What lines of code end with, in every language some of them.
_ENDS = tuple(bytes([end]) for end in b"{}()[];:,\"'\\|")


def detect(sample: Sample) -> Claim | None:
    from stubcli.detect.forms import compiler, diff, log, markdown, testreport, traceback

    raw = [line for line in sampled_lines(sample, 1200) if line.strip()]
    others = (diff, testreport, compiler, traceback, markdown)
    if len(raw) < 4 or log.is_log(raw) or any(form.holds(raw) for form in others):
        return None
    if sum(line.rstrip()[-1:] in _ENDS for line in raw) < 2:
        return None
    # Not before: compiling what tells twenty languages apart takes 10 ms.
    from stubcli.detect.kinds.languages import LANGUAGES

    lines = [decode(line[:_LONGEST]) for line in raw]
    best, score = None, 0.0
    for language in LANGUAGES:
        kinds, share = _signals(language, lines)
        if kinds >= 3 and share > 0.08 and kinds + share > score:
            best, score = language, kinds + share
    if best is None:
        return None
    need = 2 if hinted(sample, "x-", "javascript", "source") else 3
    return Claim("code", best.name, f"{int(score)} kinds of signals") if score >= need else None


def _signals(language: Language, lines: list[str]) -> tuple[int, float]:
    """How many kinds of signals occur, and on which share of the lines."""
    hits = [sum(1 for line in lines if signal.match(line)) for signal in language.signals]
    return sum(hit > 0 for hit in hits), sum(hits) / len(lines)


def summarise(claim: Claim, sample: Sample, source: Source, scan: Scan) -> Synopsis | None:
    from stubcli.detect.kinds.languages import LANGUAGES

    language = next(known for known in LANGUAGES if known.name == claim.form)
    imports: dict[str, None] = {}
    symbols: list[str] = []
    statements = Statements()
    total = 0
    for number, raw in enumerate(lines_of(source, _LIMIT), 1):
        line = decode(raw[:_LONGEST])
        statements.feed(number, line)
        if language.imports.match(line) and len(imports) < 500:
            imports.setdefault(line.strip())
        elif language.symbols.match(line):
            total += 1
            if len(symbols) < _SYMBOLS:
                symbols.append(f"{number}: {_below(line)}{clip(line.strip(), 90)}")
    summary = [f"{language.name}, {counted(scan.lines, 'line')}"]
    summary += limited(min(source.size, _LIMIT), source.size)
    structure = []
    if imports:
        shown = [clip(line, 120) for line in list(imports)[:_IMPORTS]]
        structure.append(f"imports ({len(imports)}): {listed(shown, len(imports), 290, 120)}")
    structure += statements.told()
    structure.append(f"symbols ({total:,}):")
    structure += ["  " + symbol for symbol in symbols]
    if total > len(symbols):
        structure.append(f"  +{total - len(symbols):,} more")
    return Synopsis("code", claim.form, tuple(summary), tuple(structure))


def _below(line: str) -> str:
    """Methods stand under their type."""
    return "  " if line[:1] in (" ", "\t") else ""
