"""What explains a failure stands with its line: above it, below it, inside of it."""

from collections.abc import Callable

import pytest

from stubcli.detect.model import Scan

ScanOf = Callable[..., Scan]

BULK = [f"ok: [host-{number:03}]" for number in range(40)]


def shown(scan: ScanOf, lines: list[str]) -> list[str]:
    return [line.text for line in scan("\n".join(lines) + "\n").notable]


@pytest.mark.parametrize(
    "heading",
    [
        "TASK [proxy : Check the configuration] *********************",
        "== Check the configuration",
        "> Task :proxy:check",
        "### Check the configuration",
        "______________ test_check ______________",
        "==> Checking the configuration",
    ],
)
def test_a_failure_is_told_with_the_heading_it_stands_under(scan: ScanOf, heading: str) -> None:
    told = shown(scan, [*BULK, heading, *BULK, "fatal: the file is damaged", *BULK])
    assert told == [heading, "fatal: the file is damaged"]


def test_a_group_that_is_closed_owns_nothing(scan: ScanOf) -> None:
    lines = ["##[group]Fetch", *BULK, "##[endgroup]", "error: the file is damaged"]
    assert shown(scan, lines) == ["error: the file is damaged"]


def test_a_rule_with_a_level_is_no_heading(scan: ScanOf) -> None:
    lines = ["[INFO] " + "-" * 40, *BULK, "error: the file is damaged"]
    assert shown(scan, lines) == ["error: the file is damaged"]


def test_what_had_begun_when_it_crashed_is_told(scan: ScanOf) -> None:
    begun = [f"Case 'Store.wraps{n}' {what}" for n in range(30) for what in ("started", "passed")]
    lines = [*begun, "Case 'Store.splits' started", "Store.x:20: Fatal error: found nil"]
    assert shown(scan, lines) == lines[-2:]


def test_the_first_place_of_a_stack_that_is_no_librarys_is_told(scan: ScanOf) -> None:
    stack = [
        "java.lang.IllegalStateException: closed",
        "\tat java.base/java.util.Objects.check(Objects.java:89)",
        "\tat org.shop.Invoice.total(Invoice.java:214)",
        "\tat org.shop.Main.main(Main.java:3)",
    ]
    assert stack[2] in shown(scan, [*BULK, *stack, *BULK])


def test_a_warning_is_told_with_the_place_below_it(scan: ScanOf) -> None:
    stack = [
        "WARNING: TORN READ",
        "Write at 0x00c0 by worker 14:",
        "  ring.Resize()",
        "      /home/ci/ring/ring.go:142 +0x1c4",
    ]
    assert stack[3] in shown(scan, [*BULK, *stack, *BULK])


def test_what_was_expected_and_came_goes_with_it_behind_a_time(scan: ScanOf) -> None:
    said = ["Error: the lengths differ", "Expected length: 1", "Received length: 2"]
    stamped = [f"2026-11-30T07:15:{n:02}.5Z {text}" for n, text in enumerate([*said, "done"])]
    assert shown(scan, stamped) == stamped[:3]


def test_of_a_long_line_of_fields_what_says_why_is_shown(scan: ScanOf) -> None:
    fields = ", ".join(f'"field_{number}": "value {number}"' for number in range(30))
    line = f'failed: [web-11] => {{{fields}, "msg": "non-zero", "stderr": "the record forbids it"}}'
    (told,) = shown(scan, [*BULK, line, *BULK])
    assert told.startswith("failed: [web-11] =>")
    assert '"the record forbids it"' in told


def test_of_a_long_message_the_alarming_end_is_shown(scan: ScanOf) -> None:
    message = "reading part after part of it " * 9 + "unable to load the key (values mismatch)"
    line = f'failed: [web-11] => {{"changed": false, "rc": 1, "at": "04:01", "msg": "{message}"}}'
    (told,) = shown(scan, [*BULK, line, *BULK])
    assert "unable to load the key (values mismatch)" in told


def test_each_thing_that_a_plan_takes_away_is_told(scan: ScanOf) -> None:
    lines = [f"  # queue.main[{number}] will be updated" for number in range(40)]
    gone = [
        "  # bucket.export[0] will be destroyed",
        "  # bucket.export[1] will be destroyed",
        "  # db.primary must be replaced",
        '  ~ key = "one" -> "two" # forces replacement',
    ]
    lines[20:20] = gone
    assert [text.strip() for text in shown(scan, lines)] == [text.strip() for text in gone]


def test_of_long_lines_that_differ_in_a_word_the_first_and_the_last_are_told(scan: ScanOf) -> None:
    lines = [
        f"disk {name} tag {number} opcode write queue {number % 9} timeout, aborting request size 8"
        for number, name in enumerate(["alpha", "brook", "cedar", "delta", "ember"] * 30)
    ]
    calm = [f"disk mounted, slot {number}" for number in range(400)]
    assert shown(scan, [*calm, *lines, *calm]) == [lines[0], lines[-1]]
