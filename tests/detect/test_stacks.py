"""Dumps of many stacks: equal ones are counted, the odd one is shown by its own frames."""

from collections.abc import Callable, Sequence

import pytest

from stubcli.detect.model import Synopsis
from stubcli.detect.notable.stack_lines import frame

Summarise = Callable[..., Synopsis]


def gdb(number: int, *calls: str) -> list[str]:
    lines = [f'Thread {number} (Thread 0x7f00{number:04x} (LWP {900 + number}) "pool-{number}"):']
    for depth, call in enumerate(calls):
        lines += [f"#{depth}  0x00005555{depth:04x} in {call}", "        left = <optimized out>"]
        lines += ["No locals."] if depth % 2 else []
    return [*lines, ""]


def java(number: int, *calls: str) -> list[str]:
    lines = [f'"pool-{number}" #{number} prio=5 tid=0x7f{number:06x} waiting on condition']
    lines += ["   java.lang.Thread.State: WAITING (parking)"]
    return [*lines, *(f"\tat {call}" for call in calls), "\t- parking to wait for <0x7f>", ""]


def python(number: int, *calls: str) -> list[str]:
    lines = [f"Thread 0x00007f{number:06x} (most recent call first):"]
    return [*lines, *(f"  File {call}" for call in calls), ""]


def go(number: int, *calls: str) -> list[str]:
    lines = [f"goroutine {number} [chan receive]:"]
    for call in calls:
        name, place = call.split(" ")
        lines += [f"{name}(0xc00012{number:04x})", f"\t{place} +0x1d"]
    return [*lines, ""]


GDB = (
    ("futex_wait (op=393) at ../sysdeps/nptl/futex.h:57", "take (q=0x1) at queue.c:9"),
    ("lock_wait (m=0x2) at ./nptl/lock.c:49", "merge (b=0x77) at blocks.c:88"),
    "merge (b=0x77) at blocks.c:88",
)
JAVA = (
    ("jdk.internal.misc.Unsafe.park(java.base@17/Native Method)", "shop.Queue.take(Queue.java:9)"),
    ("java.lang.Object.wait(java.base@17/Native Method)", "shop.Blocks.merge(Blocks.java:88)"),
    "shop.Blocks.merge(Blocks.java:88)",
)
PYTHON = (
    ('"/usr/lib/python3.12/threading.py", line 327 in wait', '"/srv/app/q.py", line 9 in take'),
    ('"/usr/lib/python3.12/socket.py", line 9 in accept', '"/srv/app/b.py", line 88 in merge'),
    'File "/srv/app/b.py", line 88 in merge',
)
GO = (
    ("runtime.gopark /usr/local/go/src/runtime/proc.go:398", "main.take /srv/app/queue.go:9"),
    ("runtime.gopark /usr/local/go/src/runtime/proc.go:398", "main.merge /srv/app/blocks.go:88"),
    "/srv/app/blocks.go:88",
)
DUMPS = [(gdb, GDB), (java, JAVA), (python, PYTHON), (go, GO)]


def dump(
    write: Callable[..., list[str]], usual: Sequence[str], odd: Sequence[str], at: int = 31
) -> str:
    lines: list[str] = []
    for number in range(1, 61):
        lines += write(number, *(odd if number == at else usual))
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(("write", "calls"), DUMPS)
def test_of_many_equal_stacks_the_odd_one_is_named_and_its_own_frame_quoted(
    synopsis: Summarise, write: Callable[..., list[str]], calls: tuple[tuple[str, ...], ...]
) -> None:
    usual, odd, expected = calls
    found = synopsis(dump(write, usual, odd))
    assert found.label == "text/traceback"
    assert "120 frames in 60 stacks of 60 threads, 2 different:" in found.structure
    assert any("59 × " in line and "take" in line for line in found.structure)
    quoted = [line.text for line in found.notable]
    assert any(str(expected) in text for text in quoted), quoted
    assert len(quoted) == 2, quoted


@pytest.mark.parametrize(("write", "calls"), DUMPS)
def test_where_all_stacks_are_equal_none_is_odd(
    synopsis: Summarise, write: Callable[..., list[str]], calls: tuple[tuple[str, ...], ...]
) -> None:
    found = synopsis(dump(write, calls[0], calls[0]))
    assert "120 frames in 60 stacks of 60 threads, 1 different:" in found.structure
    assert found.notable == ()


def test_of_equal_odd_stacks_the_one_is_shown_that_shares_an_address_with_another(
    synopsis: Summarise,
) -> None:
    lines: list[str] = []
    for number in range(1, 61):
        calls = GDB[0]
        if number in (10, 20):
            calls = ("lock_wait () at ./nptl/lock.c:4", f"merge (b=0x5500{number:04}) at b.c:88")
        if number == 40:
            calls = ("lock_wait () at ./nptl/lock.c:4", "split (b=0x55000020) at b.c:99")
        lines += gdb(number, *calls)
    quoted = [line.text for line in synopsis("\n".join(lines)).notable]
    assert any("merge (b=0x55000020)" in text for text in quoted)
    assert not any("merge (b=0x55000010)" in text for text in quoted)


@pytest.mark.parametrize(
    ("line", "name", "own"),
    [
        ("\tat com.batch.Step.run(Step.java:40) ~[batch-4.3.jar!/:4.3]", "com.batch.Step.run", 0),
        ("\tat eu.shop.Till.count(Till.java:7) ~[classes!/:1.2]", "eu.shop.Till.count", 1),
        ("    at count (/srv/shop/till.js:7:12)", "count", 1),
        ("    at Module._compile (node:internal/modules/cjs/loader:1521:14)", "Module._compile", 0),
        ("   at Shop.Till.Count(Int32 x) in /src/Till.cs:line 7", "Shop.Till.Count", 1),
        ("==41==    at 0x4846828: malloc (in /usr/lib/vg.so)", "malloc", 0),
        ("==41==    by 0x1091CB: count (till.c:7)", "count", 1),
        ("    #1 0x55d0 in count till.c:7", "count", 1),
        ("  * frame #3: 0x0000000100003f50 shop`count(x=1) at till.c:7:3", "count", 1),
        ("\tfrom /srv/shop/till.rb:7:in `count'", "`count'", 1),
        ("#0 /srv/shop/till.php(7): count()", "/srv/shop/till.php", 1),
        ("#3  count (till=0x55) at till.c:7", "count", 1),
        ("    count (till.py:7)", "count", 1),
        ("        ffffffff81a0 schedule+0x46 ([kernel.kallsyms])", "schedule", 0),
    ],
)
def test_a_frame_is_known_in_the_ways_in_which_runtimes_write_it(
    line: str, name: str, own: int
) -> None:
    found = frame(line.encode())
    assert found is not None
    assert (found.name.decode(), found.own) == (name, bool(own))


@pytest.mark.parametrize(
    "line",
    [
        "look at the sea (and the sky)",
        "  at noon the bell rings",
        "#1 fix the till",
        "#12 [builder 3/5] RUN npm ci (slow)",
        "#12 59.3 added 812 packages (till:7)",
        "#4 sha256:0f1e 1.2MB / 3.0MB 0.3s",
        "price: 7",
        "    total (net of tax)",
        'File "till.py" was changed',
    ],
)
def test_other_lines_are_no_frames(line: str) -> None:
    assert frame(line.encode()) is None
