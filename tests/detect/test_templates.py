"""Lines are reduced to templates, shown with what varies marked and counted over all lines."""

import re
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from stubcli.detect.model import Synopsis
from stubcli.detect.text import groups, mining, templates
from tests.chance import examples
from tests.detect.cases.counting import calls_in

Summarise = Callable[..., Synopsis]

LETTERS = str.maketrans("0123456789", "qrstuvwxyz")
KEEPERS = ("ada", "bo", "cy", "dee", "eve", "fay", "gil", "hal", "ida", "jon", "kit", "lou", "mae")


def shown(text: str) -> list[tuple[int, str]]:
    lines = text.encode().split(b"\n")
    return [(one.count, one.text) for one in templates.find(lines, lines).templates]


def test_what_varies_is_marked_and_what_does_not_stands_as_it_is() -> None:
    text = "\n".join(
        f"basin/part{n % 9}.map:{n}: gate {n} of 900 opened by {KEEPERS[n % 13]} on 10.0.0.{n}"
        for n in range(300)
    )
    assert shown(text) == [(300, "basin/part….map:…: gate … of 900 opened by … on …")]


def test_a_word_that_all_lines_share_is_kept_though_it_holds_digits() -> None:
    text = "\n".join(f"utf8 page {n} of http2" for n in range(100))
    assert shown(text) == [(100, "utf8 page … of http2")]


def test_a_quoted_name_varies_as_a_whole() -> None:
    names = ("a b", "c", "d e f", "g h", "i")
    text = "\n".join(f"cannot be called '{names[n % 5]}' here" for n in range(100))
    assert shown(text) == [(100, "cannot be called '…' here …")]


def test_frequent_first_words_part_templates_and_names_do_not() -> None:
    lines = [f"opened sluice {n}" for n in range(60)] + [f"closed sluice {n}" for n in range(40)]
    assert shown("\n".join(lines)) == [(60, "opened sluice …"), (40, "closed sluice …")]
    names = "\n".join(f"{KEEPERS[n % 13]}x{KEEPERS[n // 13]} install" for n in range(150))
    assert shown(names) == [(150, "… install")]


def test_few_values_of_a_place_are_counted_the_most_frequent_first(synopsis: Summarise) -> None:
    states = ("OPEN", "OPEN", "SHUT", "OPEN", "OPEN")
    text = "".join(f"gate {n}, in state {states[n % 5]}, of day {n % 7}\n" for n in range(500))
    said = "\n".join(synopsis(text).structure)
    assert "500 × gate …, in state …, of day … · OPEN (400), SHUT (100)" in said


def test_no_template_that_is_left_out_has_more_lines_than_is_said(synopsis: Summarise) -> None:
    verbs = ("open", "shut", "fill", "drain", "lock", "lift", "mend", "paint", "sell")
    text = "".join(
        f"{verb} the gate numbered {n}\n" for at, verb in enumerate(verbs) for n in range(90 - at)
    )
    said = synopsis(text).structure
    assert said[1:7] == tuple(f"  {90 - at} × {verbs[at]} the gate numbered …" for at in range(6))
    assert said[7] == "  +3 more, of 84 lines at most"


def test_prose_has_no_templates(synopsis: Summarise) -> None:
    words = re.split(" ", "the river rose over night and no keeper of any gate had seen it come")
    text = "".join(
        " ".join(words[(n * k + k * k) % len(words)] for k in range(3, 9 + n % 7)) + "\n"
        for n in range(400)
    )
    assert not any("×" in row for row in synopsis(text).structure)


@given(
    st.lists(
        st.one_of(
            st.builds("gate {} is {}".format, st.integers(0, 99), st.sampled_from(("up", "down"))),
            st.text("ab 0'/[:=", max_size=12),
        ),
        min_size=1,
        max_size=60,
    )
)
@examples(100)
def test_every_line_is_of_one_template_and_every_count_is_true(lines: list[str]) -> None:
    found = mining.mine([line.encode() for line in lines])
    blank = sum(not line.strip() for line in lines)
    assert sum(one.count for one in found.templates) == len(lines) - blank
    for one in found.templates:
        assert sum(found.shapes.count(shape) for shape in one.shapes) == one.count
    for count, text in shown("\n".join(lines)):
        parts = [re.escape(part) for part in text.split("…")]
        pattern = re.compile(".*".join(parts))
        spread = [re.sub(r"\[ +(?=\d)", "[", line) for line in lines]
        assert sum(bool(pattern.search(" ".join(line.split()))) for line in spread) >= count


def test_lines_with_a_place_in_a_path_are_counted_by_path() -> None:
    lines = [f"./weir/gate{n * n % 5}.c:{n}:  lift(gate, {n});".encode() for n in range(500)]
    found = groups.find([*lines, *[b"nothing of note"] * 200])
    paths = (("./weir/gate1.c", 200), ("./weir/gate4.c", 200), ("./weir/gate0.c", 100))
    assert (found.lines, found.count, found.largest) == (500, 3, paths)
    many = [f"weir/{'ab'[n % 2]}/g{n}.c:{n}: lift".encode() for n in range(500)]
    assert groups.find(many).largest == (("weir/a/", 250), ("weir/b/", 250))


def test_text_of_many_different_lines_costs_no_more_a_line_than_text_of_few() -> None:
    def calls(lines: int) -> int:
        words = (f"open gate g{chr(97 + n % 26)} {KEEPERS[n % 13]}{n:x}z met" for n in range(lines))
        many = [word.translate(LETTERS).encode() for word in words]
        return calls_in(lambda: mining.mine(many))

    assert calls(16_000) <= 3 * calls(8_000)
