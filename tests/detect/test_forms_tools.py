"""Forms of text: outputs of other tools of the families that they are written for."""

from collections.abc import Callable

import pytest

from stubcli.detect.model import Synopsis

Summarise = Callable[..., Synopsis]

NAMES = ("alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf")


def name(number: int) -> str:
    return NAMES[number % 7]


def structure(found: Synopsis) -> str:
    return "\n".join(found.structure)


def numbers(found: Synopsis) -> list[int]:
    return [line.number for line in found.notable]


def test_lines_of_one_template_are_counted_and_the_odd_ones_shown(synopsis: Summarise) -> None:
    lines = [f"fetched {name(i)}-{i}.tgz in {i} ms" for i in range(300)]
    lines += [f"removed /tmp/{name(i)}" for i in range(100)]
    lines.insert(200, "mirror answered with something else")
    found = synopsis("\n".join(lines))
    assert "300 × fetched …-….tgz in … ms" in structure(found)
    assert "100 × removed /tmp/…" in structure(found)
    assert "201: mirror answered with something else" in structure(found)


def test_text_of_one_encoded_word_a_line_has_no_groups(synopsis: Summarise) -> None:
    found = synopsis("".join(f"Zm9v{i:08d}YmFy{i * 7919:012d}==\n" for i in range(500)))
    assert "template" not in structure(found)


def access(number: int, status: int, path: str = "") -> str:
    path = path or f"/{name(number)}/{number}"
    time = f"03/Mar/2026:04:{number // 60 % 60:02d}:{number % 60:02d} +0000"
    return f'10.1.1.{number % 250} - - [{time}] "GET {path} HTTP/1.1" {status} {number}'


def test_an_access_log_tells_statuses_and_where_requests_failed(synopsis: Summarise) -> None:
    lines = [access(i, 301 if i % 50 == 0 else 200) for i in range(1000)]
    lines[300:300] = [access(300 + i, 504, f"/orders?page={i}") for i in range(40)]
    lines[700] = access(700, 500, "/export")
    found = synopsis("\n".join(lines))
    assert found.label == "text/log"
    assert "504 40 × GET /orders: lines 301 to 340, 03/Mar/2026:04:05:00" in structure(found)
    assert "200 9" in structure(found)
    assert numbers(found) == [301, 701]
    assert found.notable[0].folded == 39


def test_a_status_names_small_groups_and_counts_large_ones(synopsis: Summarise) -> None:
    lines = ["On branch trunk", "", "Unmerged paths:", '  (use "git add <file>...")']
    lines += ["\tboth added:      lib/parse.c", "", "Untracked files:", "  (use it)"]
    lines += [f"\tout/gen/{name(i)}{i}.o" for i in range(300)] + ["\tnotes.txt", ""]
    told = structure(synopsis("\n".join(lines)))
    assert "On branch trunk" in told
    assert "both added: lib/parse.c" in told
    assert "Untracked files: 301" in told
    assert "out/gen/ 300, ./ 1" in told


def test_a_short_status_puts_conflicts_first(synopsis: Summarise) -> None:
    found = synopsis("".join([f"?? tmp/{name(i)}{i}\n" for i in range(60)] + ["UU src/main.c\n"]))
    assert found.structure[:2] == ("conflict (UU): 1", "  src/main.c")
    assert "untracked (??): 60" in found.structure


def test_a_diff_tells_which_constants_have_another_value(synopsis: Summarise) -> None:
    lines = []
    for i in range(60):
        lines += [f"--- a/src/{i}.c", f"+++ b/src/{i}.c", "@@ -1,2 +1,2 @@"]
        lines += [f"-call_{name(i)}(one);", f"+call_{name(i)}(two);", " same"]
    lines += ["--- a/limits.py", "+++ b/limits.py", "@@ -1,2 +1,2 @@"]
    lines += ["-MOST = 20", '-NAME = "a"', "+MOST = 30", '+NAME = "a"']
    told = structure(synopsis("\n".join(lines)))
    assert f":\n  limits.py, line {len(lines) - 1}: -MOST = 20 +MOST = 30" in told
    alone = structure(synopsis("\n".join(lines[-7:])))
    assert "1 changed value:\n  limits.py, line 6: MOST = 30 (was 20)" in alone


