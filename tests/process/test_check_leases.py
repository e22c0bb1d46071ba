"""`stub check` and the journal of leases: what it says, what it mends, what only the user may."""

import json
from pathlib import Path

import pytest

from stubcli.retention.leases.claims import lost_at
from stubcli.retention.leases.file_names import HEAD, JOURNAL, LOCK
from stubcli.retention.leases.lease import commit, prepare, release
from stubcli.retention.leases.model import COMMITTED, PREPARED, RELEASED
from tests.conftest import Store
from tests.helpers import assert_one_line_of_advice, forked, names, session_of
from tests.retention.leases.made import leases_in, with_artifact


def with_leases(store: Store) -> None:
    """Three leases on one artifact: released, committed, prepared; six records."""
    with with_artifact(store) as (session, record):
        for name in ("lease-1", "lease-2", "lease-3"):
            prepare(session, record, transaction_id=name)
        for name in ("lease-1", "lease-2"):
            commit(session, name)
        release(session, "lease-1")


def spoiled(store: Store, how: str) -> None:
    journal, head = store.folder / JOURNAL, store.folder / HEAD
    data = journal.read_bytes()
    if how == "the last record is missing":
        journal.write_bytes(data[: data[:-1].rindex(b"\n") + 1])
    elif how == "a line in the middle is changed":
        lines = data.splitlines(keepends=True)
        journal.write_bytes(b"".join([*lines[:4], lines[4].replace(b"2", b"3"), *lines[5:]]))
    elif how == "the anchor is gone":
        head.unlink()
    elif how == "both are gone":
        journal.unlink()
        head.unlink()
    elif how == "every file of it is gone":
        for path in store.folder.glob("retention-leases.*"):
            path.unlink()
        store.stub("check", check=False)  # makes the file that is locked
    elif how == "it is a link":
        journal.rename(store.home / "elsewhere")
        journal.symlink_to(store.home / "elsewhere")
    else:
        journal.write_bytes(b"\xff" * 100)


# What is wrong: what the check says of it, and the leases that stay.
HOW: dict[str, tuple[str, dict[str, str]]] = {
    "the last record is missing": (
        "bytes are missing at the end of",
        {"lease-1": COMMITTED, "lease-2": COMMITTED, "lease-3": PREPARED},
    ),
    "a line in the middle is changed": (
        "line 5 is not what was written",
        {"lease-1": COMMITTED, "lease-2": PREPARED, "lease-3": PREPARED},
    ),
    "the anchor is gone": (
        "its anchor is gone",
        {"lease-1": RELEASED, "lease-2": COMMITTED, "lease-3": PREPARED},
    ),
    "both are gone": ("the journal is gone", {}),
    "every file of it is gone": ("the journal is gone", {}),
    "it is a link": ("cannot be read", {}),
    "it is no journal": ("bytes are missing at the end of", {}),
}


def test_a_journal_in_order_is_counted_and_nothing_else_is_said(store: Store) -> None:
    with_leases(store)
    before = names(store)
    done = store.stub("check")
    assert (done.out, done.err) == (b"", b"stub: 2 ok\n")
    assert names(store) == before


def test_a_session_without_leases_has_no_journal_to_check(store: Store) -> None:
    with with_artifact(store):
        pass
    before = names(store)
    assert store.stub("check", "--repair").err == b"stub: 1 ok\n"
    assert names(store) == before


def test_a_torn_record_is_a_leftover_that_repair_moves_aside(store: Store) -> None:
    with_leases(store)
    with (store.folder / JOURNAL).open("ab") as journal:
        journal.write(b'{"torn')
    done = store.stub("check")
    assert done.text == f"test {JOURNAL}: leftover: 6 bytes of a torn record\n"
    assert b"stub check --repair" in done.err
    done = store.stub("check", "--repair")
    assert done.text == f"test {JOURNAL}: repaired: a torn record was moved to {JOURNAL}.torn-1\n"
    assert (store.folder / f"{JOURNAL}.torn-1").read_bytes() == b'{"torn'
    assert store.stub("check", "--repair").out == b""
    assert len(leases(store)) == 3


def leases(store: Store) -> dict[str, str]:
    with session_of(store) as session:
        return {name: lease.phase for name, lease in leases_in(session).items()}


@pytest.mark.parametrize("how", HOW)
def test_a_damaged_journal_is_explained_and_only_the_user_gives_it_up(
    store: Store, how: str
) -> None:
    with_leases(store)
    spoiled(store, how)
    before = names(store)
    for arguments in (("check",), ("check", "--repair")):
        done = store.stub(*arguments, check=False)
        assert done.status == 4
        assert done.text.startswith(f"test {JOURNAL}: damaged: ")
        assert HOW[how][0] in done.text
        assert str(store.home) not in done.text
        assert b"stub check --repair --accept-loss" in done.err
        assert names(store) == before
    done = store.stub("check", "--repair", "--accept-loss")
    assert f"test {JOURNAL}: repaired: " in done.text
    assert f"test {JOURNAL}.lost-1: lost: " in done.text
    once = names(store)
    again = store.stub("check", "--repair", "--accept-loss")
    assert again.text == done.text[done.text.index("\n") + 1 :]
    assert names(store) == once
    assert leases(store) == HOW[how][1]


