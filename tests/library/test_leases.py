"""`Store.leases`: a memory in Python takes the same steps as one that runs the commands."""

import datetime
from pathlib import Path
from typing import Any

import pytest

import stubcli

LINES = "".join(f"line {number}\n" for number in range(4_000))


@pytest.fixture
def where(tmp_path: Path) -> Any:
    return {"home": str(tmp_path / "store"), "session": "s"}


@pytest.fixture
def store(where: Any) -> stubcli.Store:
    stubcli.offload(LINES, tool="bash", **where)
    return stubcli.Store(**where)


def phases(store: stubcli.Store) -> dict[str, str]:
    return {one.transaction_id: one.phase for one in store.leases.list().leases}


def test_a_lease_goes_through_its_phases(store: stubcli.Store) -> None:
    leases = store.leases
    lease = leases.prepare("last", transaction_id="t", count=2, owner="memory")
    assert (lease.phase, lease.claim.reference_count, lease.session) == ("prepared", 2, "s")
    assert leases.prepare("last", transaction_id="t", count=2, owner="memory") == lease
    assert leases.list(pending=True).leases == (lease,)
    assert leases.commit("t").phase == leases.commit("t").phase == "committed"
    assert leases.release("t").phase == "released"
    new = leases.prepare("last")
    assert leases.abort(new.transaction_id).phase == "aborted"
    assert phases(store) == {new.transaction_id: "aborted", "t": "released"}
    with pytest.raises(stubcli.RefusedError):
        leases.prepare("last", transaction_id="t")
    with pytest.raises(stubcli.MissingError):
        leases.commit("unknown")


def test_a_claim_may_end_at_a_moment(store: stubcli.Store) -> None:
    moment = datetime.datetime(2040, 1, 2, 3, 4, tzinfo=datetime.UTC)
    by_moment = store.leases.prepare("last", retain_until=moment)
    by_text = store.leases.prepare("last", retain_until="2040-01-02T03:04:00Z")
    assert by_moment.claim == by_text.claim
    with pytest.raises(stubcli.UsageError, match="zone"):
        store.leases.prepare("last", retain_until=moment.replace(tzinfo=None))


def test_a_publisher_is_given_the_reference_and_its_result_comes_back(
    store: stubcli.Store,
) -> None:
    lease, found = store.leases.publish(
        "last", lambda memory, name: (memory, name), transaction_id="t"
    )
    assert (lease.phase, found) == ("committed", (store.memory("last"), "t"))
    with pytest.raises(stubcli.RefusedError, match="not published again"):
        store.leases.publish("last", lambda memory, name: None, transaction_id="t")
    lease, name = store.leases.remove("t", lambda name: name)
    assert (lease.phase, name) == ("released", "t")


@pytest.mark.parametrize(
    ("error", "phase"),
    [
        (stubcli.PublicationRejected("no"), "aborted"),
        (ConnectionResetError("lost"), "prepared"),
        (ValueError("odd"), "prepared"),
        (KeyboardInterrupt(), "prepared"),
    ],
)
def test_what_a_publisher_raises_is_raised_on_as_it_is(
    error: BaseException, phase: str, store: stubcli.Store
) -> None:
    def publish(memory: stubcli.MemoryReference, name: str) -> None:
        raise error

    with pytest.raises(type(error)) as raised:
        store.leases.publish("last", publish, transaction_id="t")
    assert raised.value is error
    assert phases(store) == {"t": phase}


def test_a_remover_that_fails_leaves_the_lease_committed(store: stubcli.Store) -> None:
    error = OSError("unplugged")

    def remove(name: str) -> None:
        raise error

    store.leases.publish("last", lambda memory, name: None, transaction_id="t")
    with pytest.raises(OSError, match="unplugged") as raised:
        store.leases.remove("t", remove)
    assert raised.value is error
    assert phases(store) == {"t": "committed"}


def test_pending_leases_are_settled_with_a_memory(store: stubcli.Store, tmp_path: Path) -> None:
    memory, leases = stubcli.SqliteOwner(str(tmp_path / "m"), create=True), store.leases
    for name in ("published", "absent"):
        leases.prepare("last", transaction_id=name)
    leases.prepare("last", transaction_id="another", owner="someone")
    memory.publish(store.memory("last"), "published")
    settled = {one.transaction_id: one.status for one in leases.reconcile(memory)}
    assert settled == {"published": "committed", "absent": "aborted"}
    assert leases.reconcile(memory, "another", name="someone")[0].status == "aborted"
    with pytest.raises(stubcli.PublicationRejected):
        memory.publish(store.memory("last"), "absent")


def test_a_memory_that_fails_leaves_its_leases_pending(store: stubcli.Store) -> None:
    store.leases.prepare("last", transaction_id="t")
    raised: list[tuple[str, str]] = []
    owner = stubcli.ExecOwner(["/nowhere/at/all"])
    (settled,) = store.leases.reconcile(
        owner, failed=lambda name, error: raised.append((name, type(error).__name__))
    )
    assert (settled.status, settled.pending) == ("pending_unknown", True)
    assert raised == [("t", "FileNotFoundError")]
    assert phases(store) == {"t": "prepared"}


def test_leases_of_all_sessions_are_listed(store: stubcli.Store, where: Any) -> None:
    stubcli.offload(LINES, **where | {"session": "other"})
    other = stubcli.Store(**where | {"session": "other"})
    other.leases.prepare("last", transaction_id="t")
    store.leases.prepare("last", transaction_id="t")
    listed = store.leases.list(all_sessions=True)
    assert [one.session for one in listed.leases] == ["other", "s"]
    assert store.leases.list(all_sessions=True, limit=1, skip=1).leases == listed.leases[1:]
