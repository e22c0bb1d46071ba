"""Whatever comes in, a synopsis comes out, and it is short."""

import ast
import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.detect import registry
from stubcli.detect.model import ByteSource, Sample, Scan, Synopsis
from stubcli.detect.words import synopsis_of
from tests.chance import examples
from tests.detect.conftest import described

Summarise = Callable[..., Synopsis]
Everything = Callable[[Synopsis], str]

SEEDS = [
    json.dumps([{"a": i, "b": "x" * i, "c": None} for i in range(30)]).encode(),
    b"".join(b'{"a":%d}\n' % i for i in range(30)),
    b"a;b;c\n" + b"1;2;3\n" * 20,
    b"a\tb\n" + b"1\t2\n" * 20,
    b"kind: List\nitems:\n- name: a\n  port: 1\n- name: b\n---\nkind: Pod\nmetadata:\n  name: x\n",
    b'<?xml version="1.0"?><r a="1">' + b"<i>x</i>" * 30 + b"</r>",
    b"<!doctype html><html><title>t</title><h1>a</h1><p>b</html>",
    b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n" * 3,
    b"import os\nfrom a import b\n\ndef f(x):\n    return 1\n\nclass A(B):\n    pass\n" * 3,
    b"src/a.py:1:2: error: bad  [misc]\n" * 9,
    b"2026-01-01 10:00:00,123 ERROR it failed\n" * 9,
    b"# A\n\n- x\n\n## B\n\n```\ncode\n```\n" + b"**b**\n\n" * 9,
    b"-rw-r--r-- 1 a b 12 Jan  1 10:00 name\n" * 9,
    b"\xff\xfe" + "ERROR x\n".encode("utf-16-le") * 9,
    b"commit abcdef12345\nAuthor: A <a@b>\nDate:   Mon Jan 1\n\n    text\n\n" * 4,
    b"NAME  READY  STATUS\n" + b"pod-a  1/1  Running\n" * 9,
]
MIMES = st.sampled_from([None, "application/json", "text/csv", "text/xml", "application/yaml"])


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    data = bytearray(draw(st.sampled_from(SEEDS)))
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, len(data)))
        data[at : at + draw(st.integers(0, 9))] = draw(
            st.binary(max_size=4) | st.sampled_from([b'"', b"\n", b"[", b"}", b"\0", b": ", b",,"])
        )
    return bytes(data)


@examples(150)
@given(data=mutated() | st.binary(max_size=200), mime=MIMES)
def test_no_kind_raises_on_damaged_input_and_all_is_bounded(
    data: bytes, mime: str | None, synopsis: Summarise, everything: Everything
) -> None:
    found = synopsis(data, mime)
    assert len(everything(found)) < 4500
    assert all(len(line) <= 300 for line in (*found.summary, *found.structure))
    assert all(len(line.text) <= 200 for line in found.notable)


@pytest.mark.parametrize("error", [RecursionError, MemoryError, ValueError("x"), KeyError("x")])
def test_a_kind_that_fails_is_passed_over(
    error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_arguments: object) -> None:
        raise error

    monkeypatch.setattr(registry, "import_module", broken)

    class Nothing:
        size = 3

        def read_at(self, offset: int, length: int) -> bytes:
            return b"abc"[offset : offset + length]

    source: ByteSource = Nothing()
    scan = Scan(3, 1, 1, 0, 0, 0, 0, ())
    found = registry.describe(Sample(b"abc", (), b"abc", 3), source, scan)
    assert found.label == "text/plain"
    assert synopsis_of(found).summary == ("3 bytes, 3 characters, 1 line",)


CSV = b"a,b,c\n" + b"".join(b"%d,x,y\n" % n for n in range(900))
LOG = b"".join(b"2026-11-01 10:%02d:00 INFO part %d is done\n" % (n % 60, n) for n in range(900))


def votes(data: bytes, capfd: pytest.CaptureFixture[str]) -> list[str]:
    described(data)
    return [line.removeprefix("stub: debug: ") for line in capfd.readouterr().err.splitlines()]


