"""Records that differ in what lists inside of them hold."""

import json
from typing import Any

from tests.detect.cases.whole_way import synopsis_of


def _said(value: Any) -> str:
    return "\n".join(synopsis_of(json.dumps(value, indent=2).encode()).structure)


def test_lists_of_keys_with_values_are_fields_by_their_keys() -> None:
    records = [
        {
            "ident": f"r-{at}",
            "marks": [
                {"Key": "stage", "Value": "odd-one" if at == 41 else "live"},
                {"Key": "team", "Value": ("red", "blue")[at % 2]},
            ],
        }
        for at in range(90)
    ]
    said = _said(records)
    assert "marks.stage: string: live 89, odd-one 1 (item 41)" in said
    assert "marks.team: string: blue 45, red 45" in said
    assert "differs: item 41" in said


def test_names_that_never_come_again_are_no_fields() -> None:
    records = [
        {
            "ident": at,
            "tests": [{"name": f"t{at}", "status": "ok"}, {"name": f"u{at}", "status": 1}],
        }
        for at in range(40)
    ]
    said = _said(records)
    assert "tests.t" not in said
    assert "tests.u" not in said


def test_a_code_like_no_other_deep_inside_is_told_with_what_its_record_says() -> None:
    def record(at: int) -> dict[str, Any]:
        odd = at == 63
        return {
            "ident": f"probe-{at:03d}",
            "first": [{"codes": [{"system": "s", "code": "plain"}]}],
            "second": [{"codes": [{"system": "t", "code": "fine"}]}],
            "third": [{"codes": [{"system": "u", "code": "usual"}]}],
            "what": {"codes": [{"code": f"c{at % 5}", "display": f"Analyte {at % 5}"}]},
            "amount": {"result": {"value": 99 if odd else at % 7, "unit": "mol"}},
            "verdict": [{"codes": [{"system": "v", "code": "ALARM" if odd else "N"}]}],
            **({"note": [{"text": "called the ward"}]} if odd else {}),
            "long": "x" * 300,
        }

    said = _said({"entries": [record(at) for at in range(100)]})
    line = next(line for line in said.split("\n") if "differs: item 63" in line)
    for part in ("ALARM", "called the ward", "Analyte 3", "value: 99"):
        assert part in line


def test_of_several_items_the_first_says_nothing_of_the_record() -> None:
    records = [
        {
            "name": f"n{at}",
            "pad": "y" * 300,
            "states": [
                {"type": "Calm", "status": "no", "message": "all is calm"},
                {"type": "Full", "status": "yes" if at == 20 else "no", "message": "about it"},
            ],
        }
        for at in range(50)
    ]
    said = _said(records)
    line = next(line for line in said.split("\n") if "differs: item 20:" in line)
    assert "Full: yes" in line
    assert "all is calm" not in line
