"""Prepare, publish, commit, abort, release, remove: what each promises, and what it refuses."""

import os
import threading
from collections.abc import Callable

import pytest

from stubcli.errors import IntegrityError, MissingError, RefusedError, UsageError
from stubcli.reference import record_name
from stubcli.retention.leases.file_names import JOURNAL
from stubcli.retention.leases.journal import open_journal
from stubcli.retention.leases.lease import (
    PublicationRejected,
    abort,
    commit,
    prepare,
    publish,
    release,
    remove,
)
from stubcli.retention.leases.model import ABORTED, COMMITTED, PREPARED, RELEASED, Lease
from stubcli.store.posix.artifacts import read_record
from tests.conftest import Store
from tests.helpers import session_of
from tests.retention.leases.made import (
    PAST,
    in_child,
    leases_in,
    phases,
    protections,
    with_artifact,
)


def nothing(lease: Lease) -> str:
    return lease.phase


def never(_lease: Lease) -> None:
    raise AssertionError("it was called")


def test_what_is_published_is_committed_and_protects(store: Store) -> None:
    with with_artifact(store) as (session, record):
        lease, published = publish(session, record, nothing, transaction_id="lease-1", count=2)
        assert (lease.phase, published) == (COMMITTED, PREPARED)
        assert phases(session) == [("lease-1", PREPARED), ("lease-1", COMMITTED)]
        found = protections(session)[record.number]
    assert found.sha256 == record.sha256
    assert (found.active, found.reference_count, found.pending) == (True, 2, ())
    assert lease.claim.source_id == str(record.reference)


def test_a_known_transaction_is_never_published_again(store: Store) -> None:
    with with_artifact(store) as (session, record):
        publish(session, record, nothing, transaction_id="lease-1")
        with pytest.raises(RefusedError, match="see: stub lease reconcile"):
            publish(session, record, never, transaction_id="lease-1")
        prepare(session, record, transaction_id="lease-2")
        with pytest.raises(RefusedError, match="is prepared already"):
            publish(session, record, never, transaction_id="lease-2")
        assert len(phases(session)) == 3


def test_a_prepared_lease_protects_past_its_end(store: Store) -> None:
    with with_artifact(store) as (session, record):
        prepare(session, record, transaction_id="lease-1", retain_until=PAST)
        found = protections(session)[record.number]
    assert (found.active, found.retain_until, found.pending) == (True, None, ("lease-1",))


def test_a_committed_lease_protects_until_its_end(store: Store) -> None:
    with with_artifact(store) as (session, record):
        prepare(session, record, transaction_id="lease-1", retain_until=PAST)
        commit(session, "lease-1")
        found = protections(session)[record.number]
    assert (found.active, found.retain_until, found.transactions) == (False, PAST, ("lease-1",))


@pytest.mark.parametrize("error", [TimeoutError, ConnectionError, OSError, RuntimeError])
@pytest.mark.parametrize("written", [False, True], ids=["before its write", "after its write"])
def test_a_publisher_that_fails_leaves_it_prepared(
    store: Store, error: type[Exception], written: bool
) -> None:
    memory: list[str] = []
    raised = error("lost")

    def publisher(lease: Lease) -> None:
        if written:
            memory.append(lease.claim.source_id)
        raise raised

    with with_artifact(store) as (session, record):
        with pytest.raises(error) as caught:
            publish(session, record, publisher, transaction_id="lease-1", retain_until=PAST)
        assert caught.value is raised
        assert phases(session) == [("lease-1", PREPARED)]
        found = protections(session)[record.number]
        assert (found.active, found.retain_until, found.pending) == (True, None, ("lease-1",))
        once = (store.folder / JOURNAL).read_bytes()
        with pytest.raises(RefusedError):
            publish(session, record, never, transaction_id="lease-1", retain_until=PAST)
        assert (store.folder / JOURNAL).read_bytes() == once
    assert len(memory) == written


