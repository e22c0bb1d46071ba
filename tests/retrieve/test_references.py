"""An artifact is found by every name that it has, also pasted with what stood around it."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Store
from tests.helpers import LARGE, LARGE_SHA, Ran, forked, keep, ref_of, session_of, sha256

REF = f"artifact:test:tool_result_001.txt:{LARGE_SHA[:16]}"


@pytest.fixture
def kept(tmp_path: Path, large: Callable[[Store], Store]) -> Store:
    """One artifact, in a store whose path holds a space."""
    return large(Store(tmp_path / "a store"))


def first(store: Store, reference: str, session: str = "test") -> Ran:
    return forked(store, b"", "read", reference, "--limit", "3", "--session", session)


FORMS = [
    REF,
    f"artifact:test:tool_result_001.txt:{LARGE_SHA}",
    f"artifact:test:tool_result_001.txt:{LARGE_SHA[:12]}",
    LARGE_SHA,
    LARGE_SHA[:16],
    LARGE_SHA[:12],
    LARGE_SHA[:6],
    LARGE_SHA[:12].upper(),
    f"tool_result_001.{LARGE_SHA[:16]}.json",
]
LOCAL = ["1", "01", "001", "last", "tool_result_001.txt"]
AROUND = ["{}", " {}\n", "[{}]", "({})", "<{}>", "'{}'", '"{}"', "`{}`", "{},", "{}.", "{}:"]


@pytest.mark.parametrize("form", FORMS)
def test_every_lasting_form_is_accepted_in_any_session(kept: Store, form: str) -> None:
    for session in ("test", "another"):
        assert first(kept, form, session).out == b"1\n2"


@pytest.mark.parametrize("form", LOCAL)
def test_numbers_last_and_file_names_are_of_the_current_session(kept: Store, form: str) -> None:
    assert first(kept, form).out == b"1\n2"
    elsewhere = first(kept, form, "another")
    assert (elsewhere.status, elsewhere.out) == (3, b"")


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("form", [REF, LARGE_SHA[:12], "1", "last", "tool_result_001.txt", "PATH"])
def test_a_reference_may_be_pasted_with_its_surroundings(
    kept: Store, form: str, around: str
) -> None:
    form = form.replace("PATH", str(kept.artifacts()[0]))
    assert first(kept, around.format(form)).out == b"1\n2"


@pytest.mark.parametrize(
    "text",
    [
        f"[stub {REF}] text/plain, 50,000 lines, 288,894 bytes",
        f"[stub end {REF}]",
        f"sha256: {LARGE_SHA}",
        f"stub read {LARGE_SHA[:12]} --lines 278-49667",
        f"stub search PATTERN {LARGE_SHA[:12]}",
        f"{REF}, and what stood behind it",
        "path: PATH",
        "path: 'PATH'",
    ],
)
def test_a_piece_of_a_stub_is_a_reference(kept: Store, text: str) -> None:
    assert first(kept, text.replace("PATH", str(kept.artifacts()[0]))).out == b"1\n2"


def test_a_whole_stub_is_a_reference(kept: Store) -> None:
    stub = forked(kept, b"", "show", "last").out.decode()
    assert first(kept, stub).out == b"1\n2"


def test_a_path_may_be_relative_or_lead_through_a_link(kept: Store, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(kept.home)

    def inside() -> None:
        os.chdir(kept.results)

    for path in ("./tool_result_001.txt", "../tool-results/tool_result_001.txt"):
        done = forked(kept, b"", "read", path, "--limit", "3", prepare=inside)
        assert done.out == b"1\n2"
    through = tmp_path / "link" / kept.artifacts()[0].relative_to(kept.home)
    assert first(kept, str(through), "another").out == b"1\n2"


def test_a_path_outside_the_store_is_refused(kept: Store, tmp_path: Path) -> None:
    shutil.copy(kept.artifacts()[0], tmp_path / "tool_result_001.txt")
    for path in (f"{tmp_path}/tool_result_001.txt", "/etc/passwd", str(kept.home)):
        done = first(kept, path)
        assert (done.status, done.out) == (2, b"")
        assert done.err.count(b"\n") == 1


@pytest.mark.parametrize("text", ["", " ", "nothing", "-1", "9f86d", "abcdefg", "[]", "artifact:"])
def test_what_can_be_no_reference_says_what_could(kept: Store, text: str) -> None:
    done = forked(kept, b"", "read", "--limit", "3", "--", text)
    assert (done.status, done.out) == (2, b"")
    assert b"last" in done.err
    assert done.err.count(b"\n") == 1


@pytest.mark.parametrize(
    "text",
    ["2", "999999", "123456", "abcdef", "artifact:test:tool_result_002.txt:" + "0" * 16,
     "artifact:test:tool_result_001.txt:" + "0" * 16,
     "artifact:none:tool_result_001.txt:" + "0" * 16,
     "tool_result_002.txt", LARGE_SHA[:-1] + ("0" if LARGE_SHA[-1] != "0" else "1")],
)  # fmt: skip
def test_what_names_nothing_is_status_3_and_one_line(kept: Store, text: str) -> None:
    done = first(kept, text)
    assert (done.status, done.out) == (3, b"")
    assert done.err.count(b"\n") == 1


def alike(store: Store) -> tuple[bytes, bytes, str]:
    """Two inputs whose digests begin with the same six digits."""
    seen: dict[str, bytes] = {}
    for number in range(200_000):
        data = b"%d" % number
        prefix = sha256(data)[:6]
        if prefix in seen:
            return seen[prefix], data, prefix
        seen[prefix] = data
    raise AssertionError("no two are alike")


def test_an_ambiguous_prefix_lists_its_candidates(store: Store) -> None:
    one, other, prefix = alike(store)
    with session_of(store) as session:
        records = [keep(session, one), keep(session, other)]
    done = first(store, prefix)
    assert (done.status, done.out) == (2, b"")
    for record in records:
        assert record.sha256[:12] in done.err.decode()
    assert b"ambiguous" in done.err
    assert done.err.count(b"\n") == 1
    assert first(store, records[1].sha256[:12]).out == other[:3]


def test_the_same_bytes_in_two_sessions_are_not_ambiguous(kept: Store) -> None:
    forked(kept, LARGE, "--session", "another")
    done = forked(kept, b"", "show", LARGE_SHA[:12], "--session", "another")
    assert ref_of(done.out).startswith("artifact:another:")
    assert first(kept, LARGE_SHA[:12], "third").out == b"1\n2"


def test_six_digits_are_a_number_where_they_are_no_digest(store: Store) -> None:
    with session_of(store) as session:
        (store.folder / ".sequence").write_bytes(b"%018d\n" % 123_455)
        assert keep(session, b"number").number == 123_456
    assert first(store, "123456").out == b"num"


def test_last_is_the_one_with_the_highest_number(store: Store) -> None:
    with session_of(store) as session:
        (store.folder / ".sequence").write_bytes(b"%018d\n" % 998)
        for data in (b"nine hundred and ninety-nine", b"one thousand"):
            keep(session, data)
    assert first(store, "last").out == b"one"
    listed = forked(store, b"", "ls").out.decode().splitlines()
    assert [row.split()[0] for row in listed] == ["number", "1000", "999"]


def test_data_that_is_gone_is_said(kept: Store) -> None:
    kept.artifacts()[0].unlink()
    for form in (REF, "1", LARGE_SHA[:12], "last"):
        done = first(kept, form)
        assert (done.status, done.out) == (3, b"")
        assert b"gone" in done.err
        assert done.err.count(b"\n") == 1


@pytest.mark.parametrize("kind", ["an empty folder", "half a session", "a file", "a link"])
@pytest.mark.parametrize("name", ["aaa", "zzz"])
def test_what_else_stands_among_the_sessions_hides_no_artifact(
    kept: Store, kind: str, name: str
) -> None:
    """A process that was killed while it made its session leaves less than a session."""
    place = kept.home / "sessions" / name
    if kind == "a file":
        place.touch()
    elif kind == "a link":
        place.symlink_to("/etc")
    else:
        place.mkdir()
        if kind == "half a session":
            (place / "tool-results").mkdir()
    assert first(kept, LARGE_SHA[:12]).out == b"1\n2"
    for command in ("ls", "check", "stats"):
        done = forked(kept, b"", command, "--all-sessions")
        assert done.status == 0, done.err
    assert LARGE_SHA[:12].encode() in forked(kept, b"", "ls", "--all-sessions").out


@pytest.mark.parametrize("part", [".index", ".incoming", ".sequence"])
def test_an_artifact_is_found_without_what_only_writing_needs(kept: Store, part: str) -> None:
    place = kept.folder / part
    if place.is_dir():
        shutil.rmtree(place)
    else:
        place.unlink()
    assert first(kept, "1").out == b"1\n2"
    assert first(kept, LARGE_SHA[:12], "another").out == b"1\n2"
    assert LARGE_SHA[:12].encode() in forked(kept, b"", "ls").out
    assert forked(kept, b"", "check").status == 0
