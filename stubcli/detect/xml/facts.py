"""What is known of a stream of XML or HTML."""

from typing import ClassVar

from stubcli.detect.facts import KindFacts
from stubcli.detect.fields.facts import ItemsFacts
from stubcli.value import Value


class JunitCounts(Value):
    """What was read. announced: so many tests the outermost suites say that they hold."""

    tests: int
    failures: int
    errors: int
    skipped: int
    announced: int | None = None


class DifferingElement(Value):
    """An element with what few of its siblings have: its path, its place among them, its source
    and its line, and what the one around it is called.
    """

    path: str
    number: int
    source: str
    line: int = 0
    owner: str = ""


class HtmlFacts(Value):
    """headers: the column names of tables, and how many tables have them."""

    title: str | None
    lines: int
    tag_count: int
    tags: tuple[tuple[str, int], ...]
    tag_names: int
    tables: int
    rows: int
    headers: tuple[tuple[str, int], ...]
    headings: tuple[str, ...]


class XmlFacts(KindFacts, kw_only=True):
    """failing: the first tests that failed, each with its message. groups: the elements that most
    is known of. texts: what the elements hold that come once. illegal: characters that XML does not
    allow, the first in line illegal_line.
    paths: of elements with their number, in order of appearance. error: why it is not XML to
    its end, at line error_line: after the root element where `closed`, at the end of the stream
    where cut_off. looked_at: so many bytes were read, None for all. html: in place of all this.
    """

    VERSION: ClassVar[int] = 2
    size: int
    root: str = ""
    attributes: tuple[tuple[str, str], ...] = ()
    attribute_count: int = 0
    elements: int = 0
    doctype: bool = False
    entities: bool = False
    junit: JunitCounts | None = None
    failing: tuple[str, ...] = ()
    differing: tuple[DifferingElement, ...] = ()
    groups: tuple[ItemsFacts, ...] = ()
    texts: tuple[tuple[str, str], ...] = ()
    illegal: int = 0
    illegal_line: int = 0
    paths: tuple[tuple[str, int], ...] = ()
    error: str = ""
    error_line: int = 0
    closed: bool = False
    cut_off: bool = False
    looked_at: int | None = None
    html: HtmlFacts | None = None


FACTS = XmlFacts
