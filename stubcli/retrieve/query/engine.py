"""DuckDB, locked in: one artifact to read, nothing to write, bounded memory and time.

The only module that starts it. It knows neither what the artifact is nor how answers are shown.
"""

import atexit
import os
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import stubcli.debug as debug
from stubcli.advice import Advice
from stubcli.errors import USAGE, UsageError, nearest
from stubcli.retrieve.query.onefile import URL, ArtifactFile, filesystem
from stubcli.text.display import amount, one_line
from stubcli.text.durations import span

_Found = TypeVar("_Found")
_LONGEST_REASON = 240
# How long an interrupted query may take to notice.
_PATIENCE = 5.0
_INTERRUPTED = 130
# The first of these lines that fails is a bug of ours; behind the last one none can be undone.
_LOCKED = (
    "SET temp_directory = ''",
    "SET TimeZone = 'UTC'",
    "SET enable_progress_bar = true",
    "SET enable_progress_bar_print = false",
    "SET enable_external_file_cache = false",
    "SET python_enable_replacements = false",
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "SET allow_community_extensions = false",
    "SET allow_persistent_secrets = false",
    f"SET allowed_paths = ['{URL}']",
    "SET disabled_filesystems = 'LocalFileSystem'",
    "SET enable_external_access = false",
    "SET lock_configuration = true",
)
ALLOWED = "give one SELECT, WITH, FROM, VALUES, DESCRIBE, SUMMARIZE or EXPLAIN"
_EXPLAIN = re.compile(r"\s*explain(?:\s+analyze)?\s+", re.IGNORECASE)
# A quote in a text of the statement would stand escaped.
_WRITES = re.compile(r'(?<!\\)"type":"(COPY|INSERT|UPDATE|DELETE|MERGE)\w*_NODE"')
# How it begins to say something of the bytes, and not of the statement; what follows quotes both.
_OF_READING = re.compile(
    r"[A-Z][\w ]{2,30} Error: (?:CSV Error|Malformed JSON|JSON (?:transform error|exceeds)"
    r"|The CSV Parser state machine)|.*" + re.escape(URL)
)
_CONVERTED = re.compile(r"CSV Error on Line: .*(?=Error when converting column)", re.DOTALL)
_ADVICE = re.compile("\n\nLINE |Possible |Candidate |Did you mean|You might need|Try increasing")
_MISSING = re.compile(r'Referenced column ("[^"]*") not found in FROM clause')
_SUGGESTED = re.compile(r'Did you mean "([^"]+)"')
_NO_TABLE = re.compile(r"Table with name (?P<quote>\"?)(.+?)(?P=quote) does not exist")
_NO_COLUMN = re.compile(r'column "([^"]*)" not found|(?:key|entry) "([^"]*)"', re.IGNORECASE)


@dataclass(frozen=True)
class Bounds:
    """memory in bytes, 0 for DuckDB's own bound; seconds for everything that is asked at once."""

    memory: int
    seconds: float


@dataclass(frozen=True)
class Statement:
    """prefix is EXPLAIN or EXPLAIN ANALYZE, else empty; body one statement that only selects."""

    prefix: str
    body: str


class Unreadable(Exception):
    """The artifact could not be read in the way that was tried; says why, in one line."""


class Unfit(Unreadable):
    """A value has not the type that its column was given, or that the statement gives it."""


class Unbound(UsageError):
    """The statement names what is not there: it may be beyond what was looked at."""


