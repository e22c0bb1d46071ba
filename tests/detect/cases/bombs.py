"""Input made to exhaust a parser's stack, memory, digits or patience."""

from collections.abc import Callable

from tests.detect.cases import generators

BIG = 1_000_000


def entities_in_utf_16() -> bytes:
    text = generators.entity_bomb_behind_a_comment().decode()
    return b"\xff\xfe" + text.encode("utf-16-le")


def entities_in_a_utf_16_declaration() -> bytes:
    text = generators.entity_bomb_behind_a_comment().decode()
    declared = text.replace('version="1.0"', 'version="1.0" encoding="UTF-16"')
    return b"\xfe\xff" + declared.encode("utf-16-be")


def large_cell() -> bytes:
    return b"a,b\n1," + b"x" * 140_000 + b"\n" + b"2,3\n" * 1000


def bare_returns() -> bytes:
    return b"a,b\r1,2\r" * 40_000


def open_quotes() -> bytes:
    return b'a,b\n"' + b"x,y\n" * 500_000


def digits() -> bytes:
    # https://github.com/python/cpython/issues/95778
    return b'[{"n": ' + b"9" * 200_000 + b'}, {"n": 1}]'


def digits_in_cells() -> bytes:
    return b"n,m\n" + b"1,2\n" * 900 + b"9" * 120_000 + b",2\n"


def huge_exponents() -> bytes:
    return b"[" + b",".join(b'{"n": 1e%d}' % n for n in range(0, 40_000, 7)) + b"]"


def lone_surrogates() -> bytes:
    return b"[" + b",".join([b'{"\\ud800": "\xed\xa0\x80 \\udfff"}'] * 2000) + b"]"


def surrogates_in_keys() -> bytes:
    return b"\\ud800: \xed\xa0\x80\n" * 4000


def deep_yaml() -> bytes:
    return b"".join(b" " * (n % 4000) + b"k:\n" for n in range(4000))


def flow_yaml() -> bytes:
    return b"a: " + b"[" * 200_000 + b"\n"


def deep_xml() -> bytes:
    return b"<a>" * 200_000 + b"</a>" * 200_000


def wide_attributes() -> bytes:
    return b"<r " + b" ".join(b'a%d="1"' % n for n in range(50_000)) + b"/>"


def nested_objects() -> bytes:
    return b'{"a":' * 100_000 + b"1" + b"}" * 100_000


def equal_keys() -> bytes:
    return b"{" + b",".join([b'"a": {"b": [1]}'] * 60_000) + b"}"


def many_documents() -> bytes:
    return b"---\n" * BIG


def anchors() -> bytes:
    return b"a: &a [*a]\n" * 300_000


def commas() -> bytes:
    return b"," * 3 * BIG


def one_line() -> bytes:
    return b"error: " + b"x" * 3 * BIG


def blank_lines() -> bytes:
    return b"\n" * 4 * BIG


def spaces() -> bytes:
    return (b" " * 50_000 + b"\n") * 60


def quotes() -> bytes:
    return b'"' * 4 * BIG


def headings() -> bytes:
    return b"# " + b"#" * 200_000 + b"\n" + b"# a [b](c)\n" * 100_000


def escapes() -> bytes:
    return b"\x1b[" * BIG + b"\n" + b"\x1b]0;" * 200_000


def returns() -> bytes:
    return b"\r" * 2 * BIG + b"error\r" * 100_000


def combining() -> bytes:
    return b"a" + "\u0301".encode() * BIG


def diff_of_nothing() -> bytes:
    return b"@@ -1 +1 @@\n" * 200_000 + b"diff --git a/x b/x\n" * 100_000


def errors() -> bytes:
    return b"error\n" * 500_000


BOMBS: dict[str, Callable[[], bytes]] = {
    make.__name__: make
    for make in (
        *(generators.deep_brackets, generators.open_braces, generators.alias_bomb),
        *(generators.entity_bomb_behind_a_comment, generators.one_entity_many_times),
        *(entities_in_utf_16, entities_in_a_utf_16_declaration),
        *(large_cell, bare_returns, open_quotes, digits, digits_in_cells, huge_exponents),
        *(lone_surrogates, surrogates_in_keys, deep_yaml, flow_yaml, deep_xml, wide_attributes),
        *(nested_objects, equal_keys, many_documents, anchors, commas, one_line, blank_lines),
        *(spaces, quotes, headings, escapes, returns, combining, diff_of_nothing, errors),
    )
}
