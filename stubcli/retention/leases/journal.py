"""The journal of a session's leases, open: what is in force, and one more record, durable.

    with open_journal(session) as journal:
        journal.leases                      # every transaction, in order of preparation
        journal.find("memory-17")           # one of them, without reading the others
        journal.append("memory-17", COMMITTED)

Knows no artifact: that a claim is true is `lease.prepare`'s to see to.
"""

import datetime
from collections.abc import Iterator
from contextlib import contextmanager

from stubcli.errors import NotStoredError
from stubcli.retention.leases import chain
from stubcli.retention.leases.anchor import STRIDE, Anchor, Standing, encode, examine
from stubcli.retention.leases.chain import Chain, Place
from stubcli.retention.leases.file_names import HEAD, JOURNAL, WHAT
from stubcli.retention.leases.model import Claim, Lease, check_transaction, number_of
from stubcli.store.surface import LockedJournal, Session


class Journal:
    """An open, locked journal, all of whose acknowledged records are there."""

    def __init__(self, files: LockedJournal, standing: Standing) -> None:
        self.session = files.session_name
        self._files = files
        # As they were read: copying them for each line that is added took 2 ms of 5 at 10,000.
        self._lines = standing.lines
        self._added: list[bytes] = []
        self._size = len(standing.lines)
        self._known: dict[str, Lease | None] = {}
        self._torn = standing.torn
        self._restored = standing.restored
        self._anchor = standing.anchor or Anchor(self.session)
        self._slot = standing.slot
        self._used = standing.anchor is not None
        self._digest = standing.digest
        self._chain = standing.chain
        self._failed = False

    @property
    def leases(self) -> dict[str, Lease]:
        """Every transaction by its id, in order of preparation; every record is verified.

        Raises IntegrityError.
        """
        if self._chain is None:
            read = Chain(self.session)
            read.read(self._lines + b"".join(self._added))
            self._chain = read
        return dict(self._chain.leases)

    def find(self, transaction_id: str) -> Lease | None:
        """The lease of one transaction. Raises IntegrityError, UsageError."""
        check_transaction(transaction_id)
        if self._chain is not None:
            return self._chain.leases.get(transaction_id)
        if transaction_id not in self._known:
            found = chain.find(self._lines, transaction_id, self.session)
            self._known[transaction_id] = found
        return self._known[transaction_id]

    def append(self, transaction_id: str, phase: str, claim: Claim | None = None) -> Lease:
        """Add a record; it is durable when this returns. `claim` with PREPARED alone.

        Raises RefusedError where the transaction cannot come into that phase, UsageError where the
        claim is of another session, NotStoredError where the disk does not take it: nothing is
        acknowledged then, and what may have been written is found and kept by the next opening.
        """
        if claim is not None:
            number_of(claim, self.session)
        now = datetime.datetime.now(datetime.UTC).isoformat()
        lease = chain.enter(self.find(transaction_id), transaction_id, phase, now, claim)
        place = Place(self._anchor.sequence + 1, self._anchor.event_sha256)
        line, sha256 = chain.write(lease, self.session, place)
        with self._writing():
            self._begin()
            self._files.append(JOURNAL, line, self._size)
            self._added.append(line)
            self._size += len(line)
            self._digest.update(line)
            self._acknowledge(place.sequence, sha256)
        if self._chain is not None:
            self._chain.read(line)
        self._known[transaction_id] = lease
        return lease

    def settle(self) -> None:
        """Make durable what a writer that died left behind the anchor, before it is believed.

        Its bytes are written once more: where its own sync had failed, another one would lie.
        """
        if not self._files.writable:
            return  # a read-only file system: nobody writes
        behind = self._lines[self._anchor.size :]
        with self._writing():
            if behind and self._chain:
                self._write_back()
                self._files.write(JOURNAL, behind, self._anchor.size)
                self._acknowledge(self._chain.sequence, self._chain.sha256)
            elif self._anchor.sequence:
                self._files.mark()

    def mend(self) -> list[str]:
        """Write line ends as they were, and move a torn tail aside: what was done, in words."""
        with self._writing():
            return self._mend()

    def _mend(self) -> list[str]:
        done = []
        if self._write_back():
            done.append("its line ends are as they were written")
        if self._torn:
            done.append(f"a torn record was moved to {self._move_torn()}")
        return done

    def _write_back(self) -> bool:
        """Put the file that was written in place of one with other line ends; whether it had."""
        if not self._restored:
            return False
        self._files.move(self._files.keep_aside("new", self._lines + self._torn), JOURNAL)
        self._restored = False
        return True

    def _begin(self) -> None:
        self._mend()
        if not self._used:
            # Before the journal itself: a record without an anchor could not be told from one
            # whose anchor was removed.
            self._files.cut(HEAD, 0, sync=False)
            self._put(self._anchor)
            self._used = True

    def _move_torn(self) -> str:
        name = self._files.keep_aside("torn", self._torn)
        self._files.cut(JOURNAL, self._size)
        self._torn = b""
        return name

    def _acknowledge(self, sequence: int, sha256: str) -> None:
        prefix = self._digest.hexdigest()
        self._put(Anchor(self.session, sequence, self._size, sha256, prefix))
        self._files.mark()

    def _put(self, anchor: Anchor) -> None:
        self._files.write(HEAD, encode(anchor), self._slot * STRIDE)
        self._anchor, self._slot = anchor, 1 - self._slot

    @contextmanager
    def _writing(self) -> Iterator[None]:
        if self._failed:
            raise self._not_stored("an earlier record was not stored")
        # Until it is done: an interrupt on the way leaves as little to build on as an error.
        self._failed = True
        try:
            yield
        except OSError as error:
            raise self._not_stored(error.strerror or str(error)) from None
        self._failed = False

    def _not_stored(self, why: str) -> NotStoredError:
        return NotStoredError(
            f"the leases of session {self.session} cannot be written: {why}",
            "nothing is acknowledged: run it again when the store takes it",
        )


@contextmanager
def open_journal(session: Session) -> Iterator[Journal]:
    """The journal, locked against every other process and thread for as long as it is open.

    Where none was ever written it is empty, and only the lock's file is made. Raises
    IntegrityError where it is damaged or was rolled back, RefusedError where the lock cannot be
    had, NotStoredError.
    """
    with session.lock_files(JOURNAL, WHAT) as files:
        standing = examine(files.read(JOURNAL), files.read(HEAD), files.marked, session.name)
        journal = Journal(files, standing)
        journal.settle()
        yield journal
