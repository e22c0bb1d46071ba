"""The floors of the house: imports go down, siblings do not know each other, no circle closes."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "stubcli"
# Room → floor. A room is a module or a folder of `stubcli`; a new one must be given its floor.
FLOORS = {
    "__main__": 9,
    "entry": 8,
    "cli": 7,
    "api": 6,
    "process": 5,
    "agents": 5,
    "messages": 5,
    "spill": 4,
    "retrieve": 4,
    "retention": 4,
    "render": 3,
    "store": 2,
    "detect": 2,
    "settings": 1,
    "reference": 1,
    "text": 1,
    "durable": 1,
    "reserve": 0,
    "descriptors": 1,
    "files": 0,
    "signals": 0,
    "advice": -1,
    "terminal": -1,
    "debug": 0,
    "discover": 0,
    "piped": 0,
    "value": 0,
    "errors": 0,
    "": 0,
}
# Where a room may know another only in part.
DOORS = {
    ("render", "detect"): {"stubcli.detect.model"},
    ("render", "store"): set[str](),
    # What is known of an artifact, and how it is said; how it was found is detect's own.
    ("retrieve", "detect"): {
        "stubcli.detect.words",
        "stubcli.detect.facts",
        "stubcli.detect.tabular",
        "stubcli.detect.fields.values",
        *(f"stubcli.detect.json.{name}" for name in ("facts", "record", "words")),
        *(f"stubcli.detect.table.{name}" for name in ("facts", "header", "rows", "words")),
    },
    ("cli", "detect"): {"stubcli.detect.facts"},
}
TYPER_ROOMS = {"cli"}
# Each costs more than the interpreter's own start, or is needed by few inputs.
LAZY = {"rich", "yaml", "re2", "regex", "platformdirs", "sqlite3", "duckdb", "fsspec"}
# Bytes in, values out: these rooms reach no disk, no process and no clock.
PURE = {"detect", "render", "text", "reference"}
WORLD = {"os", "pathlib", "shutil", "socket", "subprocess", "tempfile", "time", "random"}
LONGEST = 300


@dataclass(frozen=True)
class Import:
    """One import: who, on which line, whom, and whether it runs when the module is loaded."""

    module: str
    line: int
    target: str
    at_start: bool


def sources() -> dict[str, str]:
    """Every module of the package → its text."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        name = ".".join(part for part in parts if part != "__init__")
        found[name] = path.read_text(encoding="utf-8")
    return found


def room(module: str) -> str:
    return [*module.split("."), ""][1]


def imports(module: str, text: str, known: set[str]) -> Iterator[Import]:
    """The imports of a module, wherever they stand in it."""
    for node, at_start in statements(text):
        targets: list[str] = []
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        else:
            base = "." * node.level + (node.module or "")
            names = [f"{base}.{alias.name}" for alias in node.names]
            targets = sorted({name if name in known else base for name in names})
        for target in targets:
            yield Import(module, node.lineno, target, at_start)


@cache
def statements(text: str) -> list[tuple[ast.Import | ast.ImportFrom, bool]]:
    """The statements that import something, and whether each runs when the module is loaded."""
    tree = ast.parse(text)
    later = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.FunctionDef | ast.AsyncFunctionDef) or _for_types(block)
        for node in ast.walk(block)
    }
    return [
        (node, id(node) not in later)
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]


def _for_types(node: ast.AST) -> bool:
    """Whether this is `if TYPE_CHECKING:`, which never runs."""
    return isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"


def complaint(found: Import) -> str | None:
    """What is wrong with one import, or None."""
    here, top = room(found.module), found.target.split(".")[0]
    if found.target.startswith("."):
        return "is relative: write the whole name"
    if top == "typer" and here not in TYPER_ROOMS:
        return "is for cli only"
    if top in LAZY and found.at_start:
        return "must stand in the function that needs it"
    if top in WORLD and here in PURE:
        return f"reaches outside, and {here} is pure"
    if top != "stubcli":
        return None
    there = room(found.target)
    if (here, there) == ("", "api"):
        return None  # what `import stubcli` offers; loaded when it is asked for
    if there not in FLOORS:
        return "has no floor"
    if found.target not in DOORS.get((here, there), {found.target}):
        return f"is not what {here} may know of {there}"
    if here != there and FLOORS[there] >= FLOORS[here]:
        return f"leads from floor {FLOORS[here]} to floor {FLOORS[there]}"
    return None


def circles(edges: dict[str, set[str]]) -> list[str]:
    """The modules that can be reached from themselves."""

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        waiting = [start]
        while waiting:
            for target in edges.get(waiting.pop(), set()) - seen:
                seen.add(target)
                waiting.append(target)
        return seen

    return [module for module in sorted(edges) if module in reached(module)]


