"""Source code is recognised by the evidence of all its tokens, and nothing else is taken for it."""

import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest

from stubcli.detect import registry
from stubcli.detect.code import model
from stubcli.detect.code.claim import excerpt
from stubcli.detect.code.features import MOST, features
from stubcli.detect.code.hints import hints
from stubcli.detect.code.languages import PATTERNS
from stubcli.detect.model import Sample, Synopsis
from stubcli.detect.reading import InMemory
from stubcli.spill.stub import take_sample
from stubcli.store.records import Origin
from tests.chance import exploring
from tests.detect.cases.programs import PROGRAMS, program
from tests.detect.conftest import described

Summarise = Callable[..., Synopsis]
WORDS = (
    "The function of the committee is to return whatever was imported, and if the class has a",
    "static meeting it may let the public in; while this is so, nothing is void for the term.",
    "For each of them there is a switch, an object and a package, which the members do not const.",
)


def numbered(*templates: str) -> str:
    return "".join(templates[at % len(templates)].format(n=at) + "\n" for at in range(600))


OTHERS = {
    "prose": "\n".join(f"{WORDS[at % 3]} Of this there are {at}." for at in range(300)),
    "Markdown with code": "# Books\n\n"
    + "".join(
        f"## Part {at}\n\nCall `load({at})` with a **path**, see [the guide](guide.md):\n\n"
        f"```python\nfrom books import load\nrows = load({at})\n```\n\n"
        + "".join(f"- {line}\n" for line in WORDS)
        for at in range(60)
    ),
    "manual": "BOOKS(1)                     User Commands                     BOOKS(1)\n\nNAME\n"
    "       books - keep books\n\nOPTIONS\n"
    + "".join(
        f"       -{chr(97 + at % 26)}, --option-{at}=WORD\n              {WORDS[at % 3][:60]}\n\n"
        for at in range(200)
    ),
    "groff": '.TH BOOKS 1 "May 2024" "books 1.2"\n.SH NAME\nbooks \\- keep books\n.SH OPTIONS\n'
    + "".join(f".TP\n.BR \\-\\-option{at} =\\fIWORD\\fR\n{WORDS[at % 3]}\n" for at in range(200)),
    "log": numbered("2024-05-01 10:00:{n} worker {n} opened /var/lib/books/{n}.dat (pid={n})"),
    "listing": numbered("/usr/lib/python3/dist-packages/books/part{n}.py", "./src/{n}/main.go"),
    "columns": numbered("pod-{n}      1/1     Running     {n}          5d"),
    "matches": numbered(
        "src/books.py:{n}:import os", "src/a/store.py:{n}:    return self.rows[{n}]"
    ),
    "changelog": numbered(
        "2024-05-{n}  Ada Doe  <ada@example.org>\n\n\t* books.c (load_{n}): New."
    ),
    "help": "Usage: books [OPTIONS] PATH\n\nOptions:\n"
    + numbered(
        "  -{n}, --option-{n} FILE   import the class from FILE and return (default: {n})",
        "      --no-part-{n}         do not print what is kept, as if it was never there",
        "      --limit-{n}=COUNT     stop when more than COUNT of them were found",
    ),
    "session": numbered("$ cat part{n}.txt", "no part {n}", "user@host:~$ ls", "a.txt  b{n}.txt"),
    "configuration": "[books]\n" + numbered("# how many", "limit_{n} = {n}", "[part {n}]"),
    "hosts": numbered("Host books-{n}\n    HostName 10.0.0.{n}\n    User ada\n    Port {n}\n"),
    "stanzas": numbered("Package: books-{n}\nVersion: 1.{n}\nDepends: libc6\nPriority: optional\n"),
    "front matter": "---\ntitle: Books\ntags:\n  - one\n---\n\n"
    + "".join(f"# Part {n}\n\n{WORDS[n % 3]}\n\n- item: {n}\n\n## Of {n}\n\n" for n in range(99)),
    "numbers": numbered("{n}", "1.{n}e-05"),
    "JSON": '{"rows": [\n'
    + ",\n".join(f'  {{"id": {n}, "def": "class"}}' for n in range(600))
    + "\n]}",
}


