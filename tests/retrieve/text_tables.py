"""Outputs for human eyes, each with the table that a query finds in it."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class TextTable:
    """rows: of the table artifact. asked: a statement and its one row. outside: lines in none."""

    lines: Sequence[str]
    label: str
    columns: tuple[str, ...]
    rows: int
    asked: tuple[str, tuple[str | None, ...]]
    outside: int = 0

    @property
    def data(self) -> bytes:
        return "".join(f"{line}\n" for line in self.lines).encode("utf-8", "surrogateescape")


def _processes() -> list[str]:
    rows = [
        f"{('root', 'www', 'ann')[n % 3]:<9}{n + 100:>6} {f'{n % 7}.{n % 10}':<5}{n * 12:>9} ?   "
        f"{n % 24:02d}:{n % 60:02d} /usr/bin/prog{n} --port {n}"
        for n in range(60)
    ]
    return [f"{'USER':<9}{'PID':>6} {'%CPU':<5}{'RSS':>9} TTY START COMMAND", *rows]


def _services() -> list[str]:
    lines = [f"{'NAME':<12} {'TYPE':<10} {'CLUSTER-IP':<12} AGE"]
    lines += [f"{f'web-{n}':<12} {'ClusterIP':<10} {f'10.0.0.{n}':<12} {n}d" for n in range(40)]
    lines += ["", f"{'NAME':<14} {'READY':<6} {'STATUS':<10} RESTARTS"]
    states = ("Running", "Pending", "Failed")
    return lines + [f"{f'pod-{n}':<14} {'1/1':<6} {states[n % 3]:<10} {n}" for n in range(70)]


def _drawn() -> list[str]:
    rule = "+-----+----------+---------+"
    rows = [f"| {n:>3} | {f'name {n}':<8} | {n * 3:>7} |" for n in range(80)]
    header = f"| {'id':>3} | {'name':<8} | {'total':>7} |"
    return [rule, header, rule, *rows, rule, "80 rows in set (0.01 sec)"]


def _log() -> list[str]:
    lines = ["starting up"]
    for n in range(120):
        level = ("INFO", "INFO", "WARN", "ERROR")[n % 4]
        stamp = f"2026-04-01 10:{n // 60:02d}:{n % 60:02d},{n:03d}"
        lines.append(f"{stamp} {level} [w-{n % 3}] app.db{n % 2}: query {n} took {n % 9} ms")
        if level == "ERROR":
            lines += ["Traceback (most recent call last):", f"ValueError: {n}"]
    return lines


def _grep() -> list[str]:
    lines = []
    for n in range(50):
        lines += [
            f"src/a{n % 5}.py-{n * 9 + 1}-before",
            f"src/a{n % 5}.py:{n * 9 + 2}:import x: {n}",
        ]
        lines += ["--"]
    return sorted(lines[:-1], key=lambda line: line.split(":")[0].split("-")[0])


def _vimgrep() -> list[str]:
    return [f"lib/m{n // 20}.go:{n % 20 * 3 + 1}:{n % 4 + 1}:\tfunc f{n}()" for n in range(100)]


def _diff() -> list[str]:
    lines = []
    for n in range(20):
        lines += [f"diff --git a/f{n}.txt b/f{n}.txt", "index 1..2 100644", f"--- a/f{n}.txt"]
        lines += [f"+++ b/f{n}.txt", "@@ -1,3 +1,4 @@", " same", "-old", "+new", "+more", " same"]
        lines += ["@@ -9,2 +10,1 @@", " same", "-gone"] if n % 2 else []
    return lines


def _junit() -> list[str]:
    lines = ['<?xml version="1.0"?>', '<testsuites><testsuite name="s" tests="60">']
    for n in range(60):
        case = f'<testcase classname="a.B" name="t{n}" time="0.0{n:02d}"'
        failed = f'><failure message="no {n}">at line {n}</failure></testcase>'
        lines.append(case + (failed if n % 20 == 7 else "/>"))
    return [*lines, "</testsuite></testsuites>"]


def _pytest() -> list[str]:
    lines = ["============ test session starts ============", "collected 60 items", ""]
    for n in range(60):
        word = "FAILED" if n % 20 == 7 else "PASSED"
        lines.append(f"tests/test_a.py::TestK::test_b[{n}/x] {word} [ {n}%]")
    lines += [f"FAILED tests/test_a.py::TestK::test_b[{n}/x] - assert {n}" for n in (7, 27, 47)]
    return lines


def _go() -> list[str]:
    lines = []
    for n in range(60):
        word = "FAIL" if n % 20 == 7 else "PASS"
        lines += [f"=== RUN   TestX{n}", f"--- {word}: TestX{n} (0.{n:02d}s)"]
    return [*lines, "ok  \texample.org/a\t1.234s"]


def _access() -> list[str]:
    return [
        f"10.0.0.{n % 9} - ann [10/Oct/2026:13:00:{n % 60:02d} +0000] "
        f'"GET /p{n % 5}?q={n} HTTP/1.1" {(200, 404, 500)[n % 3]} '
        f'{n * 7 if n % 3 else "-"} "-" "agent \\"{n}\\""'
        for n in range(90)
    ]


def _compiler() -> list[str]:
    lines = []
    for n in range(60):
        kind = "error" if n % 15 == 3 else "warning"
        lines += [f"src/f{n % 4}.c:{n + 1}:{n % 9 + 1}: {kind}: thing {n} is unused [-Wthing]"]
        lines += [f"  {n + 1} |   int thing;", "      |       ^~~~~"]
        lines += [f"src/f{n % 4}.c:{n + 9}:1: note: declared here"] if n % 2 else []
    return lines


def _eslint() -> list[str]:
    lines = []
    for file in range(6):
        lines += [f"/app/src/file{file}.js"]
        lines += [f"  {n + 1}:{n + 5}  error    Unexpected var x{n}  no-var" for n in range(15)]
        lines += [""]
    return lines


def _listing() -> list[str]:
    lines = []
    for folder in range(5):
        lines += [f"./d{folder}:", "total 99"]
        lines += [f"drwxr-xr-x 2 ann users  4096 2026-01-02 10:00 sub{folder}"]
        lines += [
            f"-rw-r--r-- 1 bob users {n * 100:>5} 2026-01-0{n % 9 + 1} 10:{n:02d} file {n}.txt"
            for n in range(12)
        ]
        lines += [f"lrwxrwxrwx 1 ann users     9 2026-01-02 10:00 link{folder} -> elsewhere", ""]
    return lines


def _found() -> list[str]:
    return [
        f"{n:>7} {n % 8:>4} -rw-r--r--   1 root     wheel    {n * 11:>6} "
        f"Feb {n % 28 + 1:>2} 12:00 ./a/b{n}"
        for n in range(70)
    ]


def _sums() -> list[str]:
    return [f"{n:032x}  ./lib/part {n}.so" for n in range(70)]


def _tree() -> list[str]:
    lines = ["."]
    for n in range(12):
        lines += [f"├── d{n}", *(f"│   ├── f{m}.py" for m in range(6))]
    return lines


def _records() -> list[str]:
    lines = []
    for n in range(30):
        lines += [f"Package: p{n}", f"Size: {n * 10}", f"Section: {('libs', 'net')[n % 2]}"]
        lines += ["Description: short", " and long", ""]
    return lines


def _settings() -> list[str]:
    return [f"net.ipv4.conf.eth{n}.value = {n}" for n in range(60)]


def _logfmt() -> list[str]:
    return [
        f"time=2026-04-01T10:00:{n % 60:02d}Z level={('info', 'error')[n % 10 == 3]} "
        f'msg="did \\"{n}\\" things" took={n}ms' + (" retry" if n % 10 == 3 else "")
        for n in range(90)
    ]


TABLES = {
    "processes": TextTable(
        _processes(),
        "text/table",
        ("USER", "PID", "%CPU", "RSS", "TTY", "START", "COMMAND"),
        60,
        ('SELECT max("RSS"), min("PID") FROM artifact WHERE "USER" = \'ann\'', ("708", "102")),
    ),
    "services": TextTable(
        _services(),
        "text/table",
        ("NAME", "READY", "STATUS", "RESTARTS"),
        70,
        ("SELECT count(*), min(line_number) FROM table_1", ("40", "2")),
    ),
    "drawn": TextTable(
        _drawn(),
        "text/table",
        ("id", "name", "total"),
        80,
        ("SELECT sum(total), max(line_number) FROM artifact", ("9480", "83")),
        1,
    ),
    "log": TextTable(
        _log(),
        "text/log",
        ("time", "level", "source", "message", "header"),
        120,
        (
            "SELECT line_number, time, message, header FROM artifact WHERE level = 'ERROR' LIMIT 1",
            (
                "5",
                "2026-04-01 10:00:03.003",
                "query 3 took 3 ms\nTraceback (most recent call last):\nValueError: 3",
                "[w-0]",
            ),
        ),
        1,
    ),
    "logfmt": TextTable(
        _logfmt(),
        "text/log",
        ("time", "level", "msg", "took", "retry"),
        90,
        (
            "SELECT count(*), min(msg) FROM artifact WHERE level = 'error' AND retry",
            ("9", 'did "13" things'),
        ),
    ),
    "matches": TextTable(
        _grep(),
        "text/matches",
        ("path", "line", "text"),
        50,
        (
            "SELECT (SELECT count(*) FROM context), text FROM artifact WHERE line = 11",
            ("50", "import x: 1"),
        ),
    ),
    "matches with columns": TextTable(
        _vimgrep(),
        "text/matches",
        ("path", "line", "column", "text"),
        100,
        ('SELECT "column", text FROM artifact WHERE line_number = 3', ("3", "\tfunc f2()")),
    ),
    "diff": TextTable(
        _diff(),
        "text/diff",
        ("file", "added", "removed", "hunks", "note"),
        20,
        ("SELECT sum(added), sum(removed), sum(hunks) FROM artifact", ("40", "30", "30")),
    ),
    "junit": TextTable(
        _junit(),
        "xml/junit",
        ("suite", "class", "case", "status", "seconds", "message", "details", "file"),
        60,
        (
            "SELECT count(*), min(message), min(details), min(line_number), sum(seconds) "
            "FROM artifact WHERE status = 'failed'",
            ("3", "no 27", "at line 27", "10", "0.081"),
        ),
    ),
    "pytest": TextTable(
        _pytest(),
        "text/test-report",
        ("suite", "case", "status", "seconds", "message"),
        60,
        (
            "SELECT min(suite), min(\"case\"), count(*) FROM artifact WHERE status = 'FAILED'",
            ("tests/test_a.py::TestK", "test_b[27/x]", "3"),
        ),
        5,
    ),
    "go": TextTable(
        _go(),
        "text/test-report",
        ("suite", "case", "status", "seconds", "message"),
        61,
        (
            "SELECT count(*), max(seconds) FROM artifact WHERE status = 'FAIL'",
            ("3", "0.47"),
        ),
        60,
    ),
    "access log": TextTable(
        _access(),
        "text/log",
        ("client", "time", "method", "path", "status", "size", "referer", "agent", "rest"),
        90,
        (
            "SELECT count(*), max(size), min(agent) FROM artifact WHERE status = 500",
            ("30", "623", r"agent \"11\""),
        ),
    ),
    "compiler": TextTable(
        _compiler(),
        "text/compiler",
        ("path", "line", "column", "severity", "rule", "message"),
        60,
        (
            'SELECT path, "column", rule, message, (SELECT count(*) FROM notes) FROM artifact '
            "WHERE severity = 'error' AND line = 4",
            ("src/f3.c", "4", "-Wthing", "thing 3 is unused [-Wthing]", "30"),
        ),
        120,
    ),
    "linter": TextTable(
        _eslint(),
        "text/compiler",
        ("path", "line", "column", "severity", "rule", "message"),
        90,
        (
            'SELECT path, "column", rule, message FROM artifact WHERE line = 2 LIMIT 1',
            ("/app/src/file0.js", "6", "no-var", "Unexpected var x1"),
        ),
    ),
    "listing": TextTable(
        _listing(),
        "text/listing",
        ("mode", "owner", "group", "size", "time", "path", "target"),
        70,
        (
            "SELECT path, size, target, owner FROM artifact WHERE mode[1] = 'l' LIMIT 1",
            ("./d0/link0", "9", "elsewhere", "ann"),
        ),
    ),
    "found files": TextTable(
        _found(),
        "text/listing",
        ("mode", "owner", "group", "size", "time", "path", "target"),
        70,
        (
            'SELECT path, size, "group", time FROM artifact WHERE size = 22',
            ("./a/b2", "22", "wheel", "Feb  3 12:00"),
        ),
    ),
    "checksums": TextTable(
        _sums(),
        "text/listing",
        ("sum", "path"),
        70,
        ("SELECT sum FROM artifact WHERE path = './lib/part 7.so'", ("0" * 31 + "7",)),
    ),
    "tree": TextTable(
        _tree(),
        "text/listing",
        ("details", "path"),
        72,
        ("SELECT count(*) FROM artifact WHERE path LIKE 'd3/%'", ("6",)),
    ),
    "records": TextTable(
        _records(),
        "text/records",
        ("Package", "Size", "Section", "Description"),
        30,
        (
            'SELECT max("Size"), min("Description"), (SELECT count(*) FROM fields) FROM artifact '
            "WHERE \"Section\" = 'net'",
            ("290", "short\nand long", "120"),
        ),
    ),
    "settings": TextTable(
        _settings(),
        "text/records",
        ("key", "value"),
        60,
        ("SELECT value FROM artifact WHERE key LIKE '%eth7.%'", ("7",)),
    ),
}
