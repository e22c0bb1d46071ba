"""What makes a session unsafe to delete from: the clock, the file system it stands on.

Where in doubt, keep: one problem and nothing is deleted in that session.
"""

import sys
from collections.abc import Iterable

from stubcli.retention.gc.model import Problem
from stubcli.store.surface import Session
from stubcli.text.durations import span

# Clocks of one machine differ by less; what is later than this was written by another clock.
SKEW = 60
# There flock says nothing of other machines, or nothing at all.
NETWORK = frozenset(
    {
        "9p",
        "afs",
        "beegfs",
        "ceph",
        "cifs",
        "coda",
        "fuse.ceph",
        "fuse.glusterfs",
        "fuse.rclone",
        "fuse.s3fs",
        "fuse.sshfs",
        "gfs2",
        "gpfs",
        "lustre",
        "ncpfs",
        "nfs",
        "nfs4",
        "ocfs2",
        "orangefs",
        "smb3",
        "smbfs",
        "vboxsf",
        "virtiofs",
    }
)


def clock(now: float, times: Iterable[tuple[str, str, float]]) -> Problem | None:
    """Whether something was written later than now: (what, the way out, seconds since 1970)."""
    name, way, latest = max(times, key=lambda one: one[2], default=("", "", 0.0))
    if latest <= now + SKEW:
        return None
    return Problem(
        f"{name} is dated {span(latest - now)} in the future: the clock ran backwards, or was"
        " ahead",
        f"set the clock right, or {way}",
    )


def remote(session: Session) -> Problem | None:
    """Whether the lock of the session can be trusted: not on a network file system."""
    kind = session.file_system()
    if kind not in NETWORK and (kind or sys.platform != "linux"):
        return None
    what = (
        f"the store is on a network file system ({kind})"
        if kind
        else "what the store is on is unknown"
    )
    return Problem(what, "delete with --network where no other machine uses it")
