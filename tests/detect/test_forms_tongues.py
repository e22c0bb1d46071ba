"""Forms in which people and programs speak: findings, reports, history, mails, prose, trees."""

from collections.abc import Callable, Sequence

import pytest

from stubcli.detect.model import Synopsis

Summarise = Callable[..., Synopsis]


def text(lines: Sequence[str]) -> str:
    return "\n".join(lines) + "\n"


def structure(found: Synopsis) -> str:
    return "\n".join(found.structure)


@pytest.mark.parametrize(
    "finding",
    [
        "src/m{i}.c:{i}:5: {severity}: unused thing [-Wunused]",
        "[src/m{i}.c:{i}]: ({severity}) unused thing [-Wunused]",
        "[{SEVERITY}] src/m{i}.c:[{i},5] unused thing [-Wunused]",
        "src/m{i}.c({i},5): {severity} X1234: unused thing",
    ],
)
def test_findings_are_counted_by_severity(synopsis: Summarise, finding: str) -> None:
    lines = []
    for i in range(200):
        severity = "error" if i == 60 else "warning"
        lines.append(finding.format(i=i, severity=severity, SEVERITY=severity.upper()))
    found = synopsis(text(lines))
    assert found.label == "text/compiler"
    assert "1 error, 199 warnings" in found.structure
    assert "files (200)" in structure(found)
    assert 61 in [line.number for line in found.notable]


def test_a_message_that_begins_with_a_number_counts_where_its_place_follows(
    synopsis: Summarise,
) -> None:
    lines = []
    for i in range(100):
        said = "D205 1 blank line expected" if i % 4 == 0 else "F401 `os` imported but unused"
        lines += [said, f"  --> src/m{i}.py:{i}:1", "   |", f"{i} | import os", ""]
    found = synopsis(text(lines))
    assert "100 findings" in found.structure
    assert "F401 75, D205 25" in structure(found)


def test_a_finding_in_several_lines_is_one_with_its_severity_and_place(
    synopsis: Summarise,
) -> None:
    lines = []
    for i in range(80):
        severity = "High" if i == 33 else "Low"
        lines += [f">> Issue: [B{100 + i % 5}:thing] Use of thing", f"   Severity: {severity}"]
        lines += [f"   Location: ./pkg/m{i % 8}.py:{i}:0", f"{i}\t    thing_error()", "", "---"]
    found = synopsis(text(lines))
    assert "1 high, 79 low" in found.structure
    assert "./pkg/m0.py 10" in structure(found)
    assert [line.number for line in found.notable][:3] == [199, 200, 201]


@pytest.mark.parametrize(
    ("passed", "failed", "word"),
    [
        ("[       OK ] Suite.Case{i} (0 ms)", "[  FAILED  ] Suite.Case{i} (1 ms)", "FAILED"),
        ("{i}/90 Test #{i}: unit_{i} .....   Passed    0.01 sec",
         "{i}/90 Test #{i}: unit_{i} .....***Failed    0.01 sec", "Failed"),
        ("  Passed Space.Case{i} [1 ms]", "  Failed Space.Case{i} [1 ms]", "Failed"),
        ("Suite > case {i} PASSED", "Suite > case {i} FAILED", "FAILED"),
        ("ok {i} - case {i}", "not ok {i} - case {i}", "not ok"),
    ],
)  # fmt: skip
def test_results_of_any_runner_are_counted(
    synopsis: Summarise, passed: str, failed: str, word: str
) -> None:
    lines = [(failed if i % 9 == 0 else passed).format(i=i) for i in range(1, 91)]
    found = synopsis(text(lines))
    assert found.label == "text/test-report"
    assert f"{word} 10" in structure(found)
    assert "failing (10): 9: " in structure(found)


def test_patches_are_counted_and_the_files_that_they_are_of(synopsis: Summarise) -> None:
    lines = []
    for commit in range(12):
        lines += [
            f"commit {commit:040x}",
            "Author: A <a@b>",
            "Date:   Mon",
            "",
            f"    Change {commit}",
            "",
        ]
        for file in range(10):
            lines += [f"diff --git a/f{file} b/f{file}", f"--- a/f{file}", f"+++ b/f{file}"]
            lines += ["@@ -1 +1 @@", "-old", "+new"]
    found = synopsis(text(lines))
    assert "10 files in 120 patches, +120 −120" in found.structure
    assert "  5: Change 0" in found.structure


def test_a_graph_before_commits_changes_nothing(synopsis: Summarise) -> None:
    lines = []
    for i in range(100):
        lines += [
            f"* {i * 7919 + 2**28:08x}1 Subject number {i}",
            "|\\",
            "| * " + f"{i + 2**28:08x}2 other {i}",
            "|/",
        ]
    found = synopsis(text(lines))
    assert found.label == "text/git-log"
    assert "200 commits" in found.structure