def test_a_publisher_that_is_killed_leaves_it_prepared(store: Store) -> None:
    def act() -> None:
        with with_artifact(store) as (session, record):
            publish(session, record, lambda _: os.kill(os.getpid(), 9), transaction_id="lease-1")

    assert in_child(act) == 137
    with session_of(store) as session:
        assert phases(session) == [("lease-1", PREPARED)]


def test_an_explicit_rejection_aborts(store: Store) -> None:
    def publisher(_lease: Lease) -> None:
        raise PublicationRejected("too long")

    with with_artifact(store) as (session, record):
        with pytest.raises(PublicationRejected, match="too long"):
            publish(session, record, publisher, transaction_id="lease-1")
        assert phases(session) == [("lease-1", PREPARED), ("lease-1", ABORTED)]
        assert protections(session) == {}


def test_a_publisher_may_use_the_journal_itself(store: Store) -> None:
    with with_artifact(store) as (session, record):
        lease, read = publish(
            session, record, lambda _: leases_in(session), transaction_id="lease-1"
        )
        assert read["lease-1"].phase == PREPARED
        _, read = remove(session, lease.transaction_id, lambda _: leases_in(session))
        assert read["lease-1"].phase == COMMITTED


@pytest.mark.parametrize(
    ("done", "step"),
    [
        ((commit,), commit),
        ((commit, release), release),
        ((abort,), abort),
    ],
    ids=["commit", "release", "abort"],
)
def test_repeating_a_step_changes_no_byte(
    store: Store,
    done: tuple[Callable[..., Lease], ...],
    step: Callable[..., Lease],
) -> None:
    with with_artifact(store) as (session, record):
        prepare(session, record, transaction_id="lease-1")
        first = [each(session, "lease-1") for each in done][-1]
        once = (store.folder / JOURNAL).read_bytes()
        assert step(session, "lease-1") == first
        assert (store.folder / JOURNAL).read_bytes() == once


def test_preparing_again_with_the_same_claim_changes_no_byte(store: Store) -> None:
    with with_artifact(store) as (session, record):
        until = "2100-01-01T12:00:00+02:00"
        first, new = prepare(session, record, transaction_id="a", count=3, retain_until=until)
        once = (store.folder / JOURNAL).read_bytes()
        again = prepare(
            session, record, transaction_id="a", count=3, retain_until="2100-01-01T10:00:00Z"
        )
        assert (new, again) == (True, (first, False))
        commit(session, "a")
        later, new = prepare(session, record, transaction_id="a", count=3, retain_until=until)
        assert (later.phase, new) == (COMMITTED, False)
    assert (store.folder / JOURNAL).read_bytes().startswith(once)


def test_preparing_again_with_another_claim_is_refused(store: Store) -> None:
    with with_artifact(store) as (session, record):
        prepare(session, record, transaction_id="lease-1")
        with pytest.raises(RefusedError, match="has another claim"):
            prepare(session, record, transaction_id="lease-1", count=2)
        with pytest.raises(RefusedError, match="has another claim"):
            prepare(session, record, transaction_id="lease-1", retain_until=PAST)


@pytest.mark.parametrize("end", [ABORTED, RELEASED])
def test_preparing_a_transaction_that_has_ended_is_refused_and_never_taken_for_protection(
    store: Store, end: str
) -> None:
    with with_artifact(store) as (session, record):
        prepare(session, record, transaction_id="lease-1")
        if end == RELEASED:
            commit(session, "lease-1")
        (abort if end == ABORTED else release)(session, "lease-1")
        with pytest.raises(RefusedError, match=f"is {end}"):
            prepare(session, record, transaction_id="lease-1")
        assert protections(session) == {}


def test_without_a_name_each_lease_gets_one_of_its_own(store: Store) -> None:
    with with_artifact(store) as (session, record):
        names = {prepare(session, record)[0].transaction_id for _ in range(3)}
        assert len(names) == 3
        assert protections(session)[record.number].reference_count == 3


@pytest.mark.parametrize("step", [commit, abort, release])
def test_a_transaction_that_nobody_prepared_is_missing(
    store: Store, step: Callable[..., Lease]
) -> None:
    with session_of(store) as session:
        with pytest.raises(MissingError, match="there is no transaction lease-1"):
            step(session, "lease-1")
        with pytest.raises(UsageError):
            step(session, "../lease-1")
        assert phases(session) == []


