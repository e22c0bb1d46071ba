"""The stub as text: a reference at both ends, what it is, what decides, its ends, what to do next.

Nothing in it depends on a locale, the time or a terminal.
"""

from stubcli.render.frames import gap_command, name, next_commands, quoted_path, state, word
from stubcli.render.layout import Layout, fit
from stubcli.render.model import Facts, Limits
from stubcli.render.preview import EndPart, Gap
from stubcli.render.sections import Rows, shorten
from stubcli.text.display import amount, mark


def render_text(facts: Facts, limits: Limits) -> str | None:
    """The stub of an artifact, ending in LF; None where none is short enough for `limits`."""
    return fit(facts, limits, _compose)


def _compose(facts: Facts, layout: Layout) -> str:
    label = str(facts.reference) if facts.reference else f"NOT STORED: {amount(facts.size, 'byte')}"
    lines = [f"[stub {label}] {_measures(facts)}", _about(facts, layout)]
    if facts.notice:
        lines.append(mark(shorten(facts.notice, 200)))
    lines += _section("Summary:", layout.sections.summary, "summary")
    lines += _notable(layout)
    lines += _section("Structure:", layout.sections.structure, "structure")
    text = "".join(line + "\n" for line in lines if line) + _previews(facts, layout)
    commands = next_commands(facts, layout.preview) if layout.detail.next else []
    if commands:
        text += f"Next: {' · '.join(commands)}\n"
    return f"{text}[stub end {label}]\n"


def _measures(facts: Facts) -> str:
    size = f"{amount(facts.lines, 'line')}, {amount(facts.size, 'byte')}"
    return f"{word(facts.synopsis.label)}, {size}"


def _about(facts: Facts, layout: Layout) -> str:
    parts = []
    if facts.tool is not None:
        parts.append(f"tool: {name(facts.tool)}")
    if facts.exit_status is not None:
        parts.append(f"exit: {facts.exit_status}")
    if facts.signal is not None:
        parts.append(f"signal: {name(facts.signal)}")
    parts.append(state(facts))
    if layout.detail.path and facts.path is not None and facts.reference is not None:
        parts.append(f"path: {quoted_path(facts)}")
    return "   ".join(one for one in parts if one)


def _section(heading: str, rows: Rows, noun: str) -> list[str]:
    if not rows.kept:
        return [f"{heading} … {amount(rows.more, 'line')} not shown"] if rows.more else []
    lines = [heading, *(f"  {mark(row)}" for row in rows.kept)]
    if rows.more:
        lines.append(f"  … {amount(rows.more, 'more line')} of {noun}")
    return lines


def _notable(layout: Layout) -> list[str]:
    """The notable lines; of those that the head or the tail shows whole, the numbers."""
    more = layout.sections.notable_more
    if not layout.sections.notable:
        return [f"Notable lines: … {more:,} not shown"] if more else []
    lines, below = ["Notable lines:"], []
    for one in layout.sections.notable:
        lines += [f"  … {amount(one.skipped, 'more notable line')}"] if one.skipped else []
        if not one.folded and layout.preview.shows(one.line):
            below.append(str(one.line))
            continue
        lines.append(f"  {one.line}: {mark(one.text)}")
        lines += [f"  … {one.folded:,} more like line {one.line}"] if one.folded else []
    lines += [f"  … {amount(more, 'more notable line')}"] if more else []
    return lines + ([f"  … shown below: {', '.join(below)}"] if below else [])


def _previews(facts: Facts, layout: Layout) -> str:
    shown = layout.preview
    head = _framed("head", facts, shown.head, shown.head.last_line) if shown.head else ""
    gap = _gap(facts, shown.gap, layout.detail.command) if shown.gap else ""
    tail = _framed("tail", facts, shown.tail, shown.tail.first_line) if shown.tail else ""
    return head + gap + tail


def _framed(end: str, facts: Facts, part: EndPart, edge: int) -> str:
    if part.first_line == part.last_line:
        lines = f"line {edge:,}{' (cut)' if part.cut else ''}"
    else:
        cut = f" (line {edge:,} cut)" if part.cut else ""
        lines = f"lines {part.first_line:,}-{part.last_line:,}{cut}"
    covers = f"{lines}, bytes {part.start:,}-{part.end:,}"
    rows = "".join(mark(row) for row in part.text.splitlines(keepends=True))
    return f"--- {end} {facts.sha256[:8]}: {covers} ---\n{rows}"


def _gap(facts: Facts, gap: Gap, command: bool) -> str:
    lines = amount(gap.lines, "line")
    if gap.inside:
        share = "a part" if gap.ends_inside and not gap.lines else "the rest"
        rest = f"{share} of line {gap.first_line:,}"
        lines = f"{rest} and {lines}" if gap.lines else rest
    said = f"{lines} ({amount(gap.end - gap.start, 'byte')}) not shown"
    if facts.reference is None:
        return f"--- {said} and not kept ---\n"
    return f"--- {said}: {gap_command(facts, gap)} ---\n" if command else f"--- {said} ---\n"
