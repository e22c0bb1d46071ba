"""The same bytes give the same stub, wherever, whenever and in whatever pieces they come.

https://github.com/headroomlabs-ai/headroom/issues/3673
"""

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import COMMAND, Store
from tests.detect.cases.generators import generated
from tests.detect.cases.mistaken_text import log_with_commas_before_milliseconds

CASES = (
    "keys_out_of_order",
    "lists_in_cells",
    "passed_and_errors",
    "manifests_with_markers_inside",
    "feed_with_trailing_bracket",
    "random_bytes",
)
# Every golden case as text, these few as JSON too.
ALL = sorted(
    path.stem.replace("-", "_") for path in (Path(__file__).parent / "cases").glob("*.txt")
)
MIB = 1 << 20


@dataclass(frozen=True)
class Surroundings:
    """What may differ between two runs and must make no difference."""

    seed: str
    locale: str
    zone: str
    columns: str
    folder: str
    piece: int


HERE = Surroundings("0", "C.UTF-8", "UTF-0", "80", os.curdir, MIB)
ELSEWHERE = (
    Surroundings("1", "C", "Asia/Tokyo", "40", os.sep, 65_536),
    Surroundings("2", "C", "America/St_Johns", "1", os.curdir, 4_093),
    Surroundings("3", "tr_TR.UTF-8", "UTC", "500", os.sep, MIB),
    Surroundings("4", "C.UTF-8", "Asia/Kathmandu", "", os.curdir, 10_007),
)


# One interpreter for all inputs, a process for each: what `stub` prints of them goes to files.
SERVED = """
import os, sys
import tests.helpers  # every module, once
from stubcli import entry

piece, results, *paths = sys.argv[1:]
options, sys.argv = os.environ["OPTIONS"].split(), ["stub"]
sys.argv += options
for path in paths:
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.dup2(reader, 0)
        os.close(writer)
        made = os.path.join(results, os.path.basename(path))
        os.dup2(os.open(made, os.O_WRONLY | os.O_CREAT), 1)
        os._exit(entry.main())
    os.close(reader)
    with open(path, "rb") as file:
        while data := file.read(int(piece)):
            while data:
                data = data[os.write(writer, data) :]
    os.close(writer)
    assert os.wait()[1] == 0, path
"""


def stub_of(store: Store, data: bytes, around: Surroundings, *options: str) -> str:
    """The stub without the number of its artifact: standard input is written in pieces."""
    with subprocess.Popen(
        [*COMMAND, *options],
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=around.folder,
        env=surrounded(store, around),
    ) as process:
        assert process.stdin
        for start in range(0, len(data), around.piece):
            rest = memoryview(data)[start : start + around.piece]
            while rest:
                rest = rest[process.stdin.write(rest) :]
        out, err = process.communicate()
    assert process.returncode == 0
    assert err == b""
    return unnumbered(out)


def unnumbered(out: bytes) -> str:
    return re.sub(r"tool_result_\d+", "tool_result_NUMBER", out.decode("utf-8"))


def surrounded(store: Store, around: Surroundings) -> dict[str, str]:
    environment = store.environment(
        PYTHONHASHSEED=around.seed, LC_ALL=around.locale, TZ=around.zone, COLUMNS=around.columns
    )
    return {
        name: value
        for name, value in environment.items()
        if name not in ("LANG", "LANGUAGE", "PYTHONUTF8")
    }


def stubs_of(
    store: Store, paths: list[Path], around: Surroundings, results: Path, *options: str
) -> dict[str, str]:
    """The same for each of these files, by its name."""
    results.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", SERVED, str(around.piece), str(results), *map(str, paths)],
        cwd=around.folder,
        env=surrounded(store, around) | {"OPTIONS": " ".join(options)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return {path.name: unnumbered((results / path.name).read_bytes()) for path in paths}


@pytest.mark.parametrize(("form", "names"), [("text", ALL), ("json", CASES)], ids=["text", "json"])
def test_surroundings_make_no_difference(
    form: str, names: Sequence[str], store: Store, tmp_path: Path
) -> None:
    paths = [tmp_path / name for name in names]
    for path in paths:
        path.write_bytes(generated(path.name))
    expected = stubs_of(store, paths, HERE, tmp_path / "here", "--format", form)
    assert all(expected.values())
    for number, around in enumerate(ELSEWHERE):
        # Each input in one of the four.
        found = stubs_of(store, paths[number::4], around, tmp_path / around.seed, "--format", form)
        for name, stub in found.items():
            assert stub == expected[name], around


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("name", ["log", "keys"])
def test_single_bytes_give_the_stub_of_one_piece(name: str, form: str, store: Store) -> None:
    keys = generated("keys_out_of_order")
    data = (log_with_commas_before_milliseconds() if name == "log" else keys)[:25_000]
    assert len(data) == 25_000
    whole = stub_of(store, data, HERE, "--format", form)
    single = Surroundings("0", "C", "UTC", "80", os.curdir, 1)
    assert stub_of(store, data, single, "--format", form) == whole
    assert set(store.digests()) == {hashlib.sha256(data).hexdigest()}
