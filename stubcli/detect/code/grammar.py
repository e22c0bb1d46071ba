"""Source of few different words: told by how it opens and by how each of its lines is built.

What its words speak for is little, where the same statement comes again and again. It is asked
where the words have not decided.
"""

import re
from functools import cache

from stubcli.value import Value

# Nearly every line is a statement, or what belongs to one.
_STATED = 0.95
_FEWEST = 20
_COMMENT = rb"\s*(?://|/\*|\*|#)|"
_CLOSED = _COMMENT + rb".*[;{}(,]\s*$|\s*@\w|\s*[\])}]"
_MODIFIED = rb"(?m)^\s*(?:(?:public|private|protected|internal|static|final|abstract|sealed) +)*"


class _Grammar(Value):
    """opens: the first line of code. holds: what stands in some line. stated: each line."""

    language: str
    opens: bytes
    holds: bytes
    stated: bytes


_GRAMMARS = (
    _Grammar(
        "Java",
        rb"package [\w.]+;|import (?:static )?[\w.]+(?:\.\*)?;",
        _MODIFIED + rb"(?:class|interface|enum|record) +\w+",
        _CLOSED,
    ),
    _Grammar(
        "C#",
        rb"using (?:static )?[\w.]+;|namespace [\w.]+\s*[;{]?\s*$",
        _MODIFIED + rb"(?:class|interface|enum|record|struct) +\w+",
        _CLOSED,
    ),
    _Grammar("C or C++", rb"#include +[<\"]|#pragma once|#ifndef \w+", rb"(?m)^\w.*[;{]$", _CLOSED),
    _Grammar("Rust", rb"use [\w:]+.*;|mod \w+;|#!\[", rb"(?m)^\s*(?:pub )?fn \w+", _CLOSED),
    _Grammar(
        "Go",
        rb"package \w+\s*$",
        rb"(?m)^(?:func|type|const|var|import)\b",
        _CLOSED
        + rb"|\s*(?:package|type|const|var|import|return|case|default|go|defer)\b|"
        + rb"\s*\w[\w.]*(?:, \w+)* (?:[\w.*\[\]]+ )?:?= \S|\s*[\w.]+\(.*\)$|\s*\"[^\"]+\"$",
    ),
    _Grammar(
        "Python",
        rb"(?:import [\w.]+(?: as \w+)?(?:, *[\w.]+)*|from [\w.]+ import .+)\s*$",
        rb"(?m)^\s*(?:def \w+\(.*|class \w+.*:|assert .+|\w[\w.]* = .+|return\b.*)$",
        rb"\s*(?:#|@\w|(?:import|from|assert|return|raise|pass|del|global|yield)\b|"
        rb"(?:def|class|if|elif|else|for|while|with|try|except|finally)\b.*:|"
        rb"[\w.\[\]'\", ]+ [-+*/|&%]?= \S|[\w.]+\(.*\)\s*$|[)\]}'\"])(?!.*[;{]\s*$)",
    ),
)


def language(data: bytes) -> str:
    """The language whose statements the lines are, "" for none."""
    lines = [line for line in data.split(b"\n") if line.strip()]
    code = next((line for line in lines if not re.match(rb"\s*(?:#[^!ip]|//|/?\*)", line)), b"")
    if len(lines) < _FEWEST:
        return ""
    for one in _GRAMMARS:
        if _compiled(one.opens).match(code) and _compiled(one.holds).search(data):
            stated = _compiled(one.stated)
            if sum(stated.match(line[:1000]) is not None for line in lines) > _STATED * len(lines):
                return one.language
    return ""


@cache
def _compiled(pattern: bytes) -> re.Pattern[bytes]:
    return re.compile(pattern)
