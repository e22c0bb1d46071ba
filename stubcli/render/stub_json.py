"""The stub as one JSON object on one line: the same contents as the text, for programs."""

import json

from stubcli.render.frames import gap_command, next_commands, word
from stubcli.render.layout import Layout, fit
from stubcli.render.model import Facts, Limits
from stubcli.render.preview import EndPart, Gap
from stubcli.render.sections import shorten
from stubcli.text.display import neutralise


def render_json(facts: Facts, limits: Limits) -> str | None:
    """The stub as JSON, ending in LF; None where none is short enough for `limits`."""
    return fit(facts, limits, _compose)


def _compose(facts: Facts, layout: Layout) -> str:
    shown = layout.preview
    values = _described(facts, layout) | _synopsis(layout)
    values["head"] = _part(shown.head)
    values["omitted"] = _omitted(facts, shown.gap, layout.detail.command) if shown.gap else None
    values["tail"] = _part(shown.tail)
    values["next"] = next_commands(facts, shown) if layout.detail.next else []
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")) + "\n"


def _described(facts: Facts, layout: Layout) -> dict[str, object]:
    values: dict[str, object] = {
        "ref": str(facts.reference) if facts.reference else None,
        "kind": facts.synopsis.kind,
        "form": word(facts.synopsis.form),
        "state": facts.state,
        "tool": None if facts.tool is None else word(facts.tool),
        "exit_status": facts.exit_status,
        "signal": None if facts.signal is None else word(facts.signal),
        "reason": word(facts.reason),
    }
    if layout.detail.digest:
        values["sha256"] = facts.sha256
    if layout.detail.path:
        values["path"] = _path(facts.path)
    values |= {"bytes": facts.size, "characters": facts.characters, "lines": facts.lines}
    if facts.state == "capped":
        values["not_kept"] = facts.dropped
    if facts.notice:
        values["notice"] = shorten(facts.notice, 200)
    return values


def _path(path: str | None) -> str | None:
    """The path, None where making it safe to print would make it another."""
    return path if path is not None and neutralise(path) == path else None


def _synopsis(layout: Layout) -> dict[str, object]:
    chosen = layout.sections
    skipped = sum(one.skipped for one in chosen.notable) + chosen.notable_more
    more = {
        "summary": chosen.summary.more,
        "structure": chosen.structure.more,
        "notable": skipped,
    }
    values: dict[str, object] = {
        "summary": chosen.summary.kept,
        "structure": chosen.structure.kept,
        "notable": [
            {"line": one.line, "text": one.text, "folded": one.folded} for one in chosen.notable
        ],
    }
    left_out = {name: count for name, count in more.items() if count}
    return values | ({"left_out": left_out} if left_out else {})


def _part(part: EndPart | None) -> dict[str, object] | None:
    if part is None:
        return None
    return {
        "text": part.text,
        "first_line": part.first_line,
        "last_line": part.last_line,
        "cut": part.cut,
        "start": part.start,
        "end": part.end,
    }


def _omitted(facts: Facts, gap: Gap, command: bool) -> dict[str, object]:
    values: dict[str, object] = {
        "lines": gap.lines,
        "bytes": gap.end - gap.start,
        "start": gap.start,
        "end": gap.end,
    }
    if command:
        values["command"] = gap_command(facts, gap)
    return values
