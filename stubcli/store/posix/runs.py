"""The log of runs: one line for each, in the order in which they came.

The first run of a content stands in its record, which is durable before this line of it is written,
unsynchronised: the line says only where it stands in the order. A further run is all in its line,
which is synchronised before its reference is printed. So a new content costs no sync here, a
further run one, and what a crash or a power cut may take of the log is never what was
acknowledged: `history` puts a first run without a line where its number belongs.

The order is that of the lines and of no clock: the lock decides who came first. A line names the
highest number taken by any run before it, so that no number is used twice where the hint is lost.
Text that was printed before for the same content is not written again. The summary in a line is a
hint too, by which a run is chosen without opening its record: what is shown is read from there.
"""

import errno
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from stubcli.debug import swallowed
from stubcli.errors import StubError
from stubcli.reference import DIGITS
from stubcli.store.posix.folders import RUNS, Folders
from stubcli.store.posix.lines import Lines, seal, unseal
from stubcli.store.records import SCHEMA, Arrival, Record, Run, read_run

# Whoever holds the lock appends a line or, in gc, writes the file anew. One that was stopped must
# not stop an output: a place in the order is not worth waiting for.
_PATIENCE, _SHORT_PATIENCE = 5.0, 0.2
# So far back a text is looked for that need not be written again.
_RECENT = 1 << 20
# How every line begins: its keys are sorted, and a quote inside of a text is escaped.
_LINE = re.compile(
    rb'\{"check":"[0-9a-f]{32}","digest":"([0-9a-f]{16})","highest":[0-9]{1,%d},'
    rb'"number":([0-9]{1,%d}),"run":([0-9]{1,%d}),("schema_version":%d,"summary":)?'
    % (DIGITS, DIGITS, DIGITS, SCHEMA)
)
_WHAT = b',"what":{'
# Of a command, and of other texts in a summary: a line is read at every run and every listing.
_COMMAND, _TEXT = 1000, 256


@contextmanager
def _locked(session: Folders, patience: float = _PATIENCE) -> Iterator[Lines]:
    """The log, locked. Raises OSError, IntegrityError."""
    while True:
        with Lines(session, RUNS, write=True) as log:
            if not log.lock(patience):
                raise OSError(errno.EAGAIN, "another process holds the log of runs")
            if log.in_place():  # and not put in its place by gc meanwhile
                yield log
                return


def note_first(session: Folders, record: Record) -> None:
    """A new content came, whose record is durable and holds its first run. Best effort."""
    try:
        with _locked(session, _SHORT_PATIENCE) as log:
            log.append(_line(log, record, record.run), sync=False)
    except (OSError, StubError) as error:
        swallowed("noting a first run", error)


def note(session: Folders, record: Record, run: Run) -> None:
    """A content came again; durable on return. Raises OSError, IntegrityError."""
    with _locked(session) as log:
        what = run.as_dict()
        del what["number"]
        if (printed := _run_with_text(log, record, run.stub)) is not None:
            what["stub"] = printed
        log.append(_line(log, record, run, what=what))


def _line(log: Lines, record: Record, run: Run, **more: Any) -> bytes:
    return seal(
        {
            "schema_version": SCHEMA,
            "number": record.number,
            "digest": record.sha256[:16],
            "run": run.number,
            "highest": max(run.number, _highest(log)),
            "summary": summarise(record, run),
            **more,
        }
    )


def summarise(record: Record, run: Run) -> dict[str, Any]:
    """What a run is chosen by, as a `Summary` has it: texts are cut, what is not known left out."""
    origin = run.origin
    known = {
        "call_id": origin.call_id,
        "command": origin.command,
        "exit_status": origin.exit_status,
        "finished": run.finished,
        "first_line": record.first_line,
        "name": origin.name,
        "signal": origin.signal,
        "tool": origin.tool,
    }
    return {
        key: value[: _COMMAND if key == "command" else _TEXT] if isinstance(value, str) else value
        for key, value in known.items()
        if value is not None
    }


