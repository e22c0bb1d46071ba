"""Making text safe to show: what could drive a terminal, reorder or hide text becomes visible.

Knows nothing of what the text is; keeps no way back (the artifact does).
"""

import re

from stubcli.text.graphemes import clip

# Beyond the control characters: marks and overrides of direction, separators that some readers
# take for a line end, interlinear annotation, the byte order mark, and the plane of tags and
# supplementary variation selectors, in which text can be carried unseen. The joiner U+200D and
# the selectors U+FE00-FE0F stay: emoji are made of them.
_UNSAFE = re.compile(
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u206f"
    "\\ud800-\\udfff\\ufeff\\ufff9-\\ufffb\\U000e0000-\\U000e01ef]"
)


def _visible(found: re.Match[str]) -> str:
    code = ord(found[0])
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    if code < 0xA0 and code != 0x85:
        return f"\\x{code:02x}"
    return f"<U+{code:04X}>"


def neutralise(text: str) -> str:
    """`text` that drives no terminal, keeps its order, and can be encoded as UTF-8.

    TAB and LF stay. An undecodable byte is shown as `\\xff`, as control characters are; what acts
    on the text around it as `<U+202E>`.
    """
    if text.isascii() and text.isprintable():
        return text
    return _UNSAFE.sub(_visible, text)


def one_line(text: str) -> str:
    """`neutralise`, with LF and TAB shown as `\\n` and `\\t`: what fits into a line of ours."""
    return neutralise(text).replace("\n", "\\n").replace("\t", "\\t")


def one_word(text: str, most: int) -> str:
    """A name from outside, in double quotes unless it is plainly one word; cut after `most`.

    So a name cannot pass for a field, a column or a row beside it.
    """
    shown = one_line(text)
    plain = shown and all(" " < char < "\x7f" or char.isalnum() for char in shown)
    if len(shown) > most:
        shown = clip(shown, most - 1) + "…"
    if plain and '"' not in shown:
        return shown
    return '"' + shown.replace("\\", "\\\\").replace('"', '\\"') + '"'


def escape_json(text: str) -> str:
    """A JSON document in which what `neutralise` would change stands in JSON's own escapes."""
    return _UNSAFE.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
