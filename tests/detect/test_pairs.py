"""What began and did not end, what took longest, what a tree holds: told with the lines."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from stubcli.detect.model import Synopsis
from stubcli.detect.text import durations, pairs
from stubcli.detect.text.mining import shaped
from stubcli.detect.text.tree_lines import branch
from tests.chance import examples

Summarise = Callable[..., Synopsis]


def unanswered(lines: list[str]) -> list[tuple[int, int, list[int]]]:
    data = [line.encode() for line in lines]
    return [
        (one.open, one.begun, [number for number, _ in one.lines])
        for one in pairs.find(data, shaped(data))
    ]


def jobs(open_ones: set[int], many: int = 40) -> list[str]:
    lines = []
    for n in range(many):
        lines.append(f"task a{n:04}f taken by worker {n % 7}")
        if n not in open_ones:
            lines.append(f"task a{n:04}f done in {n % 9} ms")
    return lines


def test_what_began_and_never_ended_is_told_with_its_lines() -> None:
    assert unanswered(jobs({7, 20})) == [(2, 40, [15, 40])]


def test_where_all_ended_nothing_is_told() -> None:
    assert unanswered(jobs(set())) == []


def test_what_had_no_time_to_end_is_left_out() -> None:
    assert unanswered(jobs({39})) == []


def test_where_many_do_not_end_there_is_no_pair() -> None:
    assert unanswered(jobs(set(range(0, 40, 2)))) == []


@examples(60)
@given(st.lists(st.sampled_from(["a 1x1", "b 1x1", "a 2x2", "b 2x2 3", "c", "a 3x3"]), max_size=90))
def test_never_more_is_open_than_was_begun(lines: list[str]) -> None:
    assert all(0 < still <= begun for still, begun, _ in unanswered(lines))


def test_requests_that_nobody_answers_stand_on_the_page(synopsis: Summarise) -> None:
    shown = "\n".join(synopsis("\n".join(jobs({11}, 90)) + "\n").structure)
    assert "1 of 90 “task taken by worker” have no “task done in ms” of the same:" in shown
    assert "23: task a0011f taken by worker 4" in shown


def test_the_longest_step_is_told_with_what_named_it() -> None:
    lines = []
    for n in range(12):
        lines += [f"#{n} [stage {n}] RUN step-{n}", f"#{n} DONE {'59.3' if n == 5 else '0.4'}s"]
    data = [line.encode() for line in lines]
    longest = durations.find(data, shaped(data))[0]
    assert (longest.count, longest.lines[0].text) == (12, "#5 DONE 59.3s")
    assert longest.lines[0].of == "#5 [stage 5] RUN step-5"


def test_where_all_take_about_as_long_nothing_is_told() -> None:
    data = [f"step {n} took 3.{n % 9}s".encode() for n in range(40)]
    assert durations.find(data, shaped(data)) == ()


def test_minutes_and_milliseconds_are_compared() -> None:
    data = [f"unit {n} built in {'2m 3s' if n == 8 else '740 ms'}".encode() for n in range(30)]
    data[8] = b"unit 8 built in 2m3s"
    assert durations.find(data, shaped(data))[0].lines[0].line == 9


def tree(roots: int = 6) -> list[str]:
    lines = []
    for n in range(roots):
        lines += [f"part-{n}:1.0"]
        for m in range(5):
            lines += [f"+--- org.weir:gate-{m}:1.{m}.0", "|    \\--- io.sluice:lift:2.0 (*)"]
        lines += ["|    \\--- org.old:shim:1.2.17"] if n == 4 else []
        lines += ["\\--- org.dam:core:1.1 -> 1.3", ""]
    return lines


def test_a_tree_tells_its_roots_and_what_one_of_them_alone_has(synopsis: Summarise) -> None:
    found = synopsis("\n".join(tree()) + "\n")
    shown = "\n".join(found.structure)
    assert found.label == "text/tree"
    assert "67 nodes of 8 names, 2 deep, below 6 roots" in shown
    assert "1: part-0:1.0: 6 direct, 11 in all" in shown
    assert "org.weir:gate-0:1.0.0 6" in shown
    assert "6 nodes of another version than was asked for" in shown
    assert "marked *: 30" in shown
    assert "org.old:shim:1.2.17 (of part-4:1.0)" in shown


@examples(200)
@given(st.text(alphabet="|│+\\`├└─- x>", max_size=120))
def test_any_line_is_a_branch_or_none(text: str) -> None:
    found = branch(text)
    assert found is None or found.node


def test_a_state_that_few_rows_have_is_shown_with_the_first_row(synopsis: Summarise) -> None:
    rows = [f"{'job-' + str(n):<12}{'Running':<14}node-{n % 9}" for n in range(120)]
    for n in (40, 41, 77, 90):
        rows[n] = f"{'job-' + str(n):<12}{'Terminating':<14}node-7"
    found = synopsis("\n".join([f"{'NAME':<12}{'STATE':<14}NODE", *rows]) + "\n")
    shown = "\n".join(found.structure)
    assert "STATE: Running 116, Terminating 4" in shown
    assert "STATE Terminating (4, first): line 42: job-40  Terminating  node-7" in shown


def test_values_that_differ_in_numbers_are_counted_by_their_form(synopsis: Summarise) -> None:
    rows = [f"{'svc-' + str(n):<12}{f'Up {n % 9 + 1} days (well)':<26}x" for n in range(120)]
    rows[50] = f"{'svc-50':<12}{'Restarting (1) 4 s ago':<26}x"
    found = synopsis("\n".join([f"{'NAME':<12}{'STATE':<26}KEPT", *rows]) + "\n")
    assert "Up … days (well) 119, Restarting (…) … s ago 1" in "\n".join(found.structure)
