"""What became of a publication decides whether gc may delete: only a proof of its end lets go."""

from collections.abc import Callable

import pytest

from stubcli.retention.leases import lease
from stubcli.retention.leases.lease import PublicationRejected
from stubcli.retention.leases.model import Lease
from stubcli.retention.leases.owners import ABSENT, PUBLISHED, UNKNOWN
from stubcli.retention.leases.reconcile import reconcile
from stubcli.store.surface import Session
from tests.conftest import Store
from tests.helpers import session_of
from tests.retention.gc.made import Memory, body, collect, commit, make_old, prepare, put, states

PAST = "2020-01-01T00:00:00Z"
KEPT, GONE = {"retained_referenced": 1}, {"deleted": 1}


@pytest.mark.parametrize(
    "error", [TimeoutError, ConnectionError, OSError, RuntimeError, KeyboardInterrupt]
)
def test_a_publisher_that_fails_without_a_word_leaves_its_artifact_protected(
    store: Store, error: type[BaseException]
) -> None:
    record = put(store, body(1))

    def publisher(_lease: Lease) -> None:
        raise error

    with session_of(store) as session, pytest.raises(error):
        lease.publish(session, record, publisher, transaction_id="m", retain_until=PAST)
    make_old(store, 1)
    assert states(collect(store)) == KEPT


def test_a_publisher_that_rejects_lets_go(store: Store) -> None:
    record = put(store, body(1))

    def publisher(_lease: Lease) -> None:
        raise PublicationRejected

    with session_of(store) as session, pytest.raises(PublicationRejected):
        lease.publish(session, record, publisher, transaction_id="m")
    make_old(store, 1)
    assert states(collect(store)) == GONE


@pytest.mark.parametrize(
    ("presence", "expected"), [(PUBLISHED, KEPT), (UNKNOWN, KEPT), (ABSENT, GONE)]
)
def test_what_the_owner_holds_decides_after_a_crash(
    store: Store, presence: str, expected: dict[str, int]
) -> None:
    put(store, body(1))
    prepare(store, 1)
    with session_of(store) as session:
        reconcile(session, Memory(presence))
    make_old(store, 1)
    assert states(collect(store)) == expected


@pytest.mark.parametrize(
    ("end", "expected"), [(lease.release, GONE), (lambda *_: None, KEPT)], ids=["one", "none"]
)
def test_of_two_leases_both_have_to_end(
    store: Store, end: Callable[[Session, str], object], expected: dict[str, int]
) -> None:
    put(store, body(1))
    commit(store, 1, "a")
    commit(store, 1, "b")
    with session_of(store) as session:
        lease.release(session, "a")
        end(session, "b")
    make_old(store, 1)
    assert states(collect(store)) == expected


def test_a_remover_that_fails_keeps_the_artifact(store: Store) -> None:
    put(store, body(1))
    commit(store, 1, "a")

    def remover(_lease: Lease) -> None:
        raise OSError

    with session_of(store) as session, pytest.raises(OSError):  # noqa: PT011
        lease.remove(session, "a", remover)
    make_old(store, 1)
    assert states(collect(store)) == KEPT
