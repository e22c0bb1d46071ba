"""Where nothing matches: what a little change of the question would find.

Stops at the first match of the first that has any. Prints nothing.
"""

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace

from stubcli.errors import IntegrityError
from stubcli.retrieve.asked import Search
from stubcli.retrieve.pattern import is_plain
from stubcli.retrieve.search import search
from stubcli.store.artifact import Artifact

# Of what is read for it, together: about a second.
_MOST = 512 << 20
# Of the usual ones, where a text is not UTF-8.
_ENCODINGS = (
    *("windows-1252", "gb18030", "big5", "shift_jis", "euc-jp", "euc-kr"),
    *("windows-1251", "koi8-r", "windows-1250"),
)


@dataclass(frozen=True)
class Near:
    """how: what was changed, in words; asked: the search that has matches."""

    how: str
    asked: Search


def near_matches(asked: Search, artifacts: Callable[[Search], Iterator[Artifact]]) -> Near | None:
    """artifacts: opens those that a search is about; they are closed here."""
    left = _MOST
    for how, other in _others(asked):
        pattern = other.compiled()
        with closing(_closed(artifacts(other))) as opened:
            for artifact in opened:
                left -= artifact.size
                if left < 0:
                    return None
                try:
                    with closing(search(artifact, pattern)) as parts:
                        if any(part.matches for part in parts):
                            return Near(how, other)
                except IntegrityError:
                    continue  # it was said when it was searched first
    return None


def _closed(artifacts: Iterator[Artifact]) -> Generator[Artifact, None, None]:
    for artifact in artifacts:
        with artifact:
            yield artifact


def _others(asked: Search) -> Iterator[tuple[str, Search]]:
    pattern = asked.pattern
    if not asked.ignore_case and pattern.lower() != pattern.upper():
        yield "ignoring case", replace(asked, ignore_case=True)
    if not asked.literal and not is_plain(pattern):
        yield "taken literally", replace(asked, literal=True)
    if asked.word:
        yield "as a part of words", replace(asked, word=False)
    if asked.raw:
        yield "as displayed", replace(asked, raw=False)
    elif not asked.compiled().raw_too:
        yield "among what is not displayed", replace(asked, raw=True)
    if not pattern.isascii() and (asked.literal or is_plain(pattern)):
        yield from _encoded(asked)
    if not asked.references and not asked.everywhere:
        yield "in other sessions", replace(asked, everywhere=True)


def _encoded(asked: Search) -> Iterator[tuple[str, Search]]:
    for encoding in _ENCODINGS:
        try:
            pattern = asked.pattern.encode(encoding).decode("utf-8", "surrogateescape")
        except UnicodeError:
            continue
        if "\n" not in pattern and "\0" not in pattern:
            yield f"in {encoding}", replace(asked, pattern=pattern, literal=True)
