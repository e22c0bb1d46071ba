"""Logs, prose, YAML, XML, base64, binary: what each is, and what it is not."""

import base64
import json
import random
from collections.abc import Callable

import pytest

from stubcli.detect.model import Synopsis

Summarise = Callable[..., Synopsis]
Everything = Callable[[Synopsis], str]


def test_a_log_of_levels_is_no_yaml(synopsis: Summarise) -> None:
    # https://github.com/google/magika/issues/1147
    found = synopsis(
        "".join(
            f"{('INFO', 'WARN', 'INFO', 'ERROR')[i % 4]}: worker {i % 7} finished job {i}\n"
            for i in range(4000)
        )
    )
    assert found.label == "text/log"
    assert found.structure[0] == "levels: INFO 2,000, ERROR 1,000, WARN 1,000"
    assert found.summary[0].startswith("4,000 lines")


def test_prose_with_words_of_languages_is_text(synopsis: Summarise, everything: Everything) -> None:
    # https://github.com/highlightjs/highlight.js/issues/3500
    sentences = (
        "If the import of grain fails, return the class to the teacher; else print the form.",
        "For each public house in the district, the tax was void until the new case was heard.",
        "She let the function room, and while the band played, the static charge was let out.",
        "Break the bread, continue to the end, and do try the soup; it is the default choice.",
    )
    found = synopsis("".join(f"{i + 1}. {sentences[i % 4]}\n" for i in range(2000)))
    assert found.kind == "text"
    assert "Python" not in everything(found)


def test_only_documents_with_content_count(synopsis: Summarise) -> None:
    # https://github.com/kptdev/krm-functions-catalog/issues/961
    lines: list[str] = []
    for i in range(900):
        lines += ["---", f"# Source: chart/templates/r{i}.yaml"]
        if i % 10 == 0:
            lines += ["# only a comment here", "---"]
        kind = "ConfigMap" if i % 2 == 0 else "Service"
        lines += ["apiVersion: v1", f"kind: {kind}", "metadata:", f"  name: r{i}"]
        if i % 2 == 0:
            lines += ["data:", "  cert: |", "    ---", "    abc: [unclosed"]
        else:
            lines += ["spec:", "  ports:", "  - port: 80"]
    found = synopsis("\n".join(lines) + "\n")
    assert found.label == "yaml/stream"
    assert found.summary[0].startswith("900 documents")
    assert found.structure[0] == "kinds: ConfigMap 450, Service 450"


def test_a_report_without_its_end_is_incomplete_and_counted(synopsis: Summarise) -> None:
    # https://github.com/webdriverio/webdriverio/issues/1053
    lines = ['<?xml version="1.0"?>', "<testsuites>", '<testsuite name="s" tests="4000">']
    for i in range(4000):
        failure = '<failure message="exp &lt;1&gt;">x</failure>' if i % 100 == 0 else ""
        lines.append(f'<testcase classname="c" name="t{i}" time="0.01">{failure}</testcase>')
    found = synopsis("\n".join(lines) + "\n<system-out>GET http://localhost/ses")
    assert found.label == "xml/junit"
    assert any(line.startswith("4,000 testcases, 40 failures") for line in found.summary)
    assert any(line.startswith("incomplete") for line in found.summary)


def test_what_follows_the_root_is_named(synopsis: Summarise) -> None:
    # https://github.com/jenkinsci/jenkins/pull/67
    entries = "".join(
        f'  <entry m:id="{i}"><m:title>t{i}</m:title><![CDATA[<b>&raw;</b>]]></entry>\n'
        for i in range(3000)
    )
    head = '<?xml version="1.0"?>\n<feed xmlns="urn:x:feed" xmlns:m="urn:x:m">\n'
    found = synopsis(f"{head}{entries}</feed>\n>\n")
    assert found.label == "xml/document"
    assert found.summary[0].startswith("root feed")
    assert any("line 3,004" in line for line in found.summary)
    assert "feed/entry: 3,000" in found.structure