def test_two_trees_are_compared_file_by_file(synopsis: Summarise) -> None:
    lines = [f"Only in new/lib: part{i}.c" for i in range(30)]
    lines += ["Binary files old/logo.png and new/logo.png differ"]
    for i in range(40):
        lines += [f"diff -r old/f{i} new/f{i}", "3c3,4", "< error one", "---", "> two", "> three"]
    found = synopsis(text(lines))
    assert found.label == "text/diff"
    assert "41 files changed, 40 hunks, +80 −40 lines" in structure(found)
    assert "only in new/lib: 30 names: part0.c" in structure(found)
    assert "new/logo.png binary" in structure(found)
    assert not found.notable


def test_a_mailbox_is_counted_and_encoded_bodies_are_told(synopsis: Summarise) -> None:
    lines = []
    for i in range(40):
        lines += [
            f"From root Mon Aug  3 00:00:{i:02d} 2026",
            "From: cron@host",
            f"Subject: job {i}",
        ]
        lines += ["Content-Transfer-Encoding: base64", "", "c3RlcCBkb25lCg==" * 8, ""]
    found = synopsis(text(lines))
    assert found.label == "text/mail"
    assert "40 mails" in found.structure
    assert "40 bodies are in base64" in structure(found)
    assert "  3: job 0" in found.structure


@pytest.mark.parametrize(
    "heading",
    [
        ["## Part {i}", ""],
        ["Part {i}", "-------", ""],
        ["Part {i}", "~~~~~~~", ""],
        ["PART {i} OF THE BOOK", ""],
        ["{i}. Things to know", ""],
    ],
)
def test_headings_of_prose_are_shown_in_their_order(
    synopsis: Summarise, heading: list[str]
) -> None:
    lines: list[str] = []
    for i in range(1, 31):
        lines += [line.format(i=i) for line in heading]
        lines += ["Nothing but words stands here, and an error is their subject.", ""] * 5
    found = synopsis(text(lines))
    assert found.label == "text/prose"
    assert "30 headings; the first 24 in order:" in found.structure
    assert not found.notable


def test_of_prose_it_is_told_how_a_conclusion_begins_wherever_it_stands(
    synopsis: Summarise,
) -> None:
    lines: list[str] = []
    for i in range(1, 41):
        heading = "Root cause" if i == 33 else f"Things to know of part {i}"
        lines += [f"{i}. {heading}", "", "Nothing but words stands here, as it should.", ""]
        lines += ["The till was left open", "by the last of us."] if i == 33 else []
        lines += ["", "More words of no weight follow, and more of them.", ""]
    at = lines.index("33. Root cause") + 1
    said = synopsis(text(lines)).structure
    told = said[said.index("how the sections begin that conclude:") + 1]
    assert told.startswith(f"  {at}: 33. Root cause: Nothing but words stands here")


def test_a_page_for_screen_readers_shows_what_can_be_done(synopsis: Summarise) -> None:
    lines = ["- main [ref=e1]:"]
    for i in range(50):
        lines += [
            f'  - heading "Offer {i}" [level=2] [ref=e{i}a]',
            f'  - button "Buy {i}" [ref=e{i}b]',
        ]
        lines += ["  - paragraph: words"]
    found = synopsis(text([*lines, "  - alert: Card declined"]))
    assert found.label == "text/snapshot"
    assert "button 50" in structure(found)
    assert "50 headings" in structure(found)
    assert "button Buy 0" in structure(found)
    assert [line.number for line in found.notable] == [152]


def frame(line: str, stream: int = 1) -> bytes:
    data = line.encode()
    return bytes((stream, 0, 0, 0)) + len(data).to_bytes(4, "big") + data


def test_a_log_in_frames_is_a_log_and_its_lines_are_where_they_stand(synopsis: Summarise) -> None:
    # The header of a frame of ten bytes holds a line end.
    data = b"".join(frame("123456789\n") for _ in range(3))
    data += b"".join(frame(f"2026-01-02T10:00:00Z INFO step {i}\n") for i in range(300))
    data += frame("2026-01-02T10:00:09Z ERROR gateway refused\n", 2)
    found = synopsis(data)
    assert found.label == "text/log"
    assert "304 frames" in found.summary[0]
    number = next(line.number for line in found.notable if "gateway" in line.text)
    assert b"gateway" in data.split(b"\n")[number - 1]


def test_names_that_end_with_nul_are_a_list(synopsis: Summarise) -> None:
    found = synopsis(b"".join(b"./src/part%d/f%d.c\0" % (i % 4, i) for i in range(1500)))
    assert found.label == "text/listing"
    assert found.summary[0] == "1,500 names or values that end with NUL"
    assert "./src/part0/ 375" in structure(found)


@pytest.mark.parametrize("cut", [1, 7, 9, 500])
def test_frames_that_are_cut_are_read_up_to_there(synopsis: Summarise, cut: int) -> None:
    data = b"".join(frame(f"2026-01-02T10:00:00Z INFO step {i}\n") for i in range(3000))
    assert synopsis(data[:-cut]).label == "text/log"
