"""Forms that are told by how their lines are built: matches, lists of files, tables, records."""

from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.detect.model import Synopsis
from stubcli.detect.text.paths import Paths, summed
from stubcli.detect.text.quantities import quantity
from tests.chance import examples

Summarise = Callable[..., Synopsis]
FOLDERS = st.lists(st.sampled_from(["a", "b", "cc", "deep"]), max_size=5)


def text(lines: Sequence[str]) -> str:
    return "\n".join(lines) + "\n"


def structure(found: Synopsis) -> str:
    return "\n".join(found.structure)


def quoted(found: Synopsis) -> dict[int, str]:
    return {line.number: line.text for line in found.notable}


@examples(200)
@given(st.lists(FOLDERS, min_size=1, max_size=60), st.integers(3, 12))
def test_folders_that_are_named_hold_all_files_once(names: list[list[str]], most: int) -> None:
    folders = Counter("".join(f"{part}/" for part in name).encode() for name in names)
    named = summed(folders, most)
    assert sum(count for _, count in named) == len(names)
    assert len(named) <= most
    assert [count for _, count in named] == sorted((n for _, n in named), reverse=True)
    for name, count in named:
        if not name.startswith(b"rest of ") and not name.endswith(b" itself") and name != b"":
            inside = sum(n for folder, n in folders.items() if folder.startswith(name))
            assert name == b"elsewhere" or count <= inside


def test_names_unlike_all_others_and_those_of_keys_are_found() -> None:
    paths = Paths()
    listed = [b"./book/part/%d.tex" % number for number in range(400)]
    listed[7], listed[90] = b"./book/.env.local", b"./book/server.pem"
    paths.add(listed, range(1, 401))
    assert [number for number, _ in paths.odd()] == [8, 91]


@pytest.mark.parametrize(
    "row",
    [
        "{path}:{line}:    return {word}({line})",
        "{path}:{line}:7:    return {word}({line})",
        "{path}:    return {word}({line})",
    ],
)
def test_matches_are_counted_by_file_and_alarm_nobody(synopsis: Summarise, row: str) -> None:
    lines = []
    for number in range(600):
        path = f"src/part{number // 50}/views.py"
        lines.append(row.format(path=path, line=number + 1, word="raise_error"))
    found = synopsis(text([*lines, "Binary file src/logo.png matches"]))
    assert found.label == "text/matches"
    assert "600 matches in 12 files, 1 other line" in structure(found)
    assert "src/part0/views.py 50" in structure(found)
    assert quoted(found) == {601: "Binary file src/logo.png matches"}


def test_matches_under_the_name_of_their_file_are_counted(synopsis: Summarise) -> None:
    lines = []
    for number in range(40):
        lines += [f"lib/file{number}.c", *(f"{3 * i + 1}:  /* TODO {i} */" for i in range(6)), ""]
    found = synopsis(text(lines))
    assert found.label == "text/matches"
    assert "240 matches in 40 files" in structure(found)


def test_counts_of_matches_are_summed_and_files_without_any_are_told(synopsis: Summarise) -> None:
    found = synopsis(text([f"lib/file{i}.c:{i % 4}" for i in range(400)]))
    assert "600 matches in 300 files, 100 files without" in structure(found)


@pytest.mark.parametrize(
    "line",
    [
        "2026-02-03 10:00:{i:02d}.123 INFO /srv/app.py:{i}: done",
        "10:00:{i:02d} worker.py started",
        "example{i}.org:443",
        "name.of.key{i}: value {i}",
    ],
)
def test_what_only_holds_colons_is_no_match(synopsis: Summarise, line: str) -> None:
    found = synopsis(text([line.format(i=i % 60) for i in range(300)]))
    assert found.label != "text/matches"


def test_messages_about_places_are_findings_and_no_matches(synopsis: Summarise) -> None:
    lines = [f"pkg/file{i % 30}.go:{i + 1}:2: result of Close is ignored" for i in range(300)]
    found = synopsis(text(lines))
    assert found.label == "text/compiler"
    assert "300 findings" in structure(found)


@pytest.mark.parametrize(
    ("row", "total"),
    [
        ("-rw-r--r-- 1 root root {size:>9} Jan  2 10:00 d/f{i}.txt", "400 files"),
        ("-rw-r--r-- root/root {size:>9} 2026-01-02 10:00 d/f{i}.txt", "400 files"),
        ("{size:>9}  2026-01-02 10:00   d/f{i}.txt", "400 paths"),
        ("2026-01-02 10:00:00 {size:>9} d/f{i}.txt", "400 paths"),
        ("{size}\td/f{i}.txt", "400 paths"),
        ("100644 blob 0123456789abcdef0123456789abcdef01234567 {size:>9}\td/f{i}.txt", "400 paths"),
    ],
)
def test_the_largest_file_of_a_list_is_named(synopsis: Summarise, row: str, total: str) -> None:
    sizes = [10_000_000 if i == 123 else 1000 + i for i in range(400)]
    found = synopsis(text([row.format(size=size, i=i) for i, size in enumerate(sizes)]))
    assert found.label == "text/listing"
    assert total in structure(found)
    assert "  10000000  d/f123.txt (line 124)" in found.structure
    assert "endings: .txt 400" in structure(found)


