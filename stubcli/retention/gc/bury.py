"""Delete one artifact: private name, look, tombstone, last look, unlink, record.

In this order alone. The private name is that of a leftover, reserved and locked as a writer
reserves it: a crash leaves what `stub check --repair` publishes again, and nobody else's file is
ever renamed over. Knows no claim; the caller holds the journal's lock.
"""

import os

from stubcli.durable import create, lock_within, publish, remove, sync_directory, try_lock
from stubcli.errors import StubError
from stubcli.reference import record_name
from stubcli.retention.gc.model import Decision, Snapshot
from stubcli.retention.gc.survey import snapshot
from stubcli.store.posix import collected
from stubcli.store.posix.index import forget
from stubcli.store.posix.layout import Session
from stubcli.store.posix.sequence import incoming_name

# A reader or a repair looks for a moment whether somebody has it.
_PATIENCE = 1.0
DONE, BUSY, LEFT_OVER, CHANGED, STRANDED = (
    "",
    "still_open_in_its_writer",
    "second_file_in_incoming",
    "changed_while_deleted",
    "changed_and_not_put_back",
)


def bury(session: Session, one: Decision, descriptor: int, expected: Snapshot, when: str) -> str:
    """Delete the artifact that is open here, where its name still leads to it: DONE, or why not.

    when in ISO 8601. Its record is left; see `forget_record`. Raises OSError, IntegrityError:
    then the artifact has its name, or waits in .incoming to be put back by a repair.
    """
    assert one.number is not None
    # A writer that has yet to print its reference holds this lock until it ends.
    if not try_lock(descriptor):
        return BUSY
    private = incoming_name(one.number)
    try:
        reserved = create(private, session.incoming)
    except FileExistsError:
        return LEFT_OVER
    try:
        # A repair that came between may have taken it for a leftover and removed it.
        if not lock_within(reserved, _PATIENCE) or os.fstat(reserved).st_nlink == 0:
            return CHANGED
        try:
            os.rename(one.name, private, src_dir_fd=session.results, dst_dir_fd=session.incoming)
        except OSError:
            _free(session, private, reserved)
            raise
        return _unlink(session, one, private, descriptor, expected, when)
    finally:
        os.close(reserved)


def _free(session: Session, private: str, reserved: int) -> None:
    """Give the private name back, while nothing but the empty file has it."""
    there = os.stat(private, dir_fd=session.incoming, follow_symlinks=False)
    if os.path.samestat(os.fstat(reserved), there):
        remove(private, session.incoming)


def _unlink(
    session: Session,
    one: Decision,
    private: str,
    descriptor: int,
    expected: Snapshot,
    when: str,
) -> str:
    assert one.number is not None
    try:
        # Before the tombstone too: one of what stays would pass its loss off as a collection.
        if _is_ours_alone(session, private, descriptor, expected):
            collected.append(session, one.number, one.sha256, one.size, one.reason, when)
            if _is_ours_alone(session, private, descriptor, expected):
                os.unlink(private, dir_fd=session.incoming)
                return DONE
    except (OSError, StubError):
        _put_back(session, private, one.name)
        raise
    return CHANGED if _put_back(session, private, one.name) else STRANDED


def _is_ours_alone(session: Session, private: str, descriptor: int, expected: Snapshot) -> bool:
    """Whether what was renamed is what is open here, unchanged and with no other name."""
    there = os.stat(private, dir_fd=session.incoming, follow_symlinks=False)
    here = os.fstat(descriptor)
    return os.path.samestat(here, there) and here.st_nlink == 1 and expected.renamed(snapshot(here))


def _put_back(session: Session, private: str, name: str) -> bool:
    """Give it its name again; False where that was taken meanwhile, or the system refuses."""
    try:
        publish(private, session.incoming, name, session.results)
        sync_directory(session.results)
        remove(private, session.incoming)
    except OSError:
        return False
    return True


def forget_record(session: Session, one: Decision) -> None:
    """Remove the record of an artifact that was buried. Raises OSError.

    The names of the data go first, durably: data without a record would be damage.
    """
    assert one.number is not None
    sync_directory(session.incoming)
    sync_directory(session.results)
    remove(record_name(one.number, one.sha256), session.results)
    forget(session, one.number, one.sha256)
    sync_directory(session.results)