def test_a_listing_tells_owners_and_counts_each_folder_once(synopsis: Summarise) -> None:
    lines = []
    for folder in (".", "./a", "./b"):
        lines += [f"{folder}:", "total 8", "drwxr-xr-x 2 web web 4096 Nov  4 22:44 ."]
        lines += ["drwxr-xr-x 2 web web 4096 Nov  4 22:44 .."]
        lines += [f"-rw-r--r-- 1 web web {i} Nov  4 22:44 {name(i)}{i}.txt" for i in range(40)]
        below = ("a", "b") if folder == "." else ()
        lines += [f"drwxr-xr-x 2 web web 4096 Nov  4 22:44 {one}" for one in below]
    lines.insert(-1, "-rw-r--r-- 1 1007 1007 12 Nov  4 22:44 other.txt")
    told = structure(synopsis("\n".join(lines)))
    assert "121 files, 3 directories, listed by 3 folders" in told
    assert "owners: web web 123, 1007 1007 1" in told


def test_a_diff_of_many_files_names_each_with_its_numbers(synopsis: Summarise) -> None:
    lines = []
    for i in range(60):
        path = f"src/{name(i)}/file{i}.c"
        lines += [f"diff --git a/{path} b/{path}", "index 1..2 100644", f"--- a/{path}"]
        lines += [f"+++ b/{path}", "@@ -1,2 +1,2 @@", "-old", "+new", " same"]
    lines += ["diff --git a/gone.txt b/gone.txt", "deleted file mode 100644", "index 1..0"]
    lines += ["--- a/gone.txt", "+++ /dev/null", "@@ -1 +0,0 @@", "-last"]
    told = structure(synopsis("\n".join(lines)))
    assert "61 files changed, 61 hunks, +60 −61 lines" in told
    assert "gone.txt +0 −1 deleted" in told
    assert "+1 −1 each:" in told
    assert all(f"src/{name(i)}/file{i}.c" in told for i in range(60))


def commit(number: int, subject: str, merge: bool = False) -> list[str]:
    lines = [f"commit {number:040x}"] + (["Merge: abc1234 def5678"] if merge else [])
    lines += [f"Author: {name(number)} <x@host.invalid>", "Date:   Wed Jan 1 04:29:55 2025 +0000"]
    return [*lines, "", f"    {subject}", ""]


def test_a_history_shows_what_was_undone(synopsis: Summarise) -> None:
    commits = [commit(i, f"{name(i)}: tidy the parser") for i in range(200)]
    commits[90] = commit(90, 'Revert "alpha: faster hashing"')
    commits[10] = commit(10, "Merge branch 'release'", merge=True)
    found = synopsis("\n".join(line for each in commits for line in each))
    assert found.structure[0] == "200 commits, 1 merge, 1 revert"
    assert any("faster hashing" in line.text for line in found.notable)


def test_a_compiler_is_counted_by_code_and_file_with_the_rare_code_shown(
    synopsis: Summarise,
) -> None:
    lines = [f"cc -O2 -c {name(i)}{i}.c -o {i}.o" for i in range(90)]
    for i in range(30):
        lines.insert(i * 3, f"{name(i)}.c:{i + 1}:2: warning: unused value [-Wunused-value]")
    lines.insert(50, "echo.c:7:1: warning: no return statement [-Wreturn-type]")
    found = synopsis("\n".join(lines))
    assert found.form == "compiler"
    assert "31 warnings" in structure(found)
    assert "-Wunused-value 30, -Wreturn-type 1" in structure(found)
    assert "cc 90" in structure(found)
    assert 51 in numbers(found)


def test_codes_with_their_place_on_the_next_line_are_counted(synopsis: Summarise) -> None:
    lines = []
    for i in range(60):
        lines += ["W605 [*] Invalid escape sequence", f"  --> app/{name(i)}.py:{i + 1}:4", "   |"]
        lines += [f"{i} | text = pattern", "   |", ""]
    told = structure(synopsis("\n".join(lines)))
    assert "W605 60" in told
    assert "app/alpha.py 9" in told


