"""How many tokens a text may be, estimated without a model: CJK one a character, else bytes / 4."""

import re

# Kana, Hangul and the ideographs, with their punctuation and full-width forms.
_CJK = re.compile(
    "[\u1100-\u11ff\u2e80-\u30ff\u3130-\u318f\u31a0-\u9fff\ua960-\ua97f\uac00-\ud7ff"
    "\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff]"
)


def estimate(text: str) -> int:
    """Estimated tokens, rounded up."""
    if text.isascii():
        return (len(text) + 3) // 4
    wide = len(_CJK.findall(text))
    rest = len(_CJK.sub("", text).encode("utf-8", "surrogatepass"))
    return wide + (rest + 3) // 4
