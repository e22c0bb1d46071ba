"""Outputs of everyday commands that a rule of thumb takes for something else. Made by hand."""

SAID = "the old house near a river was quiet and nobody came there in winter"
WORDS = SAID.split(" ")


def joined(*lines: str) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def log_with_commas_before_milliseconds() -> bytes:
    lines = [
        f"2026-03-05 10:{i // 60 % 60:02d}:{i % 60:02d},{i * 7 % 1000:03d} INFO app.jobs done {i}"
        for i in range(600)
    ]
    lines[417] = "2026-03-05 10:06:57,001 ERROR app.db cannot reach db-7: connection refused"
    return joined(*lines)


def log_with_process_numbers() -> bytes:
    lines = [f"[{8100 + i % 40}] started unit {i}" for i in range(900)]
    lines[700] = "[8101] ERROR unit 700 exited with status 3"
    return joined(*lines)


def vectors_of_r() -> bytes:
    return joined(
        *(f"[{i * 6 + 1}] " + " ".join(f"0.{i + k:04d}" for k in range(6)) for i in range(400))
    )


def result_before_a_log() -> bytes:
    log = [f"2026-01-01 10:00:{i % 60:02d} INFO step {i} of 900" for i in range(900)]
    log[333] = "2026-01-01 10:00:33 FATAL step 333: disk full"
    return joined('{"ok": true, "took": 12}', *log)


def numbered_source() -> bytes:
    lines = ["import os", "", "", "class Store:"]
    lines += [f"    def field_{i}(self) -> int:\n        return {i}\n".rstrip() for i in range(150)]
    flat = "\n".join(lines).split("\n")
    return joined(*(f"{i:6}\t{line}" for i, line in enumerate(flat, 1)))


def go_test() -> bytes:
    lines = [f"ok  \texample.org/shop/pkg{i}\t0.{i % 90 + 10}s" for i in range(300)]
    lines[120:121] = [
        "--- FAIL: TestTotals (0.00s)",
        "    totals_test.go:41: got 12, want 13",
        "FAIL",
        "FAIL\texample.org/shop/totals\t0.311s",
    ]
    return joined(*lines, "FAIL")


def disk_usage() -> bytes:
    return joined(*(f"{i % 97 * 4 + 4}\t./src/module{i % 11}/file{i}.py" for i in range(700)))


def numstat() -> bytes:
    return joined(*(f"{i % 61}\t{i % 17}\tsrc/module{i % 11}/file{i}.py" for i in range(700)))


def ls_tree() -> bytes:
    return joined(*(f"100644 blob {i * 7919 + 16**39:040x}\tsrc/file{i}.py" for i in range(300)))


def go_slice() -> bytes:
    names = [f'\t"word{i}",' for i in range(900)]
    return joined("package words", "", "var All = []string{", *names, "}")


def prose_with_one_comma_a_line() -> bytes:
    return joined(
        *(f"He came home late on day {i}, and it was dark at the door." for i in range(400))
    )


def rows_before_free_text() -> bytes:
    text = (" ".join(WORDS[i % 7 :]) + f" {i}" for i in range(1500))
    return joined("a,b,c", *(f"{i},2,3" for i in range(9)), *text)


def git_log() -> bytes:
    lines: list[str] = []
    for i in range(240):
        lines += [
            f"commit {i * 7919 + 16**39:040x}",
            f"Author: {('Ada', 'Grace', 'Linus')[i % 3]} Doe <dev{i % 3}@example.org>",
            f"Date:   Mon Jan {i % 28 + 1} 10:00:00 2026 +0100",
            "",
            f"    Fix the path {i}",
            "",
            "    from paths, import its rules",
            "    function unconditionally frees the buffer",
            "",
        ]
    return joined(*lines)


def manual_page() -> bytes:
    lines = ["LS(1)                    User Commands                   LS(1)", "", "NAME"]
    lines += ["       ls - list directory contents", "", "DESCRIPTION"]
    for i in range(260):
        lines += [f"       -{chr(97 + i % 26)}, --option-{i}", f"              {' '.join(WORDS)};"]
    lines.append("       use the long form, let the shell expand; import nothing")
    return joined(*lines)


