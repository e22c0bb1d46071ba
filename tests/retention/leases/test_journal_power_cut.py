"""The power fails while a lease is written: what was acknowledged is there, the rest is no damage.

The disk is that of `tests/store/test_power_cut.py`.
"""

import os
from functools import partial

import pytest

from stubcli.errors import IntegrityError
from stubcli.retention.leases import lease as leases
from stubcli.retention.leases import upkeep
from stubcli.retention.leases.model import COMMITTED, PREPARED
from tests.conftest import Store
from tests.helpers import Calls, keep, kill_at, session_of
from tests.retention.leases.made import DATA, in_child, leases_in
from tests.store import test_power_cut as power

disk = power.disk
# What writes or makes durable.
DECIDING = ("pwrite", "fsync", "fdatasync", "ftruncate")


def prepare(store: Store, name: str) -> None:
    with session_of(store) as session:
        leases.prepare(session, session.find(1), transaction_id=name)


def commit(store: Store, name: str) -> None:
    with session_of(store) as session:
        leases.commit(session, name)


def with_artifact(disk: power.Disk) -> Store:
    store = power.store_on(disk)
    with session_of(store) as session:
        keep(session, DATA)
    return store


def fresh(disk: power.Disk, known: dict[str, str]) -> Store:
    """A new disk, on which these transactions are prepared."""
    disk.unmount()
    disk.make()
    store = with_artifact(disk)
    for name in known:
        prepare(store, name)
    return store


def phases(store: Store) -> dict[str, str]:
    with session_of(store) as session:
        return {name: lease.phase for name, lease in leases_in(session).items()}


# https://github.com/etcd-io/etcd/issues/6368
# https://github.com/etcd-io/etcd/issues/14370
def test_what_was_acknowledged_survives_a_power_cut_right_behind_it(disk: power.Disk) -> None:
    store = with_artifact(disk)
    prepare(store, "lease-1")
    disk.cut()
    assert phases(store) == {"lease-1": PREPARED}
    commit(store, "lease-1")
    prepare(store, "lease-2")
    disk.cut()
    assert phases(store) == {"lease-1": COMMITTED, "lease-2": PREPARED}


def calls_of(store: Store, name: str) -> list[str]:
    log = store.home.parent / "log"
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    real = os.write

    def act(_count: int, call: str) -> None:
        real(descriptor, call.encode() + b"\n")

    assert in_child(lambda: prepare(store, name), Calls(act).install) == 0
    os.close(descriptor)
    calls = log.read_text().split()
    log.unlink()
    return calls


@pytest.mark.parametrize("first", [True, False], ids=["the first lease of all", "one more lease"])
def test_a_power_cut_at_any_call_of_an_append_is_no_damage(disk: power.Disk, first: bool) -> None:
    known = {} if first else {"before": PREPARED}
    wrong = []
    for number, call in enumerate(calls_of(fresh(disk, known), "mine"), 1):
        if call not in DECIDING:
            continue
        store = fresh(disk, known)
        in_child(partial(prepare, store, "mine"), kill_at(number))
        disk.cut()
        try:
            assert phases(store) in (known, {**known, "mine": PREPARED})
            prepare(store, "mine")
            disk.cut()
            assert phases(store) == {**known, "mine": PREPARED}
            with session_of(store) as session:
                assert [one.status for one in upkeep.verify(session)] == ["ok"]
        except (AssertionError, IntegrityError) as failure:
            wrong.append(f"call {number} ({call}): {failure}")
    assert not wrong, "\n".join(wrong)


def test_without_the_syncs_of_the_data_the_loss_is_seen(disk: power.Disk) -> None:
    """That the tests above can fail: the lease is gone, or what is left of it is damage."""
    store = with_artifact(disk)

    def install() -> None:
        os.fdatasync = lambda _descriptor: None  # type: ignore[assignment]

    assert in_child(lambda: prepare(store, "lease-1"), install) == 0
    disk.cut()
    try:
        assert phases(store) != {"lease-1": PREPARED}
    except IntegrityError:
        pass