@pytest.mark.parametrize("language", sorted(PROGRAMS))
def test_a_program_is_code_of_its_language(language: str, synopsis: Summarise) -> None:
    found = synopsis(program(language))
    assert found.label == f"code/{language}"
    assert any(line.startswith("symbols (") for line in found.structure)


@pytest.mark.parametrize("name", sorted(OTHERS))
def test_what_is_no_program_is_no_code(name: str, synopsis: Summarise) -> None:
    assert synopsis(OTHERS[name]).kind not in ("code", "yaml")


def test_modules_of_the_standard_library_are_python() -> None:
    folder = Path(sysconfig.get_path("stdlib"))
    paths = [*sorted(folder.glob("*.py")), *sorted(folder.glob("[a-r]*/*.py"))]
    modules = [path for path in paths if path.stat().st_size > 20_000]
    modules = modules if exploring() else modules[::2]
    labels = {str(path): described(path.read_bytes()).label for path in modules}
    assert len(labels) > 49
    mistaken = {name: label for name, label in labels.items() if label != "code/Python"}
    assert len(mistaken) <= len(labels) // 100, mistaken


def test_comments_that_look_like_headings_make_no_markdown(synopsis: Summarise) -> None:
    comments = "# What it keeps\n#\n# - one\n# - two\n# **all** of them\n\n## And more\n"
    for language in ("Python", "Shell", "Ruby", "Perl", "R", "Makefile"):
        head, part = PROGRAMS[language]
        made = program(language).replace("\n\n", f"\n\n{comments}", 8)
        assert synopsis(made).label == f"code/{language}", (head, part)


def test_docstrings_and_texts_with_lists_stay_code(synopsis: Summarise) -> None:
    text = "\n".join(f"    - {word}, and\n    * {word}" for word in ("one", "two", "three"))
    python = program("Python").replace('"""Add one."""', f'"""Add.\n\n{text}\n        """')
    shell = program("Shell").replace(
        "        return 1\n", f"        cat <<EOF\n# Usage\n{text}\nEOF\n        return 1\n"
    )
    assert synopsis(python).label == "code/Python"
    assert synopsis(shell).label == "code/Shell"


def test_a_table_written_as_a_dictionary_is_python(synopsis: Summarise) -> None:
    rows = "".join(f"    'key_{n}': ({n}, 'name {n}', None),\n" for n in range(800))
    page = f"import os\n\nTABLE = {{\n{rows}}}\n\n\ndef find(name):\n    return TABLE[name]\n"
    assert synopsis(page).kind in ("code", "text")


@pytest.mark.parametrize(
    ("origin", "head", "language"),
    [
        (Origin(argv=("cat", "src/books.kt")), b"", "Kotlin"),
        (Origin(argv=("bash", "-lc", "sed -n 1,400p lib/books.ex")), b"", "Elixir"),
        (Origin(mime="text/x-python"), b"", "Python"),
        (Origin(mime="application/javascript; charset=utf-8"), b"", "JavaScript"),
        (Origin(mime="text/x-c++src"), b"", "C or C++"),
        (Origin(), b"#!/usr/bin/env python3\n", "Python"),
        (Origin(), b"#!/bin/sh -e\n", "Shell"),
        (Origin(), b"# -*- mode: ruby -*-\n", "Ruby"),
        (Origin(), b"-- vim: ft=lua sw=2\n", "Lua"),
        (Origin(), b"<?php\n", "PHP"),
    ],
)
def test_a_language_is_named_by_a_file_a_mime_type_a_shebang_or_a_mode_line(
    origin: Origin, head: bytes, language: str
) -> None:
    data = head + b"x\n" * 900
    assert list(hints(take_sample(InMemory(data), data, data, origin))) == [language]


def test_a_hint_decides_between_plausible_languages_and_forces_none() -> None:
    def label(data: str, **origin: object) -> str:
        raw = data.encode()
        sample = take_sample(InMemory(raw), raw, raw, Origin(**origin))  # type: ignore[arg-type]
        kind, claim = next(registry._claims(sample))
        return f"{kind}/{claim.form}"

    assert label(program("Java"), argv=("cat", "a.py")) == "code/Java"
    assert label(OTHERS["prose"], mime="text/x-python") == "text/plain"
    assert label(OTHERS["log"], argv=("cat", "a.rb")) == "text/log"


