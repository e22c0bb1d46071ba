"""Lines that say nothing alone are shown with the error that they belong to."""

from collections.abc import Callable

import pytest

from stubcli.detect.model import NotableLine, Scan

ScanOf = Callable[..., Scan]


def found(scan: ScanOf, text: str, around: int = 40) -> dict[int, NotableLine]:
    """Notable lines by their number, where the text begins at line 1."""
    lines = "".join(f"step {'abcdefghij'[i % 10]}\n" for i in range(around))
    notable = scan(lines + text + lines).notable
    return {line.number - around: line for line in notable}


def test_the_place_below_a_rust_error_is_shown(scan: ScanOf) -> None:
    shown = found(scan, "error[E0502]: cannot borrow `x` as mutable\n  --> src/a.rs:12:5\n   |\n")
    assert sorted(shown) == [1, 2]
    assert "src/a.rs:12:5" in shown[2].text


def test_the_place_of_a_mere_warning_far_from_an_error_is_not(scan: ScanOf) -> None:
    shown = found(scan, "error: stop\n" + "step x\n" * 9 + "note\n --> src/a.rs:1:1\n")
    assert sorted(shown) == [1]


def test_what_was_expected_goes_with_the_failed_test(scan: ScanOf) -> None:
    text = "  ● Total › adds the tax\n\n    expect(received).toBe(expected)\n\n"
    shown = found(scan, text + "    Expected: 119\n    Received: 100\n")
    assert sorted(shown) == [1, 5, 6]


def test_the_message_before_a_failed_go_test_is_shown(scan: ScanOf) -> None:
    shown = found(scan, "    a_test.go:9: got 3 leases\n--- FAIL: TestLease (0.1s)\n")
    assert sorted(shown) == [1, 2]


def test_an_error_in_a_library_is_background_unless_the_project_asked_for_it(scan: ScanOf) -> None:
    foreign = "/usr/include/v.h:{}:1: error: no match for call number {}\n"
    text = "".join(foreign.format(i, "abcdefghijklmnopqrstuvw"[i] * 3) for i in range(20))
    mine = "main.cpp:3:4: error: 'total' was not declared in this scope\n"
    asked = "main.cpp:9:9:   required from here\n" + foreign.format(99, "asked")
    shown = found(scan, text + mine + asked)
    assert {21, 22, 23} <= set(shown)


@pytest.mark.parametrize("stamp", ["", "2026-09-09T09:09:09.018Z "])
def test_a_traceback_is_shown_by_its_end_whatever_the_class_is_called(
    scan: ScanOf, stamp: str
) -> None:
    lines = (
        "Traceback (most recent call last):",
        '  File "run.py", line 3, in main',
        '    raise Stopped("error: no more parts")',
        "jobs.Stopped: no more parts",
    )
    shown = found(scan, "".join(f"{stamp}{line}\n" for line in lines))
    assert sorted(shown) == [2, 4]
    assert "jobs.Stopped: no more parts" in shown[4].text


def test_a_traceback_that_is_cut_off_hides_nothing_behind_it(scan: ScanOf) -> None:
    text = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n\nerror: it stopped\n'
    assert 4 in found(scan, text)


def test_a_few_errors_alike_are_all_shown_and_many_are_folded(scan: ScanOf) -> None:
    few = found(scan, "".join(f"FAILED tests/test_{i}.py::test_x - assert {i}\n" for i in range(4)))
    assert sorted(few) == [1, 2, 3, 4]
    many = found(scan, "".join(f"FAILED tests/test_{i}.py::test_x - no\n" for i in range(40)))
    assert sorted(many) == [1, 40]
    assert many[1].folded == 38


def test_warnings_that_differ_in_a_name_are_counted_together(scan: ScanOf) -> None:
    names = ("Menu", "Cart", "Form", "Page")
    text = "".join(f"Warning: an update to {name} inside a test was lost\n" for name in names * 9)
    shown = found(scan, text.replace("was lost", "ran late"))
    assert shown[1].folded == 34


@pytest.mark.parametrize(
    "line",
    [
        "root 1 0.0 /usr/sbin/app --error-log /var/log/a",
        "=========== FAILURES ===========",
        "12 |     raise ValueError('x')",
        "  |     ^^^^^^^^ expected struct, found error",
        "For more information about this error, try `rustc --explain E0308`.",
        "  console.warn",
        "1) open the panel",
        "Expected: clear skies",
    ],
)
def test_what_only_surrounds_a_message_decides_nothing(scan: ScanOf, line: str) -> None:
    assert found(scan, line + "\n") == {}
