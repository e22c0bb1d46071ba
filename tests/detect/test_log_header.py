"""The header of the lines of a log is found by the shape of its places, whatever the format."""

import re
from collections.abc import Callable

import pytest

from stubcli.detect.model import Synopsis
from stubcli.detect.reading import InMemory, beginning
from stubcli.detect.text import divided, header

Summarise = Callable[..., Synopsis]

MESSAGES = (
    "opened the valve of basin {n}",
    "level of basin {n} is now {m} of 900",
    "sluice {n} refused to move",
    "nothing to do",
)
# Each with the time as it is shown, the level (or none) and the source (or none).
FORMATS = {
    "iso": ("2026-04-0{d} 10:{mm}:07,123 {L} [pool-{n}] plant.Basin: {t}", "INFO", "plant.Basin"),
    "syslog": ("Apr  {d} 10:{mm}:07 weir basind[{n}]: {t}", "", "basind"),
    "syslog without a process": ("Apr  {d} 10:{mm}:07 weir kernel: {t}", "", "kernel"),
    "letters": ("04-0{d} 10:{mm}:07.123  17{n}  23{n} {l} Basin   : {t}", "I", "Basin"),
    "letters and tag": ("04-0{d} 10:{mm}:07.123  17{n}  23{n} {l} Basin: {t}", "I", "Basin"),
    "klog": ("{l}040{d} 10:{mm}:07.123456    17{n} basin.go:{n}] {t}", "I", ""),
    "digits": ("26040{d} 10{mm}07 {n} {L} plant.Basin: {t}", "INFO", "plant.Basin"),
    "epoch": ("- 17754{n}07 2026.04.0{d} R{n}-M0 RAS KERNEL {L} {t}", "INFO", ""),
    "apache": ("[Sat Apr 0{d} 10:{mm}:07 2026] [{L}] {t}", "INFO", ""),
    "pipes": ("2026040{d}-10:{mm}:07:123|Basin|300{n}|{t}", "", ""),
    "piped level": ("2026-04-0{d} 10:{mm}:07.123 | {L} | plant:main:12 - {t}", "INFO", ""),
    "brackets": ("[12.3{mm}s][{L}][gc,heap] {t}", "INFO", "gc,heap"),
    "logfmt": ('time=2026-04-0{d}T10:{mm}:07Z level={L} msg="{t}"', "INFO", ""),
    "named": ("[04.0{d} 10:{mm}:07] tide.exe - {t}", "", "tide.exe"),
}


def log(shape: str, lines: int = 240) -> str:
    return "".join(
        shape.format(
            d=1 + n // 60,
            mm=f"{n % 60:02d}",
            n=100 + n * 7 % 900,
            L="ERROR" if n % 40 == 9 else "INFO",
            l="E" if n % 40 == 9 else "I",
            t=MESSAGES[n * 5 % 7 % 4].format(n=n % 13, m=n % 900),
        )
        + "\n"
        for n in range(lines)
    )


@pytest.mark.parametrize("name", FORMATS)
def test_any_format_is_a_log_with_its_levels_its_sources_and_its_time(
    synopsis: Summarise, name: str
) -> None:
    shape, level, source = FORMATS[name]
    found = synopsis(log(shape))
    said = "\n".join(found.structure)
    assert found.label == "text/log"
    if level:
        assert f"levels: {level} 234, {'E' if level == 'I' else 'ERROR'} 6\n" in said
    else:
        assert "levels" not in said
    assert re.search(r"^time: .*[01][07].* to ", said, re.MULTILINE)
    headed = divided.divide(*divisible(log(shape)))
    assert {one.decode() for one in headed.sources} <= {source, ""} or name in ("iso", "klog")
    assert any(b"nothing to do" in message for message in headed.messages)


@pytest.mark.parametrize("name", sorted(FORMATS.keys() - {"logfmt"}))
def test_behind_the_header_stands_the_message_and_nothing_else(name: str) -> None:
    headed = divided.divide(*divisible(log(FORMATS[name][0])))
    expected = {"opened", "level", "sluice", "nothing", "plant:main:12"}
    assert {message.split()[0].decode() for message in headed.messages} <= expected


def divisible(text: str) -> tuple:  # type: ignore[type-arg]
    begun = beginning(InMemory(text.encode()))
    found = header.find(begun.lines)
    assert found is not None
    return begun, found


def test_lines_without_the_header_are_messages_as_a_whole() -> None:
    text = log(FORMATS["iso"][0]).replace(
        "opened the valve of basin 3\n", "opened\n  at plant.Basin.open(Basin.java:9)\n"
    )
    headed = divided.divide(*divisible(text))
    going_on = [at for at, line in enumerate(headed.begun.lines) if line.startswith(b"  at ")]
    assert going_on
    assert {headed.messages[at] for at in going_on} == {b"  at plant.Basin.open(Basin.java:9)"}
    assert {headed.levels[at] + headed.times[at] for at in going_on} == {b""}


@pytest.mark.parametrize(
    "line",
    [
        "-rw-r--r-- 1 root root 40{n} Apr  1 10:{n}:07 file{n}.txt",
        "root  17{n} 0.0 0.1 2940 1104 ? Ss 10:{n} 0:00 /usr/sbin/tide",
        "basin{n}.weir   1/1   Running   0   {n}d",
        "the basin fills at ten past {n} and the sluice is shut by one of the keepers",
        "{n}: opened the valve of basin",
    ],
)
def test_what_is_no_log_has_no_header_of_one(synopsis: Summarise, line: str) -> None:
    found = synopsis("".join(line.format(n=10 + n % 50) + "\n" for n in range(300)))
    assert found.label != "text/log"


def test_a_word_of_alarm_in_a_message_is_no_level(synopsis: Summarise) -> None:
    text = log(FORMATS["syslog"][0]).replace("nothing to do", "ALERT ended with [1]")
    assert "levels" not in "\n".join(synopsis(text).structure)


@pytest.mark.parametrize("name", ["iso", "brackets", "logfmt"])
def test_levels_of_a_long_log_are_counted_to_its_end(synopsis: Summarise, name: str) -> None:
    text = log(FORMATS[name][0], 170_000)
    found = synopsis(text)
    assert len(text) > 8_500_000
    levels = next(row for row in found.structure if row.startswith("levels"))
    assert levels.endswith("INFO 165,750, ERROR 4,250")
    assert "time=" not in "\n".join(found.structure)


def test_of_levels_of_one_letter_only_the_beginning_is_counted(synopsis: Summarise) -> None:
    found = synopsis(log(FORMATS["letters"][0], 170_000))
    levels = next(row for row in found.structure if row.startswith("levels"))
    assert re.fullmatch(r"levels in the first [\d,]+ bytes: I 9,750, E 250", levels)