@pytest.mark.parametrize(
    ("before", "step"),
    [
        ((), release),
        ((commit,), abort),
        ((abort,), commit),
        ((abort,), release),
        ((commit, release), commit),
        ((commit, release), abort),
    ],
)
def test_a_step_that_leads_nowhere_is_refused(
    store: Store, before: tuple[Callable[..., Lease], ...], step: Callable[..., Lease]
) -> None:
    with with_artifact(store) as (session, record):
        prepare(session, record, transaction_id="lease-1")
        for each in before:
            each(session, "lease-1")
        once = phases(session)
        with pytest.raises(RefusedError):
            step(session, "lease-1")
        assert phases(session) == once


def test_a_lease_is_released_only_behind_its_remover(store: Store) -> None:
    def fails(_lease: Lease) -> None:
        raise ConnectionError("lost")

    with with_artifact(store) as (session, record):
        for name in ("lease-1", "lease-2"):
            publish(session, record, nothing, transaction_id=name)
        assert protections(session)[record.number].reference_count == 2
        with pytest.raises(ConnectionError):
            remove(session, "lease-1", fails)
        assert protections(session)[record.number].reference_count == 2
        lease, removed = remove(session, "lease-1", nothing)
        assert (lease.phase, removed) == (RELEASED, COMMITTED)
        assert protections(session)[record.number].reference_count == 1
        release(session, "lease-2")
        assert protections(session) == {}


@pytest.mark.parametrize("steps", [(), (abort,), (commit, release)])
def test_only_what_is_committed_is_removed(
    store: Store, steps: tuple[Callable[..., Lease], ...]
) -> None:
    with with_artifact(store) as (session, record):
        prepare(session, record, transaction_id="lease-1")
        for step in steps:
            step(session, "lease-1")
        with pytest.raises(RefusedError, match="only what is committed is removed"):
            remove(session, "lease-1", never)


def test_what_is_gone_or_damaged_cannot_be_claimed(store: Store) -> None:
    with with_artifact(store) as (session, record):
        path = store.artifacts()[0]
        data = path.read_bytes()
        os.chmod(path, 0o600)
        path.write_bytes(b"X" + data[1:])
        with pytest.raises(IntegrityError):
            publish(session, record, never, transaction_id="lease-1")
        path.unlink()
        with pytest.raises(MissingError):
            publish(session, record, never, transaction_id="lease-1")
        (store.results / record_name(record.number, record.sha256)).unlink()
        with pytest.raises(MissingError):
            publish(session, record, never, transaction_id="lease-1")
        assert phases(session) == []


def test_a_record_that_somebody_made_up_claims_nothing(store: Store) -> None:
    with with_artifact(store) as (session, record):
        made_up = record.replace(sha256="0" * 64)
        with pytest.raises(MissingError):
            prepare(session, made_up, transaction_id="lease-1")


def test_six_threads_that_prepare_at_once_get_six_records(store: Store) -> None:
    with with_artifact(store) as (session, record):
        threads = [
            threading.Thread(target=prepare, args=(session, record), kwargs={"transaction_id": n})
            for n in "abcdef"
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(phases(session)) == [(name, PREPARED) for name in "abcdef"]
        found = protections(session)[record.number]
        assert (found.pending, found.reference_count) == (tuple("abcdef"), 6)


def test_six_processes_that_prepare_one_transaction_make_it_once(store: Store) -> None:
    made: list[int] = []
    with with_artifact(store) as (_, record):

        def act() -> None:
            with session_of(store) as session:
                read_record(session, record_name(record.number, record.sha256))
                prepare(session, record, transaction_id="lease-1")

        threads = [threading.Thread(target=lambda: made.append(in_child(act))) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert made == [0] * 6
    with session_of(store) as session, open_journal(session) as journal:
        assert phases(session) == [("lease-1", PREPARED)]
        assert set(journal.leases) == {"lease-1"}
