"""A pending lease is settled on proof alone; whatever is less certain leaves it protected."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from stubcli.errors import IntegrityError, MissingError, RefusedError
from stubcli.retention.leases import lease as leases
from stubcli.retention.leases import pins, reconcile
from stubcli.retention.leases.journal import open_journal
from stubcli.retention.leases.memory import memory_reference
from stubcli.retention.leases.model import Lease
from stubcli.retention.leases.owners import (
    ABSENT,
    PUBLISHED,
    UNKNOWN,
    Fence,
    GenerationChanged,
    Observation,
)
from stubcli.retention.leases.reconcile import Settlement
from stubcli.retention.leases.sqlite_owner import SqliteOwner
from stubcli.store.records import Record
from stubcli.store.surface import Session
from tests.conftest import Store
from tests.helpers import code_of, fork, keep, session_of, wait_until

DATA = b"kept for a memory\n" * 2000
OTHER = "0" * 64


@dataclass
class Scripted:
    """An owner that answers what it is told to, and notes what it was asked."""

    observe: Callable[[Lease], Observation]
    seal: Callable[[Lease, int], Observation] | None = None
    asked: list[str] = field(default_factory=list)

    @contextmanager
    def fence(self, lease: Lease) -> Iterator["ScriptedFence"]:
        self.asked.append("fence")
        yield ScriptedFence(self, lease)


@dataclass
class ScriptedFence:
    owner: Scripted
    lease: Lease

    def observe(self) -> Observation:
        self.owner.asked.append("observe")
        return self.owner.observe(self.lease)

    def seal(self, generation: int) -> Observation:
        self.owner.asked.append("seal")
        assert self.owner.seal
        return self.owner.seal(self.lease, generation)


def published(lease: Lease, **other: str) -> Observation:
    claim = lease.claim
    source = other.get("source_id", claim.source_id)
    return Observation(
        lease.transaction_id, 1, PUBLISHED, source, other.get("sha256", claim.sha256)
    )


def absent(lease: Lease, generation: int = 0, *, sealed: bool = False) -> Observation:
    return Observation(lease.transaction_id, generation, ABSENT, absence_sealed=sealed)


def sealing(lease: Lease, generation: int) -> Observation:
    return absent(lease, generation + 1, sealed=True)


def moved(_lease: Lease, _generation: int) -> Observation:
    raise GenerationChanged


def fails(*_: object) -> Observation:
    raise TimeoutError("the memory does not answer")


def wrong(*_: object) -> Observation:
    return None  # type: ignore[return-value]


def other_transaction(_: Lease, generation: int = 0) -> Observation:
    return Observation("another", generation + 1, ABSENT, absence_sealed=True)


TABLE: dict[str, tuple[Scripted, Settlement, str]] = {
    "another transaction is answered": (
        Scripted(other_transaction),
        Settlement("t", "pending_conflict", "owner_transaction_mismatch", 1),
        "prepared",
    ),
    "unknown": (
        Scripted(lambda lease: Observation(lease.transaction_id, 4, UNKNOWN)),
        Settlement("t", "pending_unknown", "owner_result_unknown", 4),
        "prepared",
    ),
    "published, the very reference": (
        Scripted(published),
        Settlement("t", "committed", "owner_confirmed_reference", 1),
        "committed",
    ),
    "published with another digest": (
        Scripted(lambda lease: published(lease, sha256=OTHER)),
        Settlement("t", "pending_conflict", "owner_reference_mismatch", 1),
        "prepared",
    ),
    "published from another source": (
        Scripted(lambda lease: published(lease, source_id="artifact:x:tool_result_001.txt:0")),
        Settlement("t", "pending_conflict", "owner_reference_mismatch", 1),
        "prepared",
    ),
    "absent, and the seal holds": (
        Scripted(absent, sealing),
        Settlement("t", "aborted", "owner_sealed_absence", 1),
        "aborted",
    ),
    "absent, and it moved before the seal": (
        Scripted(absent, moved),
        Settlement("t", "pending_stale", "owner_generation_changed", 0),
        "prepared",
    ),
    "absent and sealed already": (
        Scripted(lambda lease: absent(lease, 3, sealed=True)),
        Settlement("t", "aborted", "owner_sealed_absence", 3),
        "aborted",
    ),
    "the seal leaves it absent, unsealed": (
        Scripted(absent, lambda lease, generation: absent(lease, generation + 1)),
        Settlement("t", "pending_conflict", "owner_absence_not_sealed", 1),
        "prepared",
    ),
    "the seal finds it published": (
        Scripted(absent, lambda lease, _: published(lease)),
        Settlement("t", "pending_conflict", "owner_absence_not_sealed", 1),
        "prepared",
    ),
    "the seal moves no generation": (
        Scripted(lambda lease: absent(lease, 2), lambda lease, _: absent(lease, 2, sealed=True)),
        Settlement("t", "pending_conflict", "owner_absence_not_sealed", 2),
        "prepared",
    ),
    "the seal is of another transaction": (
        Scripted(absent, other_transaction),
        Settlement("t", "pending_conflict", "owner_transaction_mismatch", 1),
        "prepared",
    ),
    "the owner fails": (
        Scripted(fails),
        Settlement("t", "pending_unknown", "owner_failed"),
        "prepared",
    ),
    "the owner fails in the seal": (
        Scripted(absent, fails),
        Settlement("t", "pending_unknown", "owner_failed", 0),
        "prepared",
    ),
    "the owner answers nothing": (
        Scripted(wrong),
        Settlement("t", "pending_unknown", "owner_failed"),
        "prepared",
    ),
    "the seal answers nothing": (
        Scripted(absent, wrong),
        Settlement("t", "pending_unknown", "owner_failed", 0),
        "prepared",
    ),
}


@pytest.fixture
def session(store: Store) -> Iterator[Session]:
    with session_of(store) as opened:
        yield opened


@pytest.fixture
def record(session: Session) -> Record:
    return keep(session, DATA)


def phases(session: Session) -> dict[str, str]:
    with open_journal(session) as journal:
        return {name: lease.phase for name, lease in journal.leases.items()}


def journal_of(store: Store) -> bytes:
    return (store.folder / "retention-leases.jsonl").read_bytes()


@pytest.mark.parametrize("case", TABLE)
def test_a_lease_ends_on_proof_alone(
    store: Store, session: Session, record: Record, case: str
) -> None:
    owner, expected, phase = TABLE[case]
    leases.prepare(session, record, transaction_id="t")
    before = journal_of(store)
    assert reconcile.reconcile(session, owner) == [expected]
    assert phases(session) == {"t": phase}
    assert (journal_of(store) == before) == (phase == "prepared")
    assert expected.pending == (phase == "prepared")


@pytest.mark.parametrize("phase", ["committed", "aborted", "released"])
def test_what_is_settled_is_not_asked_again(
    store: Store, session: Session, record: Record, phase: str
) -> None:
    leases.prepare(session, record, transaction_id="t")
    if phase == "aborted":
        leases.abort(session, "t")
    else:
        leases.commit(session, "t")
    if phase == "released":
        leases.release(session, "t")
    before, owner = journal_of(store), Scripted(fails)
    expected = Settlement("t", f"already_{phase}", f"lease_already_{phase}")
    assert reconcile.reconcile(session, owner, ["t"]) == [expected]
    assert reconcile.reconcile(session, owner) == []
    assert owner.asked == []
    assert journal_of(store) == before


def test_what_was_settled_before_the_fence_was_had_is_left(
    session: Session, record: Record
) -> None:
    leases.prepare(session, record, transaction_id="t")

    def late(lease: Lease) -> Observation:
        leases.commit(session, "t")
        return absent(lease)

    owner = Scripted(late, sealing)
    assert reconcile.reconcile(session, owner) == [
        Settlement("t", "already_committed", "lease_already_committed")
    ]
    assert owner.asked == ["fence", "observe"]


def test_repeating_it_asks_the_owner_once_and_changes_nothing(
    store: Store, session: Session, record: Record
) -> None:
    leases.prepare(session, record, transaction_id="t")
    owner = Scripted(published)
    assert reconcile.reconcile(session, owner, ["t"])[0].status == "committed"
    before = journal_of(store)
    assert reconcile.reconcile(session, owner, ["t"])[0].status == "already_committed"
    assert owner.asked == ["fence", "observe"]
    assert journal_of(store) == before


def test_an_unknown_transaction_is_an_error_before_anything_is_asked(
    session: Session, record: Record
) -> None:
    leases.prepare(session, record, transaction_id="t")
    owner = Scripted(published)
    with pytest.raises(MissingError):
        reconcile.reconcile(session, owner, ["t", "never"])
    assert owner.asked == []


def test_one_owners_failure_stops_none_of_the_others(session: Session, record: Record) -> None:
    for name in "abc":
        leases.prepare(session, record, transaction_id=name)
    told: list[tuple[str, str]] = []
    owner = Scripted(lambda lease: fails() if lease.transaction_id == "b" else published(lease))
    reports = reconcile.reconcile(
        session, owner, failed=lambda name, error: told.append((name, str(error)))
    )
    assert [report.status for report in reports] == ["committed", "pending_unknown", "committed"]
    assert told == [("b", "the memory does not answer")]


def test_a_fence_that_cannot_be_had_leaves_it_pending(session: Session, record: Record) -> None:
    leases.prepare(session, record, transaction_id="t")

    class Unreachable:
        def fence(self, lease: Lease) -> AbstractContextManager[Fence]:
            raise ConnectionError(lease.transaction_id)

    reports = reconcile.reconcile(session, Unreachable())
    assert reports == [Settlement("t", "pending_unknown", "owner_failed")]


def test_a_fence_that_ends_badly_does_not_undo_what_was_decided(
    session: Session, record: Record
) -> None:
    leases.prepare(session, record, transaction_id="t")

    class Leaky(Scripted):
        @contextmanager
        def fence(self, lease: Lease) -> Iterator[ScriptedFence]:
            yield ScriptedFence(self, lease)
            raise ConnectionError("lost while releasing")

    reports = reconcile.reconcile(session, Leaky(published))
    assert reports == [Settlement("t", "committed", "owner_confirmed_reference", 1)]
    assert phases(session) == {"t": "committed"}


def test_damage_of_the_journal_is_not_taken_for_the_owners_failure(
    store: Store, session: Session, record: Record
) -> None:
    leases.prepare(session, record, transaction_id="t")
    ended = []

    class Watched(Scripted):
        @contextmanager
        def fence(self, lease: Lease) -> Iterator[ScriptedFence]:
            yield ScriptedFence(self, lease)
            ended.append(lease.transaction_id)

    def breaking(lease: Lease) -> Observation:
        path = store.folder / "retention-leases.jsonl"
        path.write_bytes(path.read_bytes().replace(b"prepared", b"released"))
        return published(lease)

    with pytest.raises(IntegrityError):
        reconcile.reconcile(session, Watched(breaking))
    assert ended == ["t"]


def test_only_what_was_pending_at_the_start_is_settled(session: Session, record: Record) -> None:
    leases.prepare(session, record, transaction_id="first")

    def meanwhile(lease: Lease) -> Observation:
        leases.prepare(session, record, transaction_id="later")
        return published(lease)

    reports = reconcile.reconcile(session, Scripted(meanwhile))
    assert [report.transaction_id for report in reports] == ["first"]
    assert phases(session) == {"first": "committed", "later": "prepared"}


def test_a_pin_that_a_crash_left_prepared_is_asked_of_no_memory(
    session: Session, record: Record
) -> None:
    leases.prepare(session, record, transaction_id="pin.1.1")
    assert reconcile.reconcile(session, Scripted(absent, sealing)) == []
    assert pins.pin(session, record)[0].transaction_id == "pin.1.1"
    assert phases(session) == {"pin.1.1": "committed"}


def test_reports_name_no_path_and_no_content(
    store: Store, session: Session, record: Record
) -> None:
    leases.prepare(session, record, transaction_id="t")
    document = reconcile.reconcile(session, Scripted(absent, sealing))[0].to_dict()
    assert set(document) == {"transaction_id", "status", "reason", "generation"}
    assert str(store.home) not in repr(document)
    assert "artifact" not in repr(document)


# The two outcomes of a publication that nobody knows of, with a memory that is really there.


def memory(tmp_path: Path) -> SqliteOwner:
    return SqliteOwner(str(tmp_path / "memory.db"), create=True)


@pytest.mark.parametrize("error", [TimeoutError, ConnectionError, OSError, RuntimeError])
@pytest.mark.parametrize("written", [True, False])
def test_a_lost_answer_is_settled_by_what_the_memory_holds(
    session: Session, record: Record, tmp_path: Path, error: type[Exception], written: bool
) -> None:
    owner = memory(tmp_path)
    reference = memory_reference(record, "/a", DATA)

    def publisher(lease: Lease) -> None:
        if written:
            owner.publish(reference, lease.transaction_id)
        raise error("lost")

    with pytest.raises(error):
        leases.publish(session, record, publisher, transaction_id="t")
    assert phases(session) == {"t": "prepared"}
    (report,) = reconcile.reconcile(session, owner)
    assert report.status == ("committed" if written else "aborted")
    assert report.generation == 1
    if not written:
        with pytest.raises(leases.PublicationRejected):
            owner.publish(reference, "t")
        assert owner.entries() == []


def test_a_late_publication_is_rejected_after_a_crash_behind_the_seal(
    store: Store, record: Record, tmp_path: Path, session: Session
) -> None:
    owner = memory(tmp_path)
    leases.prepare(session, record, transaction_id="t")
    pid = fork()
    if pid == 0:
        # Dies between the tombstone and the end of the lease, holding the journal's lock.
        from stubcli.retention.leases.journal import Journal

        def dies(*_: object, **__: object) -> Lease:
            os._exit(9)

        Journal.append = dies  # type: ignore[method-assign]
        with session_of(store) as own:
            reconcile.reconcile(own, owner)
        os._exit(1)
    assert code_of(os.waitpid(pid, 0)[1]) == 9
    assert phases(session) == {"t": "prepared"}
    with pytest.raises(leases.PublicationRejected):
        owner.publish(memory_reference(record, "/a", DATA), "t")
    (report,) = reconcile.reconcile(session, owner)
    assert report == Settlement("t", "aborted", "owner_sealed_absence", 1)
    assert phases(session) == {"t": "aborted"}


@pytest.mark.parametrize("turn", range(3))
def test_two_threads_settle_a_lease_once(
    store: Store, session: Session, record: Record, tmp_path: Path, turn: int
) -> None:
    owner = memory(tmp_path)
    leases.prepare(session, record, transaction_id="t")
    owner.publish(memory_reference(record, "/a", DATA), "t")
    together, statuses = threading.Barrier(2), []

    def settle() -> None:
        with session_of(store) as own:
            together.wait()
            statuses.append(reconcile.reconcile(own, owner, ["t"])[0].status)

    threads = [threading.Thread(target=settle) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == ["already_committed", "committed"]
    assert journal_of(store).count(b"\n") == 2


@pytest.mark.parametrize("written", [True, False])
def test_six_processes_settle_a_lease_once(
    store: Store, session: Session, record: Record, tmp_path: Path, written: bool
) -> None:
    owner = memory(tmp_path)
    leases.prepare(session, record, transaction_id="t")
    if written:
        owner.publish(memory_reference(record, "/a", DATA), "t")
    start, pids = tmp_path / "start", []
    codes = {"committed": 10, "already_committed": 11, "aborted": 10, "already_aborted": 11}
    for _ in range(6):
        pid = fork()
        if pid == 0:
            code = 1
            try:
                wait_until(start.exists)
                with session_of(store) as own:
                    code = codes[reconcile.reconcile(own, owner, ["t"])[0].status]
            finally:
                os._exit(code)
        pids.append(pid)
    start.touch()
    ended = sorted(code_of(os.waitpid(pid, 0)[1]) for pid in pids)
    assert ended == [10, 11, 11, 11, 11, 11]
    assert phases(session) == {"t": "committed" if written else "aborted"}
    assert journal_of(store).count(b"\n") == 2


def test_a_publisher_that_races_the_seal_is_either_in_or_rejected(
    session: Session, store: Store, record: Record, tmp_path: Path
) -> None:
    """Whoever is first at the memory decides, and the lease says the same as the memory."""
    owner = memory(tmp_path)
    reference = memory_reference(record, "/a", DATA)
    for turn in range(6):
        name = f"t{turn}"
        ready = threading.Event()
        outcome: list[str] = []

        def publish(name: str = name, ready: threading.Event = ready) -> None:
            def publisher(lease: Lease) -> None:
                ready.set()
                owner.publish(reference, lease.transaction_id)

            with session_of(store) as own:
                try:
                    leases.publish(own, record, publisher, transaction_id=name)
                    outcome.append("committed")  # noqa: B023
                except leases.PublicationRejected:
                    outcome.append("aborted")  # noqa: B023

        thread = threading.Thread(target=publish)
        thread.start()
        ready.wait(20)
        reconcile.reconcile(session, owner, [name])
        thread.join()
        entry = owner.find(name)
        assert entry
        assert outcome == [phases(session)[name]]
        assert (entry.reference is not None) == (outcome == ["committed"])


# A removal, which takes the memory first and the journal after, as a reconciliation does.


def test_of_two_leases_on_one_artifact_a_failing_removal_ends_none(
    session: Session, record: Record, tmp_path: Path
) -> None:
    owner = memory(tmp_path)
    reference = memory_reference(record, "/a", DATA)
    for name in "ab":
        leases.publish(
            session,
            record,
            lambda lease: owner.publish(reference, lease.transaction_id),
            transaction_id=name,
        )

    def failing(_: Lease) -> None:
        raise ConnectionError("lost")

    with pytest.raises(ConnectionError):
        leases.remove(session, "a", failing)
    assert phases(session) == {"a": "committed", "b": "committed"}
    leases.remove(session, "a", lambda lease: owner.remove(lease.transaction_id))
    assert phases(session) == {"a": "released", "b": "committed"}
    assert [entry.transaction_id for entry in owner.entries()] == ["b"]
    with pytest.raises(RefusedError):
        leases.remove(session, "a", lambda lease: owner.remove(lease.transaction_id))


def test_a_removal_and_a_reconciliation_at_once_do_not_wait_for_each_other(
    store: Store, session: Session, record: Record, tmp_path: Path
) -> None:
    owner = memory(tmp_path)
    reference = memory_reference(record, "/a", DATA)
    leases.publish(
        session,
        record,
        lambda lease: owner.publish(reference, lease.transaction_id),
        transaction_id="a",
    )
    leases.prepare(session, record, transaction_id="b")
    inside = threading.Event()

    def remover(lease: Lease) -> None:
        inside.set()
        owner.remove(lease.transaction_id)
        with session_of(store) as own:
            assert phases(own)["a"] == "committed"  # a remover may read the journal

    def removal() -> None:
        with session_of(store) as own:
            leases.remove(own, "a", remover)

    thread = threading.Thread(target=removal)
    thread.start()
    inside.wait(20)
    assert reconcile.reconcile(session, owner)[0].status == "aborted"
    thread.join(20)
    assert not thread.is_alive()
    assert phases(session) == {"a": "released", "b": "aborted"}


def test_an_artifact_that_is_gone_is_not_published(
    store: Store, session: Session, record: Record, tmp_path: Path
) -> None:
    owner = memory(tmp_path)
    for path in store.results.iterdir():
        path.unlink()
    with pytest.raises(MissingError):
        leases.publish(
            session,
            record,
            lambda _: pytest.fail("the publisher was called"),
            transaction_id="t",
        )
    assert phases(session) == {}
    assert owner.entries() == []


def test_a_memory_is_not_asked_of_what_another_holds(session: Session, record: Record) -> None:
    # Its honest "absent" would abort a lease that protects what the other memory cites.
    mine, _ = leases.prepare(session, record, owner="notes")
    other, _ = leases.prepare(session, record, owner="wiki")
    nobodys, _ = leases.prepare(session, record)
    owner = Scripted(absent, sealing)
    reports = reconcile.reconcile(session, owner, name="notes")
    assert [report.transaction_id for report in reports] == [mine.transaction_id]
    with open_journal(session) as journal:
        phases = {name: lease.phase for name, lease in journal.leases.items()}
    assert phases == {
        mine.transaction_id: "aborted",
        other.transaction_id: "prepared",
        nobodys.transaction_id: "prepared",
    }
    with pytest.raises(RefusedError, match="is of wiki; ask that memory"):
        reconcile.reconcile(session, owner, [other.transaction_id], name="notes")
    assert owner.asked == ["fence", "observe", "seal"]


def test_a_repeat_for_another_owner_is_refused(session: Session, record: Record) -> None:
    lease, new = leases.prepare(session, record, transaction_id="t", owner="notes")
    assert new
    assert lease.claim.owner == "notes"
    with pytest.raises(RefusedError, match="another claim"):
        leases.prepare(session, record, transaction_id="t")
    again, new = leases.prepare(session, record, transaction_id="t", owner="notes")
    assert (again.claim, new) == (lease.claim, False)
