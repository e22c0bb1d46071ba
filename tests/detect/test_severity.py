"""A word of alarm counts by where it stands and by how unusual it is in its stream."""

from collections.abc import Callable

import pytest

from stubcli.detect.model import NotableLine, Scan, Synopsis

ScanOf = Callable[..., Scan]
Summarise = Callable[..., Synopsis]

CODE = "import json\nimport re\n\n" + "".join(
    f"def step_{at}(value):\n    # step {at} of the tour\n    return value + {at}\n\n"
    for at in range(99)
)


def among(line: str, others: str = "step {} of the tour\n", count: int = 120) -> str:
    lines = [others.format("abcdefgh"[at % 8]) for at in range(count)]
    return "".join([*lines[: count // 2], line + "\n", *lines[count // 2 :]])


def numbers(notable: tuple[NotableLine, ...]) -> list[int]:
    return [line.number for line in notable]


@pytest.mark.parametrize(
    "line",
    [
        "error: it broke",
        "Error: it broke",
        "tool: error: it broke",
        "main.c:3:7: fatal error: x.h: it broke",
        "src/a.ts(3,1): error TS2307: it broke",
        "==12==ERROR: it broke",
        "Error in open(path) : it broke",
        "worker [error] it broke",
        'time=10:00 level=error msg="it broke"',
        "E0304 10:05:33.123456    12 server.cc:77] it broke",
        "03-04 10:05:33.123  1234  1234 E Runtime: it broke",
        "  9:2  error  it broke  no-rule",
        "        not ok 257 - it broke",
        "Fehler: es ging nicht",
        "error Command failed with exit code 1.",
    ],
)
def test_a_label_says_what_a_line_is(scan: ScanOf, line: str) -> None:
    found = scan(among(line)).notable
    assert 61 in numbers(found)
    assert max(one.rank for one in found) >= 4


@pytest.mark.parametrize(
    "line",
    [
        "build failed after 3 steps",
        "connect to db: connection refused by host",
        "could not open the archive",
        "write /srv/wal: no space left on device",
        "run.sh: line 31: REGION: unbound variable",
        "app.rb:12:in `run': undefined method `foo' for nil (NoMethodError)",
        'read errors mapping "/srv/x.mov": Input/output error (5)',
        "      Exit Code:    137",
        "Killed",
    ],
)
def test_what_has_happened_decides_without_a_label(scan: ScanOf, line: str) -> None:
    assert 61 in numbers(scan(among(line)).notable)


@pytest.mark.parametrize(
    "line",
    [
        "2026-03-04 10:00:01 INFO  [main] app - fatal signal handler installed",
        "INFO panic button was pressed, error 3 reported, it failed",
        "2026/03/04 10:00:01 [notice] 12#12: worker process 13 was killed",
        'level=info msg="request failed: connection refused"',
        "I0304 10:05:33.123456    12 server.cc:33] deadlock detector failed over",
        "note: the build failed before",
    ],
)
def test_a_calm_level_outranks_the_words_of_its_message(scan: ScanOf, line: str) -> None:
    assert scan(among(line)).notable == ()


def test_a_warning_that_something_is_fatal_is_a_warning(scan: ScanOf) -> None:
    (line,) = scan(among("WARNING: a fatal panic was averted")).notable
    assert line.rank == 2


@pytest.mark.parametrize(
    "line",
    [
        "built with 0 errors and without warnings",
        "RX errors 0  dropped 0  overruns 0",
        "failed=0 unreachable=0 ok=12",
        "no errors found, never failed",
        "copied site/fatal-4/error.html to panic_697.html",
        "install p-timeout@7.0.2 and error-handler",
        "cc -Werror -c core_deadlock_check.c -o error.o",
        'func Open(name string) (*File, error) { return nil, "failed" }',
        "GET /docs/timeout.html killed.svg 200",
        "  12 | raise ValueError('it failed')",
        "lib/part.py:12:    raise Error('could not open')",
        "lib/part.c:40: * conflict with fatal errors",
        "12:\tpanic(it failed)",
        "9f86d081 Fix a fatal error that was not found",
        "-rw-r--r-- 1 root root 7 May  1 10:00 fatal error",
        "      --fail-early  fail on the first error",
        "X509v3 Key Usage: critical",
        "      ValueError: where the value is none",
        "libasan - a fast memory error detector",
        "an error here raises an error there",
        "(* missing or half low surrogate at the end *)",
        "  . . i buff = 3 s x = 1 ; a fatal error",
        "if has_failed() raise Failure",
        "cmd value, -2 ; not found, cannot be used",
    ],
)
def test_a_word_in_a_name_a_path_a_value_or_a_type_is_no_alarm(scan: ScanOf, line: str) -> None:
    assert scan(among(line)).notable == ()


def test_different_sentences_about_errors_are_prose(scan: ScanOf) -> None:
    things = ("file", "socket", "table", "token", "queue", "image", "route", "node", "shard")
    text = "".join(
        f"If the {thing} is missing, the command fails with an error and\n"
        f"the {thing} that failed to open is not found in the list of those.\n\n"
        for thing in things * 3
    )
    assert scan(text).notable == ()


def test_in_a_document_a_program_may_still_complain(synopsis: Summarise) -> None:
    prose = "The words of the part are many, and the error that is meant is the one above.\n\n"
    found = synopsis(prose * 150 + "cat: part9.txt: No such file or directory\n" + prose * 150)
    assert numbers(found.notable) == [301]


def test_a_word_in_every_third_line_is_what_the_lines_are_about(scan: ScanOf) -> None:
    words = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "theta", "iota", "kappa")
    lines = [f"{one} {two} was not found here\n" for one in words for two in words]
    assert scan("".join(lines)).notable == ()


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("json", '[\n{}\n{{"n": 0}}]\n'.format('{"error": "fatal: it failed", "n": 1},\n' * 99)),
        ("csv", "id,state,note\n" + "1,error,could not open: fatal\n2,ok,none\n" * 99),
        ("yaml", "kind: A\nmetadata:\n  name: x\nerror: fatal\nspec:\n  then: failed\n---\n" * 99),
        ("xml", "<a>\n" + "<error>fatal: it failed</error>\n" * 99 + "</a>\n"),
        ("code", CODE.replace("# step", "# error: it failed")),
        (
            "text",
            "# Errors\n\nWords.\n\n- error: fatal\n- so\n\n```\nError: it failed\n```\n\n" * 30,
        ),
        (
            "text",
            "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-error: a\n+fatal: b\n" * 30,
        ),
    ],
)
def test_words_in_a_structure_are_data(synopsis: Summarise, kind: str, text: str) -> None:
    found = synopsis(text)
    assert found.kind == kind
    assert [line.text for line in found.notable if line.rank] == []


