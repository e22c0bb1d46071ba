"""Structure at any depth: JSON that is cut anywhere, nested YAML, XML and its faults."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.detect.json.facts import JsonFacts
from stubcli.detect.model import Synopsis
from tests.chance import examples
from tests.detect.conftest import described

Summarise = Callable[..., Synopsis]
Everything = Callable[[Synopsis], str]

ORDERS = [
    {"id": n, "note": f'a "quoted" text, [{n}]', "lines": [{"sku": f"s{n}", "n": n % 5}] * 2}
    for n in range(60)
]


@given(st.integers(60, 4000), st.sampled_from([None, 1]))
@examples(60)
def test_a_document_cut_anywhere_keeps_its_whole_items(cut: int, indent: int | None) -> None:
    text = json.dumps({"shop": {"at": "x", "orders": ORDERS}, "more": 1}, indent=indent)
    facts = described(text[:cut])
    assert isinstance(facts, JsonFacts)
    assert (facts.form, facts.broken, facts.cut_off) == ("document", cut, True)
    begun = sum(f'"id": {n},' in text[:cut] for n in range(60))
    counted = next((one.count for one in facts.groups if one.path == "shop.orders"), 0)
    assert begun - 1 <= counted <= begun
    assert facts.keys[0].name == "shop"


@pytest.mark.parametrize(
    "end", ['{"id": 7, "na', '{"id": 7, "name"', '{"id": 7, "name": "x', '{"id": 1', "", "{"]
)
def test_what_the_stream_ends_in_makes_no_difference(end: str, synopsis: Summarise) -> None:
    items = ", ".join(json.dumps({"id": n, "name": f"n{n}"}) for n in range(50))
    found = synopsis(f'{{"rows": [{items}, {end}')
    assert found.label == "json/document"
    assert "keys (1): rows array 50" in found.structure
    assert any("incomplete JSON: the input ends at byte" in line for line in found.summary)


def test_paths_of_any_depth_are_told_as_the_walk_goes(
    synopsis: Summarise, everything: Everything
) -> None:
    deep = {"service": {"tls": {"server": {"cert": "a.pem", "port": 8443}}}}
    users = [{"id": n, "at": {"home": {"town": ("Bonn", "Köln")[n % 2]}}} for n in range(300)]
    shown = everything(synopsis(json.dumps({**deep, "users": users}, ensure_ascii=False)))
    assert 'service.tls.server.cert: "a.pem"' in shown
    assert "service.tls.server.port: 8443" in shown
    assert "users[0].id: 0" in shown
    assert "at.home.town: string: Bonn 150, Köln 150" in shown


def test_lists_inside_of_records_are_records_with_an_owner(
    synopsis: Summarise, everything: Everything
) -> None:
    usual = [{"image": "web:1", "restarts": 1}, {"image": "web:1", "restarts": 2}]
    pods = [{"name": f"pod-{n}", "containers": usual} for n in range(80)]
    pods[41] = {"name": "pod-41", "containers": [usual[0], {"image": "dbg:9", "restarts": 700}]}
    shown = everything(synopsis(json.dumps({"items": pods})))
    assert "items[].containers: 160 items in 80 lists" in shown
    assert 'differs: item 41[1] of pod-41: {"image":"dbg:9","restarts":700}' in shown


def test_what_is_the_same_in_all_records_shares_a_line(
    synopsis: Summarise, everything: Everything
) -> None:
    rows = [
        {"kind": "Pod", "api": "v1", **{f"n{k}": n * k for k in range(1, 9)}} for n in range(99)
    ]
    some = [{**row, "at": {"zone": "a"}} if n % 3 else row for n, row in enumerate(rows)]
    shown = everything(synopsis(json.dumps(some)))
    assert "the same in all: kind Pod, api v1" in shown
    assert "at.zone a" not in shown
    assert "at.zone: string, in 66 of 99: a 66" in shown


def test_what_only_one_record_lacks_is_told(synopsis: Summarise, everything: Everything) -> None:
    rows = [{"id": n, "owner": f"o{n % 4}"} for n in range(200)]
    del rows[66]["owner"]
    shown = everything(synopsis(json.dumps(rows)))
    assert 'differs: item 66 (without owner): {"id":66}' in shown
    assert "owner: string, in 199 of 200, not in item 66" in shown


def test_scalars_of_a_mapping_have_types_and_like_mappings_are_one(
    synopsis: Summarise, everything: Everything
) -> None:
    lines = ["limits:", "  requests: 400", "  ratio: 0.75", "  # half", "  enabled: true"]
    lines += ["  label: fast", "services:"]
    for n in range(300):
        lines += [f"  s{n}:", f"    port: {8000 + n}", f"    public: {str(n == 71).lower()}"]
    shown = everything(synopsis("\n".join(lines) + "\n"))
    assert "limits: requests number 400, ratio number 0.75, enabled boolean true" in shown
    assert "services: map of 300 keys to mappings" in shown
    assert "port: number, 8000–8299" in shown
    assert "public: boolean: false 299, true 1 (key s71)" in shown


@pytest.mark.parametrize(
    "dash",
    [
        "- name: n{n}\n  zone: z{z}",
        "-\n  name: n{n}\n  zone: z{z}",
        # As many keys as make blocks alike.
        "-\n  name: n{n}\n  zone: z{z}\n  owner: team {z}\n  backup: true",
    ],
)
@pytest.mark.parametrize("under", ["", "hosts:\n"])
def test_items_of_a_list_have_keys_wherever_their_dash_stands(
    dash: str, under: str, synopsis: Summarise, everything: Everything
) -> None:
    body = "\n".join(dash.format(n=n, z=n % 3) for n in range(90))
    shown = everything(synopsis(f"{under}{body}\n"))
    assert "keys of items: name, zone" in shown
    assert "zone: string: z0 30, z1 30, z2 30" in shown


def test_a_key_that_comes_again_at_the_top_makes_no_yaml(synopsis: Summarise) -> None:
    report = "Device: sda\nHealth:\n  state: good\n  hours: 7\n"
    assert synopsis(report * 40).kind != "yaml"
    assert synopsis("---\n".join([report] * 40)).label == "yaml/stream"


SUITE = "<testsuite name='s' tests='{}'>\n"
CASES = [
    f'<testcase classname="c" name="t{n}"><system-out>BAD</system-out>'
    + ('<failure message="want 4"/>' if n == 31 else "")
    + "</testcase>\n"
    for n in range(60)
]


@pytest.mark.parametrize("bad", ["\x1b", "&#27;", "&#x1B;", "&#0;", "\uffff", "\x0b"])
def test_a_character_that_xml_does_not_allow_is_said_and_not_fatal(
    bad: str, synopsis: Summarise, everything: Everything
) -> None:
    text = SUITE.format(60) + "".join(CASES).replace("BAD", f"fine{bad}.") + "</testsuite>\n"
    found = synopsis(text)
    shown = everything(found)
    assert found.label == "xml/junit"
    assert "60 testcases, 1 failure, 0 errors, 0 skipped" in shown
    assert "60 characters are not allowed in XML (shown as ?), the first at line 2" in shown
    assert "failing: c t31: want 4" in shown


@pytest.mark.parametrize("good", ["&#10;", "&#9;", "&#233;", "&#x41;", "&amp;", "é"])
def test_a_character_that_xml_allows_is_none_of_those(
    good: str, synopsis: Summarise, everything: Everything
) -> None:
    text = SUITE.format(60) + "".join(CASES).replace("BAD", good) + "</testsuite>\n"
    assert "not allowed" not in everything(synopsis(text))


def test_of_a_cut_report_the_suite_says_how_many_there_are(
    synopsis: Summarise, everything: Everything
) -> None:
    shown = everything(synopsis(SUITE.format(900) + "".join(CASES)))
    assert "60 of the 900 testcases that the suite counts, 1 failure" in shown
    assert "failing: c t31: want 4" in shown


def test_an_element_that_comes_again_is_counted_and_no_value(
    synopsis: Summarise, everything: Everything
) -> None:
    hosts = [f'<host name="h{n}"><port id="22"/></host>\n' for n in range(60)]
    hosts[17] = '<host name="h17"><port id="22"/><port id="4444"/></host>\n'
    shown = everything(synopsis("<run>" + "".join(hosts) + "</run>"))
    assert "port@id: number 59 | elements 1" in shown
    assert '<host name="h17"><port id="22"/><port id="4444"/></host>' in shown


def test_words_in_values_are_data(synopsis: Summarise) -> None:
    words = ["ok", "error", "fatal: gone", "warning"]
    rows = [{"id": n, "said": words[n % 4]} for n in range(200)]
    in_yaml = "".join(f"- id: {n}\n  said: '{words[n % 4]}'\n" for n in range(200))
    in_csv = "id,said\n" + "".join(f"{n},{words[n % 4]}\n" for n in range(200))
    in_xml = "<r>" + "".join(f"<e>{words[n % 4]}</e>\n" for n in range(200)) + "</r>"
    for text in (json.dumps(rows, indent=1), in_yaml, in_csv, in_xml):
        assert synopsis(text).notable == ()
