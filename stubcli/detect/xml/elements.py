"""Streams XML through expat in flat memory: elements counted by path, nothing kept.

Entity declarations end the reading: an entity is never expanded, not even in an attribute. It
knows JUnit's elements by name and decides nothing about whether a stream is XML.
"""

from dataclasses import dataclass, field
from xml.parsers import expat

from stubcli.detect.model import ByteSource
from stubcli.detect.reading import blocks
from stubcli.detect.xml.characters import Characters
from stubcli.detect.xml.records import XmlRecords

# After so many bytes elements are counted and no longer compared.
COMPARED = 8 * 1024 * 1024
_COMPARED_ELEMENTS = 150_000
_ELEMENTS = 40_000_000
_PATHS = 400
# Deeper elements count with their ancestor: paths of 200,000 names would be quadratic.
_DEPTH = 12
# Expat keeps a record of each open element.
_OPEN = 10_000
_FAILING = 8
# What in a test case says that it did not pass, and what it did.
RESULTS = {"failure": "failed", "error": "error", "skipped": "skipped"}


@dataclass
class Elements:
    """What was read before the end, the bound or the first thing that is no XML."""

    root: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    paths: dict[str, int] = field(default_factory=dict)
    count: int = 0
    tests: int = 0
    results: dict[str, int] = field(default_factory=dict)
    failing: list[str] = field(default_factory=list)
    doctype: bool = False
    entities: bool = False
    closed: bool = False
    bounded: bool = False
    error: str = ""
    error_line: int = 0
    read: int = 0
    # What the suites of a test report say that they hold: the outermost ones.
    announced: int | None = None
    characters: Characters = field(default_factory=Characters)
    records: XmlRecords = field(default_factory=XmlRecords)


class _Refused(Exception):
    pass


class _Bounded(Exception):
    pass


def read(source: ByteSource, start: int) -> Elements:
    found = Elements()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    walker = _XmlWalker(found, parser)
    parser.CharacterDataHandler = walker.text
    parser.StartElementHandler = walker.start
    parser.EndElementHandler = walker.end
    parser.StartDoctypeDeclHandler = walker.doctype
    parser.EntityDeclHandler = walker.entity
    try:
        for block in found.characters.allowed(blocks(source, source.size, start)):
            parser.Parse(block, False)
            found.read += len(block)
            bounded = found.read > COMPARED or found.count > _COMPARED_ELEMENTS
            if walker.comparing and (bounded or found.records.full):
                walker.comparing = False
                parser.CharacterDataHandler = None
        parser.Parse(b"", True)
    except _Refused:
        found.entities = True
    except _Bounded:
        found.bounded = True
        found.read = parser.CurrentByteIndex
    except expat.ExpatError as error:
        found.error = expat.ErrorString(error.code)
        found.error_line = error.lineno
        found.read = max(parser.ErrorByteIndex, 0)
    return found


class _XmlWalker:
    def __init__(self, found: Elements, parser: expat.XMLParserType) -> None:
        self._found = found
        self._parser = parser
        self._message = False
        self.comparing = True
        self._stack: list[str] = []
        self._depth = 0
        self._test = ""
        # The depth of the open suite whose announced tests are added.
        self._announced: int | None = None

    def start(self, name: str, attributes: dict[str, str]) -> None:
        found, stack = self._found, self._stack
        found.count += 1
        if found.count > _ELEMENTS or self._depth > _OPEN:
            raise _Bounded
        local = name.rpartition(":")[2]
        if not self._depth:
            found.root, found.attributes = name, attributes
        self._depth += 1
        if len(stack) < _DEPTH and len(name) <= 100:
            path = f"{stack[-1]}/{name}" if stack else name
            stack.append(path)
            if path in found.paths or len(found.paths) < _PATHS:
                found.paths[path] = found.paths.get(path, 0) + 1
        elif len(stack) < _DEPTH:
            stack.append(stack[-1] if stack else "…")
        if self.comparing and self._depth == len(stack):
            at, line = self._parser.CurrentByteIndex, self._parser.CurrentLineNumber
            found.records.start(stack[-1], name, attributes, at, line)
        if local.startswith("testsuite"):
            self._suite(attributes)
        if local == "testcase":
            found.tests += 1
            place = attributes.get("classname") or attributes.get("file") or ""
            self._test = f"{place} {attributes.get('name', '')}".strip()
        elif local in RESULTS:
            self._result(local, attributes)

    def _suite(self, attributes: dict[str, str]) -> None:
        """Add up what suites announce that are in no other one that does."""
        tests = attributes.get("tests", "")
        if self._announced is None and tests.isdecimal() and len(tests) < 12:
            self._announced = self._depth
            self._found.announced = (self._found.announced or 0) + int(tests)

    def _result(self, local: str, attributes: dict[str, str]) -> None:
        found = self._found
        found.results[local] = found.results.get(local, 0) + 1
        if local != "skipped" and self._test and len(found.failing) < _FAILING:
            message = attributes.get("message", "")
            found.failing.append(f"{self._test}: {message}" if message else self._test)
            # Without a message its first line of text stands for it.
            self._message = not message

    def text(self, data: str) -> None:
        self._found.records.text(data)
        if self._message and data.strip():
            self._found.failing[-1] += ": " + data.strip().split("\n", 1)[0][:200]
            self._message = False

    def end(self, name: str) -> None:
        if self.comparing and self._depth == len(self._stack):
            self._found.records.end(name, self._parser.CurrentByteIndex)
        self._message = False
        if self._depth == self._announced:
            self._announced = None
        self._depth -= 1
        if self._depth < len(self._stack):
            self._stack.pop()
        if not self._depth:
            self._found.closed = True

    def doctype(self, *_declared: object) -> None:
        self._found.doctype = True

    def entity(self, *_declared: object) -> None:
        raise _Refused