def test_findings_below_the_name_of_their_file_are_counted(synopsis: Summarise) -> None:
    lines = []
    for i in range(40):
        lines += [f"/srv/app/{name(i)}{i}.js", "  1:2  warning  Missing semicolon  semi"]
        lines += ["  3:4  error    'x' is not defined  no-undef", ""]
    told = structure(synopsis("\n".join(lines)))
    assert "40 errors, 40 warnings" in told
    assert "no-undef 40" in told


def row(number: int, state: str) -> str:
    return f"{name(number) + str(number):<14}{'3/3':<8}{state:<14}{number}d\n"


def test_the_rows_of_a_table_that_differ_are_shown(synopsis: Summarise) -> None:
    head = f"{'NAME':<14}{'READY':<8}{'STATUS':<14}AGE\n"
    rows = [row(i, "Active") for i in range(300)]
    rows[120] = row(120, "Draining")
    found = synopsis(head + "".join(rows))
    assert "Draining 1" in structure(found)
    assert numbers(found) == [122]


def test_a_word_of_alarm_in_a_name_is_no_alarm(synopsis: Summarise) -> None:
    words = ("error reporting", "panic buttons", "fatal encounters", "failed experiments")
    texts = [f"{words[i % 4]} of {name(i)} and {name(i // 7)} {name(i // 49)}" for i in range(200)]
    rows = [f"ii  lib-{name(i)}{i}  1.{i}  {text}\n" for i, text in enumerate(texts)]
    assert numbers(synopsis("".join(rows))) == []


def test_a_listing_shows_what_everyone_may_write_and_odd_types(synopsis: Summarise) -> None:
    lines = [f"-rw-r--r-- 1 dev dev {i} 2025-06-24 00:45 {name(i)}{i}.txt" for i in range(300)]
    lines[50] = "-rw-rw-rw- 1 dev dev 5 2025-06-24 00:45 keys.txt"
    lines[70] = "lrwxrwxrwx 1 dev dev 5 2025-06-24 00:45 now -> /nowhere"
    lines[90] = "-rwsr-xr-x 1 root dev 5 2025-06-24 00:45 helper"
    assert numbers(synopsis("\n".join(lines))) == [51, 71, 91]


def test_paths_are_counted_by_folder_and_what_is_none_is_shown(synopsis: Summarise) -> None:
    lines = [f"photos/{name(i)}/{i}.jpg" for i in range(700)]
    lines.insert(400, "gone before it was read: photos")
    found = synopsis("\n".join(lines))
    assert "700 paths, 1 other line" in structure(found)
    assert "photos/alpha/ 100" in structure(found)
    assert numbers(found) == [401]


def test_results_are_counted_once_though_the_summary_repeats_them(synopsis: Summarise) -> None:
    lines = [f"tests/test_a.py::test_{i} PASSED [ 1%]" for i in range(200)]
    lines[70] = "tests/test_a.py::test_70 FAILED [ 1%]"
    lines += ["= short test summary info =", "FAILED tests/test_a.py::test_70 - assert 1 == 2"]
    assert "PASSED 199, FAILED 1" in structure(synopsis("\n".join(lines)))


def test_the_commands_of_a_document_are_shown(synopsis: Summarise) -> None:
    text = "# Guide\n\nSee **this**.\n\n## Start\n\n```sh\nctl start --all\n```\n\n- [a](b)\n" * 3
    assert "ctl start --all" in structure(synopsis(text))


@pytest.mark.parametrize("mark", ["##[group]", "::group::"])
def test_named_groups_of_a_run_are_counted(synopsis: Summarise, mark: str) -> None:
    lines = []
    for i in range(20):
        lines += [f"{mark}Run {name(i)}"] + [f"did {name(k)} {k}" for k in range(30)]
    assert "groups (20): Run alpha" in structure(synopsis("\n".join(lines)))


def test_levels_of_a_long_log_are_counted_beyond_what_is_read_by_line(synopsis: Summarise) -> None:
    line = "2026-03-01 10:00:00,000 INFO worker served a request\n"
    count = 6 * 1024 * 1024 // len(line)
    late = "2026-03-01 10:00:00,000 ERROR worker lost its lease\n"
    told = structure(synopsis(line * count + late + line))
    assert f"INFO {count + 1:,}, ERROR 1" in told