@pytest.mark.parametrize("how", HOW)
def test_behind_a_loss_leases_go_on_and_the_loss_is_remembered(store: Store, how: str) -> None:
    with_leases(store)
    data = (store.folder / JOURNAL).read_bytes()
    spoiled(store, how)
    kept = store.folder / JOURNAL
    damaged = kept.read_bytes() if kept.exists() and not kept.is_symlink() else b""
    store.stub("check", "--repair", "--accept-loss")
    assert (store.folder / f"{JOURNAL}.lost-1").read_bytes() == damaged
    with session_of(store) as session:
        lost = lost_at(session)
        assert lost is not None
        assert lost >= store.artifacts()[0].stat().st_mtime
        prepare(session, session.find(1), transaction_id="lease-4")
    # What was released by a record that is lost protects again.
    assert leases(store) == {**HOW[how][1], "lease-4": PREPARED}
    if how == "it is a link":
        assert (store.home / "elsewhere").read_bytes() == data


def test_a_loss_that_was_cut_short_is_accepted_again(store: Store) -> None:
    """A crash between its steps leaves damage, never an empty journal."""
    with_leases(store)
    spoiled(store, "the last record is missing")
    (store.folder / HEAD).rename(store.folder / f"{HEAD}.lost-1")
    assert store.stub("check", check=False).status == 4
    store.stub("check", "--repair", "--accept-loss")
    assert leases(store) == {"lease-1": COMMITTED, "lease-2": COMMITTED, "lease-3": PREPARED}


def test_a_lock_that_is_a_link_is_told_and_left(store: Store, tmp_path: Path) -> None:
    with_leases(store)
    (store.folder / LOCK).unlink()
    (store.folder / LOCK).symlink_to(tmp_path / "nowhere")
    done = store.stub("check", "--repair", "--accept-loss", check=False)
    assert done.status == 4
    assert f"test {LOCK}: damaged: " in done.text
    assert "move it away by hand" in done.text
    assert not (tmp_path / "nowhere").exists()


def test_losses_are_accepted_with_repair_alone(store: Store) -> None:
    with_leases(store)
    assert_one_line_of_advice(forked(store, b"", "check", "--accept-loss"), 2)


def test_the_journal_stands_in_the_json_too(store: Store) -> None:
    with_leases(store)
    spoiled(store, "the anchor is gone")
    done = store.stub("check", "--json", check=False)
    assert done.status == 4
    document = json.loads(done.out)
    assert document["counts"] == {"ok": 1, "damaged": 1}
    assert [found["name"] for found in document["findings"]] == [JOURNAL]
    done = store.stub("check", "--json", "--repair", "--accept-loss")
    assert json.loads(done.out)["counts"] == {"ok": 2, "repaired": 1, "lost": 1}


def test_damage_in_one_session_hides_no_other(store: Store) -> None:
    with_leases(store)
    other = Store(store.home, "other")
    spoiled(store, "both are gone")
    with with_artifact(other):
        pass
    done = store.stub("check", "--all-sessions", "--json", check=False)
    assert (done.status, json.loads(done.out)["counts"]) == (4, {"ok": 2, "damaged": 1})


def test_a_session_that_cannot_be_used_is_told_and_hides_no_other(store: Store) -> None:
    other = Store(store.home, "another")
    for one in (store, other):
        with with_artifact(one):
            pass
    other.folder.chmod(0o770)
    done = forked(store, b"", "check", "--all-sessions")
    assert done.status == 5
    assert b"another (session): not checked: " in done.out
    assert done.err == b"stub: 1 ok, 1 not checked\n"
    assert forked(store, b"", "check").status == 0
    assert_one_line_of_advice(forked(other, b"", "check"), 5)


def test_what_was_left_over_elsewhere_is_adopted_by_the_printed_command(store: Store) -> None:
    other = Store(store.home, "another")
    with with_artifact(other):
        (other.folder / ".incoming" / "tool_result_002").write_bytes(b"cut short\n")
    for where in (("--session", "another"), ("--all-sessions",)):
        done = forked(store, b"", "check", *where)
        advice = done.err.decode().rpartition("with: stub ")[2].split()
        assert advice == ["check", "--repair", *where]
    assert forked(store, b"", *advice).status == 0
    assert len(other.artifacts()) == 2
