"""The runs of a session, read: in which order they came, which was last, what is known of each.

The order is that of the log; a first run that has no line there, since its writer died before it
wrote one or the log was not copied along, stands before the runs that began after it. What the
log says of a content that is not kept any more is passed over.
"""

import json
import os

from stubcli.debug import swallowed
from stubcli.durable import exists
from stubcli.errors import IntegrityError, StubError
from stubcli.reference import file_name, parse_record_name, record_name
from stubcli.store.posix.artifacts import find_record, open_artifact, record_keys
from stubcli.store.posix.folders import RUNS, Folders
from stubcli.store.posix.lines import Lines
from stubcli.store.posix.runs import (
    find_arrival,
    lines_of,
    parse_run,
    read_line,
    read_log,
    summarise,
)
from stubcli.store.posix.sequence import last_taken
from stubcli.store.records import REPAIR, Arrival, Record, Run
from stubcli.store.values import Summary
from stubcli.text.characters import decode
from stubcli.text.display import FIRST, first_line

# So many numbers beyond the hint are looked at: what follows it was taken within seconds.
_GAP = 64
# Further than so many numbers beyond the log a listing is cheaper than looking for each.
_FAR = 1000
_FINISHED = b'"finished":"'
_TEXTS, _STATUS = {str}, (int, type(None))


def arrivals(session: Folders) -> list[Arrival]:
    """Every run of what is kept here, oldest first."""
    kept = {name for name in os.listdir(session.results) if name.endswith(".json")}
    lines = read_log(session).split(b"\n")
    found = [one for line in lines if (one := find_arrival(line))]
    logged = [one for one in found if record_name(one.number, one.digest) in kept]
    kept -= {record_name(one.number, one.digest) for one in logged if one.run == one.number}
    keys = sorted(filter(None, map(parse_record_name, kept)), reverse=True)
    without = [Arrival(number, digest, number) for number, digest in keys]
    merged = []
    for one in logged:
        while without and without[-1].run < one.run:
            merged.append(without.pop())
        merged.append(one)
    return merged + without[::-1]


def newest(session: Folders) -> int | None:
    """The number of the content that came last; None where nothing came."""
    logged, highest = _newest_logged(session)
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


def _newest_logged(session: Folders) -> tuple[int | None, int]:
    """The content of the last run in the log that is still kept, and the highest number of any."""
    highest = 0
    try:
        with Lines(session, RUNS) as log:
            for line in log.backwards():
                found = find_arrival(line)
                if found is None or (highest and not _is_kept(session, found)):
                    continue
                if document := read_line(line):
                    highest = highest or document["highest"]
                    if _is_kept(session, found):
                        return found.number, highest
    except FileNotFoundError:
        pass
    except (OSError, StubError) as error:
        swallowed("reading the log of runs", error)
    return None, highest


def _is_kept(session: Folders, found: Arrival) -> bool:
    return exists(record_name(found.number, found.digest), session.results)


def summary_of(session: Folders, found: Arrival) -> Summary:
    """What tells a run from others; where the log does not say it, what the record does.

    Raises IntegrityError, MissingError.
    """
    if (summary := _read_summary(found.summary)) is not None:
        return summary
    record = find_record(session, found.number, found.digest)
    return Summary(**summarise(record, run_of(found, record)))


def first_line_of(session: Folders, record: Record) -> str:
    """The first line of a content, as it is displayed. Raises IntegrityError, MissingError."""
    if record.first_line is not None:
        return record.first_line
    with open_artifact(session, record) as artifact:
        return first_line(decode(artifact.read_at(0, FIRST)))


def finished_of(session: Folders, found: Arrival) -> str:
    """When a run ended. Raises as `summary_of` does."""
    # Not decoded as a whole: of 20,000 runs that was a third of the time of a listing. No text can
    # hold this, whose quotes are escaped.
    start = found.summary.find(_FINISHED) + len(_FINISHED)
    end = found.summary.find(b'"', start)
    if start >= len(_FINISHED) and end >= 0:
        return found.summary[start:end].decode("ascii", "replace")
    return summary_of(session, found).finished


def _read_summary(data: bytes) -> Summary | None:
    """The summary in a line of the log; None where there is none that can be one."""
    try:
        known = json.loads(data.decode("ascii"))
        status = known.pop("exit_status", None)
        if {*map(type, known.values())} <= _TEXTS and type(status) in _STATUS:
            return Summary(exit_status=status, **known)
    except (ValueError, TypeError, AttributeError, RecursionError):
        pass
    return None


def run_of(found: Arrival, record: Record) -> Run:
    """What is recorded of a run of this content. Its text is empty where it stands in the line of
    an earlier one. Raises IntegrityError."""
    if not found.line:
        return record.run
    parsed = parse_run(found.line)
    if parsed is None:
        raise IntegrityError(f"run {found.run} in {RUNS} is not what was written", REPAIR)
    run, elsewhere = parsed
    return run.replace(stub=record.run.stub) if elsewhere == record.number else run


def runs(session: Folders, record: Record) -> list[Run]:
    """Every run of a content, in the order in which they came; what cannot be read is left out."""
    found, texts = [record.run], {record.number: record.run.stub}
    for line in lines_of(session, record):
        if parsed := parse_run(line):
            run, elsewhere = parsed
            texts[run.number] = texts.get(elsewhere, "") if elsewhere else run.stub
            found.append(run.replace(stub=texts[run.number]))
    return found


def newest_run(session: Folders, record: Record) -> Run:
    """The last of them, of which alone the line is read."""
    lines = lines_of(session, record)
    while lines:
        if parsed := parse_run(lines.pop()):
            run, elsewhere = parsed
            return run.replace(stub=_text(lines, record, elsewhere)) if elsewhere else run
    return record.run


def _text(lines: list[bytes], record: Record, number: int) -> str:
    """What was printed in the run of that number, which stands in these lines or in the record."""
    if number == record.number:
        return record.run.stub
    for line in reversed(lines):
        if (found := find_arrival(line)) and found.run == number and (parsed := parse_run(line)):
            return parsed[0].stub
    return ""
