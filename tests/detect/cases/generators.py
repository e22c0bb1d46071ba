"""The inputs of the golden cases, each made after a public report. A case names its function."""

import base64
import csv
import io
import json
import random
from collections.abc import Callable
from itertools import pairwise

LEVELS = ("INFO", "WARN", "INFO", "ERROR")


def _lines(*lines: str) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def levels_before_colons() -> bytes:
    return _lines(
        *(
            f"{LEVELS[i % 4]}: worker {i % 7} finished job {i} in {i * 37 % 911} ms"
            for i in range(4000)
        )
    )


def prose_with_keywords() -> bytes:
    sentences = (
        "If the import of grain fails, return the class to the teacher; else print the form.",
        "For each public house in the district, the tax was void until the new case was heard.",
        "She let the function room, and while the band played, the static charge was let out.",
        "Break the bread, continue to the end, and do try the soup; it is the default choice.",
    )
    return _lines(*(f"{i + 1}. {sentences[i % 4]}" for i in range(2000)))


def json_on_each_line() -> bytes:
    records = ({"id": i, "ok": i % 9 != 0, "msg": "m" * (i % 30)} for i in range(5000))
    return _lines(*(json.dumps(record, separators=(",", ":")) for record in records), "")


def json_lines_with_noise() -> bytes:
    return _lines(
        *(
            f"waiting for the remote lock, attempt {i // 500 + 1}"
            if i % 500 == 499
            else json.dumps({"@level": "info", "n": i, "type": "refresh"})
            for i in range(5000)
        )
    )


def documents_without_separator() -> bytes:
    values = (
        {
            "path": f"mods/{i}.tf",
            "name": f"n{i}",
            "versions": [i, i + 1],
            "meta": {"a": "}{", "b": None},
        }
        for i in range(600)
    )
    return _lines(*(json.dumps(value, indent=2) for value in values))


def documents_on_one_line() -> bytes:
    values = (
        {"title": f"Result {i}", "url": f"http://host.invalid/{i}", "snip": "braces } { in text"}
        for i in range(2000)
    )
    return " ".join(json.dumps(value) for value in values).encode()


def array_cut_in_the_middle() -> bytes:
    items = [
        {"id": i, "name": f"item-{i:05d}", "tags": ["a", "b"], "v": i * 1.5} for i in range(2000)
    ]
    return json.dumps(items)[:90000].encode()


def document_of_parsable_lines() -> bytes:
    lines = ['{"items":[']
    for i in range(20000):
        lines += [f'{{"id":{i}}}', "," if i < 19999 else "]}"]
    return _lines(*lines)


def not_a_number() -> bytes:
    items = [{"step": i, "loss": float("nan") if i % 3 else float("inf")} for i in range(5000)]
    return _lines(json.dumps(items))


def large_integers() -> bytes:
    return _lines(json.dumps([{"id": 418502930602131457 + i, "t": "u"} for i in range(4000)]))


def deep_brackets() -> bytes:
    return b"[" * 200_000 + b"]" * 200_000


def lists_in_cells() -> bytes:
    lines = ["id;f1;f2;f3;a;b;c;d;cost;grp;sub;merge"]
    for i in range(6000):
        group = f"['{i}', '{i + 1}']" if i % 4 == 0 else f"['{i}']"
        lines.append(f"{i};False;False;True;;;;{i % 300}.5;{i}.25;{group};['ALL'];UNKNOWN")
    return _lines(*lines)


def clocks_in_cells() -> bytes:
    return _lines(
        *(
            f"bytearray(b'blob {i % 9}'),{i % 24:02d}:{i % 60:02d}:{i * 7 % 60:02d},"
            f"20{10 + i % 16}-0{1 + i % 9}-{10 + i % 18}"
            f"T{i % 24:02d}:{i % 60:02d}:{i * 3 % 60:02d}"
            for i in range(5000)
        )
    )


def line_ends_in_cells() -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["id", "note", "tag"])
    for i in range(3000):
        writer.writerow([i, f'first {i}\nsecond, with comma\nthird "q"', "t"])
    return out.getvalue().encode()


def table_with_byte_order_mark() -> bytes:
    rows = ['"id","name","mail"'] + [f'"{i}","n{i}","n{i}@x.invalid"' for i in range(4000)]
    return b"\xef\xbb\xbf" + "".join(f"{row}\r\n" for row in rows).encode()


def quotes_that_are_data() -> bytes:
    values = {2: '"efg', 3: '5" pipe', 4: '"klm"', 0: 'oh"', 1: "abc"}
    return _lines(
        "c1\tc2\tc3",
        *(f"{i}\t{values[i % 5]}\tz" + "\textra" * (i % 500 == 499) for i in range(1, 10001)),
    )


def markdown_table() -> bytes:
    head = ("# Results", "", "See below.", "", "| name | value | note |", "|------|------:|:-----|")
    return _lines(*head, *(f"| n{i} | {i} | a \\| b |" for i in range(3000)))


