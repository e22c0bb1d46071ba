"""Programs that are made up, one a language, in programs.sources.

A ruler and the name of the language begin one; what stands behind the second ruler comes again and
again with other names: NAME stands for a name, COUNT for a number.
"""

import re
from pathlib import Path

NAMES = ("ledger", "Invoice", "ratio", "Parcel", "harbour", "Meter", "queue", "Depot", "crane")
_SOURCES = Path(__file__).with_suffix(".sources").read_text(encoding="utf-8")
_PROGRAM = re.compile(r"^===== (.+)\n((?s:.*?))^-----\n((?s:.*?))(?=^=====|\Z)", re.MULTILINE)
PROGRAMS: dict[str, tuple[str, str]] = {
    name: (head, part) for name, head, part in _PROGRAM.findall(_SOURCES)
}


def program(language: str, parts: int = 30) -> str:
    """A program of so many parts."""
    head, part = PROGRAMS[language]
    made = [
        part.replace("NAME", f"{NAMES[at % len(NAMES)]}{at}").replace("COUNT", str(at * 7))
        for at in range(parts)
    ]
    return head + "".join(made)
