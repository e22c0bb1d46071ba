"""The store stands behind its surface: above it nobody has its descriptors or knows `posix`."""

import ast
from collections.abc import Iterator

import pytest

from stubcli.store.posix.session import PosixSession
from stubcli.store.surface import Session
from tests.test_floors import sources

POSIX = "stubcli.store.posix"
# What works on folders of its own: the primitives, and the files of the hosts and of the user.
OWN_FOLDERS = (
    "stubcli.durable",
    "stubcli.agents.user_files",
    "stubcli.agents.spilled",
    "stubcli.retrieve.export",
)
DIRECTORY = {"dir_fd", "src_dir_fd", "dst_dir_fd"}
FOLDERS = {"folder", "results", "incoming", "index"}


def violations(module: str, text: str) -> Iterator[str]:
    """What of the store's inside a module above it uses."""
    if module.startswith(POSIX) or module in OWN_FOLDERS:
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names]
            if module != "stubcli.store" and any(name.startswith(POSIX) for name in names):
                yield f"{module}:{node.lineno}: imports {POSIX}"
        elif isinstance(node, ast.keyword) and node.arg in DIRECTORY:
            yield f"{module}:{node.value.lineno}: passes {node.arg}"
        elif isinstance(node, ast.Attribute) and node.attr in FOLDERS:
            holder = ast.unparse(node.value).rpartition(".")[2].strip("_")
            if holder == "session":
                yield f"{module}:{node.lineno}: uses session.{node.attr}"


def test_nothing_above_the_store_knows_what_keeps_it() -> None:
    assert [wrong for name, text in sources().items() for wrong in violations(name, text)] == []


@pytest.mark.parametrize(
    "text",
    [
        "from stubcli.store.posix.folders import Folders",
        "def f():\n    import stubcli.store.posix.runs",
        "from stubcli.store.posix import runs",
        "os.open(name, flags, dir_fd=folder)",
        "os.rename(a, b, src_dir_fd=x, dst_dir_fd=y)",
        "os.listdir(session.results)",
        "os.fstat(self._session.folder)",
    ],
)
def test_a_planted_violation_is_found(text: str) -> None:
    assert list(violations("stubcli.retention.gc.new", text))
    assert not list(violations("stubcli.store.posix.new", text))


def test_the_posix_store_has_the_whole_surface() -> None:
    session: type[Session] = PosixSession  # held by the type checker, too
    promised = {name for name in vars(Session) if not name.startswith("_")}
    for base in Session.__mro__:
        promised |= {name for name in vars(base) if not name.startswith("_") and base is not object}
    assert promised <= set(dir(session))
