"""Traces of calls: what failed with which error, what was never found, and how it ended."""

from collections.abc import Callable

import pytest

from stubcli.detect.model import Synopsis
from stubcli.detect.text.call_lines import call

Summarise = Callable[..., Synopsis]


def strace(name: str, arguments: str, result: str) -> str:
    return f"41  10:00:01.000200 {name}({arguments}) = {result} <0.000003>"


def perf(name: str, arguments: str, result: str) -> str:
    return f"     7.203 ( 0.016 ms): till/41 {name}({arguments})          = {result}"


def bare(name: str, arguments: str, result: str) -> str:
    return f"{name}({arguments})     = {result}"


def trace(write: Callable[[str, str, str], str], *odd: tuple[str, str, str]) -> str:
    """Two hundred calls of a start, in the course of which files are looked for, then `odd`."""
    lines: list[str] = []
    for part in range(40):
        lines += [
            write("openat", f'AT_FDCWD, "/lib/a/part{part}.so", O_RDONLY', "-1 ENOENT (No file)"),
            write("openat", f'AT_FDCWD, "/lib/b/part{part}.so", O_RDONLY', "3"),
            write("ioctl", "3, TCGETS, 0x7ffe00", "-1 ENOTTY (Inappropriate ioctl)"),
            write("read", f'3, "\\177ELF{part}"..., 832', "832"),
            write("close", "3", "0"),
        ]
    return "\n".join([*lines, *(write(*one) for one in odd)]) + "\n"


WRITERS = pytest.mark.parametrize("write", [strace, perf, bare])


@WRITERS
def test_calls_are_counted_by_name_and_by_error(
    synopsis: Summarise, write: Callable[[str, str, str], str]
) -> None:
    found = synopsis(trace(write))
    assert found.label == "text/calls"
    assert found.structure[0] == "200 calls, 80 failed"
    assert "calls by name (4): openat 80, close 40, ioctl 40, read 40" in found.structure
    assert {"  ENOENT 40: openat 40", "  ENOTTY 40: ioctl 40"} <= set(found.structure)
    assert found.notable == ()


@WRITERS
def test_an_error_that_hardly_ever_comes_is_quoted(
    synopsis: Summarise, write: Callable[[str, str, str], str]
) -> None:
    full = ("write", '1, "sum"..., 362', "-1 ENOSPC (No space left on device)")
    gone = ("connect", '4, {sun_path="/run/till.sock"}, 23', "-1 ENOENT (No such file)")
    quoted = [line.number for line in synopsis(trace(write, full, gone)).notable]
    assert quoted == [201, 202]


@WRITERS
def test_what_was_looked_for_in_several_places_and_found_in_none_is_quoted(
    synopsis: Summarise, write: Callable[[str, str, str], str]
) -> None:
    tries = [
        ("openat", f'AT_FDCWD, "{folder}/till.key", O_RDONLY', "-1 ENOENT (No such file)")
        for folder in ("/etc/till", "/usr/share/till", "/opt/till")
    ]
    found = synopsis(trace(write, *tries))
    assert [line.number for line in found.notable] == [203]
    assert "looked for and not found, the last first: till.key (in 3 folders)" in found.structure


@pytest.mark.parametrize(
    "end",
    [
        "41 exit_group(3)                  = ?",
        "41 +++ exited with 3 +++",
        "41 +++ killed by SIGKILL +++",
        "41 --- SIGSEGV {si_signo=SIGSEGV, si_code=SEGV_MAPERR, si_addr=NULL} ---",
    ],
)
def test_a_bad_end_is_quoted_and_a_good_one_is_not(synopsis: Summarise, end: str) -> None:
    good = "40 exit_group(0)                  = ?\n40 +++ exited with 0 +++\n"
    found = synopsis(trace(strace) + good + end + "\n")
    assert [line.number for line in found.notable] == [203]


def test_the_slowest_calls_and_the_processes_are_named(synopsis: Summarise) -> None:
    slow = "42  10:00:02.000000 wait4(-1, 0x7fff, 0, NULL) = 41 <2.500000>\n"
    said = synopsis(trace(strace) + slow).structure
    assert "calls of 2 processes: 41 200, 42 1" in said
    assert any(line.startswith("slowest: wait4 2.500000 s (line 201)") for line in said)


@pytest.mark.parametrize(
    ("line", "name", "error"),
    [
        ('open("x", O_RDONLY) = -1 ENOENT (No such file)', "open", "ENOENT"),
        ("2214 <... wait4 resumed>[{WIFEXITED(s)}], 0, NULL) = 2215 <0.0013>", "wait4", ""),
        ("getsockopt(3, SOL_SOCKET, SO_ERROR, [ECONNREFUSED], [4]) = 0", "getsockopt",
         "ECONNREFUSED"),
        ("[pid  7] epoll_ctl(4, EPOLL_CTL_ADD, 5, {EPOLLIN}) = 0", "epoll_ctl", ""),
        ('41: open("/x",O_RDONLY,00)\t\t ERR = -1 Err#2 ENOENT', "", ""),
        ('libc.so.6->fopen("/etc/till", "r")      = 0', "fopen", ""),
    ],
)  # fmt: skip
def test_a_call_and_its_error_are_read(line: str, name: str, error: str) -> None:
    found = call(line.encode())
    assert (found.name.decode(), found.error.decode()) == (name, error) if found else not name


def test_statements_of_a_program_are_no_trace(synopsis: Summarise) -> None:
    lines = [f"total{i} = add(items[{i}], rate)" for i in range(300)]
    assert synopsis("\n".join(lines)).label != "text/calls"
