"""Input made to hurt a parser: no kind raises, and none takes long in a process of its own."""

import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from stubcli.detect.model import Synopsis

Summarise = Callable[..., Synopsis]
Everything = Callable[[Synopsis], str]

# https://github.com/simplejson/simplejson/issues/270
BRACKETS = b"[" * 200_000 + b"]" * 200_000
# https://github.com/yaml/libyaml/issues/251
BRACES = b"{" * 102_400


def alias_bomb() -> bytes:
    # https://github.com/yaml/pyyaml/issues/235
    lines = ["# pad " + "x" * 80_000, 'a: &a ["w","w","w","w","w","w","w","w","w"]']
    names = "abcdefghijk"
    for before, name in pairwise(names):
        lines.append(f"{name}: &{name} [" + ",".join(["*" + before] * 9) + "]")
    return "\n".join(lines).encode()


def entity_bomb() -> bytes:
    # https://github.com/nearai/ironclaw/issues/7817
    lines = ['<?xml version="1.0"?>', "<!-- " + "x" * 90_000 + " -->", "<!DOCTYPE testsuite ["]
    lines.append('<!ENTITY e0 "ha">')
    lines += [f'<!ENTITY e{i} "' + f"&e{i - 1};" * 10 + '">' for i in range(1, 10)]
    lines += ["]>", '<testsuite><testcase name="t"><failure>&e9;</failure></testcase></testsuite>']
    return "\n".join(lines).encode()


def quadratic_entity() -> bytes:
    # https://github.com/coda/packs-sdk/pull/3511
    entity = b'<!DOCTYPE r [<!ENTITY a "' + b"A" * 50_000 + b'">]>\n'
    return entity + b"<r>" + b"&a;" * 20_000 + b"</r>\n"


# Made when they are used: every forked child would have a copy of their pages, else.
BOMBS: dict[str, Callable[[], bytes]] = {
    "brackets": lambda: BRACKETS,
    "braces": lambda: BRACES,
    "aliases": alias_bomb,
    "entities": entity_bomb,
    "one entity": quadratic_entity,
    "entities in utf-16": lambda: b"\xff\xfe" + entity_bomb().decode().encode("utf-16-le"),
    "blank lines": lambda: b"\n" * 4_000_000,
    "open arrays": lambda: b"[" * 4_000_000,
    "open objects": lambda: b'{"a":' * 1_000_000,
    "markers": lambda: b"---\n" * 1_000_000,
    "quotes": lambda: b'"' * 4_000_000,
    "open cell": lambda: b'a,b\n"' + b"x,y\n" * 1_000_000,
    "long cell": lambda: b"a,b\n1," + b"x" * 200_000 + b"\n" + b"2,3\n" * 1000,
    "digits": lambda: b"[" + b"9" * 200_000 + b"]",
    "lone surrogates": lambda: b'["\\ud800","\xed\xa0\x80"]',
    "open tags": lambda: b"<a>" * 1_000_000,
    "open headings": lambda: b"<html>" + b"<h1>" * 1_000_000,
    "values": lambda: b'{"a":1} ' * 500_000,
    "long line": lambda: b"x" * 8_000_000,
    "anchors": lambda: b"a: &a [*a]\n" * 500_000,
    "links": lambda: (b"[" * 4000 + b"\n") * 500 + b"# a\n# b\n" * 3,
    "open links": lambda: b"[a](" * 1_000_000,
    "lines of spaces": lambda: b"          \n" * 400_000,
    "quoted lines": lambda: b'"a\n' * 1_000_000,
    "one line of words": lambda: b"err x: " * 600_000,
    "rows of commas": lambda: b",,,\n" * 1_000_000,
    "escapes": lambda: b"\x1b[" * 2_000_000,
    "returns": lambda: b"error\r" * 600_000,
    "errors": lambda: b"error\n" * 1_000_000,
}


@pytest.mark.parametrize("name", BOMBS)
def test_no_kind_raises_and_the_synopsis_is_bounded(
    name: str, synopsis: Summarise, everything: Everything
) -> None:
    # Megabytes, so that what takes their square meets the time limit of the test.
    shown = everything(synopsis(BOMBS[name]()))
    assert len(shown) < 4500
    assert "haha" not in shown


def test_entities_are_noted_and_never_expanded(synopsis: Summarise) -> None:
    found = synopsis(entity_bomb())
    assert found.kind == "xml"
    assert "DTD" in found.summary[0]


def test_what_is_too_deep_is_said(synopsis: Summarise) -> None:
    found = synopsis(BRACKETS)
    assert found.kind == "json"
    assert any("too deep" in line for line in found.summary)


@pytest.mark.parametrize("name", ["brackets", "aliases", "entities", "one entity", "values"])
def test_a_bomb_takes_little_memory(name: str, tmp_path: Path) -> None:
    path = tmp_path / "bomb"
    path.write_bytes(BOMBS[name]())
    done = subprocess.run([sys.executable, "-c", _MEASURE, path], capture_output=True, check=True)
    assert int(done.stdout) < 150 * 1024


_MEASURE = """
import resource, sys
from stubcli.detect.model import Sample
from stubcli.detect.registry import describe
from stubcli.detect.scan import Scanner

class InMemory:
    def __init__(self, path):
        self.data = open(path, "rb").read()
        self.size = len(self.data)
    def read_at(self, offset, length):
        return self.data[offset:offset + length]

held = InMemory(sys.argv[1])
scanner = Scanner()
scanner.feed(held.data)
sample = Sample(held.data[:65536], (), held.data[-65536:], held.size)
describe(sample, held, scanner.finish())
if sys.platform == "darwin":
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
else:
    # Not ru_maxrss: on Linux that of the process that started this one is inherited.
    print(next(line.split()[1] for line in open("/proc/self/status") if line[:5] == "VmHWM"))
"""


@pytest.mark.parametrize(
    "data",
    [
        b",".join(b"column %d" % i for i in range(10_000)) + b"\n" + b"1," * 9_999 + b"1\n" * 3,
        b"{" + b",".join(b'"' + b"k" * 300 + b'%d":1' % i for i in range(5000)) + b"}",
        b"<r>" + b"".join(b"<t%d/>" % i for i in range(10_000)) + b"</r>",
        b"error: " + b"x" * 3_000_000,
    ],
    ids=["columns", "keys", "tags", "line"],
)
def test_wide_input_stays_within_the_bounds(
    data: bytes, synopsis: Summarise, everything: Everything
) -> None:
    assert len(everything(synopsis(data))) < 4500
