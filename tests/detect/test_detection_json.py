"""JSON as it really comes: lines, noise between them, no separators, cut, huge numbers."""

import json
from collections.abc import Callable

from stubcli.detect.model import Synopsis

Summarise = Callable[..., Synopsis]
Everything = Callable[[Synopsis], str]


def test_a_record_on_each_line_is_lines_and_a_blank_line_is_no_record(synopsis: Summarise) -> None:
    # https://github.com/google/magika/issues/57
    records = [
        json.dumps({"id": i, "ok": i % 9 != 0, "msg": "m" * (i % 30)}, separators=(",", ":"))
        for i in range(5000)
    ]
    found = synopsis("\n".join(records) + "\n\n")
    assert found.label == "json/lines"
    assert found.summary[0] == "5,000 records, one a line"
    assert "keys (3): id, ok, msg" in found.structure


def test_noise_between_records_is_counted_and_located(synopsis: Summarise) -> None:
    # https://github.com/hashicorp/terraform/issues/29252
    lines = [
        f"waiting for the remote lock, attempt {i // 500 + 1}"
        if i % 500 == 499
        else json.dumps({"@level": "info", "n": i, "type": "refresh"})
        for i in range(5000)
    ]
    found = synopsis("\n".join(lines) + "\n")
    assert found.label == "json/lines"
    assert found.summary[0].startswith("4,990 records")
    assert found.summary[1] == "10 other lines, the first at line 500"


def test_values_one_after_the_other_are_documents(synopsis: Summarise) -> None:
    # https://github.com/npm/cli/issues/2150
    found = synopsis(
        "\n".join(
            json.dumps({"path": f"mods/{i}.tf", "versions": [i], "meta": {"a": "}{"}}, indent=2)
            for i in range(600)
        )
    )
    assert found.label == "json/concatenated"
    assert found.summary[0] == "600 documents"
    assert any(line.startswith("keys (3): path string") for line in found.structure)


def test_values_that_share_one_line_are_documents(synopsis: Summarise) -> None:
    # https://github.com/headroomlabs-ai/headroom/issues/1741
    found = synopsis(" ".join(json.dumps({"t": f"R {i}", "s": "braces } {"}) for i in range(2000)))
    assert found.label == "json/concatenated"
    assert found.summary[0] == "2,000 documents"


def test_an_array_that_was_cut_is_incomplete_at_its_end(synopsis: Summarise) -> None:
    # https://github.com/headroomlabs-ai/headroom/issues/1347
    items = [
        {"id": i, "name": f"item-{i:05d}", "tags": ["a", "b"], "v": i * 1.5} for i in range(2000)
    ]
    found = synopsis(json.dumps(items)[:90000])
    assert found.label == "json/document"
    assert found.summary == (
        "array of 1,331 items",
        "incomplete JSON: the input ends at byte 90,000",
    )


def test_a_document_whose_lines_parse_alone_is_one_document(synopsis: Summarise) -> None:
    # https://github.com/gabriel-vasile/mimetype/issues/803
    lines = ['{"items":[']
    for i in range(20000):
        lines += [f'{{"id":{i}}}', "," if i < 19999 else "]}"]
    found = synopsis("\n".join(lines))
    assert found.label == "json/document"
    assert found.structure[0] == "keys (1): items array 20,000"


def test_nan_stays_nan(synopsis: Summarise, everything: Everything) -> None:
    # https://github.com/jqlang/jq/issues/960
    rows = [{"step": i, "loss": float("nan") if i % 3 else float("inf")} for i in range(5000)]
    shown = everything(synopsis(json.dumps(rows) + "\n"))
    assert "json/document" in shown
    assert "NaN" in shown
    assert "null" not in shown
    assert "1.797" not in shown


def test_large_integers_keep_every_digit(synopsis: Summarise, everything: Everything) -> None:
    # https://github.com/jqlang/jq/issues/1959
    rows = [{"id": 418502930602131457 + i, "t": "u"} for i in range(4000)]
    shown = everything(synopsis(json.dumps(rows)))
    assert "418502930602131457–418502930602135456" in shown
    assert "e+17" not in shown


def test_the_one_item_that_differs_is_named(synopsis: Summarise, everything: Everything) -> None:
    rows = [{"id": i, "state": "bad" if i == 423 else ("ok", "up")[i % 2]} for i in range(1000)]
    assert "bad 1 (item 423)" in everything(synopsis(json.dumps({"data": rows})))


def test_a_key_after_a_large_array_is_seen(synopsis: Summarise) -> None:
    found = synopsis(json.dumps({"events": [{"i": i} for i in range(100_000)], "dropped": 37}))
    assert "keys (2): events array 100,000, dropped number" in found.structure
    assert "dropped: 37" in found.structure


def test_a_warning_before_a_document_is_told(synopsis: Summarise) -> None:
    found = synopsis("npm WARN old lockfile\n" + json.dumps({"a": [1] * 500}, indent=1))
    assert found.label == "json/document"
    assert "1 line before it: npm WARN old lockfile" in found.summary


def test_a_byte_order_mark_does_not_hide_json(synopsis: Summarise) -> None:
    found = synopsis(b"\xef\xbb\xbf" + json.dumps({"a": [1, 2]}).encode())
    assert found.label == "json/document"


def test_a_log_that_opens_with_brackets_is_no_json(synopsis: Summarise) -> None:
    found = synopsis("".join(f"[{8000 + i}] started unit {i}\n" for i in range(900)))
    assert found.kind == "text"


def test_one_result_before_a_log_is_a_log(synopsis: Summarise) -> None:
    log = "".join(f"2026-01-01 10:00:{i % 60:02d} INFO step {i}\n" for i in range(900))
    assert synopsis('{"ok":true}\n' + log).label == "text/log"


def test_the_same_content_gives_the_same_synopsis_in_any_pieces(
    scan: Callable[..., object],
) -> None:
    # https://github.com/headroomlabs-ai/headroom/issues/3673
    data = json.dumps(
        {f"k{i * 7919 % 3000}": {"a": i, "b": [i] * 3, "İ": "ı"} for i in range(3000)},
        ensure_ascii=False,
    )
    assert scan(data, 997) == scan(data, 4096) == scan(data)
