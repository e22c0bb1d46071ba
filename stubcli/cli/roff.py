"""Text as roff, the language of man pages: ASCII in, the same characters shown."""

import re
from collections.abc import Iterable
from textwrap import wrap

_GLYPHS = str.maketrans(
    {
        "\\": r"\e",
        "-": r"\-",
        "'": r"\(aq",
        '"': r"\(dq",
        "`": r"\(ga",
        "^": r"\(ha",
        "~": r"\(ti",
    }
)


def roff(text: str) -> str:
    """One line of text as one line of roff that shows it unchanged."""
    line = "".join(c if c < "\x7f" else f"\\[u{ord(c):04X}]" for c in text.translate(_GLYPHS))
    return r"\&" + line if line.startswith(".") else line


def filled(text: str) -> str:
    """A paragraph, wrapped where a reader of the source wants it."""
    lines = wrap(text, 64, break_long_words=False, break_on_hyphens=False)
    return "\n".join(roff(line) for line in lines)


def paragraphs(text: str) -> str:
    return "\n.PP\n".join(filled(paragraph) for paragraph in text.split("\n\n"))


def bold(text: str) -> str:
    return rf"\fB{roff(text)}\fR"


def italic(text: str) -> str:
    return rf"\fI{roff(text)}\fR"


def usage(text: str) -> str:
    """Usage such as `[OPTIONS] REF`, with what the user puts in place slanted."""
    return re.sub("[A-Z]{2,}", r"\\fI\g<0>\\fR", roff(text))


def entries(rows: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f".TP\n{term}\n{filled(text)}" for term, text in rows)


def example(purpose: str, command: str) -> str:
    """What a command is for, and the command."""
    return f"{filled(purpose)}\n.PP\n.RS 4\n.nf\n{roff(command)}\n.fi\n.RE"
