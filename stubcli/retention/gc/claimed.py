"""What leases say of a session's artifacts, read again as often as it is asked for.

Between two looks only a journal that has changed is parsed again: 10,000 records take 0.2 s, and
gc looks before each deletion.
"""

import datetime
from collections.abc import Mapping

from stubcli.retention.leases.claims import Protection, fold
from stubcli.retention.leases.file_names import HEAD
from stubcli.retention.leases.journal import Journal
from stubcli.retention.leases.model import moment_of
from stubcli.store.surface import Session


class Claims:
    """The claims on one session. known: the newest time, in seconds, that its files bear."""

    def __init__(self, session: Session, known: float) -> None:
        self._session = session
        self._known = known
        self._anchor: bytes | None = None
        self._protections: dict[int, Protection] = {}
        self.newest = 0.0

    def read(self, journal: Journal, now: float) -> Mapping[int, Protection]:
        """By number; `journal` is open. Raises IntegrityError, UsageError, OSError.

        A claim that expired since the journal changed last may still count.
        """
        # Its bytes and not its times: two records may come within one tick of the kernel.
        anchor = self._session.read_side_file(HEAD)
        if anchor != self._anchor:
            leases = journal.leases.values()
            times = [moment_of(lease.changed_at).timestamp() for lease in leases]
            self.newest = max(times, default=0.0)
            moment, known = (
                datetime.datetime.fromtimestamp(seconds, datetime.UTC)
                for seconds in (now, max(self._known, self.newest))
            )
            self._protections = fold(leases, self._session.name, moment, known)
            self._anchor = anchor
        return self._protections
