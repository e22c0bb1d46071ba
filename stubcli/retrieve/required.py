"""What is known of a pattern's matches from its text: what each must hold, what it is about.

Reads the part of RE2's syntax that it is sure of. Where in doubt there is nothing that must be.
"""

import re

# A class: `]` is a member at its beginning, and names such as [:alpha:] hold one.
SET = r"\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]"
_TOKEN = re.compile(
    rf"""
    (?P<wild> {SET} | \\[dDwWsSbB] | [.^$] )
  | \\(?P<escaped> [^A-Za-z0-9] )
  | (?P<repeat> [*?] | \{{[0-9]+(?:,[0-9]*)?\}} )
  | (?P<plus> \+ )
  | (?P<open> \( (?: \?: | \?P?<\w+> )? (?!\?) )
  | (?P<close> \) )
  | (?P<bar> \| )
  | (?P<plain> [^\\\[\]{{}}()|*+?.^$] )
    """,
    re.VERBOSE | re.DOTALL,
)
# A control character, however it is written.
_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f]"
    r"|\\(?:x[01][0-9A-Fa-f]|x\{0*[01]?[0-9A-Fa-f]\}|0[0-7]{1,2}|[rafv]|pC)|\[:cntrl:\]"
)
_PART = re.compile(rf"\\Q.*?(?:\\E|\Z)|{SET}|\\.|.", re.DOTALL)
_ENDS = frozenset({"^", "$", r"\A", r"\z"})
_ANYTHING = frozenset({".", r"\S", r"\W", r"\D"})
# A shorter one stands nearly everywhere.
_SHORTEST = 3


def required(pattern: str) -> str:
    """The longest text that stands in every match of `pattern`, letter case apart; else ''."""
    runs, run, depth, place = [], "", 0, 0
    while place < len(pattern):
        token = _TOKEN.match(pattern, place)
        if token is None or (token["bar"] and depth == 0):
            return ""
        place = token.end()
        character = token["plain"] or token["escaped"]
        if character and depth == 0:
            run += character
            continue
        runs.append(run[:-1] if token["repeat"] else run)
        run = ""
        depth += bool(token["open"]) - bool(token["close"])
    longest = max([*runs, run], key=len)
    return longest if len(longest) >= _SHORTEST else ""


def suits_bytes(pattern: str) -> bool:
    """Whether a match among the bytes of a line that are not displayed would be what is sought.

    Not where nearly any byte would do, nor where the ends of what is displayed are spoken of.
    """
    if _CONTROL.search(pattern):
        return True
    parts = _PART.findall(pattern)
    if _ENDS.intersection(parts):
        return False
    open_ = any(part in _ANYTHING or part.startswith("[^") for part in parts)
    return not open_ or bool(required(pattern))


def names_sequences(pattern: str, *, literal: bool) -> bool:
    """Whether a match may be an escape sequence, with or without its first byte."""
    return bool(_CONTROL.search(pattern)) or ("[" if literal else "\\[") in pattern
