"""A kind is one folder, a form of text one file: nothing else knows their names.

A copy of the package is given one more of each; they are detected, shown, recorded and read back.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import stubcli

KIND = {
    "__init__.py": '"""Chess games in portable notation."""\n',
    "claim.py": '''
"""Whether a stream is a list of chess games."""

from stubcli.detect.model import KindClaim, Sample, refused


def claim(sample: Sample) -> KindClaim:
    if not sample.head.startswith(b"[Event "):
        return refused("it does not begin with an event")
    return KindClaim("chess", "pgn", "it begins with an event")
''',
    "facts.py": '''
"""What is known of chess games."""

from stubcli.detect.facts import KindFacts


class ChessFacts(KindFacts, kw_only=True):
    games: int
    events: tuple[str, ...] = ()


FACTS = ChessFacts
''',
    "read.py": '''
"""Reads chess games."""

from stubcli.detect.chess.facts import ChessFacts
from stubcli.detect.model import KindClaim, Sample, Scan, ByteSource
from stubcli.detect.reading import lines


def read(claim: KindClaim, sample: Sample, source: ByteSource, scan: Scan) -> ChessFacts:
    found = [line for line in lines(source, source.size) if line.startswith(b"[Event ")]
    events = tuple(sorted({line.split(b'"')[1].decode() for line in found}))
    return ChessFacts(kind="chess", form="pgn", games=len(found), events=events)
''',
    "words.py": '''
"""Chess games in words."""

from stubcli.detect.chess.facts import ChessFacts


def summary(facts: ChessFacts) -> list[str]:
    return [f"{facts.games:,} games"]


def structure(facts: ChessFacts) -> list[str]:
    return [f"events: {', '.join(facts.events)}"]
''',
}
FORM = '''
"""Lines of a tide table."""

from stubcli.detect.model import Scan, ByteSource
from stubcli.detect.reading import plain_lines
from stubcli.detect.text.facts import FormFacts
from stubcli.detect.text.read import FormReading

NAME = "tides"
PRECEDENCE = 5


class TideFacts(FormFacts):
    high: int = 0


FACTS = TideFacts


def holds(lines: list[bytes]) -> bool:
    return bool(lines) and all(line.startswith((b"HW ", b"LW ")) for line in lines)


def read(source: ByteSource, scan: Scan) -> FormReading:
    high = sum(line.startswith(b"HW ") for line in plain_lines(source, source.size))
    return FormReading(TideFacts(source.size, source.size, high))


def words(facts: TideFacts) -> list[str]:
    return [f"{facts.high:,} high waters"]
'''
GAMES = b"".join(b'[Event "Round %d"]\n1. e4 e5 2. Nf3 Nc6\n\n' % (n % 3) for n in range(900))
TIDES = b"".join(
    b"%s 03:%02d 4.%d m\n" % ((b"HW", b"LW")[n % 2], n % 60, n % 10) for n in range(2000)
)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder that holds the package with a kind and a form more."""
    package = tmp_path / "copy" / "stubcli"
    shutil.copytree(Path(stubcli.__file__).parent, package, ignore=shutil.ignore_patterns("*.pyc"))
    (package / "detect" / "chess").mkdir()
    for name, text in KIND.items():
        (package / "detect" / "chess" / name).write_text(text)
    (package / "detect" / "text" / "forms" / "tides.py").write_text(FORM)
    return package.parent


def stub(copy: Path, *arguments: str, stdin: bytes = b"", **more: str) -> tuple[str, str]:
    home = str(copy.parent / "home")
    done = subprocess.run(
        [sys.executable, "-m", "stubcli", *arguments],
        input=stdin,
        capture_output=True,
        check=True,
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy), "STUB_HOME": home, "STUB_SESSION": "t", **more},
    )
    return done.stdout.decode(), done.stderr.decode()


def test_one_folder_more_is_a_kind_more(copy: Path) -> None:
    page, votes = stub(copy, stdin=GAMES, STUB_DEBUG="1")
    assert "] chess/pgn, 2,700 lines" in page
    assert "900 games" in page
    assert "events: Round 0, Round 1, Round 2" in page
    assert "detect: chess: 0.95 for chess/pgn: it begins with an event" in votes
    assert stub(copy, "show", "last")[0] == page
    facts = json.loads(stub(copy, "show", "last", "--json")[0])["facts"]
    assert facts | {"notable": []} == {
        "kind": "chess",
        "form": "pgn",
        "detector": "chess",
        "version": 1,
        "notable": [],
        "games": 900,
        "events": ["Round 0", "Round 1", "Round 2"],
    }
    assert "chess/pgn" in stub(copy, "ls")[0]


def test_one_file_more_is_a_form_more(copy: Path) -> None:
    page, _ = stub(copy, stdin=TIDES)
    assert "] text/tides, 2,000 lines" in page
    assert "1,000 high waters" in page
    facts = json.loads(stub(copy, "show", "last", "--json")[0])["facts"]
    body = {"file": "tides", "version": 1, "seen": len(TIDES), "size": len(TIDES), "high": 1000}
    assert facts["body"] == body


def test_a_kind_that_is_broken_costs_the_others_nothing(copy: Path) -> None:
    (copy / "stubcli" / "detect" / "chess" / "claim.py").write_text("import nothing_of_that_name\n")
    table = b"a,b,c\n" + b"".join(b"%d,x,y\n" % n for n in range(9000))
    page, said = stub(copy, stdin=table)
    assert ("] csv/comma" in page, said) == (True, "")
    _, said = stub(copy, stdin=table + b"1,x,y\n", STUB_DEBUG="1")
    assert "detect: chess: ModuleNotFoundError: No module named 'nothing_of_that_name'" in said