def test_the_votes_of_the_kinds_can_be_seen(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert votes(CSV, capfd) == []
    monkeypatch.setenv("STUB_DEBUG", "1")
    seen = votes(CSV, capfd)
    assert "detect: xml: no: it does not open with a tag" in seen
    assert "detect: table: 0.83 for csv/,: 100% of the lines have 3 cells between ','" in seen
    assert seen[-1] == "detect: table: read as csv/comma"


def test_a_kind_that_fails_is_named_with_its_error(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from stubcli.detect.table import claim, read, words

    def broken(*_: object) -> None:
        raise TypeError("a bug in this kind")

    monkeypatch.setenv("STUB_DEBUG", "1")
    for module, name in ((words, "summary"), (read, "read"), (claim, "claim")):
        monkeypatch.setattr(module, name, broken)
        facts = described(CSV)
        page = synopsis_of(facts)
        said = capfd.readouterr().err
        assert "TypeError: a bug in this kind at test_registry.py:" in said
        assert page.label == ("csv/comma" if module is words else "text/plain")


def test_a_log_is_claimed_for_sure_and_nothing_else_is_asked(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STUB_DEBUG", "1")
    assert {line.split(":")[1] for line in votes(LOG, capfd)} == {" text"}


@pytest.mark.parametrize(
    "data",
    [
        LOG + b'{"a":1}\n' * 20,
        LOG + b"\0" * 9,
        LOG.replace(b"INFO ", b""),
        LOG.replace(b":00 INFO", b":00,INFO").replace(b" part ", b",")[: -len(LOG) // 2] + CSV,
        b"\xff" * 4000 + b"\n" + LOG,
    ],
    ids=["json", "nul", "no level", "half a table", "not UTF-8"],
)
def test_of_what_is_not_quite_a_log_all_kinds_are_asked(
    data: bytes, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STUB_DEBUG", "1")
    assert {line.split(":")[1] for line in votes(data, capfd)} > {" text"}


def test_of_whole_json_the_kinds_that_look_at_every_line_are_not_asked(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STUB_DEBUG", "1")
    document = json.dumps([{"id": number, "name": "x" * 9} for number in range(900)]).encode()
    assert {line.split(":")[1] for line in votes(document, capfd)} <= {" text", " json", " unknown"}


def test_what_is_asked_first_does_not_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    def labels() -> list[str]:
        return [described(data).label for data in (*SEEDS, CSV, LOG)]

    usual = labels()
    for turned in (sorted(registry.kinds()), sorted(registry.kinds(), reverse=True)):
        monkeypatch.setattr(registry, "_asked", lambda turned=turned: turned)
        assert labels() == usual


def test_the_kind_whose_reading_fails_leaves_the_stream_to_the_next_best(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from stubcli.detect.table import read

    monkeypatch.setattr(read, "read", lambda *_: None)
    assert described(CSV).kind == "text"


def test_claims_are_light() -> None:
    for kind in registry.kinds():
        module = import_module(f"stubcli.detect.{kind}.claim")
        tree = ast.parse(Path(module.__file__ or "").read_text(encoding="utf-8"))
        names = [node.module or "" for node in tree.body if isinstance(node, ast.ImportFrom)]
        heavy = {"read", "facts", "words", "items", "scan", "reader", "languages"}
        assert [name for name in names if name.rpartition(".")[2] in heavy] == [], kind


def test_kinds_are_whole() -> None:
    assert {"unknown", "json", "xml", "table", "yaml", "code", "text"} <= set(registry.kinds())
    for kind in registry.kinds():
        assert callable(import_module(f"stubcli.detect.{kind}.claim").claim)
        assert callable(import_module(f"stubcli.detect.{kind}.read").read)
        words = import_module(f"stubcli.detect.{kind}.words")
        assert callable(words.summary)
        assert callable(words.structure)


def test_a_mime_type_does_not_force_a_kind(synopsis: Summarise) -> None:
    log = "".join(f"2026-01-01 10:00:00 INFO step {i}\n" for i in range(900))
    assert synopsis(log, "text/csv").label == "text/log"


def test_a_promise_that_does_not_hold_is_named(synopsis: Summarise) -> None:
    found = synopsis("plain words only\n" * 50, "application/json")
    assert found.label == "unknown/unparsed"


def test_empty_is_empty(synopsis: Summarise) -> None:
    assert synopsis(b"").label == "unknown/empty"
