"""One language, as the detector of code sees it."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Language:
    """signals: kinds of lines, several of which must occur. imports, symbols: what to list."""

    name: str
    signals: tuple[re.Pattern[str], ...]
    imports: re.Pattern[str]
    symbols: re.Pattern[str]


def language(name: str, signals: tuple[str, ...], imports: str, symbols: str) -> Language:
    return Language(
        name,
        tuple(re.compile(signal) for signal in signals),
        re.compile(imports),
        re.compile(symbols),
    )
