"""Every call to the kernel fails once, or for good, or is the last thing the process does.

Whatever happens: what was acknowledged protects, nobody else's lease is touched, the journal is
readable, and the next operation works.
"""

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stubcli.errors import NOT_STORED, StubError
from stubcli.retention.leases import lease as leases
from stubcli.retention.leases import upkeep
from stubcli.retention.leases.file_names import JOURNAL
from stubcli.retention.leases.model import ABORTED, COMMITTED, PREPARED, RELEASED, TERMINAL, Lease
from stubcli.store.surface import Session
from stubcli.store.values import OK
from tests.conftest import Store
from tests.helpers import Calls, fail_at, forked, keep, kill_at, session_of
from tests.retention.leases.made import DATA, failing, in_child, leases_in, phases, protections

OTHER, MINE = "somebody-else", "mine"
Step = Callable[[Session], object]


@pytest.fixture(autouse=True)
def _no_power_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Syncs are counted and fail like other calls; where none fails they need not be waited for."""
    for name in ("fsync", "fdatasync"):
        monkeypatch.setattr(os, name, lambda _descriptor: None)


def prepare(session: Session) -> None:
    leases.prepare(session, session.find(1), transaction_id=MINE)


def commit(session: Session) -> None:
    leases.commit(session, MINE)


def abort(session: Session) -> None:
    leases.abort(session, MINE)


def release(session: Session) -> None:
    leases.release(session, MINE)


def tear(session: Session) -> None:
    with open(session.artifact_path(f"../{JOURNAL}"), "ab") as journal:
        journal.write(b'{"event_sha256":"12')


def prepare_other(session: Session) -> None:
    other, _ = leases.prepare(session, session.find(1), transaction_id=OTHER)
    assert other.phase == PREPARED


# Steps before, the step that is disturbed, the phase that it leads to.
CASES: dict[str, tuple[tuple[Step, ...], Step, str]] = {
    "the first lease of all": ((), prepare, PREPARED),
    "prepare": ((prepare_other,), prepare, PREPARED),
    "prepare behind a torn record": ((prepare_other, tear), prepare, PREPARED),
    "commit": ((prepare_other, prepare), commit, COMMITTED),
    "abort": ((prepare_other, prepare), abort, ABORTED),
    "release": ((prepare_other, prepare, commit), release, RELEASED),
    "release behind a torn record": ((prepare_other, prepare, commit, tear), release, RELEASED),
}
EVERY = pytest.mark.parametrize("case", CASES)


def before(store: Store, case: str) -> dict[str, Lease]:
    with session_of(store) as session:
        keep(session, DATA)
        for step in CASES[case][0]:
            step(session)
    with session_of(store) as session:
        return leases_in(session) if CASES[case][0] else {}


def doing(store: Store, case: str) -> Callable[[], None]:
    def act() -> None:
        with session_of(store) as session:
            CASES[case][1](session)

    return act


def calls_of(store: Store, case: str, log: Path) -> list[str]:
    """The calls of the step, in order; it is done then."""
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    real = os.write

    def act(_count: int, name: str) -> None:
        real(descriptor, name.encode() + b"\n")

    assert in_child(doing(store, case), Calls(act).install) == 0
    os.close(descriptor)
    return log.read_text().split()


def copies(store: Store, place: Path, count: int) -> list[Store]:
    made = [Store(place / str(number)) for number in range(count)]
    for copy in made:
        shutil.copytree(store.home, copy.home, symlinks=True)
    return made


def assert_nothing_is_lost(store: Store, case: str, known: dict[str, Lease], status: int) -> None:
    after = CASES[case][2]
    with session_of(store) as session:
        mended = list(upkeep.repair(session, accept_loss=False))
        assert all(finding.status == "repaired" for finding in mended)
        found = leases_in(session)
        mine = found.pop(MINE, None)
        was = known.get(MINE)
        assert found == {name: lease for name, lease in known.items() if name != MINE}
        assert mine is None or mine.phase in (after, was and was.phase)
        if status == 0 or was is not None:
            assert mine is not None
        if status == 0:
            assert mine is not None
            assert mine.phase == after
        protects = {name for one in protections(session).values() for name in one.transactions}
        assert protects >= {name for name, lease in known.items() if name != MINE}
        assert (MINE in protects) == (mine is not None and mine.phase not in TERMINAL)
        assert_it_goes_on(session, case, after)


def assert_it_goes_on(session: Session, case: str, after: str) -> None:
    CASES[case][1](session)
    assert leases_in(session)[MINE].phase == after
    once = phases(session)
    CASES[case][1](session)
    assert phases(session) == once
    prepare_other(session)
    findings = list(upkeep.verify(session))
    assert [finding.status for finding in findings] == [OK]


@EVERY
def test_an_operation_killed_at_any_call_loses_nothing(
    store: Store, tmp_path: Path, case: str
) -> None:
    known = before(store, case)
    calls = calls_of(copies(store, tmp_path / "c", 1)[0], case, tmp_path / "log")
    wrong = []
    for number, spoiled in enumerate(copies(store, tmp_path / "k", len(calls) + 1), 1):
        status = in_child(doing(spoiled, case), kill_at(number))
        try:
            assert status == (137 if number <= len(calls) else 0)
            assert_nothing_is_lost(spoiled, case, known, status)
        except (AssertionError, StubError) as failure:
            name = calls[number - 1] if number <= len(calls) else "none"
            wrong.append(f"call {number} ({name}): {str(failure)[:300]}")
    assert not wrong, "\n".join(wrong)


# https://github.com/etcd-io/etcd/issues/2819
@EVERY
@pytest.mark.parametrize(
    ("error", "onwards"),
    [
        (errno.ENOSPC, False),
        (errno.ENOSPC, True),
        (errno.EIO, False),
        (errno.EIO, True),
        (errno.EINTR, False),
    ],
    ids=["ENOSPC once", "ENOSPC for good", "EIO once", "EIO for good", "EINTR once"],
)
def test_a_call_that_fails_loses_nothing(
    store: Store, tmp_path: Path, case: str, error: int, onwards: bool
) -> None:
    known = before(store, case)
    calls = calls_of(copies(store, tmp_path / "c", 1)[0], case, tmp_path / "log")
    wrong = []
    for number, spoiled in enumerate(copies(store, tmp_path / "f", len(calls)), 1):
        status = failing(doing(spoiled, case), fail_at(number, error, onwards=onwards))
        try:
            assert status in (0, 3, 4, 5)
            assert_nothing_is_lost(spoiled, case, known, status)
        except (AssertionError, StubError) as failure:
            wrong.append(f"call {number} ({calls[number - 1]}): {str(failure)[:300]}")
    assert not wrong, "\n".join(wrong)


# https://github.com/sipyourdrink-ltd/bernstein/pull/3291
@EVERY
def test_a_sync_that_failed_is_never_tried_again(store: Store, tmp_path: Path, case: str) -> None:
    known = before(store, case)
    calls = calls_of(copies(store, tmp_path / "c", 1)[0], case, tmp_path / "log")
    syncs = [number for number, name in enumerate(calls, 1) if name in ("fsync", "fdatasync")]
    assert len(syncs) >= 2
    for number, spoiled in zip(syncs, copies(store, tmp_path / "f", len(syncs)), strict=True):
        log = tmp_path / f"log{number}"

        def install(number: int = number, log: Path = log) -> None:
            descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            real = os.write

            def act(count: int, name: str) -> None:
                if count == number:
                    raise OSError(errno.EIO, os.strerror(errno.EIO))
                if count > number:
                    real(descriptor, name.encode() + b"\n")

            Calls(act).install()

        assert failing(doing(spoiled, case), install) == 5
        assert not {"fsync", "fdatasync", "pwrite", "write"} & set(log.read_text().split())
        assert_nothing_is_lost(spoiled, case, known, 5)


@EVERY
def test_a_short_write_is_taken_back(store: Store, tmp_path: Path, case: str) -> None:
    """The disk takes a part of each line in turn, and no more."""
    known = before(store, case)
    for number, part in enumerate((0, 1, 100, 300)):
        spoiled = copies(store, tmp_path / str(number), 1)[0]

        def install(part: int = part) -> None:
            real = os.pwrite

            def pwrite(descriptor: int, data: bytes, offset: int) -> int:
                return real(descriptor, data[:part], offset)

            os.pwrite = pwrite  # type: ignore[assignment]

        assert failing(doing(spoiled, case), install) == 5
        assert_nothing_is_lost(spoiled, case, known, 5)


def test_a_journal_that_cannot_be_locked_takes_no_lease(store: Store) -> None:
    """Its folder went away between two calls."""

    def prepare() -> None:
        real: Any = os.open

        def refuse(name: Any, *given: Any, **named: Any) -> int:
            if str(name).endswith("leases.jsonl.lock"):
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
            found: int = real(name, *given, **named)
            return found

        os.open = refuse  # type: ignore[assignment]

    forked(store, b"a line\n" * 9000)
    done = forked(store, b"", "lease", "prepare", "1", "--transaction", "x", prepare=prepare)
    assert (done.status, done.out, len(done.lines)) == (NOT_STORED, b"", 1), done
    assert "cannot be locked" in done.lines[0]