def violations(modules: dict[str, str]) -> list[str]:
    """Everything about the imports of `modules` (name → text) that the house forbids."""
    known = set(modules)
    found = [each for name, text in modules.items() for each in imports(name, text, known)]
    wrong = [f"{name} has no floor" for name in modules if room(name) not in FLOORS]
    for each in found:
        if reason := complaint(each):
            wrong.append(f"{each.module}:{each.line}: {each.target} {reason}")
    edges: dict[str, set[str]] = {}
    for each in found:
        if each.target in known and each.target != "stubcli":
            edges.setdefault(each.module, set()).add(each.target)
    return wrong + [f"{module} is part of a circle" for module in circles(edges)]


def test_imports_go_down_and_close_no_circle() -> None:
    assert violations(sources()) == []


def test_every_module_says_what_it_is_for() -> None:
    assert [
        name for name, text in sources().items() if not ast.get_docstring(ast.parse(text))
    ] == []


def test_no_module_is_too_long_to_read() -> None:
    lengths = {name: text.count("\n") for name, text in sources().items()}
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST} == {}


@pytest.mark.parametrize(
    ("module", "text", "reason"),
    [
        ("stubcli.store.new", "import stubcli.spill.keep", "from floor 2 to floor 4"),
        ("stubcli.store.new", "from stubcli.detect import model", "from floor 2 to floor 2"),
        ("stubcli.detect.new", "def f():\n from stubcli.store import layout", "floor 2 to floor"),
        ("stubcli.retrieve.new", "from stubcli.spill.keep import spill", "from floor 4 to floor 4"),
        ("stubcli.errors", "from stubcli.text.characters import decode", "from floor 0 to floor 1"),
        ("stubcli.render.new", "from stubcli.detect.scan import Scanner", "may know of detect"),
        ("stubcli.render.new", "from stubcli.detect.facts import dump", "may know of detect"),
        ("stubcli.retrieve.new", "from stubcli.detect.table.read import read", "know of detect"),
        ("stubcli.cli.new", "from stubcli.detect import registry", "may know of detect"),
        ("stubcli.render.new", "from stubcli.store import layout", "may know of store"),
        ("stubcli.process.new", "def f():\n import typer", "for cli only"),
        ("stubcli.retrieve.new", "from rich.table import Table", "in the function"),
        ("stubcli.retrieve.new", "if True:\n import re2", "in the function"),
        ("stubcli.detect.new", "import os", "detect is pure"),
        ("stubcli.text.new", "from . import decode", "is relative"),
        ("stubcli.cellar.new", "import os", "has no floor"),
        ("stubcli.retrieve.new", "from stubcli.cellar import wine", "has no floor"),
    ],
)
def test_a_planted_violation_is_found(module: str, text: str, reason: str) -> None:
    assert any(reason in wrong for wrong in violations(sources() | {module: text}))


def test_a_circle_through_a_function_is_found() -> None:
    modules = {
        "stubcli.store.a": "from stubcli.store.b import x",
        "stubcli.store.b": "from stubcli.store import c",
        "stubcli.store.c": "def late():\n    import stubcli.store.a",
        "stubcli.store.d": "from stubcli.store.a import y",
    }
    assert violations(modules) == [f"stubcli.store.{name} is part of a circle" for name in "abc"]


@pytest.mark.parametrize(
    ("module", "text"),
    [
        (
            "stubcli.spill.new",
            "from stubcli.spill.keep import spill\nimport stubcli.store.posix.folders",
        ),
        ("stubcli.cli.new", "from stubcli.cli.output import say"),
        ("stubcli.retrieve.new", "def f():\n    import rich"),
        ("stubcli.store.new", "if TYPE_CHECKING:\n    import re2"),
        ("stubcli.cli.new", "import typer"),
    ],
)
def test_what_the_house_allows_is_no_violation(module: str, text: str) -> None:
    own = dict.fromkeys(sources(), "") | {module: text}
    assert violations(own) == []


def test_a_class_name_exists_once() -> None:
    places: dict[str, list[str]] = {}
    for name, text in sources().items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(name)
    assert {one: where for one, where in places.items() if len(where) > 1} == {}


def test_a_module_name_repeats_only_where_folders_are_alike() -> None:
    """Alike are kinds, their forms, commands (named like what they call), and what is named after
    a product; in each room, `model` holds its values."""
    alike = ("stubcli.detect.", "stubcli.cli.commands.", "stubcli.agents.hosts.")
    places: dict[str, list[str]] = {}
    for name in sources():
        if not name.startswith(alike) and not (PACKAGE.parent / name.replace(".", "/")).is_dir():
            places.setdefault(name.rpartition(".")[2], []).append(name)
    del places["model"]
    assert {one: where for one, where in places.items() if len(where) > 1} == {}
