"""One stream on its way into the store: what is known of it, and what is counted as it goes by.

Hashing and scanning run beside the reading and writing, each in a thread of its own once there is
more than one block, and where there can be threads: both spend their time outside the
interpreter's lock.
"""

import _thread
import time
from _queue import SimpleQueue
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

import stubcli.debug as debug
from stubcli.descriptors import Input, Output
from stubcli.detect.model import Scan
from stubcli.detect.scan import Scanner
from stubcli.reserve import reserve
from stubcli.settings.table import Settings
from stubcli.store.measure import Blocks, Measured, Meter
from stubcli.store.records import Origin
from stubcli.value import Value

if TYPE_CHECKING:
    from stubcli.store.surface import Incoming, Session


# Blocks waiting for a thread, at most: what bounds the memory.
_DEPTH = 4
EDGE = 64 << 10
# Of RE2, for the lines that decide.
_SCANNING = 64 << 20


class Lane:
    """Applies one function to blocks, in order, beside the caller once `start` was called.

    Whoever holds the turn applies the next block: the thread, or the caller where that is slow,
    could not be had, or died of too little memory without telling anybody. So nothing ever waits
    for a thread, but for the one block that it is at. failure: the first error, after which
    nothing is applied.
    """

    def __init__(self, work: Callable[[bytes, int], None]) -> None:
        self._work = work
        self._waiting: deque[tuple[bytes, int]] = deque()
        self._turn = _thread.allocate_lock()
        self._calls: SimpleQueue[bool] | None = None
        self.failure: Exception | None = None

    def start(self) -> None:
        calls = SimpleQueue[bool]()
        try:
            # Not threading.Thread: its start waits for a thread that may have no memory to begin.
            _thread.start_new_thread(self._run, (calls,))
        except (RuntimeError, MemoryError) as error:
            # A limit of processes or of memory: counting beside the writing only saves time.
            debug.swallowed("starting a thread", error)
        else:
            self._calls = calls

    def put(self, block: bytes, feeds: int) -> None:
        self._waiting.append((block, feeds))
        if self._calls:
            self._calls.put(True)
        self._catch_up(_DEPTH if self._calls else 0)

    def join(self) -> None:
        """Apply everything that waits."""
        self._catch_up(0)
        self.stop()

    def stop(self) -> None:
        """Forget what waits. Afterwards no thread is inside of a library."""
        self._waiting.clear()
        if self._calls:
            self._calls.put(False)
            self._calls = None
        with self._turn:
            pass

    def _catch_up(self, most: int) -> None:
        """Apply blocks until no more than `most` wait."""
        while len(self._waiting) > most:
            with self._turn:
                if len(self._waiting) > most:
                    self._apply_next()

    def _run(self, calls: "SimpleQueue[bool]") -> None:
        try:
            while calls.get():
                with self._turn:
                    if self._waiting:
                        self._apply_next()
        except Exception as error:
            self.failure = self.failure or _bare(error)

    def _apply_next(self) -> None:
        block, feeds = self._waiting.popleft()
        if self.failure is None:
            try:
                self._work(block, feeds)
            except Exception as error:
                debug.swallowed("counting a stream", error)
                self.failure = _bare(error)


def _bare(error: Exception) -> Exception:
    """For keeping: what led to it would hold the memory that was too little."""
    return error.with_traceback(None) if isinstance(error, MemoryError) else error


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
        if self._scanner is None:
            reserve(_SCANNING)
            self._scanner = Scanner()
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
                self._failure = _bare(error)
                self.stop()

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

    @property
    def failed(self) -> bool:
        """Whether it counts no more, and `finish` will raise."""
        return self._failure is not None or self._metering.failure is not None

    def stop(self) -> None:
        """Count no further, and hold no memory for it.

        A thread that is inside of a library when the process ends would abort it.
        """
        self._blocks = Blocks()
        self._metering.stop()
        self._scanning.stop()

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
        self._metering.join()
        self._scanning.join()
        if self._metering.failure:
            raise self._metering.failure
        measured = self._meter.finish()
        if self._scanner and not self._scanning.failure:
            try:
                return measured, self._scanner.finish(measured.characters, measured.undecodable)
            except Exception as error:
                debug.swallowed("scanning a stream", error)
                self._scanning.failure = error
        return measured, Scan(measured.characters, measured.lines, None, 0, 0, 0, 0, ())


def moment(seconds: float | None = None) -> str:
    """A time as it is recorded; now where none is given."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


class About(Value):
    """What there is to say of a stream at its end.

    reason: why it is kept. notice: a line that its stub carries.
    """

    origin: Origin
    notice: str = ""
    reason: str = "single_threshold"


class Stream:
    """What is known of the stream so far, in whatever state a failure finds it.

    about is called once, at the end. taken: whether somebody else answers for its bytes now than
    who made it. session and incoming are set once its artifact was begun.
    pending: the piece that was read last, while the store and the tally do not hold it whole;
    counted: the bytes before it, but for those that were dropped. skipped: bytes that cannot be
    read back from the store.
    """

    def __init__(
        self,
        source: Input,
        out: Output,
        settings: Settings,
        about: Callable[[], About],
        pending: bytes,
        *,
        started: str = "",
        taken: bool = False,
    ) -> None:
        self.source = source
        self.out = out
        self.settings = settings
        self.about = about
        self.pending = pending
        self.started = started or moment()
        self.tally = Tally()
        self.taken = taken
        self.session: Session | None = None
        self.incoming: Incoming | None = None
        self.counted = self.dropped = self.skipped = 0

    def read(self) -> bytes:
        self.pending = self.source.read(self.tally.wanted)
        return self.pending

    def count(self, dropped: int = 0) -> None:
        """What is pending was taken care of, but for so many bytes of it."""
        self.counted, self.pending = self.counted + len(self.pending) - dropped, b""
        self.dropped += dropped

    @property
    def stored(self) -> int:
        """How many bytes the store took."""
        return self.incoming.size if self.incoming else 0

    @property
    def printed(self) -> int:
        """How many bytes stand on `out`, while that carries the input: all before are there."""
        return self.out.written + self.skipped