def test_records_are_counted_and_the_values_that_differ_are_shown(synopsis: Summarise) -> None:
    lines = []
    for i in range(30):
        state, limit = ("Lost", "64Mi") if i == 11 else ("Bound", "512Mi")
        lines += [f"Name:       {name(i)}-{i}", f"State:      {state}", "Labels:     <none>"]
        lines += ["Limits:", f"  memory:   {limit}", "Events:     <none>", ""]
    found = synopsis("\n".join(lines))
    assert "30 blocks that begin with Name" in structure(found)
    assert "State: Bound 29, Lost 1" in structure(found)
    assert {11 * 7 + 2, 11 * 7 + 5} <= set(numbers(found))


def test_a_statistic_of_a_diff_names_what_changed_most(synopsis: Summarise) -> None:
    lines = [f" src/{name(i)}{i}.c | {i % 9 + 1:3d} +++--" for i in range(200)]
    lines[40] = " vendor/lock.txt | 4121 +++++-----"
    lines.append(" 200 files changed, 900 insertions(+), 80 deletions(-)")
    told = structure(synopsis("\n".join(lines)))
    assert told.startswith("200 files\n  vendor/lock.txt 4,121")


def test_colours_do_not_hide_the_form(synopsis: Summarise) -> None:
    lines = [f"tests/test_a.py::test_{i} \x1b[32mPASSED\x1b[0m" for i in range(100)]
    found = synopsis("\n".join(lines))
    assert found.form == "test-report"
    assert "PASSED 100" in structure(found)


def test_patches_in_a_history_are_counted(synopsis: Summarise) -> None:
    lines = []
    for i in range(12):
        lines += [*commit(i, "tidy"), f"diff --git a/f{i}.c b/f{i}.c", "index 1..2 100644"]
        lines += [f"--- a/f{i}.c", f"+++ b/f{i}.c", "@@ -1 +1,2 @@", "-a", "+b", "+c"]
    assert "12 files in 12 patches, +24 −12" in structure(synopsis("\n".join(lines)))


def test_of_each_code_that_is_rare_among_very_many_a_line_is_told(synopsis: Summarise) -> None:
    usual = [f"src/m{n}.py:{n}:5: error: Has no annotation  [untyped]" for n in range(2000)]
    for at in range(300, 1900, 200):
        usual[at] = f"src/m{at}.py:3:1: error: Cannot find module 'lib{at}'  [import-missing]"
    usual[1000] = "src/m1000.py:9:9: error: Returns the wrong thing  [return-value]"
    told = [line.number for line in synopsis("\n".join(usual) + "\n").notable]
    assert {301, 1001} <= set(told)


def test_the_rarest_codes_are_named_where_not_all_are(synopsis: Summarise) -> None:
    names = [f"no-{'abcdefghijklmnopqrst'[i]}-drawer" for i in range(20)]
    rows = [(name, 90 - 4 * i if i < 18 else 1) for i, name in enumerate(names)]
    lines = [
        f"src/till{i % 9}.py:{i + 1}: error: this may not be so  [{name}]"
        for name, times in rows
        for i in range(times)
    ]
    found = synopsis("\n".join(lines) + "\n")
    said = "\n".join(found.structure)
    assert "codes (20): no-a-drawer 90, no-b-drawer 86" in said
    assert f"  the rarest: {names[18]} 1, {names[19]} 1" in said


def test_findings_that_point_into_source_show_the_grave_ones_and_no_source_for_its_words(
    synopsis: Summarise,
) -> None:
    lines = []
    for i in range(40):
        lines += ["", f"In jobs/{name(i)}.sh line {i + 3}:", f'echo "$FAILED{i}" $ERROR']
        lines += [f"     ^--^ QX{2000 + i % 20} (style): Write it in another way."]
    lines += ["", "In jobs/zz.sh line 9:", "rm -rf $HOME/$1", "       ^--^ QX3001 (error): Empty?"]
    lines += ["", "In jobs/zz.sh line 12:", "wait", "^--^ QX3002 (warning): For whom?"]
    found = synopsis("\n".join(lines) + "\n")
    assert found.label == "text/compiler"
    shown = [line.text.strip() for line in found.notable]
    assert "^--^ QX3001 (error): Empty?" in shown
    assert "^--^ QX3002 (warning): For whom?" in shown
    assert "wait" in shown
    assert not any("FAILED" in text for text in shown)
