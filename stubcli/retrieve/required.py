"""What every match of a pattern must hold: a search for that alone rules out most of a text.

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
