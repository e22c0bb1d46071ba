"""What is kept, read back, asked and collected: the same work as the commands, as values.

Each method imports what only it needs; `import stubcli` and the first `offload` load little.
"""

import datetime
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Unpack, overload

from stubcli.api import arguments
from stubcli.api.arguments import check_text, check_whole, one_family, read_flags, read_settings
from stubcli.errors import UsageError
from stubcli.retrieve.page import CHARS, UNITS, Page, Window, parse_lines, read_lines, read_page
from stubcli.settings.load import home_of, session_of
from stubcli.settings.options import Options
from stubcli.store import open_session, session_names
from stubcli.store.artifact import Artifact
from stubcli.store.records import Record, Run
from stubcli.store.resolve import open_kept, open_reference

if TYPE_CHECKING:
    from stubcli.api.leases import Leases
    from stubcli.api.searching import Matches
    from stubcli.retention.gc.model import Plan
    from stubcli.retention.leases.memory import MemoryReference
    from stubcli.retention.leases.model import Lease
    from stubcli.retrieve.listing import Listing
    from stubcli.retrieve.query.asking import Answer
    from stubcli.retrieve.query.shape import Schema

_MOST_CONTEXT = 100
_MOST_ROWS = 100_000


class Store:
    """What is kept. No file stays open between two calls, and any thread may make one.

    ref: a reference in any form that the command line takes: a number, `last`, a digest prefix, a
    name (@nightly), the id of a call, a path, artifact:SESSION:FILE:DIGEST. Whatever is handed out
    was verified against its record.

    Every method raises a StubError and nothing else: UsageError for an argument that cannot be or
    a reference that is ambiguous, MissingError for what is not there (or no longer, then with the
    reason), IntegrityError for what is damaged, NotStoredError for a store that cannot be used.
    """

    def __init__(self, **settings: Unpack[Options]) -> None:
        """settings: those of `stub config`, above all home=… and session=…; without a session it
        is that of the workspace at each call. Raises UsageError."""
        self._flags = read_flags(settings)
        self._settings = read_settings(self._flags)

    @property
    def _home(self) -> str:
        return home_of(self._settings)

    def _open(self, ref: str) -> Artifact:
        return open_reference(self._home, session_of(self._settings), check_text("ref", ref))

    def _open_kept(self, ref: str) -> Artifact:
        return open_kept(self._home, session_of(self._settings), check_text("ref", ref))

    def _sessions(self, *, everywhere: bool) -> tuple[str, ...]:
        return tuple(session_names(self._home)) if everywhere else (session_of(self._settings),)

    @one_family()
    def record(self, ref: str) -> Record:
        """All that is known of a content: digest, counts, facts, its first run."""
        with self._open(ref) as artifact:
            return artifact.record

    @one_family()
    def runs(self, ref: str) -> tuple[Run, ...]:
        """Each time that these bytes came, newest first: command, exit status, times."""
        from stubcli.spill.show import runs_of

        with self._open(ref) as artifact:
            return tuple(runs_of(self._home, artifact))

    @one_family()
    def show(self, ref: str, run: int | None = None) -> str:
        """What was printed last for an artifact, or in the run of that number: its stub."""
        from stubcli.spill.show import find_run, runs_of, text_of

        number = None if run is None else check_whole("run", run, 1)
        with self._open(ref) as artifact:
            chosen = artifact.run
            if number is not None:
                chosen = find_run(artifact, runs_of(self._home, artifact), number)
            return text_of(self._settings, artifact, chosen)

    @one_family()
    def page(self, ref: str, offset: int = 0, limit: int | None = None, unit: str = CHARS) -> Page:
        """`limit` chars, lines or bytes from `offset` on; `follow` is what comes next.

        limit: None is the setting `page`, 10,000. A page of lines is bounded by that setting too.
        """
        room = self._settings.page
        if unit not in UNITS:
            raise UsageError(f"invalid unit {unit!r}", "give chars, lines or bytes")
        first = check_whole("offset", offset)
        most = room if limit is None else check_whole("limit", limit)
        with self._open(ref) as artifact:
            return read_page(artifact, Window(first, most, unit, room))

    def blocks(self, ref: str) -> Iterator[bytes]:
        """All of an artifact in blocks of about 1 MiB."""
        with one_family(), self._open(ref) as artifact:
            for _, data in artifact.blocks():
                yield data

    @one_family()
    def read(self, ref: str, *, lines: str | None = None) -> bytes:
        """All of an artifact in memory, or its lines A-B, A- or A, counted from 1."""
        if lines is None:
            return b"".join(self.blocks(ref))
        first, last = parse_lines(check_text("lines", lines))
        with self._open(ref) as artifact:
            return b"".join(read_lines(artifact, first, last))

    @one_family()
    def list(
        self,
        *,
        limit: int = 30,
        skip: int = 0,
        all_sessions: bool = False,
        since: str = "",
        tool: str = "",
        command: str = "",
        text: str = "",
        failed: bool = False,
    ) -> "Listing":
        """The runs, newest first: what came, how it ended, how much it is.

        all_sessions: of the whole store. The rest chooses among them: since, 2h or 2026-01-31; of
        that tool; with that in the command, or in command, tool, name or first line; that failed.
        """
        from stubcli.retrieve.listing import list_runs

        return list_runs(
            self._home,
            self._sessions(everywhere=all_sessions),
            limit=check_whole("limit", limit, 1),
            skip=check_whole("skip", skip),
            selection=arguments.read_selection(since, tool, command, text, failed),
        )

    @one_family()
    def search(
        self,
        pattern: str,
        ref: str | None = None,
        *,
        literal: bool = False,
        ignore_case: bool = False,
        word: bool = False,
        raw: bool = False,
        before: int = 0,
        after: int = 0,
        limit: int | None = None,
        skip: int = 0,
        all_sessions: bool = False,
    ) -> "Matches":
        """Matches of a regular expression (RE2 syntax, each line by itself), and the exact totals.

        A line is matched as it is displayed, and as its bytes where those alone match; raw: as its
        bytes. ref: the artifact; None: all of the session, or of the store with all_sessions.
        literal: the pattern is plain text. word: whole words. before, after: lines of context, at
        most 100. limit: None is the setting `matches`, 20. Time is linear in the size.
        Of many artifacts a damaged one is in `failures`; of the one that is named it is raised.
        """
        from stubcli.api.searching import find_matches
        from stubcli.retrieve.asked import Search

        if ref is not None and all_sessions:
            raise UsageError("all_sessions goes with no ref", "give one of them")
        asked = Search(
            check_text("pattern", pattern),
            literal=literal,
            ignore_case=ignore_case,
            word=word,
            raw=raw,
            before=check_whole("before", before, 0, _MOST_CONTEXT),
            after=check_whole("after", after, 0, _MOST_CONTEXT),
            skip=check_whole("skip", skip),
            everywhere=all_sessions,
        )
        most = self._settings.matches if limit is None else check_whole("limit", limit, 1)
        artifact = None if ref is None else self._open(ref)
        return find_matches(self._settings, asked, artifact, limit=most)

    @overload
    def query(self, ref: str, sql: None = None) -> "Schema": ...

    @overload
    def query(self, ref: str, sql: str, *, skip: int = 0, limit: int = 200) -> "Answer": ...

    @one_family()
    def query(
        self, ref: str, sql: str | None = None, *, skip: int = 0, limit: int = 200
    ) -> "Schema | Answer":
        """Rows that answer one SELECT over the table `artifact`; without sql, the schema.

        limit: rows, at most 100,000. A cell is the value as text, None for NULL; nested ones are
        JSON. Needs DuckDB: pip install 'stubcli[query]'. The settings query_memory (of what DuckDB
        counts; a process is not bounded by a library) and query_seconds stop what takes more.
        """
        from stubcli.retrieve.query.asking import Asker
        from stubcli.retrieve.query.engine import Bounds
        from stubcli.spill.stub import facts_of

        first, most = check_whole("skip", skip), check_whole("limit", limit, 1, _MOST_ROWS)
        statement = None if sql is None else check_text("sql", sql)
        bounds = Bounds(self._settings.query_memory, self._settings.query_seconds)
        with self._open_kept(ref) as artifact:
            asker = Asker(artifact, facts_of(artifact), bounds, lambda ticks: ticks)
            if statement is None:
                return asker.schema()
            return asker.answer(statement, skip=first, limit=most)

    @one_family()
    def pin(self, ref: str) -> "Lease":
        """Keep an artifact, whatever its age, until it is unpinned; again changes nothing."""
        from stubcli.retention.leases import pins

        with self._open_kept(ref) as artifact:
            record = artifact.record
        with open_session(self._home, record.session) as session:
            return pins.pin(session, record)[0]

    @one_family()
    def unpin(self, ref: str) -> "Lease | None":
        """Let gc collect a pinned artifact again; None where it was not pinned."""
        from stubcli.retention.leases import pins

        with self._open_kept(ref) as artifact:
            record = artifact.record
        with open_session(self._home, record.session) as session:
            return pins.unpin(session, record)

    @one_family()
    def memory(self, ref: str) -> "MemoryReference":
        """The thin reference that a memory keeps of an artifact, never its content."""
        from stubcli.retention.leases.memory import memory_of

        with self._open_kept(ref) as artifact:
            return memory_of(artifact)

    @property
    def leases(self) -> "Leases":
        """The leases of this store: prepare, publish, commit, abort, release, remove, reconcile,
        list."""
        from stubcli.api.leases import Leases

        return Leases(self._settings)

    @one_family()
    def plan_gc(
        self,
        *,
        older_than: int | str | datetime.timedelta | None = None,
        max_deletions: int | str | None = None,
        keep_bytes: int | str | None = None,
    ) -> "Plan":
        """What of the session nothing needs any more, and why the rest stays. Changes nothing.

        older_than: unused for so long, in seconds or as "7d". max_deletions: at most so many, or
        "all". keep_bytes: stop once the session is no larger; in bytes or as "10GiB". None is the
        setting: 24 h, 100, 0 for no bound.
        """
        from stubcli.api.collection import make_plan_for

        limits = {"max_deletions": max_deletions, "keep_bytes": keep_bytes}
        limits["older_than"] = _duration(older_than)
        settings = read_settings(self._flags | read_flags(limits))
        return make_plan_for(settings)

    @one_family()
    def apply_gc(self, plan: "Plan", *, network: bool = False) -> "Plan":
        """Delete what is planned and would be planned again now: what became of each decision.

        As safe as the command: what was claimed, used or changed since stays; where `problems` is
        not empty nothing more is deleted, and `unclear` is what stays because something is wrong
        with it alone, `due` what `max_deletions` left. On a network file system nothing is deleted,
        unless `network` says that no other machine uses it. Raises RefusedError for a plan of more
        than a day ago.
        """
        from stubcli.api.collection import apply_plan_for

        return apply_plan_for(self._settings, plan, network=network)


def _duration(value: int | str | datetime.timedelta | None) -> str | None:
    """As it would be typed; a part of a second keeps longer."""
    if isinstance(value, datetime.timedelta):
        value = math.ceil(value.total_seconds())
    return f"{value}s" if isinstance(value, int) else value