def test_what_a_program_says_beside_data_is_notable(synopsis: Summarise) -> None:
    found = synopsis(CODE + "cat: gone.py: Permission denied\n")
    assert found.kind == "code"
    assert "gone.py: Permission denied" in found.notable[-1].text


def test_the_owner_of_an_indented_line_is_shown_with_it(scan: ScanOf) -> None:
    views = [
        f"src/view{at}.css\n  10:3  warning  colour is not in the palette\n\n" for at in range(80)
    ]
    views[43] = f"src/odd.css\n{views[0].splitlines()[1]}\n  88:1  error  no such property\n\n"
    shown = [line.text for line in scan("".join(views)).notable]
    assert "src/odd.css" in shown
    assert "  88:1  error  no such property" in shown


def test_a_line_goes_on_with_what_is_indented_below_it(scan: ScanOf) -> None:
    text = "db: error: the write was lost\n    table: orders\n    row: 7\n    more: x\n"
    assert numbers(scan(among(text)).notable) == [61, 62, 63]


def test_a_line_that_ends_with_a_colon_announces_the_next(scan: ScanOf) -> None:
    text = "thread 'main' panicked at src/main.rs:3:5:\nindex out of bounds\nand on"
    assert numbers(scan(among(text)).notable) == [61, 62]


def test_folded_lines_come_without_their_surroundings(scan: ScanOf) -> None:
    text = "".join(
        f"part {at}:\n    error: it broke at {at}\n        at {at}\n" for at in range(60)
    )
    assert numbers(scan(text).notable) == [2, 179]


def test_what_will_be_destroyed_stands_out_of_what_is_only_changed(scan: ScanOf) -> None:
    line = "  # db.orders must be replaced"
    found = scan(among(line, "  # queue.{} will be updated in-place\n"))
    assert numbers(found.notable) == [61]


@pytest.mark.parametrize(
    "line",
    [
        "key = ghp_" + "a1B2" * 9,
        '    "token": "glpat-' + "x9Y8" * 5 + '",',
        "config.py:12:AWS_KEY = 'AKIA" + "Z7Q2" * 4 + "'",
    ],
)
def test_a_token_that_lies_around_is_named_and_masked(synopsis: Summarise, line: str) -> None:
    (found,) = synopsis(among(line)).notable
    assert found.number == 61
    assert "(masked)" in found.text
    assert "Z7Q2Z7Q2" not in found.text
    assert "a1B2a1B2" not in found.text
    assert "x9Y8x9Y8" not in found.text


def test_a_private_key_is_told_also_in_code(synopsis: Summarise) -> None:
    found = synopsis(CODE + "KEY = 1\n-----BEGIN RSA " + "PRIVATE KEY-----\n" + CODE)
    assert [line.text for line in found.notable] == ["-----BEGIN RSA PRIVATE KEY-----"]


def test_an_example_of_a_token_and_a_certificate_are_calm(scan: ScanOf) -> None:
    text = "-----BEGIN CERTIFICATE-----\nAKIA" + "IOSFODNN7EXAMPLE\n-----BEGIN PUBLIC KEY-----"
    assert scan(among(text)).notable == ()


def test_a_store_of_keys_is_about_keys(scan: ScanOf) -> None:
    key = "-----BEGIN PRIVATE" + " KEY-----\nMIIE\n-----END PRIVATE KEY-----\n"
    assert scan(key * 50).notable == ()
