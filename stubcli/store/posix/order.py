"""In which order the runs of a session came, and which came last.

That of the log; a first run that has no line there, since its writer died before it wrote one or
the log was not copied along, stands before the runs that began after it. What the log says of a
content that is not kept any more is passed over.
"""

from stubcli.durable import exists
from stubcli.reference import file_name
from stubcli.store.posix.artifacts import record_keys
from stubcli.store.posix.layout import Folders
from stubcli.store.posix.runs import arrival, newest_logged, read_log
from stubcli.store.posix.sequence import last_taken
from stubcli.store.records import Arrival

# So many numbers beyond the hint are looked at: what follows it was taken within seconds.
_GAP = 64
# Further than so many numbers beyond the log a listing is cheaper than looking for each.
_FAR = 1000


def arrivals(session: Folders) -> list[Arrival]:
    """Every run of what is kept here, oldest first."""
    kept = dict.fromkeys(record_keys(session))
    found = [one for line in read_log(session) if (one := arrival(line))]
    logged = [one for one in found if (one.number, one.digest) in kept]
    for one in logged:
        if one.run == one.number:
            kept.pop((one.number, one.digest), None)
    without = [Arrival(number, digest, number) for number, digest in sorted(kept, reverse=True)]
    merged = []
    for one in logged:
        while without and without[-1].run < one.run:
            merged.append(without.pop())
        merged.append(one)
    return merged + without[::-1]


def newest(session: Folders) -> int | None:
    """The number of the content that came last; None where nothing came."""
    logged, highest = newest_logged(session)
    if _may_be_later(session, highest):
        later = max((number for number, _ in record_keys(session)), default=0)
        return later if later > highest else logged
    return logged


def _may_be_later(session: Folders, highest: int) -> bool:
    """Whether a content may be kept whose number is higher than any that the log tells."""
    taken = last_taken(session)
    if taken is None or taken - highest > _FAR:
        return True
    # A power cut may have taken back the hint, and with it numbers that are in use.
    return any(
        exists(file_name(number), session.results)
        for number in range(highest + 1, max(taken, highest) + 1 + _GAP)
    )