def test_a_list_is_counted_to_its_end_and_a_folder_keeps_its_root(synopsis: Summarise) -> None:
    lines = [f"/srv/data/p{i % 300}/name_of_a_file_{i}.dat" for i in range(200_000)]
    lines += [f"/etc/app/{i}.conf" for i in range(50_000)]
    found = synopsis(text(lines))
    assert "250,000 paths" in found.structure
    assert "folders: /srv/data/ 200,000, /etc/app/ 50,000" in found.structure


def test_columns_are_found_where_one_blank_parts_them(synopsis: Summarise) -> None:
    lines = ["OWNER    PID %CPU STATE COMMAND"]
    for i in range(200):
        owner, load = ("www", "dba")[i % 2], 97.5 if i == 50 else 0.1
        lines.append(f"{owner:<8} {100 + i:>3} {load:>4} S     /bin/tool --in {i}")
    found = synopsis(text(lines))
    assert found.label == "text/table"
    assert "  OWNER: dba 100, www 100" in found.structure
    assert any(line.startswith("  %CPU: number 0.1–97.5") for line in found.structure)
    assert list(quoted(found)) == [52]


def test_each_of_several_tables_has_its_own_columns(synopsis: Summarise) -> None:
    pods = ["NAME       READY   STATUS", *(f"pod/p{i:<5}  1/1     Running" for i in range(60))]
    jobs = [
        "NAME       COMPLETIONS   AGE",
        *(f"job/j{i:<5}  1/1           {i}d" for i in range(60)),
    ]
    found = synopsis(text([*pods, "", *jobs]))
    assert "120 rows in 2 tables" in found.structure
    assert "  STATUS: Running 60" in found.structure
    assert "  AGE: time 0d–59d" in found.structure


def test_values_left_out_are_no_more_frequent_than_those_shown(synopsis: Summarise) -> None:
    rows = [f"w{i:<6}  {'s' + str(i % 30):<6}  {i}" for i in range(900)]
    found = synopsis(text(["NAME     STATE   NUMBER", *rows]))
    line = next(line for line in found.structure if line.startswith("  STATE: "))
    counts = [int(part.split()[-1]) for part in line.split("+")[0].split(", ")]
    assert counts == sorted(counts, reverse=True)


def test_drawn_tables_are_read_without_their_frames(synopsis: Summarise) -> None:
    for bar, rule in (("|", "+----+-------+------+"), ("│", "├────┼───────┼──────┤")):
        rows = [
            f"{bar} {i:>3} {bar} n{i:<4} {bar} {'up' if i != 70 else 'down':<4} {bar}"
            for i in range(120)
        ]
        found = synopsis(text([rule, f"{bar} id  {bar} name  {bar} mode {bar}", rule, *rows, rule]))
        assert found.label == "text/table"
        assert "  mode: up 119, down 1" in found.structure
        assert list(quoted(found)) == [74]


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("4.0K", (4096.0, "B")),
        ("12MiB", (12 * 1024.0**2, "B")),
        ("1,234", (1234.0, "")),
        ("97.4%", (97.4, "%")),
        ("350ms", (0.35, "s")),
        ("5d3h", (442_800.0, "s")),
        ("3 (4m ago)", (3.0, "")),
        ("v1.2", None),
        ("1.2.3", None),
        ("", None),
    ],
)
def test_sizes_and_times_are_numbers(cell: str, value: tuple[float, str] | None) -> None:
    found = quantity(cell)
    assert (found is None) == (value is None)
    if found and value:
        assert found[0] == pytest.approx(value[0])
        assert found[1] == value[1]


@pytest.mark.parametrize(
    ("block", "name", "odd"),
    [
        (["Host: h{i}", "Role: {role}", "Size: 10", ""], 0, "Role: writer"),
        (["host h{i}", "    Role: {role}", "    Size: 10"], 0, "    Role: writer"),
        (["Id=h{i}", "Role={role}", "Size=10", ""], 0, "Role=writer"),
        (["BEGIN:HOST", "NAME:h{i}", "ROLE:{role}", "END:HOST"], 1, "ROLE:writer"),
    ],
)
def test_a_record_that_differs_is_quoted_with_what_names_it(
    synopsis: Summarise, block: list[str], name: int, odd: str
) -> None:
    lines = []
    for i in range(90):
        role = "writer" if i == 40 else "reader"
        lines += [line.format(i=i, role=role) for line in block]
    found = synopsis(text(lines))
    assert found.label == "text/records"
    assert "90 blocks" in structure(found)
    assert "reader 89, writer 1" in structure(found)
    named = 40 * len(block) + 1 + name
    assert quoted(found)[named] == block[name].format(i=40)
    assert odd in quoted(found).values()


def test_keys_that_come_again_and_again_are_no_mapping(synopsis: Summarise) -> None:
    lines = []
    for i in range(200):
        lines += ["Host:", f"  name: h{i}", f"  size: {i % 3}"]
    found = synopsis(text(lines))
    assert found.label == "text/records"
    assert "200 blocks" in structure(found)
