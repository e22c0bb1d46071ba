"""Stacks inside logs: the cause and the application's own frame count, not each frame."""

from collections.abc import Callable

import pytest

from stubcli.detect.model import NotableLine, Scan

ScanOf = Callable[..., Scan]
HEADERS = (
    "",
    "11-18 08:41:56.234  9127  9127 E Runtime: ",
    "2027-01-02 10:00:00,1 ERROR [main] x: ",
)
STACK = (
    "java.lang.RuntimeException: cannot start the till",
    *(f"\tat android.app.Thread{i}.run(Thread{i}.java:{i + 9})" for i in range(18)),
    "Caused by: java.lang.NullPointerException: no drawer in this till",
    "\tat android.os.Looper.loop(Looper.java:7)",
    "\tat eu.shop.Till.open(Till.kt:212)",
    "\tat eu.shop.Shop.begin(Shop.kt:88)",
    "\t... 11 more",
)


def shown(scan: ScanOf, lines: list[str]) -> dict[int, NotableLine]:
    calm = [f"10:00:{i % 60:02d} till {'abcdefg'[i % 7]} counts {i * 31 % 977}" for i in range(60)]
    notable = scan("\n".join([*calm, *lines, *calm]) + "\n").notable
    return {line.number - len(calm): line for line in notable}


@pytest.mark.parametrize("header", HEADERS)
def test_of_a_stack_the_messages_and_the_own_frame_of_its_cause_are_shown(
    scan: ScanOf, header: str
) -> None:
    found = shown(scan, [header + line for line in STACK])
    assert {1, 20, 22} <= found.keys()
    # What stands between, whatever its level, are frames of a library.
    assert not set(range(2, 20)) & found.keys()
    assert 21 not in found


def test_a_traceback_shows_its_last_own_frame_though_it_ends_in_a_library(scan: ScanOf) -> None:
    lines = [
        "Traceback (most recent call last):",
        '  File "/srv/till/count.py", line 7, in count',
        "    page = client.get(url)",
        '  File "/srv/venv/lib/python3.12/site-packages/http/pool.py", line 789, in get',
        "    return self.read()",
        "pool.ReadTimeout: nothing came",
    ]
    found = shown(scan, lines)
    assert "count.py" in found[2].text
    assert sorted(found) == [2, 6]


def test_an_error_that_comes_once_is_not_crowded_out_by_one_that_repeats(scan: ScanOf) -> None:
    sorts = [f"org.shop.{name}Exception: {'it is locked, ' * 13}" for name in ("A", "B", "C", "D")]
    once = "10:00:01 ERROR till 80417 is skipped"
    found = shown(scan, [*sorts * 2, once, *sorts * 2])
    assert found[9].text == once
    assert {1, 2, 3, 4} <= found.keys()
    assert sum(line.folded + 1 for line in found.values()) == 17


def test_of_a_long_line_the_times_and_numbers_before_it_give_way_to_its_end(scan: ScanOf) -> None:
    message = "E Runtime: Caused by: java.lang.NullPointerException: " + "drawer " * 16 + "is null"
    found = shown(scan, ["11-18 08:41:56.234  9127  9127 " + message])
    assert found[1].text == "… " + message
    short = "11-18 08:41:56.234  9127  9127 E Runtime: cannot open"
    assert shown(scan, [short])[1].text == short


RUNTIMES = {
    ".NET": (
        "System.InvalidOperationException: Sequence contains no elements",
        "   at System.Linq.Enumerable.First[TSource](IEnumerable`1 source)",
        "   at Shop.Tills.Till.Count(String till) in /src/Tills/Till.cs:line 58",
        "   at Microsoft.AspNetCore.Routing.Endpoint.Invoke(HttpContext http)",
    ),
    "PHP": (
        "PHP Fatal error:  Uncaught TypeError: the rate must be a float",
        "Stack trace:",
        "#0 /var/www/vendor/http/Kernel.php(163): Http->handle(Object(Request))",
        "#1 /var/www/app/src/Till.php(77): Till->count(NULL)",
        "#2 {main}",
    ),
    "Ruby": (
        "NoMethodError: undefined method `count' for nil",
        "",
        "/usr/local/bundle/gems/rack-2.2.6/lib/rack/runtime.rb:22:in `call'",
        "app/models/till.rb:48:in `count'",
    ),
    "Go": (
        "panic: runtime error: index out of range [3] with length 3",
        "goroutine 8812 [running]:",
        "net/http.(*conn).serve.func1()",
        "\t/usr/local/go/src/net/http/server.go:1868 +0xb9",
        "shop.dev/till/count.(*Till).At(...)",
        "\t/srv/till/count/till.go:62",
    ),
    "JavaScript": (
        "TypeError: Cannot read properties of undefined (reading 'count')",
        "    at async Object.handle (/app/node_modules/fastify/lib/route.js:88:7)",
        "    at async count (/app/src/till.js:31:11)",
    ),
}
OWN = ("Till.cs:line 58", "Till.php(77)", "till.rb:48", "till/count/till.go:62", "till.js:31")


@pytest.mark.parametrize(("runtime", "place"), [*zip(RUNTIMES, OWN, strict=True)])
def test_the_own_frame_is_shown_in_the_way_in_which_each_runtime_writes_it(
    scan: ScanOf, runtime: str, place: str
) -> None:
    found = shown(scan, ["10:00:00 ERROR the till is not counted", *RUNTIMES[runtime]])
    assert found[2].text == RUNTIMES[runtime][0]
    quoted = [line.text for line in found.values()]
    assert any(place in text for text in quoted), quoted
    assert not any("/usr/" in text or "node_modules" in text for text in quoted), quoted


def test_what_a_kernel_calls_a_bug_is_grave(scan: ScanOf) -> None:
    found = shown(scan, ["[ 1111.000001] BUG: kernel NULL pointer dereference, address: 0x18"])
    assert found[1].rank == 5
    assert 1 not in shown(scan, ["see BUG: it is told of elsewhere"])
