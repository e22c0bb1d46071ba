"""Public reports of outputs that tools mistook: the whole stub of each, and the facts in it.

A golden text is no truth. The facts are stated here, and they are held before a text is compared
or refreshed: `WRITE_GOLDEN=1 pytest tests/detect/test_golden.py` cannot write a wrong one.
"""

import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import Store
from tests.detect.cases.generators import generated
from tests.detect.cases.whole_way import above_preview, overstated
from tests.render.reading import parse

CASES = Path(__file__).parent / "cases"
RULER = "=" * 80 + "\n"
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@dataclass(frozen=True)
class Facts:
    """What must hold: the label, patterns that the synopsis says, patterns that nothing says."""

    label: str
    says: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


FACTS = {
    "alias-bomb": Facts(r"yaml/\w+|text/\w+"),
    "array-cut-in-the-middle": Facts(
        "json/document", (r"\b1,331 items", r"(?i)incomplete.*byte 90,000")
    ),
    "base64-text": Facts("text/plain", (r"\b2,632 lines",)),
    "cause-on-the-last-line": Facts(
        "text/log",
        (r"\b1,401 lines", r"(?m)^ *1401: RuntimeError: pool exhausted \(max=64\)$", "ERROR 350"),
    ),
    "clocks-in-cells": Facts(
        "csv/comma", (r"\b5,000 records", r"\b3 columns", "no header", "delimiter comma")
    ),
    "code-in-an-envelope": Facts("text/plain", (r"\b3,003 lines",)),
    "deep-brackets": Facts(r"json/document|text/plain|unknown/\w+"),
    "document-of-parsable-lines": Facts(
        "json/document", (r"items array 20,000",), (r"20,000 records", "documents")
    ),
    "documents-on-one-line": Facts(
        "json/concatenated",
        (r"\b2,000 documents", r"\b1 line\b", "title", "url", "snip"),
        (r"\b1,999\b", "differs"),
    ),
    "documents-without-separator": Facts(
        "json/concatenated",
        (r"\b600 documents", "path", "name", "versions", "meta"),
        ("invalid", r"\b599\b$", "differs"),
    ),
    "entity-bomb-behind-a-comment": Facts(r"xml/\w+", ("DTD",), ("(?:ha){50}",)),
    "feed-with-trailing-bracket": Facts(
        "xml/document", (r"root feed\b", r"feed/entry: 3,000", "line 3,004")
    ),
    "json-lines-with-noise": Facts(
        "json/lines",
        (r"\b4,990 records", r"\b10 other lines", r"line 500\b"),
        (r"\b5,000 records",),
    ),
    "json-on-each-line": Facts(
        "json/lines", (r"\b5,000 records", "id, ok, msg"), ("(?i)extra data", r"\b5,001 records")
    ),
    "keys-out-of-order": Facts("json/document", (r"\b3,000 keys",)),
    "large-integers": Facts(
        "json/document",
        (r"\b4,000 items", "418502930602131457–418502930602135456"),
        (r"4\.18\d*e", "131460–"),
    ),
    "levels-before-colons": Facts(
        "text/log", (r"\b4,000 lines", "INFO 2,000", "WARN 1,000", "ERROR 1,000")
    ),
    "line-ends-in-cells": Facts(
        "csv/comma", (r"\b3,000 records", r"\b3 columns", r"\b9,001 physical lines")
    ),
    "lists-in-cells": Facts("csv/semicolon", (r"\b6,000 records", r"\b12 columns", "semicolon")),
    "manifests-with-markers-inside": Facts(
        "yaml/stream", (r"\b900 documents", "ConfigMap 450", "Service 450")
    ),
    "markdown-table": Facts("text/markdown", (r"\b3,006 lines",), (r"columns:",)),
    "not-a-number": Facts("json/document", (r"\b5,000 items", "NaN"), ("null", r"1\.797")),
    "one-entity-many-times": Facts(r"xml/\w+|text/\w+", ("DTD",)),
    "open-braces": Facts(r"text/\w+|unknown/\w+|json/\w+", (r"\b102,400 bytes",)),
    "page-that-holds-json": Facts("xml/html", ("title: T",)),
    "passed-and-errors": Facts(
        "text/test-report",
        ("1400 passed, 3 errors", "ERROR tests/test_x0.py - ImportError", "ImportError.*q2"),
        (r"1,?400 passed(?!, 3 errors)",),
    ),
    "prose-with-keywords": Facts("text/plain", (r"\b2,000 lines",)),
    "quotes-that-are-data": Facts(
        "tsv/tab",
        (r"\b10,000 records", r"\b3 columns", r"\b20 records\b.*line 500\b", '"efg 2,000'),
    ),
    "random-bytes": Facts("unknown/binary", (r"\b200,000 bytes",)),
    "report-without-its-end": Facts(
        "xml/junit",
        ("root testsuites", r"\b4,000 testcases", r"\b40 failures", "(?i)incomplete", r"\bt0\b"),
    ),
    "table-with-byte-order-mark": Facts(
        "csv/comma", (r"\b4,000 records", r"(?m)^ *columns: id, name, mail$", "BOM"), ("\ufeff",)
    ),
}