def manifests_with_markers_inside() -> bytes:
    secret = ["    -----BEGIN X-----", "    ---", "    abc: [unclosed", "    -----END X-----"]
    lines: list[str] = []
    for i in range(900):
        lines += ["---", f"# Source: chart/templates/r{i}.yaml"]
        lines += ["# only a comment here", "---"] if i % 10 == 0 else []
        kind = "Service" if i % 2 else "ConfigMap"
        lines += ["apiVersion: v1", f"kind: {kind}", "metadata:", f"  name: r{i}"]
        lines += ["spec:", "  ports:", "  - port: 80"] if i % 2 else ["data:", "  cert: |", *secret]
    return _lines(*lines)


def alias_bomb() -> bytes:
    first = "a: &a [" + ",".join(['"w"'] * 9) + "]"
    doubled = [
        f"{name}: &{name} [" + ",".join([f"*{before}"] * 9) + "]"
        for before, name in pairwise("abcdefghijk")
    ]
    return _lines("# pad " + "x" * 80_000, first, *doubled)


def open_braces() -> bytes:
    return b"{" * 102_400


def entity_bomb_behind_a_comment() -> bytes:
    entities = [f'<!ENTITY e{i} "' + f"&e{i - 1};" * 10 + '">' for i in range(1, 10)]
    return _lines(
        '<?xml version="1.0"?>',
        "<!-- " + "x" * 90_000 + " -->",
        "<!DOCTYPE testsuite [",
        '<!ENTITY e0 "ha">',
        *entities,
        "]>",
        '<testsuite tests="1"><testcase name="t"><failure>&e9;</failure></testcase></testsuite>',
    )


def one_entity_many_times() -> bytes:
    return _lines(
        '<!DOCTYPE r [<!ENTITY a "' + "A" * 50_000 + '">]>', "<r>" + "&a;" * 20_000 + "</r>"
    )


def report_without_its_end() -> bytes:
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>"]
    lines.append('<testsuite name="s" tests="4000">')
    for i in range(4000):
        failure = '<failure message="exp &lt;1&gt; got &lt;2&gt;">x</failure>' * (i % 100 == 0)
        lines.append(f'<testcase classname="c" name="t{i}" time="0.01">{failure}</testcase>')
    return _lines(*lines) + b"<system-out>GET http://localhost/ses"


def feed_with_trailing_bracket() -> bytes:
    entries = (
        f'  <entry m:id="{i}"><m:title>t{i}</m:title><![CDATA[<b>&raw;</b>]]></entry>'
        for i in range(3000)
    )
    head = ('<?xml version="1.0"?>', '<feed xmlns="urn:x:feed" xmlns:m="urn:x:m">')
    return _lines(*head, *entries, "</feed>", ">")


def code_in_an_envelope() -> bytes:
    body = (f"if (a{i} < b && c > {i}) {{ return list<int>(x); }}" for i in range(3000))
    return _lines("<returncode>0</returncode>", "<output>", *body, "</output>")


def page_that_holds_json() -> bytes:
    rows = json.dumps([{"i": i} for i in range(500)])
    return _lines(
        "<!DOCTYPE html><html><head><title>T</title><meta charset=utf-8>",
        f'<script type="application/json">{rows}</script></head><body>',
        *(f"<p>para {i}<br>unclosed &nbsp; text" for i in range(2000)),
        "</body></html>",
    )


def base64_text() -> bytes:
    data = bytes((i * 73 + i // 251) % 256 for i in range(150_000))
    text = base64.b64encode(data).decode()
    return _lines(*(text[at : at + 76] for at in range(0, len(text), 76)))


def random_bytes() -> bytes:
    return random.Random(7).randbytes(200_000)


def cause_on_the_last_line() -> bytes:
    levels = ("INFO", "DEBUG", "WARN", "ERROR")
    log = (
        f"2026-07-08T21:{i % 60:02d}:00Z [{levels[i % 4]}] req=req_{i:04d} lat={i * 13 % 900} "
        f"status=200 {'.' * 40}"
        for i in range(1400)
    )
    return _lines(*log) + b"RuntimeError: pool exhausted (max=64)"


def passed_and_errors() -> bytes:
    return _lines(
        *(
            f"tests/test_{i % 50}.py::test_{i} PASSED".ljust(70) + f"[{i * 100 // 1400:3d}%]"
            for i in range(1400)
        ),
        "=" * 20 + " short test summary info " + "=" * 20,
        *(f"ERROR tests/test_x{k}.py - ImportError: no module named q{k}" for k in range(3)),
        "=" * 10 + " 1400 passed, 3 errors in 60.00s " + "=" * 10,
    )


def keys_out_of_order() -> bytes:
    values = {f"k{i * 7919 % 3000}": {"a": i, "b": [i] * 3, "İ": "ı"} for i in range(3000)}
    return _lines(json.dumps(values, ensure_ascii=False))


def generated(name: str) -> bytes:
    """What the generator of that name makes."""
    found: Callable[[], bytes] = globals()[name]
    return found()
