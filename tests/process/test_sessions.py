"""A session's name is one to one with its folder, and nothing outside the store is ever made."""

import os
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.reference import SESSION, session_folder, session_of_folder
from tests.conftest import Store
from tests.helpers import BULK, forked, is_stub, ref_of

REFUSED = [
    "../../x",
    "..",
    ".",
    ".hidden",
    "/etc",
    "a/b",
    "a\\b/../c",
    "-rf",
    "_x",
    "a b",
    "a\nb",
    "a:b",
    "a+1",
    "é",
    "e\u0301",
    "😀",
    "n" * 129,
    "n" * 300,
    "a%2fb",
    "~root",
]
ACCEPTED = ["a_b", "a-b", "a.b", "a..b", "con", "NUL", "0", "n" * 128, "N" * 128, "Build.2024_x-1"]


# https://github.com/google/adk-python/issues/5110
# https://github.com/NousResearch/hermes-agent/issues/54852
# https://github.com/google/adk-js/issues/210
@pytest.mark.parametrize("name", REFUSED)
def test_a_name_that_could_lead_astray_is_refused_and_the_input_passes(
    store: Store, tmp_path: Path, name: str
) -> None:
    before = sorted(os.walk(tmp_path))
    done = forked(store, BULK, STUB_SESSION=name)
    assert done.status == 2
    assert done.out == BULK
    assert b"session" in done.err
    assert done.err.count(b"\n") == 1
    made = [Path(place) for place, _, _ in os.walk(tmp_path)]
    assert [place for place in made if store.home not in (place, *place.parents)] == [
        Path(place) for place, _, _ in before
    ]
    assert not (store.home / "sessions").exists() or not os.listdir(store.home / "sessions")
    for command in ("ls", "read 1", "check"):
        done = forked(store, b"", *command.split(), STUB_SESSION=name)
        assert done.status == 2, done.err


@pytest.mark.parametrize("name", ACCEPTED)
def test_an_ordinary_name_is_accepted_and_is_found_again(store: Store, name: str) -> None:
    done = forked(store, BULK, STUB_SESSION=name)
    assert ref_of(done.out).startswith(f"artifact:{name}:")
    folder = next((store.home / "sessions").iterdir()).name
    assert session_of_folder(folder) == name
    assert len(os.fsencode(folder)) <= 255
    shown = forked(store, b"", "read", ref_of(done.out), "--all", STUB_SESSION="other")
    assert shown.out == BULK


def test_no_session_named_means_one_of_the_workspace(store: Store, tmp_path: Path) -> None:
    for name in ("one", "two", "one/below", "Ünï côdé"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "one" / ".git").mkdir()

    def ref_in(place: str) -> str:
        def there() -> None:
            os.chdir(tmp_path / place)

        done = forked(store, BULK, prepare=there, STUB_SESSION="")
        assert is_stub(done.out)
        return ref_of(done.out)

    assert ref_in("one") == ref_in("one/below")
    assert ref_in("one").startswith("artifact:one-")
    assert ref_in("two").startswith("artifact:two-")
    assert ref_in("Ünï côdé").split(":")[1].isascii()


# https://github.com/NixOS/nix/issues/119
# https://github.com/Kntnt/kntnt-wp-skills/issues/61
def test_names_that_differ_only_in_case_are_apart_where_case_is_folded(store: Store) -> None:
    for name in ("Build", "build", "BUILD", "bUILD"):
        done = forked(store, BULK, STUB_SESSION=name)
        assert ref_of(done.out).startswith(f"artifact:{name}:tool_result_001.txt:")
    folders = os.listdir(store.home / "sessions")
    folded = {unicodedata.normalize("NFC", folder).casefold() for folder in folders}
    assert len(folders) == len(folded) == 4
    listed = forked(store, b"", "ls", "--all-sessions").out.decode()
    assert all(f"{name}/1" in listed for name in ("Build", "build", "BUILD", "bUILD"))


@given(st.from_regex(SESSION, fullmatch=True), st.from_regex(SESSION, fullmatch=True))
def test_two_names_never_share_a_folder(one: str, other: str) -> None:
    assert session_of_folder(session_folder(one)) == one
    if one != other:
        assert session_folder(one).casefold() != session_folder(other).casefold()
    swapped = one.swapcase()
    if swapped != one:
        assert session_folder(swapped).casefold() != session_folder(one).casefold()


def session_in(store: Store, place: Path, home: Path) -> str:
    """The session of an output that is kept from that directory."""
    place.mkdir(parents=True, exist_ok=True)

    def there() -> None:
        os.chdir(place)

    data = BULK + str(place).encode()
    return ref_of(forked(store, data, prepare=there, STUB_SESSION="", HOME=str(home)).out).split(
        ":"
    )[1]


def test_a_folder_knows_the_session_of_the_project_above_it(store: Store, tmp_path: Path) -> None:
    project, home = tmp_path / "home" / "all" / "project", tmp_path / "home"
    apart = session_in(store, project / "before", home)
    kept = session_in(store, project, home)
    for below in ("src", "src/deep/down", "before/below"):
        expected = apart if below.startswith("before") else kept
        assert session_in(store, project / below, home) == expected
    assert session_in(store, project / "before", home) == apart != kept
    assert session_in(store, tmp_path / "home" / "all" / "other", home) not in (apart, kept)
    (project / "src" / ".git").mkdir()
    assert session_in(store, project / "src" / "deep", home).startswith("src-")


def test_neither_the_home_nor_what_is_above_nor_a_shared_folder_is_a_project(
    store: Store, tmp_path: Path
) -> None:
    home, shared = tmp_path / "users" / "home", tmp_path / "users" / "home" / "shared"
    for place in (tmp_path, home.parent, home, shared):
        own = session_in(store, place, home)
        assert own.startswith(place.name.replace("_", "-").lower()[:20])
    shared.chmod(0o1777)
    for place in (home / "one", shared / "two", home.parent / "three"):
        assert session_in(store, place, home).startswith(place.name)
    (home / ".git").mkdir()
    assert session_in(store, home / "four", home).startswith("four-")
    assert session_in(store, home, home).startswith("home-")


def test_a_link_to_a_folder_leads_to_its_session(store: Store, tmp_path: Path) -> None:
    kept = session_in(store, tmp_path / "project", tmp_path)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "link").symlink_to(tmp_path / "project")
    assert session_in(store, tmp_path / "elsewhere" / "link", tmp_path) == kept
