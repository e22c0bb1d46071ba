"""What an owner may answer: an answer that contradicts itself is none."""

import pytest

from stubcli.retention.leases.owners import ABSENT, PUBLISHED, UNKNOWN, Observation

SHA = "a" * 64
REF = "artifact:s:tool_result_001.txt:aaaaaaaaaaaaaaaa"


@pytest.mark.parametrize(
    "values",
    [
        ("t", 0, ABSENT),
        ("t", 5, UNKNOWN),
        ("t", 1, PUBLISHED, REF, SHA),
        ("t", 1, ABSENT, None, None, True),
    ],
)
def test_an_answer_that_agrees_with_itself_is_taken(values: tuple[object, ...]) -> None:
    assert Observation(*values).transaction_id == "t"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        (("", 0, ABSENT), "no transaction"),
        ((None, 0, ABSENT), "no transaction"),
        (("t", -1, ABSENT), "no generation"),
        (("t", True, ABSENT), "no generation"),
        (("t", 1.0, ABSENT), "no generation"),
        (("t", "1", ABSENT), "no generation"),
        (("t", None, ABSENT), "no generation"),
        (("t", 0, "gone"), "neither published"),
        (("t", 0, None), "neither published"),
        (("t", 0, ["absent"]), "neither published"),
        (("t", 1, PUBLISHED), "no source"),
        (("t", 1, PUBLISHED, "", SHA), "no source"),
        (("t", 1, PUBLISHED, 7, SHA), "no source"),
        (("t", 1, PUBLISHED, REF), "no whole SHA-256"),
        (("t", 1, PUBLISHED, REF, SHA[:16]), "no whole SHA-256"),
        (("t", 1, PUBLISHED, REF, SHA.upper()), "no whole SHA-256"),
        (("t", 1, PUBLISHED, REF, SHA + "\n"), "no whole SHA-256"),
        (("t", 1, PUBLISHED, REF, SHA, True), "seals what is not absent"),
        (("t", 1, UNKNOWN, None, None, True), "seals what is not absent"),
        (("t", 1, ABSENT, REF), "identifies"),
        (("t", 1, ABSENT, None, SHA), "identifies"),
        (("t", 1, UNKNOWN, REF, SHA), "identifies"),
        (("t", 1, ABSENT, None, None, 1), "neither says nor denies"),
        (("t", 1, ABSENT, None, None, "true"), "neither says nor denies"),
    ],
)
def test_an_answer_that_contradicts_itself_is_refused(
    values: tuple[object, ...], problem: str
) -> None:
    with pytest.raises(ValueError, match=problem):
        Observation(*values)  # type: ignore[arg-type]
