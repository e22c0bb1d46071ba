"""One stream on its way into the store: what is known of it, and what is counted as it goes by.

Hashing and scanning run beside the reading and writing, each in a thread of its own once there is
more than one block: both spend their time outside the interpreter's lock.
"""

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import stubcli.debug as debug
from stubcli.descriptors import Input, Output
from stubcli.detect.model import Scan
from stubcli.detect.scan import Scanner
from stubcli.settings.table import Settings
from stubcli.store.measure import Blocks, Measured, Meter
from stubcli.store.records import Origin

if TYPE_CHECKING:
    from stubcli.store.surface import Incoming, Session


# Blocks waiting for a thread, at most: what bounds the memory.
_DEPTH = 4
EDGE = 64 << 10


class Lane:
    """Applies one function to blocks, in order, in a thread once `start` was called.

    Where no thread can be had, or none any more, it works at once. failure: the first error, after
    which nothing is applied; no method raises it.
    """

    def __init__(self, work: Callable[[bytes, int], None]) -> None:
        self._work = work
        self._queue: queue.Queue[tuple[bytes, int] | None] = queue.Queue(_DEPTH)
        self._thread: threading.Thread | None = None
        self.failure: Exception | None = None

    def start(self) -> None:
        thread = threading.Thread(target=self._run, daemon=True)
        try:
            thread.start()
        except (RuntimeError, MemoryError) as error:
            # A limit of processes or of memory: counting beside the writing only saves time.
            debug.swallowed("starting a thread", error)
        else:
            self._thread = thread

    def put(self, block: bytes, feeds: int) -> None:
        if self._thread:
            self._queue.put((block, feeds))
        else:
            self._apply(block, feeds)

    def join(self) -> None:
        if self._thread:
            self._queue.put(None)
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        # It never ends by an error: nobody would take what is put then, and the putting waits.
        while True:
            try:
                item = self._queue.get()
                if item is None:
                    return
                self._apply(*item)
            except Exception as error:
                self.failure = self.failure or error

    def _apply(self, block: bytes, feeds: int) -> None:
        if self.failure is None:
            try:
                self._work(block, feeds)
            except Exception as error:
                debug.swallowed("counting a stream", error)
                self.failure = error


class Tally:
    """Takes a stream in pieces of any size; `finish` gives the same answer for all of them.

    head and tail are the first and last bytes of it, at most 64 KiB each. What goes wrong on the
    way is raised in the end only: a piece that is in the store already must not seem to be lost.
    """

    def __init__(self) -> None:
        self._blocks = Blocks()
        self._meter = Meter()
        self._scanner: Scanner | None = None
        self._metering = Lane(self._meter.feed)
        self._scanning = Lane(self._scan)
        self._result: tuple[Measured, Scan] | None = None
        self._failure: Exception | None = None
        self.head = b""
        self.tail = b""

    def _scan(self, block: bytes, feeds: int) -> None:
        # Made here and not before: whatever is wrong with the library behind it costs no byte.
        self._scanner = self._scanner or Scanner()
        self._scanner.feed(block, feeds)

    @property
    def wanted(self) -> int:
        """How many bytes to read next, at best."""
        return self._blocks.wanted

    def add(self, data: bytes) -> None:
        if self._failure is None:
            try:
                for block in self._blocks.add(data):
                    self._take(block)
            except Exception as error:
                debug.swallowed("counting a stream", error)
                self._failure = error

    def _take(self, block: bytes) -> None:
        if not self.head:
            self.head = block[:EDGE]
            self._metering.start()
            self._scanning.start()
        self._put(block)

    def _put(self, block: bytes) -> None:
        self.tail = (self.tail + block[-EDGE:])[-EDGE:]
        # Counted once for both: the count holds the interpreter's lock, 0.3 s a GiB.
        feeds = block.count(b"\n")
        self._metering.put(block, feeds)
        self._scanning.put(block, feeds)

    def stop(self) -> None:
        """Count no further. A thread inside a library when the process ends would abort it."""
        self._metering.join()
        self._scanning.join()

    def finish(self) -> tuple[Measured, Scan]:
        """What was measured and scanned. A scan that failed is empty; a failed count raises."""
        if self._result is None:
            self._result = self._finish()
        return self._result

    def _finish(self) -> tuple[Measured, Scan]:
        if self._failure:
            raise self._failure
        rest = self._blocks.rest()
        if rest and not self.head:
            self.head = rest[:EDGE]
        if rest:
            self._put(rest)
        self.stop()
        if self._metering.failure:
            raise self._metering.failure
        measured = self._meter.finish()
        if self._scanner and not self._scanning.failure:
            try:
                return measured, self._scanner.finish(measured.characters, measured.undecodable)
            except Exception as error:
                debug.swallowed("scanning a stream", error)
                self._scanning.failure = error
        if self._scanning.failure:
            debug.swallowed("scanning", self._scanning.failure)
        return measured, Scan(measured.characters, measured.lines, None, 0, 0, 0, 0, ())


@dataclass(frozen=True)
class About:
    """What there is to say of a stream at its end.

    reason: why it is kept. notice: a line that its stub carries.
    """

    origin: Origin
    notice: str = ""
    reason: str = "single_threshold"


@dataclass
class Stream:
    """What is known of the stream so far, in whatever state a failure finds it.

    session and incoming are set once its artifact was begun. about is called once, at the end.
    shown: bytes of it that were passed on before it grew large.
    """

    source: Input
    out: Output
    settings: Settings
    about: Callable[[], About]
    started: str
    tally: Tally
    shown: int = 0
    session: "Session | None" = None
    incoming: "Incoming | None" = None
    dropped: int = 0
