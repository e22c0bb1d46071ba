"""`stub pin` and `stub unpin`: an artifact is kept until it is said that nobody needs it."""

import json
import os

import pytest

from tests.conftest import Result, Store
from tests.helpers import BULK, code_of, fork, forked, keep, ref_of, session_of


@pytest.fixture
def ref(store: Store) -> str:
    return ref_of(forked(store, BULK).out)


def stub(store: Store, *arguments: str, status: int = 0, **environment: str) -> Result:
    done = forked(store, b"", *arguments, environment=environment)
    assert done.status == status, done.err
    return Result(done.status, done.out, done.err)


def phases(store: Store) -> dict[str, str]:
    listed = json.loads(stub(store, "lease", "ls", "--json").out)["leases"]
    return {each["transaction_id"]: each["phase"] for each in reversed(listed)}


def test_a_pin_is_a_committed_lease_without_an_end(store: Store, ref: str) -> None:
    document = json.loads(stub(store, "pin", ref, "--json").out)
    assert document["created"] is True
    assert document["source_id"] == ref
    assert (document["phase"], document["retain_until"]) == ("committed", None)


def test_pinning_twice_is_once(store: Store, ref: str) -> None:
    assert b"is pinned" in stub(store, "pin", ref).err
    before = (store.folder / "retention-leases.jsonl").read_bytes()
    done = stub(store, "pin", "last", "--json")
    assert json.loads(done.out)["created"] is False
    assert b"was pinned already" in stub(store, "pin", "1").err
    assert (store.folder / "retention-leases.jsonl").read_bytes() == before


def test_what_is_unpinned_can_be_pinned_again(store: Store, ref: str) -> None:
    assert b"was not pinned" in stub(store, "unpin", ref).err
    assert phases(store) == {}
    said = stub(store, "pin", ref).err.decode()
    undo = said.partition("undo with: stub ")[2].split()
    assert b"no longer pinned" in stub(store, *undo).err
    assert b"was not pinned" in stub(store, *undo).err
    stub(store, "pin", ref)
    assert phases(store) == {"pin.1.1": "released", "pin.1.2": "committed"}
    assert json.loads(stub(store, "unpin", ref, "--json").out)["lease"]["phase"] == "released"
    stub(store, "pin", ref)
    assert list(phases(store).items())[-1] == ("pin.1.3", "committed")


def test_a_pin_of_a_number_is_none_of_another(store: Store, ref: str) -> None:
    with session_of(store) as session:
        for number in range(12):
            keep(session, b"%d" % number)
    for wanted in ("1", "11", "13"):
        stub(store, "pin", wanted)
    stub(store, "unpin", "1")
    assert phases(store) == {
        "pin.1.1": "released",
        "pin.11.1": "committed",
        "pin.13.1": "committed",
    }


def test_unpinning_leaves_the_leases_of_others(store: Store, ref: str) -> None:
    stub(store, "lease", "publish", ref, "--transaction", "memory", "--", "true")
    stub(store, "pin", ref)
    stub(store, "unpin", ref)
    assert phases(store) == {"memory": "committed", "pin.1.1": "released"}


@pytest.mark.parametrize("command", ["pin", "unpin"])
def test_what_is_not_there_is_not_pinned(store: Store, ref: str, command: str) -> None:
    for wanted, status in (("7", 3), ("abcdef123456", 3), ("no ref", 2)):
        done = stub(store, command, wanted, status=status)
        assert done.out == b""
        assert done.err.count(b"\n") == 1
    assert phases(store) == {}


def test_what_is_damaged_is_not_pinned(store: Store, ref: str) -> None:
    path = store.artifacts()[0]
    path.chmod(0o600)
    path.write_bytes(path.read_bytes().replace(b"777", b"778"))
    assert stub(store, "pin", ref, status=4).out == b""
    assert phases(store) == {}


def test_many_that_pin_at_once_make_one_pin(store: Store, ref: str) -> None:
    pids = []
    for _ in range(8):
        pid = fork()
        if pid == 0:
            os._exit(forked(store, b"", "pin", ref).status)
        pids.append(pid)
    assert [code_of(os.waitpid(pid, 0)[1]) for pid in pids] == [0] * 8
    assert phases(store) == {"pin.1.1": "committed"}
    assert (store.folder / "retention-leases.jsonl").read_bytes().count(b"\n") == 2


def test_a_pin_in_another_session_is_undone_as_it_says(store: Store, ref: str) -> None:
    done = stub(store, "pin", ref, STUB_SESSION="other")
    undo = done.err.decode().partition("undo with: stub ")[2].split()
    stub(store, *undo, STUB_SESSION="other")
    assert phases(store) == {"pin.1.1": "released"}
