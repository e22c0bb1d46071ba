"""The same bytes give the same stub, wherever, whenever and in whatever pieces they come.

https://github.com/headroomlabs-ai/headroom/issues/3673
"""

import hashlib
import os
import re
import subprocess
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


def stub_of(store: Store, data: bytes, around: Surroundings, *options: str) -> str:
    """The stub without the number of its artifact: standard input is written in pieces."""
    environment = store.environment(
        PYTHONHASHSEED=around.seed, LC_ALL=around.locale, TZ=around.zone, COLUMNS=around.columns
    )
    for name in ("LANG", "LANGUAGE", "PYTHONUTF8"):
        environment.pop(name, None)
    with subprocess.Popen(
        [*COMMAND, *options],
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=around.folder,
        env=environment,
    ) as process:
        assert process.stdin
        for start in range(0, len(data), around.piece):
            rest = memoryview(data)[start : start + around.piece]
            while rest:
                rest = rest[process.stdin.write(rest) :]
        out, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert err == b""
    return re.sub(r"tool_result_\d+", "tool_result_NUMBER", out.decode("utf-8"))


@pytest.mark.parametrize(
    ("name", "form"), [*((name, "text") for name in ALL), *((name, "json") for name in CASES)]
)
def test_surroundings_make_no_difference(name: str, form: str, store: Store) -> None:
    data = generated(name)
    expected = stub_of(store, data, HERE, "--format", form)
    assert expected
    for around in ELSEWHERE:
        assert stub_of(store, data, around, "--format", form) == expected, around


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