def strings_of_a_program() -> bytes:
    odd = ["fn %s", "use --help", "import error", "let it be", "class name", "/lib64/ld-linux.so"]
    return joined(*(f"{odd[i % 6]}{'_' * (i % 5)}{i:x}" for i in range(2500)))


def pytest_verbose() -> bytes:
    lines = ["=" * 28 + " test session starts " + "=" * 28, "collected 321 items", ""]
    lines += [
        f"tests/test_shop.py::test_{i} {'FAILED' if i == 200 else 'PASSED'}".ljust(72)
        + f"[{i * 100 // 321:3d}%]"
        for i in range(321)
    ]
    lines += [
        "",
        "=" * 35 + " FAILURES " + "=" * 35,
        "_" * 35 + " test_200 " + "_" * 35,
        "    def test_200():",
        "        import os",
        ">       assert total(os.environ) == 13",
        "E       AssertionError: assert 12 == 13",
        "",
        "tests/test_shop.py:41: AssertionError",
        "=" * 25 + " short test summary info " + "=" * 25,
        "FAILED tests/test_shop.py::test_200 - AssertionError: assert 12 == 13",
        "=" * 20 + " 1 failed, 320 passed in 4.21s " + "=" * 20,
    ]
    return joined(*lines)


def pytest_quiet() -> bytes:
    dots = "." * 72
    lines = [f"{dots} [{i:3d}%]" for i in range(90)]
    lines[50] = lines[50].replace(".", "F", 1)
    tail = pytest_verbose().decode().split("\n")[326:-1]
    return joined(*lines, *tail)


def traceback_with_imports() -> bytes:
    lines = ["Traceback (most recent call last):"]
    for i in range(160):
        lines += [f'  File "/srv/app/part{i}.py", line {i + 3}, in <module>']
        lines += [f"    import part{i + 1}" if i % 2 else f"    from part{i + 1} import run"]
    return joined(*lines, "ModuleNotFoundError: No module named 'missing_part'")


def log_that_says_use() -> bytes:
    lines = [
        f"10:00:{i % 60:02d} INFO queue {i % 9} holds {i * 31 % 977} items" for i in range(900)
    ]
    lines[100] = "10:01:40 INFO use the --fast flag, let me import nothing"
    lines[612] = "10:10:12 FATAL queue 3: checkpoint is unreadable"
    return joined(*lines)


def prose_that_says_let() -> bytes:
    return joined(*(f"let me tell you of day {i} and of {' '.join(WORDS)}" for i in range(300)))


def git_diff() -> bytes:
    lines: list[str] = []
    for i in range(60):
        name = f"src/part{i}.ts"
        lines += [f"diff --git a/{name} b/{name}", f"index {i:07x}..{i + 9:07x} 100644"]
        lines += [f"--- a/{name}", f"+++ b/{name}", "@@ -1,4 +1,5 @@", ' import { a } from "./a";']
        lines += ["-const b = 1;", "+const b = 2;", "+const c = 3;", " export type T = {};"]
    return joined(*lines)


def git_log_with_patches() -> bytes:
    patches = git_diff().decode().split("\n")
    lines: list[str] = []
    for i in range(60):
        lines += [f"commit {i * 7919 + 16**39:040x}", "Author: Ada <ada@example.org>"]
        lines += ["Date:   Mon Jan 5 10:00:00 2026 +0100", "", f"    Change part {i}", ""]
        lines += [*patches[i * 10 : i * 10 + 10], ""]
    return joined(*lines)


def coloured_listing() -> bytes:
    return joined(
        *(f"\x1b[0m\x1b[01;34mfolder{i}\x1b[0m  \x1b[01;32mrun{i}.sh\x1b[0m" for i in range(500))
    )


