"""The bounds of a synopsis: its length, its time, its memory, whatever the input was made for."""

import json
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.conftest import COMMAND, Store
from tests.detect.cases.bombs import BOMBS
from tests.detect.cases.counting import calls_in
from tests.detect.cases.whole_way import page_of, synopsis_of
from tests.detect.conftest import raise_what_is_swallowed

MEMORY = 150 << 20
# `stub` as it is run, and the most memory that it had. ru_maxrss would not do: on Linux that of
# the process which started this one is inherited.
MEASURED = """
import os, sys
from stubcli.entry import main
status = main()
with open("/proc/self/status") as told, open(os.environ["PEAK"], "w") as out:
    out.write(next(line.split()[1] for line in told if line.startswith("VmHWM")))
sys.exit(status)
"""


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_stored_described_and_costs_little(
    name: str, store: Store, tmp_path: Path
) -> None:
    data, peak = BOMBS[name](), tmp_path / "peak"
    has_proc = sys.platform == "linux"
    done = subprocess.run(
        [*((sys.executable, "-c", MEASURED) if has_proc else COMMAND), "--budget=5000"],
        input=data,
        env=store.environment(PEAK=str(peak), LC_ALL="C"),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    page = done.stdout.decode("utf-8")
    assert page.startswith("[stub artifact:")
    assert len(page) <= min(5000, len(data))
    assert "ha" * 50 not in page
    assert [path.read_bytes() == data for path in store.artifacts()] == [True]
    if not has_proc:
        pytest.skip(
            "there is no /proc here, which alone tells the peak of one process; the rest held"
        )
    assert int(peak.read_text()) << 10 <= MEMORY


def manifold(piece: bytes) -> Callable[[int], bytes]:
    return lambda size: piece * (size // len(piece))


GROWING: dict[str, tuple[int, Callable[[int], bytes]]] = {
    "blank lines": (250_000, manifold(b"\n")),
    "lines of spaces": (500_000, manifold(b"          \n")),
    "open brackets": (200_000, manifold(b"[")),
    "open objects": (300_000, manifold(b'{"a":')),
    "closed brackets": (200_000, lambda size: b"[" * (size // 2) + b"]" * (size // 2)),
    "anchors": (400_000, manifold(b"a: &a [*a]\n")),
    "markers": (400_000, manifold(b"---\n")),
    "quotes": (500_000, manifold(b'"')),
    "quoted lines": (300_000, manifold(b'"a\n')),
    "one long line": (2_000_000, manifold(b"x")),
    "one line of words": (1_000_000, manifold(b"err x: ")),
    "open tags": (300_000, manifold(b"<a>")),
    "other tags": (300_000, lambda size: b"".join(b"<t%d>" % n for n in range(size // 8))),
    "commas": (500_000, manifold(b",")),
    "rows of commas": (400_000, manifold(b",,,\n")),
    "error lines": (40_000, manifold(b"error\n")),
    "other errors": (120_000, lambda size: b"".join(b"error %x\n" % n for n in range(size // 12))),
    "values": (200_000, manifold(b'{"a":1} ')),
    "open links": (300_000, manifold(b"[a](")),
    "escapes": (400_000, manifold(b"\x1b[")),
    "returns": (400_000, manifold(b"error\r")),
}


@pytest.mark.parametrize("name", GROWING)
def test_twice_the_input_takes_at_most_twice_the_calls(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    raise_what_is_swallowed(monkeypatch)
    size, make = GROWING[name]
    synopsis_of(make(10_000))  # what is loaded on demand is loaded now
    once, twice = (calls_in(partial(synopsis_of, make(part))) for part in (size // 2, size))
    assert twice <= 2.1 * once + 1000


WIDE: dict[str, Callable[[], bytes]] = {
    "10,000 columns": lambda: (
        b",".join(b"column %d" % n for n in range(10_000))
        + b"\n"
        + (b",".join([b"12"] * 10_000) + b"\n") * 3
    ),
    "5,000 keys of 300 characters": lambda: (
        b"{" + b",".join(b'"' + b"k" * 300 + b'%d":1' % n for n in range(5000)) + b"}"
    ),
    "10,000 tags": lambda: b"<r>" + b"".join(b"<t%d/>" % n for n in range(10_000)) + b"</r>",
    "lines of 3 MB": lambda: b"error: %s\nwarning %s\n" % (b"x" * 3_000_000, b"y" * 3_000_000),
    "5,000 keys of YAML": lambda: b"".join(b"k" * 300 + b"%d: 1\n" % n for n in range(5000)),
    "5,000 files of a diff": lambda: b"".join(
        b"diff --git a/%d b/%d\n--- a/%d\n+++ b/%d\n@@ -1 +1 @@\n-a\n+b\n" % (n, n, n, n)
        for n in range(5000)
    ),
    "300 wide characters a line": lambda: ("error: " + "中" * 300 + "\n").encode() * 90,
}


@pytest.mark.parametrize("budget", [800, 1500, 5000])
@pytest.mark.parametrize("name", WIDE)
def test_a_stub_keeps_its_budget_and_is_shorter_than_its_input(name: str, budget: int) -> None:
    data = WIDE[name]()
    for as_json in (False, True):
        page = page_of(data, budget=budget, as_json=as_json)
        assert 0 < len(page) <= min(budget, len(data) - 1)
        assert len(page.encode()) < len(data)
    assert isinstance(json.loads(page), dict)
