"""What the fuzz tests draw: damaged samples of real shapes, and structures with known counts."""

import json
from collections.abc import Callable
from functools import cache

from hypothesis import strategies as st

from tests.detect.cases import generators, mistaken_structures, mistaken_text

SHORT = 3000
_NOT_SAMPLES = ("joined", "generated")


@cache
def samples() -> tuple[bytes, ...]:
    """The beginning and the end of every input that the other tests use."""
    modules = (generators, mistaken_structures, mistaken_text)
    makers: list[Callable[[], bytes]] = [
        value
        for module in modules
        for name, value in vars(module).items()
        if getattr(value, "__module__", "") == module.__name__
        and not name.startswith("_")
        and name not in _NOT_SAMPLES
    ]
    whole = [make() for make in makers]
    return tuple(data[:SHORT] for data in whole) + tuple(data[-SHORT:] for data in whole)


SPLINTERS: tuple[bytes, ...] = (
    b'"',
    b"\n",
    b"\r",
    b"[",
    b"}",
    b"\0",
    b": ",
    b",,",
    b"\t",
    b"<",
    b"&",
    b"---\n",
)
SPLINTERS += (b"\xff\xfe", b"\xef\xbb\xbf", b"\x1b[31m", b"\xed\xa0\x80", b"diff --git ", b"\x85")
SPLINTERS += ("\u2028".encode(), "\u202e".encode(), "中".encode(), b"9" * 400, b" " * 300)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A sample that was spliced, flipped, cut, doubled or joined with another."""
    kept = samples()
    data = bytearray(kept[draw(st.integers(0, len(kept) - 1))])
    for _ in range(draw(st.integers(0, 5))):
        at = draw(st.integers(0, len(data)))
        change = draw(st.sampled_from(["splice", "flip", "cut", "double", "join", "insert"]))
        length = draw(st.integers(0, 200))
        if change == "splice":
            data[at : at + length] = draw(st.binary(max_size=6))
        elif change == "flip" and at < len(data):
            data[at] ^= 1 << draw(st.integers(0, 7))
        elif change == "cut":
            del data[at : at + length * 8]
        elif change == "double":
            data[at:at] = data[at : at + length] * draw(st.sampled_from([1, 2, 30]))
        elif change == "join":
            data[at:at] = kept[draw(st.integers(0, len(kept) - 1))]
        else:
            data[at:at] = draw(st.sampled_from(SPLINTERS))
    return bytes(data)


anything = st.builds(
    lambda parts, times: b"".join(parts) * times,
    st.lists(
        st.one_of(st.sampled_from(SPLINTERS), st.binary(max_size=40)), min_size=1, max_size=30
    ),
    st.sampled_from([1, 7, 60, 400]),
)

_scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=12)
    | st.sampled_from(["ok", "failed", "a: b", "x,y", "]", "}{", '"', "\n", "🇰🇷"])
)
_values = st.recursive(
    _scalars,
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5)
    ),
    max_leaves=12,
)
json_values = _values.map(lambda value: json.dumps(value).encode())
json_arrays = st.lists(_values, min_size=2, max_size=80)
json_records = st.lists(
    st.dictionaries(st.sampled_from(["id", "level", "msg", "a.b", ""]), _scalars, min_size=1),
    min_size=4,
    max_size=60,
)


@st.composite
def tables(draw: st.DrawFn) -> tuple[str, int, int, bytes]:
    """The delimiter, the number of columns and of records, and the table."""
    delimiter = draw(st.sampled_from([",", ";", "\t", "|"]))
    columns = draw(st.integers(3, 8))
    word = st.text("abcdefgh", min_size=1, max_size=6)
    cell = word | st.integers(0, 999).map(str) | st.just("")
    rows = draw(
        st.lists(st.lists(cell, min_size=columns, max_size=columns), min_size=5, max_size=60)
    )
    rows = [[str(number), *row[1:]] for number, row in enumerate(rows)]
    header = [f"name{number}" for number in range(columns)]
    text = "".join(delimiter.join(row) + "\n" for row in [header, *rows])
    return delimiter, columns, len(rows), text.encode()


_word = st.text("abcxyz :#-{}[]&*!|>'\"%@`,0\t", max_size=14)
_indents = st.integers(0, 4).map(lambda depth: "  " * depth)
yaml_like = st.lists(
    st.builds(
        lambda indent, dash, key, value: f"{indent}{dash}{key}:{value}",
        _indents,
        st.sampled_from(["", "- ", "-", "? "]),
        _word,
        st.one_of(
            _word.map(lambda word: " " + word), st.sampled_from(["", " |", " >-", " &a", " *a"])
        ),
    )
    | st.sampled_from(["---", "...", "# x", "", "kind: Pod", "  ---", "%YAML 1.2", "- a", "\t"]),
    max_size=80,
).map(lambda lines: "\n".join(lines).encode())

xml_like = st.lists(
    st.sampled_from(
        ["<a>", "</a>", "<b x='1'>", "</b>", "<c/>", "text", "&amp;", "&x;", "<!-- c -->"]
    )
    | st.sampled_from(
        ["<![CDATA[x]]>", "<?xml version='1.0'?>", "<!DOCTYPE html>", "<h1>", "\n", "<"]
    )
    | st.sampled_from(
        ["<testsuite>", "<testcase name='t'>", "<failure>", "</testcase>", "<title>"]
    ),
    max_size=120,
).map(lambda parts: ("<r>" + "".join(parts)).encode())

log_like = st.lists(
    st.builds(
        lambda stamp, level, rest: f"{stamp}{level}{rest}",
        st.sampled_from(
            ["2026-01-01T10:00:00Z ", "2026-01-01 10:00:00,123 ", "[12] ", "", "Jan  1 10:00:00 "]
        ),
        st.sampled_from(["INFO ", "ERROR ", "[warn] ", "FATAL: ", "", "error TS2304: ", "E   "]),
        st.text(max_size=30)
        | st.sampled_from(["1 failed, 2 passed", "Killed", "a.c:1:2: error: x"]),
    ),
    max_size=80,
).map(lambda lines: "\n".join(lines).encode())

shaped = st.one_of(json_values, tables().map(lambda table: table[3]), yaml_like, xml_like, log_like)
