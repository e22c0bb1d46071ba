"""What a report of people says was decided stands on the page; a manual decides nothing."""

from collections.abc import Callable

from stubcli.detect.model import Synopsis

Summarise = Callable[..., Synopsis]

FILLING = """The secretary reported on the letters of the month and on the painting of the hut,
which goes on as planned.

"""


def minutes(*decided: str) -> str:
    parts = ["ROWING CLUB\n\n"]
    for number in range(1, 9):
        title = f"{number}. Topic of the evening {'abcdefgh'[number - 1]}"
        parts.append(f"{title}\n{'-' * len(title)}\n\n{FILLING * 4}")
        parts.append(f"{decided[number - 1]}\n\n" if number <= len(decided) else "")
    return "".join(parts)


DECIDED = (
    "The offer of the boatyard was rejected because it came two weeks\nlate and costs 48,200.",
    "The hut is let to the choir. 31 for, 12 against. The contract is\nsigned in spring.",
    "The fees were approved unanimously.",
)


def test_decisions_are_shown_with_their_heading_and_with_what_was_voted_on(
    synopsis: Summarise,
) -> None:
    text = minutes(*DECIDED)
    found = synopsis(text.encode())
    assert found.label == "text/prose"
    said = "\n".join(found.structure)
    number = text.split("\n").index(
        "The offer of the boatyard was rejected because it came two weeks"
    )
    assert f"  {number + 1}: The offer of the boatyard was rejected because" in said
    assert "costs 48,200. (below 1. Topic of the evening a)" in said
    assert "The hut is let to the choir. 31 for, 12 against. The contract is signed" in said
    assert "The fees were approved unanimously. (below 3." in said
    assert "The secretary reported" not in said


def test_a_single_sentence_with_an_outcome_is_chance(synopsis: Summarise) -> None:
    found = synopsis(minutes(DECIDED[0]).encode())
    assert "outcome" not in "\n".join(found.structure)


def test_what_a_manual_tells_its_reader_is_no_decision(synopsis: Summarise) -> None:
    told = (
        "If the lock is refused after 30 % of the time, you may try again because it is free.",
        "The option is accepted since 2024-03-01, and its default of 1,000 was approved.",
        "Your request failed if the function returns 1,024.",
    )
    found = synopsis(minutes(*told).encode())
    assert "outcome" not in "\n".join(found.structure)
