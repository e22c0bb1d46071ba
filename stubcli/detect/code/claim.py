"""Whether a stream is source code, and in which language: what its words and signs speak for.

The evidence of the best language is weighed against that of the best class that is none, such as
prose, a log or a table. A hint adds to a language that is plausible without it.
"""

import re
from math import exp

from stubcli.detect.code.features import MOST, features
from stubcli.detect.model import FLOOR, KindClaim, Sample, refused
from stubcli.detect.reading import BOM, sampled_lines

# Fewer features are no sample of a language.
_LEAST = 60
# What a hint is worth, and how far behind the best a language may be to profit by it.
_HINT = 2.0
_PLAUSIBLE = 4.0
# The larger, the less it takes to be sure.
_STEEP = 3.0
# Half of what this many features say is believed; and code has to be better by so much.
_FEW = 26
_DOUBT = 0.77
# What a tool says of source quotes it: lines that only such tools write are worth more.
_WORTH = 0.855
# A dump is mostly rows; the statement that they follow is no other language's.
_COPY = re.compile(
    rb"(?:^|\n)COPY [\w.\"$-]{1,160} ?(?:\([^()\n]{1,4000}\) )?FROM stdin(?: WITH[^;\n]{0,200})?;\n"
    rb"(?:[^\t\n]*\n|[^\n]*\t[^\n]*\n?|\\\.\n)"
)
_INSERT = re.compile(rb"(?i:(?:INSERT|REPLACE) +INTO +)[\w.\"`$\[\]-]{1,160}[ (][^\n]*;\s*$")
_DUMPED = 0.96


def claim(sample: Sample) -> KindClaim:
    if b"FROM stdin" in sample.head and _COPY.search(sample.head):
        return KindClaim("code", "SQL", "rows below a COPY from stdin", _DUMPED)
    if b"NSERT INTO" in sample.head or b"nsert into" in sample.head:
        lines = [line for line in sampled_lines(sample) if line.strip()]
        if 2 * sum(_INSERT.match(line[:4000]) is not None for line in lines) > len(lines) > 4:
            return KindClaim("code", "SQL", "most lines are statements that insert", _DUMPED)
    data = excerpt(sample)
    counts = features(data)
    if counts.total() < _LEAST:
        return refused(f"{counts.total()} words and signs")
    from stubcli.detect.code.hints import hints
    from stubcli.detect.code.model import scores

    found, known = scores(counts)
    best = max(found.values())
    hinted = {language: why for language, why in hints(sample).items() if language in found}
    for language in hinted:
        found[language] += _HINT if found[language] > best - _PLAUSIBLE else 0
    language, other = _best(found, code=True), _best(found, code=False)
    evidence = f"{language} {found[language]:.1f}, {other[1:]} {found[other]:.1f}"
    if hinted:
        evidence += " with " + ", ".join(f"{why} of {name}" for name, why in hinted.items())
    better = (found[language] - found[other]) * known**2 / (known**2 + _FEW**2) - _DOUBT
    score = _WORTH / (1 + exp(-_STEEP * better))
    if score < FLOOR:
        from stubcli.detect.code import grammar

        stated = grammar.language(data.removeprefix(BOM).replace(b"\r", b""))
        if stated:
            return KindClaim("code", stated, f"lines are statements of it; words: {evidence}")
    return KindClaim("code", language, evidence, score)


def excerpt(sample: Sample) -> bytes:
    """Bytes of head, middle and tail, at most as many as are counted."""
    if len(sample.head) >= sample.size and sample.size <= MOST:
        return sample.head
    middle = sample.middle or (sample.head[len(sample.head) // 2 :],)
    each = MOST // 4 // len(middle)
    pieces = [sample.head[: MOST // 2], *(piece[:each] for piece in middle)]
    return b"\n".join((*pieces, sample.tail[-MOST // 4 :]))


def _best(found: dict[str, float], *, code: bool) -> str:
    names = sorted(name for name in found if (name[0] != "-") is code)
    return max(names, key=lambda name: found[name])
