"""Lines that only name things, files or commits, are entries of a listing and no messages."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from stubcli.detect.model import Synopsis

Summarise = Callable[..., Synopsis]

NAMES = ("timeout", "fail2ban-client", "error", "missing link.txt", "killall", "mkfs", "fatal.log")


def digest(number: int, width: int) -> str:
    return f"{number * 0x9E3779B97F4A7C15 + 0xABCDEF:x}".rjust(width, "7")[-width:]


@pytest.mark.parametrize("width", [32, 40, 64, 128])
@pytest.mark.parametrize("folder", ["/usr/bin/", "./", ""])
@pytest.mark.parametrize("mark", ["  ", " *"])
def test_a_checksum_and_a_name_is_an_entry(
    synopsis: Summarise, width: int, folder: str, mark: str
) -> None:
    rows = [f"{digest(i, width)}{mark}{folder}{NAMES[i % 7]}" for i in range(200)]
    found = synopsis("\n".join(rows))
    assert found.label == "text/listing"
    assert found.structure[0] == "200 paths"
    assert found.notable == ()


def test_a_checksum_behind_a_name_is_an_entry_too(synopsis: Summarise) -> None:
    rows = [f"SHA256 (/usr/bin/{NAMES[i % 7]}) = {digest(i, 64)}" for i in range(200)]
    found = synopsis("\n".join(rows))
    assert "folders: /usr/bin/ 200" in found.structure
    assert found.notable == ()


def test_among_checksums_a_message_still_stands_out(synopsis: Summarise) -> None:
    rows = [f"{digest(i, 32)}  /usr/bin/{NAMES[i % 7]}" for i in range(200)]
    rows[90] = "md5sum: /usr/bin/sudo: Permission denied"
    found = synopsis("\n".join(rows))
    assert [line.number for line in found.notable] == [91]


def test_a_checksum_that_does_not_match_is_a_message(synopsis: Summarise) -> None:
    rows = [f"/usr/bin/tool{i}: OK" for i in range(200)]
    rows[90] = "/usr/bin/tool90: FAILED"
    found = synopsis("\n".join(rows))
    assert 91 in [line.number for line in found.notable]


SUBJECTS = ("fix: the bound of lines", "Blocks are copied less", "docs(manual): say so", "a: b: c")


@pytest.mark.parametrize("width", [7, 10, 40])
def test_commits_one_a_line_are_text_whatever_their_subjects_look_like(
    synopsis: Summarise, width: int
) -> None:
    rows = [f"{digest(i * i + 3, width)} {SUBJECTS[i % 4]}" for i in range(1000)]
    for text in ("\n".join(rows), "\n".join(row for row in rows if ": " in row)):
        assert synopsis(text).label == "text/git-log"


def test_what_git_itself_writes_one_commit_a_line_is_text(
    synopsis: Summarise, tmp_path: Path
) -> None:
    git = shutil.which("git")
    if git is None:
        pytest.skip("git is not installed; what it writes is tested above by hand")
    who = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
    subprocess.run([git, "init", "-q", tmp_path], check=True)
    for number in range(12):
        message = ("commit", "-q", "--allow-empty", "-m", f"{SUBJECTS[number % 4]} {number}")
        subprocess.run([git, *who, "-C", tmp_path, *message], check=True)
    log = (git, "-C", str(tmp_path), "log", "--oneline")
    text = subprocess.run(log, check=True, capture_output=True).stdout
    assert synopsis(text * (20_000 // len(text) + 1)).label == "text/git-log"