@pytest.fixture
def short_path() -> Iterator[Store]:
    """A store whose path is of the same length everywhere: it takes room from the page."""
    with tempfile.TemporaryDirectory(prefix="golden-", dir="/tmp") as home:
        yield Store(Path(home))


def missing(facts: Facts, stub: str) -> list[str]:
    """The facts that do not hold, in words."""
    synopsis = above_preview(stub)
    label = synopsis.partition("] ")[2].partition(",")[0]
    found = [f"the label is {label}"] if not re.fullmatch(facts.label, label) else []
    found += [f"not said: {one}" for one in facts.says if not re.search(one, synopsis)]
    return found + [f"said: {one}" for one in facts.never if re.search(one, stub)]


def test_every_case_has_its_facts_its_report_and_its_generator() -> None:
    assert sorted(path.stem for path in CASES.glob("*.txt")) == sorted(FACTS)
    for slug in FACTS:
        report, generator, ruler = (CASES / f"{slug}.txt").read_text().split("\n")[:3]
        assert re.fullmatch(r"# https://github\.com/[\w.-]+/[\w.-]+/(?:issues|pull)/\d+", report), (
            slug
        )
        assert generator == f"# {slug.replace('-', '_')}"
        assert ruler + "\n" == RULER


@pytest.mark.parametrize("slug", sorted(FACTS))
def test_the_facts_stand_in_the_stub_and_the_stub_is_the_golden_text(
    slug: str, short_path: Store
) -> None:
    path = CASES / f"{slug}.txt"
    head, _, golden = path.read_text(encoding="utf-8").partition(RULER)
    data = generated(slug.replace("-", "_"))

    done = short_path.stub(stdin=data)

    assert done.err == b""
    assert [artifact.read_bytes() for artifact in short_path.artifacts()] == [data]
    assert len(done.text) <= min(5000, len(data))
    assert not CONTROL.search(done.text)
    assert parse(done.text).size == len(data)
    assert missing(FACTS[slug], done.text) == []
    assert overstated(done.text, data) == []
    shown = normalised(done.text, short_path)
    if os.environ.get("WRITE_GOLDEN"):
        path.write_text(head + RULER + shown, encoding="utf-8")
    else:
        assert shown == golden


def test_head_omitted_and_tail_add_up_to_all_lines(store: Store) -> None:
    # https://github.com/fajarhide/omni/issues/508
    done = store.stub(stdin=generated("cause_on_the_last_line"))
    shown = parse(done.text)
    assert shown.head
    assert shown.tail
    assert shown.tail.text == "RuntimeError: pool exhausted (max=64)\n" or (
        shown.tail.text.endswith("\nRuntimeError: pool exhausted (max=64)\n")
    )
    # A line that a cut divides belongs to the end that shows a part of it.
    assert shown.head.last + shown.hidden_lines + 1 == shown.tail.first
    assert shown.tail.last == 1401


def normalised(stub: str, store: Store) -> str:
    """The stub without what another run has otherwise: session, number and path."""
    text = stub.replace(str(store.home), "HOME")
    return re.sub(
        r"(artifact:|sessions/)test([:/])(tool-results/)?tool_result_\d+",
        r"\1SESSION\2\3tool_result_NUMBER",
        text,
    )