def coloured_pytest() -> bytes:
    text = pytest_verbose().decode().replace("PASSED", "\x1b[32mPASSED\x1b[0m")
    return text.replace("FAILED", "\x1b[31mFAILED\x1b[0m").encode()


def log_with_one_nul() -> bytes:
    return joined(*(f"2026-01-01 10:00:00 INFO step {i}" for i in range(900))) + b"\0"


def numbers() -> bytes:
    return joined(*(str(i * 7919) for i in range(4000)))


def timestamps() -> bytes:
    return joined(*(f"2026-01-{i % 28 + 1:02d} 10:{i % 60:02d}:00" for i in range(1500)))


def octal_dump() -> bytes:
    return joined(
        *(
            f"{i * 16:07o} " + "".join(f"  {chr(65 + (i + k) % 26)}" for k in range(16))
            for i in range(600)
        )
    )


def configuration_with_comments() -> bytes:
    lines: list[str] = []
    for i in range(300):
        lines += [f"# Option {i}: what it does and why", f"# Default: {i}", f"option_{i} {i}", ""]
    return joined(*lines)


def prose_with_a_colon() -> bytes:
    lines = ["Errors:", "  none so far, but the night is long and the rain goes on", ""]
    return joined(*lines, *(" ".join(WORDS[i % 7 :]) + f" {i}." for i in range(500)))


def hex_dump() -> bytes:
    row = "7f45 4c46 0201 0100 0000 0000 0000 0000  .ELF............"
    return joined(*(f"{n * 16:08x}: {row}" for n in range(900)))


def disassembly() -> bytes:
    does = ("sub    $0x8,%rsp", "mov    %rax,%rdi", "call   *%rax", "ret", "xor    %ebp,%ebp")
    lines = ["", "cat:     file format elf64-x86-64", "", "", "Disassembly of section .init:", ""]
    for n in range(15):
        lines += ["", f"{n * 360 + 8192:016x} <part{n}@@Base>:"]
        lines += [
            f"    {n * 360 + 8192 + 4 * k:x}:\t{f'48 83 {n:02x} {k:02x}':<21}\t{does[k % 5]}"
            for k in range(90)
        ]
    return joined(*lines)


def paths_with_words_of_alarm() -> bytes:
    words = ("errors.html", "timeout", "Fatal.pm", "warnings.pm", "panic.h", "main.c")
    return joined(*(f"/usr/share/part{n}/{words[n % 6]}" for n in range(900)))


def configuration_with_rulers() -> bytes:
    lines: list[str] = []
    for n in range(200):
        lines += ["#" * 68 if n % 50 == 0 else "", f"[ part_{n} ]", f"folder = /srv/{n}", ""]
    return joined(*lines)


def query_result() -> bytes:
    rows = (f" {n:3} | n{n} | {n * 3}" for n in range(1, 901))
    return joined(" id | name | n ", "----+------+---", *rows, "(900 rows)")


def log_with_letters_for_levels() -> bytes:
    lines = [f"I0101 10:00:{n % 60:02d}.000000 12 part.go:9] synced {n}" for n in range(900)]
    return joined(*lines, "F0101 10:15:00.000000 12 part.go:9] cannot sync")


def folders_compared() -> bytes:
    return joined(*(f"Only in /srv/part{n % 9}: file{n}.py" for n in range(600)))


def index_of_git() -> bytes:
    modes = ("100755", "100644")
    return joined(
        *(f"{modes[n > 0]} {n * 7919 + 16**39:040x} 0\tsrc/file{n}.py" for n in range(300))
    )


def anything_protocol() -> bytes:
    lines = [f"ok {n} - part {n}" for n in range(1, 501)]
    lines[87] = "not ok 88 - sums"
    return joined("TAP version 13", *lines, "1..500", "# fail 1")


def page_with_front_matter() -> bytes:
    part = "Some text with [a link](http://x.org).\nAnother line."
    parts = (f"## Part {n}\n\n{part}\n" for n in range(120))
    return joined("---", "title: A page", "tags: [a, b]", "---", "", "# Head", "", *parts)