class Engine:
    """One connection. `deadline` is in the terms of time.monotonic."""

    def __init__(
        self,
        file: ArtifactFile,
        bounds: Bounds,
        deadline: float,
        watch: Callable[[Iterator[int]], Iterable[int]],
    ) -> None:
        self._file, self._bounds, self._deadline, self._watch = file, bounds, deadline, watch
        self.connection = _connect(file, bounds)
        self._late = self._stuck = False

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *_: object) -> None:
        # Closing waits for a query; one that did not notice its end is left to the process's.
        if not self._stuck:
            self.connection.close()

    def run(self, work: Callable[[Any], _Found]) -> _Found:
        """`work` with the connection. Raises StubError, Unreadable, KeyboardInterrupt.

        It runs in a thread of its own: a query can be interrupted from outside only.
        """
        found: list[_Found] = []
        failed: list[BaseException] = []
        done = threading.Event()

        def inside() -> None:
            try:
                found.append(work(self.connection))
            except BaseException as error:
                failed.append(error)
            finally:
                done.set()

        threading.Thread(target=inside, daemon=True).start()
        try:
            for _ in self._watch(self._ticks(done)):
                pass
        except BaseException:
            self._stop(done, _INTERRUPTED)
            raise
        if self._late and not found:
            raise late(self._bounds)
        if failed:
            raise self._translated(failed[0]) from None
        return found[0]

    def _ticks(self, done: threading.Event) -> Iterator[int]:
        """The percents that are done, now and then until it is; interrupts it at the deadline."""
        while not done.wait(0.05):
            if time.monotonic() > self._deadline:
                self._late = True
                self._stop(done, USAGE)
                return
            yield max(0, min(100, int(self.connection.query_progress())))

    def _stop(self, done: threading.Event, status: int) -> None:
        """Interrupt until it is done: between two statements an interrupt meets nothing."""
        until = time.monotonic() + _PATIENCE
        self._stuck = True
        while self._stuck and time.monotonic() < until:
            self.connection.interrupt()
            self._stuck = not done.wait(0.05)
        if self._stuck:
            atexit.register(_leave, done, status)

    def _translated(self, error: BaseException) -> BaseException:
        """A user's error for what DuckDB says; a bug stays what it is."""
        import duckdb

        if self._file.failure:
            return self._file.failure
        if not isinstance(error, duckdb.Error | MemoryError):
            return error
        if isinstance(error, duckdb.OutOfMemoryException | MemoryError):
            bound = amount(self._bounds.memory, "byte") if self._bounds.memory else "there is"
            return UsageError(
                f"the query needs more memory than {bound}",
                "ask for less at once, or give --memory SIZE",
            )
        if isinstance(error, duckdb.PermissionException):
            return UsageError("a query reads the table artifact and nothing else", ALLOWED)
        text = str(error)
        if isinstance(error, duckdb.InternalException):
            return UsageError(reason(text), "ask in another way")
        if _OF_READING.match(text):
            unfit = isinstance(error, duckdb.ConversionException)
            return (Unfit if unfit else Unreadable)(reason(text))
        unbound = isinstance(error, duckdb.BinderException | duckdb.CatalogException)
        kind = Unbound if unbound else UsageError
        return kind(reason(text), self._hint(text))

    def _hint(self, text: str) -> str | Advice:
        if (found := _NO_COLUMN.search(text)) and (columns := self._columns()):
            return nearest(found[1] or found[2], columns)
        ref = self._file.artifact.record.reference.short
        there = Advice("query", ref, lead="see what there is")
        if found := _NO_TABLE.search(text):
            return nearest(found[2], self._tables())
        if found := _SUGGESTED.search(text):
            return f"did you mean {found[1]}?"
        return there

    def _columns(self) -> list[str]:
        """The first columns of the artifact; the statement that failed ended its transaction."""
        return self._names(
            "SELECT column_name FROM duckdb_columns() WHERE table_name = 'artifact' LIMIT 50"
        )

    def _tables(self) -> list[str]:
        """The tables, and the columns that hold some."""
        return self._names(
            "SELECT view_name FROM duckdb_views() WHERE NOT internal UNION ALL SELECT column_name "
            "FROM duckdb_columns() WHERE table_name = 'artifact' AND ends_with(data_type, '[]')"
        )

    def _names(self, find: str) -> list[str]:
        try:
            return [str(row[0]) for row in self.connection.cursor().execute(find).fetchall()]
        except Exception as error:
            debug.swallowed("query: names that are there", error)
            return []


def late(bounds: Bounds) -> UsageError:
    return UsageError(
        f"no answer within {span(bounds.seconds)}", "ask for less, or give --seconds DURATION"
    )


def _leave(done: threading.Event, status: int) -> None:
    """End the process where DuckDB is still busy: its own end waited for the query, for minutes."""
    if not done.is_set():
        os._exit(status)


def check_installed() -> None:
    """Raises UsageError where what a query needs is missing."""
    try:
        import duckdb  # noqa: F401 - whether it can be
        import fsspec  # noqa: F401 - whether it can be
    except ImportError as error:
        name = error.name or "duckdb"
        raise UsageError(
            f"a query needs {name}, which is not installed", "pip install 'stubcli[query]'"
        ) from None


def _connect(file: ArtifactFile, bounds: Bounds) -> Any:
    check_installed()
    import duckdb

    connection = duckdb.connect(":memory:")
    connection.register_filesystem(filesystem(file))
    if bounds.memory:
        connection.execute(f"SET memory_limit = '{bounds.memory}B'")
    for line in _LOCKED:
        connection.execute(line)
    return connection


def checked(connection: Any, sql: str) -> Statement:
    """`sql` as the one harmless statement that it must be. Raises UsageError, duckdb.Error."""
    prefix = ""
    if found := _EXPLAIN.match(sql):
        prefix, sql = " ".join(found[0].upper().split()), sql[found.end() :]
    statements = connection.extract_statements(sql)
    if len(statements) != 1:
        what = f"{amount(len(statements), 'statement')} at once" if statements else "no statement"
        raise UsageError(f"{what}: a query is one", ALLOWED)
    kind = statements[0].type.name
    if kind != "SELECT":
        named = {"MULTI": "PIVOT without IN (…)"}.get(kind, kind)
        raise UsageError(f"{named} is refused: a query changes nothing", ALLOWED)
    tree = connection.execute("SELECT json_serialize_sql(?::VARCHAR)", [sql]).fetchone()[0]
    if found := _WRITES.search(tree):
        raise UsageError(f"{found[1]} in a WITH is refused: a query changes nothing", ALLOWED)
    # The line end closes a comment at the end.
    body = sql.strip().rstrip(";").rstrip() + "\n"
    return Statement(prefix, body)


def within(statement: Statement) -> str:
    """The statement as a part of another: there DuckDB refuses what writes inside a WITH."""
    return f"({statement.body})"


def reason(text: str) -> str:
    """What DuckDB says, in one line, without its advice and our names for things."""
    text = _ADVICE.split(text, maxsplit=1)[0].replace(f' in file "{URL}"', "")
    text = _CONVERTED.sub("", text)
    text = _MISSING.sub(r"no column \1", text)
    text = re.sub(r"^[A-Za-z]+(?: [A-Za-z]+)? Error: ", "", text.strip())
    shown = one_line(" ".join(text.split()).rstrip(".,!"))
    return shown if len(shown) <= _LONGEST_REASON else shown[:_LONGEST_REASON] + "…"