def test_the_table_of_weights_is_small_and_whole() -> None:
    lines = Path(model._FILE).read_bytes().split(b"\n")
    names = lines[0].decode().split("\t")
    rows = dict(model._rows(lines[1:]))
    assert sum(map(len, lines)) < 100_000
    assert all(len(row) == len(names) and min(row) > 32 and max(row) < 127 for row in rows.values())
    assert b"" in rows
    assert set(PROGRAMS) <= set(names)
    assert set(PATTERNS) == {name for name in names if not name.startswith("-")}


def test_what_is_counted_is_bounded_however_long_the_stream_is() -> None:
    piece = program("Go", 900).encode()[: 64 << 10]
    sample = Sample(piece, (piece[: 16 << 10],) * 3, piece, 1 << 40)
    assert len(excerpt(sample)) < MOST + 8
    assert features(excerpt(sample)).total() < 2 * MOST


def test_the_outline_has_what_is_least_indented_first(synopsis: Summarise) -> None:
    methods = "".join(f"    def method_{n}(self):\n        return {n}\n\n" for n in range(60))
    last = "def after_all(path):\n    return Store(path)\n\n\nclass Last:\n    pass\n"
    found = synopsis(f"import os\n\n\nclass Store:\n    # One.\n{methods}\n{last}")
    shown = found.structure[found.structure.index("symbols (63):") + 1 :]
    assert len(shown) == 41
    assert shown[0] == "  4: class Store:"
    assert shown[1] == "  6:   def method_0(self):"
    assert [line.partition(": ")[2] for line in shown[-3:-1]] == [
        "def after_all(path):",
        "class Last:",
    ]
    assert shown[-1] == "  +23 more"


def test_a_language_without_patterns_has_an_outline_by_indentation() -> None:
    from stubcli.detect.code.languages import Patterns
    from stubcli.detect.code.outline import Outline

    outline = Outline(Patterns("", ""))
    source = "proc load {path} {\n    set rows {}\n    if {$path} {\n        return 0\n    }\n}\n"
    for number, line in enumerate((source + "\n// note\n    text\n" + source).split("\n"), 1):
        outline.feed(number, line)
    assert [(one.line, one.text, one.inner) for one in outline.lines()] == [
        (1, "proc load {path} {", False),
        (3, "if {$path} {", True),
        (10, "proc load {path} {", False),
        (12, "if {$path} {", True),
    ]


def test_of_too_many_symbols_the_public_ones_are_told_first(synopsis: Summarise) -> None:
    inner = "".join(f"func (s *Store) step{n}() {{\n\ts.n = {n}\n}}\n\n" for n in range(60))
    outer = "func (s *Store) Save(path string) error {\n\treturn nil\n}\n"
    declared = 'var (\n\tErrBroken = errors.New("broken")\n)\n\ntype Store struct {\n\tn int\n}\n'
    found = synopsis(f'package store\n\nimport "errors"\n\n{declared}\n{inner}{outer}')
    assert any("func (s *Store) Save(path string)" in line for line in found.structure)
    assert "  +23 more" in found.structure


def test_a_script_of_sql_tells_what_goes_into_its_tables(synopsis: Summarise) -> None:
    rows = "".join(f"INSERT INTO parts VALUES({n},'bolt');\n" for n in range(230))
    copied = "".join(f"{n}\tINSERT INTO parts\n" for n in range(60))
    found = synopsis(
        "BEGIN TRANSACTION;\nCREATE TABLE parts(id INTEGER, name TEXT);\n"
        f"{rows}/**** CORRUPTION ERROR ****/\n"
        "CREATE TABLE moves(id INTEGER, what TEXT);\n"
        f"COPY moves (id, what) FROM stdin;\n{copied}\\.\nROLLBACK; -- due to errors\n",
        "text/x-sql",
    )
    assert (found.kind, found.form) == ("code", "SQL")
    at = found.structure.index("alarms (2):")
    assert found.structure[at + 1] == "  233: /**** CORRUPTION ERROR ****/"
    assert "  parts: 230 INSERTs" in found.structure
    assert "  moves: 60 rows of COPY" in found.structure
