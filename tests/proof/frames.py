"""A reader of pages that believes what stands at the beginning of a line, as a model does.

The oracle of forged frames: of what it finds in a page, none may come from the data. Knows the
contract's text and nothing of the program.
"""

import re

from tests.proof.point import FRAME, require

_PARTS = {
    "opening": re.compile(r"\[stub (?!end )"),
    "end": re.compile(r"\[stub end "),
    "head": re.compile(r"--- head "),
    "tail": re.compile(r"--- tail "),
    "gap": re.compile(r"--- [\d,]+ (?:lines?|bytes?|characters?)\b.* not shown"),
    "next": re.compile(r"Next: "),
}
# A line number in front makes a forged advice no better.
_NOTABLE_ADVICE = re.compile(r"\s*[\d,]+: Next: ")


def found(page: str) -> dict[str, list[int]]:
    """What the lines of a page look like: part → the places of its lines."""
    places: dict[str, list[int]] = {name: [] for name in _PARTS}
    for place, line in enumerate(re.split(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]", page)):
        for name, form in _PARTS.items():
            if form.match(line):
                places[name].append(place)
        if _NOTABLE_ADVICE.match(line):
            places["next"].append(place)
    return places


def check_page(page: str) -> None:
    """One opening on the first line, one end on the last, one advice before it, no more of any."""
    places, last = found(page), len(page.splitlines()) - 1
    require(places["opening"] == [0], FRAME, f"openings on lines {places['opening']}:\n{page}")
    require(places["end"] == [last], FRAME, f"ends on lines {places['end']} of {last}:\n{page}")
    require(places["next"] in ([], [last - 1]), FRAME, f"advice on {places['next']}:\n{page}")
    for name in ("head", "gap", "tail"):
        require(len(places[name]) <= 1, FRAME, f"{name} on lines {places[name]}:\n{page}")
    order = [place for name in ("head", "gap", "tail", "next", "end") for place in places[name]]
    require(order == sorted(order), FRAME, f"parts out of order, {places}:\n{page}")


def check_none(text: str, what: str) -> None:
    """No line of an answer that is no page looks like one of a page."""
    places = found(text)
    require(not any(places.values()), FRAME, f"{what}: {places}:\n{text}")