def test_an_envelope_in_angle_brackets_is_no_xml(synopsis: Summarise) -> None:
    # https://github.com/headroomlabs-ai/headroom/issues/1717
    body = "".join(f"if (a{i} < b && c > {i}) {{ return list<int>(x); }}\n" for i in range(3000))
    found = synopsis(f"<returncode>0</returncode>\n<output>\n{body}</output>\n")
    assert found.kind == "text"


def test_html_that_holds_json_is_html(synopsis: Summarise) -> None:
    # https://github.com/headroomlabs-ai/headroom/issues/3609
    rows = json.dumps([{"i": i} for i in range(500)])
    found = synopsis(
        "<!DOCTYPE html><html><head><title>T</title><meta charset=utf-8>\n"
        f'<script type="application/json">{rows}</script></head><body>\n'
        + "<p>para<br>unclosed &nbsp; text\n" * 2000
        + "</body></html>\n"
    )
    assert found.label == "xml/html"
    assert found.summary[0] == "title: T"


def test_base64_is_text(synopsis: Summarise) -> None:
    # https://github.com/google/magika/issues/1146
    encoded = base64.b64encode(bytes((i * 73 + i // 251) % 256 for i in range(150000))).decode()
    lines = [encoded[i : i + 76] for i in range(0, len(encoded), 76)]
    assert synopsis("\n".join(lines) + "\n").kind == "text"


def test_random_bytes_are_binary(synopsis: Summarise) -> None:
    # https://github.com/google/magika/issues/65
    assert synopsis(random.Random(7).randbytes(200000)).label == "unknown/binary"


def test_one_nul_does_not_make_a_log_binary(synopsis: Summarise) -> None:
    log = "".join(f"2026-01-01 10:00:00 INFO step {i}\n" for i in range(900))
    assert synopsis(log + "\0").label == "text/log"


@pytest.mark.parametrize(
    ("bom", "encoding", "named"),
    [
        (b"\xff\xfe", "utf-16-le", "utf-16-le"),
        (b"\xfe\xff", "utf-16-be", "utf-16-be"),
        (b"", "utf-16-le", "utf-16-le"),
    ],
)
def test_utf_16_is_named_and_its_error_is_found(
    synopsis: Summarise, bom: bytes, encoding: str, named: str
) -> None:
    text = "INFO synced one user\r\n" * 400 + "ERROR Access is denied for OU=Finance\r\n"
    found = synopsis(bom + text.encode(encoding))
    assert found.label == "text/log"
    assert found.encoding == named
    assert [line.number for line in found.notable] == [401]


def test_the_last_line_outranks_a_thousand_routine_errors(synopsis: Summarise) -> None:
    # https://github.com/fajarhide/omni/issues/508
    lines = [
        f"2026-07-08T21:{i % 60:02d}:00Z [{('INFO', 'DEBUG', 'WARN', 'ERROR')[i % 4]}] "
        f"req=req_{i:04d} lat={i * 13 % 900} status=200"
        for i in range(1400)
    ]
    found = synopsis("\n".join([*lines, "RuntimeError: pool exhausted (max=64)"]))
    last = found.notable[-1]
    assert (last.number, last.text) == (1401, "RuntimeError: pool exhausted (max=64)")


def test_passed_is_never_shown_without_the_errors(synopsis: Summarise) -> None:
    # https://github.com/rtk-ai/rtk/issues/2317
    lines = [f"tests/test_{i % 50}.py::test_{i} PASSED".ljust(70) + "[ 1%]" for i in range(1400)]
    lines.append("=" * 20 + " short test summary info " + "=" * 20)
    lines += [f"ERROR tests/test_x{k}.py - ImportError: no module named q{k}" for k in range(3)]
    lines.append("=" * 10 + " 1400 passed, 3 errors in 60.00s " + "=" * 10)
    found = synopsis("\n".join(lines) + "\n")
    assert found.label == "text/test-report"
    assert any("1400 passed, 3 errors in 60.00s" in line.text for line in found.notable)
    assert any("ImportError" in line.text for line in found.notable)
