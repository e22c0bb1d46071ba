"""A conversation through `offload` or `compact`: the edits, checked to change nothing but texts."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from stubcli.errors import IntegrityError, MissingError
from stubcli.messages.compact import CompactLimits, compact, fits
from stubcli.messages.formats.recognise import format_of
from stubcli.messages.keeper import Keeper
from stubcli.messages.model import (
    RESULT,
    Edit,
    Format,
    MessageItems,
    Path,
    Report,
    Watch,
    unwatched,
)
from stubcli.messages.offload import REPLAYED, Budget, offload
from stubcli.messages.replay import Replacements, replacements
from stubcli.messages.survey import survey
from stubcli.messages.transcript import apply_edits
from stubcli.settings.load import disabled, home_of, load, session_of
from stubcli.settings.table import Settings
from stubcli.store import open_session

Edits = dict[int, dict[Path, str]]


@dataclass(frozen=True)
class Conversation:
    """A conversation: its items, the key that it stands under, the keys beside that, and all of
    it as it is written, in pieces, to be kept as the history."""

    items: MessageItems
    container: str
    envelope: frozenset[str]
    whole: Callable[[], Iterable[bytes]]

    def format(self, name: str | None) -> Format:
        """The format of that name, else the one recognised. Raises UsageError, JsonTextError."""
        return format_of(self.items, name, self.container, self.envelope)


def offload_conversation(
    source: Conversation,
    name: str | None,
    flags: Mapping[str, str],
    *,
    pretend: bool = False,
    watch: Watch = unwatched,
) -> tuple[Edits, Report]:
    """What `offload` replaces. name: the format, else it is recognised; watch shows progress.

    Raises UsageError where the list is not understood, StubError and OSError where the session
    cannot be used; nothing is changed then. Where there is nothing to do, no store is asked for.
    """
    settings, items = load(dict(flags)), source.items
    if disabled() or not len(items):
        return {}, Report(name or "", len(items), 0, 0)
    form = source.format(name)
    found = survey(items, form, kinds=(RESULT,))
    if not found.texts:
        return {}, Report(form.name, len(items), 0, 0, pretended=pretend)
    budget = Budget(
        settings.turn_budget,
        settings.turn_floor,
        settings.turn_preview,
        settings.turn_preview_floor,
    )
    with _open_keeper(settings, flags, pretend=pretend) as keeper:
        edits, report = offload(items, found, form.name, budget, keeper, watch)
    return _check_edits(items, form, edits), _without_references(report, pretend=pretend)


def compact_conversation(
    source: Conversation,
    name: str | None,
    flags: Mapping[str, str],
    *,
    pretend: bool = False,
    watch: Watch = unwatched,
) -> tuple[Edits, Report]:
    """What `compact` replaces; the rest as for `offloaded`."""
    settings, items = load(dict(flags)), source.items
    if disabled() or not len(items):
        return {}, Report(name or "", len(items), 0, 0)
    form = source.format(name)
    found = survey(items, form)
    window = CompactLimits(settings.max_messages, settings.max_tokens, settings.keep)
    if fits(found, window):
        size = sum(text.size for text in found.texts)
        return {}, Report(form.name, len(items), size, size, pretended=pretend)
    with _open_keeper(settings, flags, pretend=pretend) as keeper:
        edits, report = compact(items, found, form.name, window, keeper, source.whole, watch)
    return _check_edits(items, form, edits), _without_references(report, pretend=pretend)


def _without_references(report: Report, *, pretend: bool) -> Report:
    """The report; of what was not kept, without the references that it would not have."""
    if not pretend:
        return report
    changes = tuple(
        change if change.reason == REPLAYED else replace(change, ref="")
        for change in report.changes
    )
    return replace(report, changes=changes, pretended=True)


@contextmanager
def _open_keeper(
    settings: Settings, flags: Mapping[str, str], *, pretend: bool
) -> Iterator[Keeper]:
    """Who keeps and remembers in the session of these settings, which is locked meanwhile."""
    home, name = home_of(settings), session_of(settings)
    try:
        session = open_session(home, name, create=not pretend)
    except (MissingError, FileNotFoundError):
        if not pretend:
            raise
        yield Keeper(flags, Replacements(), pretend=True)
        return
    with session, replacements(session, pretend=pretend) as state:
        yield Keeper(flags, state, pretend=pretend)


def _check_edits(items: MessageItems, form: Format, edits: list[Edit]) -> Edits:
    """The edits by item, each item compared with what it was: nothing but its texts may differ."""
    found: Edits = {}
    for edit in edits:
        found.setdefault(edit.index, {})[edit.path] = edit.text
    for index, texts in found.items():
        before, after = items[index], apply_edits([items[index]], {0: texts})[0]
        if _skeleton(form, before) != _skeleton(form, after):
            raise IntegrityError(
                f"replacing texts would have changed more of item {index}", "it was left as it was"
            )
    return found


def _skeleton(form: Format, item: Any) -> tuple[Any, Any]:
    """Everything of an item but its texts, and the places where those stand."""
    pieces = form.pieces(item)
    paths = [slot.path for piece in pieces for slot in piece.slots]
    blank = apply_edits([item], {0: dict.fromkeys(paths, "")})[0]
    named = [(piece.kind, piece.role, piece.call_id, piece.tool) for piece in pieces]
    return blank, (named, paths)
