"""The words and commands of a stub that both forms print. Knows no layout."""

import re

from stubcli.advice import Advice, quote_word
from stubcli.render.model import Facts
from stubcli.render.preview import Gap, Preview
from stubcli.text.characters import clip
from stubcli.text.display import amount, one_line, one_word

_WORD = 80
_PATH = 300
_SQL = 160
_SELECTED = 3
# Letters only: they mean themselves to a shell and in a pattern.
_ALARM = re.compile(
    r"\b(?:[a-z_]{0,40}(?:error|exception)|panic|fatal|critical|severe|fail(?:ed|ures?)?|traceback"
    r"|abort(?:ed)?|denied|warn(?:ing)?)\b",
    re.ASCII | re.IGNORECASE,
)


def word(text: str) -> str:
    """A name or reason from outside, as one short safe word."""
    shown = one_line(text)
    return shown if len(shown) <= _WORD else clip(shown, _WORD - 1) + "…"


def name(text: str) -> str:
    """A name from outside beside the fields of a line: it cannot pass for one of them."""
    return one_word(text, _WORD)


def command(facts: Facts, advice: Advice) -> str:
    """A command to be pasted into a shell: what must not be shown is quoted there already."""
    return advice.shell(facts.where)


def _short(facts: Facts) -> str:
    assert facts.reference is not None
    return facts.reference.short


def gap_command(facts: Facts, gap: Gap) -> str | None:
    """The command that reads on where the head ended, None where nothing can be read."""
    if facts.reference is None:
        return None
    if gap.inside or gap.ends_inside or facts.synopsis.encoding != "utf-8":
        # A line of UTF-16 does not begin where one of its bytes is a LF.
        return command(facts, Advice("read", _short(facts), offset=gap.start, unit="bytes"))
    return command(facts, Advice("read", _short(facts), lines=f"{gap.first_line}-{gap.last_line}"))


def quoted_path(facts: Facts) -> str:
    """The path as a shell takes it; of one that is too long, the command that prints it."""
    assert facts.path is not None
    quoted = quote_word(facts.path)
    if len(quoted) <= _PATH:
        return quoted
    return f"see: {command(facts, Advice('show', _short(facts), json=True))}"


def next_commands(facts: Facts, preview: Preview) -> list[str]:
    """What to run next, as fits what it is: the severest line that is not shown, else the gap's
    beginning; a search for what that line warns of; a query where it is a table.
    """
    if facts.reference is None:
        return []
    search = command(facts, Advice("search", _pattern(facts), _short(facts)))
    commands = [_next_read(facts, preview.gap), search]
    if facts.synopsis.columns is not None:
        commands.append(command(facts, Advice("query", _short(facts), *_question(facts))))
    return commands


def _pattern(facts: Facts) -> str:
    """A word that stands so in the severest line with any, else a place for one."""
    if facts.synopsis.encoding == "utf-8":
        ranked = [line for line in facts.synopsis.notable if line.rank]
        for line in sorted(ranked, key=lambda line: (-line.rank, line.number)):
            if found := _ALARM.search(line.text):
                return found[0]
    return "PATTERN"


def _question(facts: Facts) -> tuple[str, ...]:
    """A first query with names that the table has, or nothing."""
    names = [name for name in facts.synopsis.columns or () if name.isprintable()]
    quoted = ", ".join('"' + name.replace('"', '""') + '"' for name in names[:_SELECTED])
    sql = " ".join(("SELECT", quoted, "FROM artifact LIMIT 10"))
    return (sql,) if names and len(sql) <= _SQL else ()


def _next_read(facts: Facts, gap: Gap | None) -> str:
    if gap is None:
        return command(facts, Advice("read", _short(facts)))
    lines = facts.synopsis.notable
    hiding = [line for line in lines if gap.first_line <= line.number <= gap.last_line]
    hidden = max(hiding, key=lambda line: (line.rank, -line.number)).number if hiding else None
    if hidden is not None and facts.synopsis.encoding == "utf-8" and facts.lines > 1:
        around = f"{max(1, hidden - 5)}-{min(facts.lines, hidden + 15)}"
        return command(facts, Advice("read", _short(facts), lines=around))
    if gap.inside or gap.lines <= 200 or facts.synopsis.encoding != "utf-8":
        return gap_command(facts, gap) or ""
    return command(
        facts, Advice("read", _short(facts), lines=f"{gap.first_line}-{gap.first_line + 199}")
    )


def state(facts: Facts) -> str:
    """What is to be known of an artifact that is not all of its input, "" where it is."""
    if facts.state == "in progress":
        return f"in progress: {amount(facts.size, 'byte')} so far"
    if facts.state == "leftover":
        return "interrupted: left over by a run that was cut short"
    if facts.state == "interrupted":
        return "interrupted: the input was cut off"
    if facts.state == "capped":
        return f"capped: {amount(facts.dropped, 'more byte was', 'more bytes were')} not kept"
    return ""