def _highest(log: Lines) -> int:
    """The highest number of a run in the log: the last line that can be read has it."""
    return next((line["highest"] for one in log.backwards() if (line := read_line(one))), 0)


def highest_run(session: Folders) -> int:
    """The highest number that a run in the log has; 0 where nothing tells."""
    try:
        with Lines(session, RUNS) as log:
            return _highest(log)
    except FileNotFoundError:
        return 0
    except (OSError, StubError) as error:
        swallowed("reading the log of runs", error)
        return 0


def _run_with_text(log: Lines, record: Record, text: str) -> int | None:
    """The number of a run of this content for which this was printed; None: it is to be written."""
    if text == record.run.stub:
        return record.number
    # As it is written: only a line that has it is read.
    written, size = b'"stub":' + json.dumps(text).encode("ascii"), 0
    for one in log.backwards():
        size += len(one)
        if size > _RECENT:
            break
        if written in one and is_of(one, record) and (line := read_line(one)):
            return int(line["run"])
    return None


def is_of(line: bytes, record: Record) -> bool:
    """Whether a line is of a further run of this content."""
    found = find_arrival(line)
    return bool(
        found and found.line and (found.number, found.digest) == (record.number, record.sha256[:16])
    )


def find_arrival(line: bytes) -> Arrival | None:
    """Which run of which content a line is of, before it is read as a whole; None: none."""
    found = _LINE.match(line)
    if found is None:
        return None
    number, run = int(found[2]), int(found[3])
    summary = b""
    if found[4]:
        # It is the last member, or the last before this one, which no text in it can hold: the
        # quotes of a text are escaped.
        end = line.find(_WHAT, found.end())
        summary = line[found.end() : end if end >= 0 else -1]
    return Arrival(number, found[1].decode("ascii"), run, line if run != number else b"", summary)


def read_line(line: bytes) -> dict[str, Any] | None:
    """All that a line says; None where it is not as it was written."""
    document = unseal(line)
    if document is None or _LINE.match(line) is None or document.get("schema_version") != SCHEMA:
        return None
    return document if ("what" in document) == (document["run"] != document["number"]) else None


def parse_run(line: bytes) -> tuple[Run, int] | None:
    """The further run on a line, and the number of the run that has its text, 0 where it has."""
    document = read_line(line)
    if document is None or "what" not in document:
        return None
    what = document["what"]
    try:
        elsewhere = what["stub"] if isinstance(what["stub"], int) else 0
        text = "" if elsewhere else what["stub"]
        return read_run({**what, "stub": text, "number": document["run"]}), elsewhere
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def is_whole(line: bytes) -> bool:
    """Whether a line is as it was written."""
    document = read_line(line)
    return document is not None and ("what" not in document or parse_run(line) is not None)


def read_log(session: Folders) -> bytes:
    """Every whole line, oldest first; nothing where the log cannot be read."""
    try:
        with Lines(session, RUNS) as log:
            data = log.read()
            return data if data.endswith(b"\n") else data[: data.rfind(b"\n") + 1]
    except FileNotFoundError:
        return b""
    except (OSError, StubError) as error:
        swallowed("reading the log of runs", error)
        return b""


def lines_of(session: Folders, record: Record) -> list[bytes]:
    """The lines of the further runs of a content, oldest first; of the others none is looked at."""
    data, found, end = read_log(session), [], 0
    digest = record.sha256[:16].encode("ascii")
    while (hit := data.find(digest, end)) >= 0:
        start, end = data.rfind(b"\n", 0, hit) + 1, data.find(b"\n", hit)
        if is_of(data[start:end], record):
            found.append(data[start:end])
    return found


def drop(session: Folders, gone: Callable[[Arrival], bool]) -> int:
    """Write the log anew without the runs that are gone: how many. Raises OSError, IntegrityError.

    A line that cannot be read stays: it is not known what it is of.
    """
    with _locked(session) as log:
        lines = log.read().split(b"\n")[:-1]
        kept = [line for line in lines if not ((found := find_arrival(line)) and gone(found))]
        if len(kept) < len(lines):
            log.replace(b"".join(line + b"\n" for line in kept))
        return len(lines) - len(kept)
