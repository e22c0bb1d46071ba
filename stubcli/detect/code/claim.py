"""Whether a stream is source code, and in which language.

A claim needs several kinds of signals on many lines; one line of code in a log or in prose is
none.
"""

from stubcli.detect.model import KindClaim, Sample, refused
from stubcli.detect.reading import hinted, sampled_lines
from stubcli.detect.text import line_signs, shape_signs, tool_signs
from stubcli.text.characters import decode

PRECEDENCE = 60
LONGEST = 300
# What lines of code end with, in every language some of them.
_ENDS = tuple(bytes([end]) for end in b"{}()[];:,\"'\\|")
_OTHERS = (
    *(tool_signs.diff, tool_signs.testreport, tool_signs.compiler, tool_signs.traceback),
    *(line_signs.markdown, shape_signs.no_structure),
)


def claim(sample: Sample) -> KindClaim:
    raw = [line for line in sampled_lines(sample, 1200) if line.strip()]
    if len(raw) < 4:
        return refused("fewer than 4 lines")
    if line_signs.is_log(raw) or any(holds(raw) for holds in _OTHERS):
        return refused("lines of a log, a diff, a compiler, a test report, a traceback or Markdown")
    if sum(line.rstrip()[-1:] in _ENDS for line in raw) < 2:
        return refused("no line ends as code does")
    return _language(sample, [decode(line[:LONGEST]) for line in raw])


def _language(sample: Sample, lines: list[str]) -> KindClaim:
    # Not before: compiling what tells twenty languages apart takes 10 ms.
    from stubcli.detect.code.languages import LANGUAGES

    best, score = "", 0.0
    for language in LANGUAGES:
        hits = [sum(1 for line in lines if signal.match(line)) for signal in language.signals]
        kinds, share = sum(hit > 0 for hit in hits), sum(hits) / len(lines)
        if kinds >= 3 and share > 0.08 and kinds + share > score:
            best, score = language.name, kinds + share
    evidence = f"{int(score)} kinds of signals of {best or 'a language'}"
    if score < (2 if hinted(sample, "x-", "javascript", "source") else 3):
        return refused(evidence)
    return KindClaim("code", best, evidence)
