"""JSON in words: what it is, how much, and what its records have in common."""

from stubcli.detect.fields.facts import ItemsFacts
from stubcli.detect.fields.words import item_lines
from stubcli.detect.json.facts import LINES, JsonFacts, KeyFacts
from stubcli.detect.words import clip, counted, listed

_KEYS = 10
_EXAMPLES = 5


def summary(facts: JsonFacts) -> list[str]:
    if facts.form == LINES:
        return [f"{counted(facts.documents, 'record')}, one a line", *outside(facts)]
    several = facts.documents > 1
    said = [f"{facts.documents:,} documents" if several else _root(facts)]
    if facts.looked_at is not None:
        said.append(f"looked at the first {facts.looked_at:,} of {facts.size:,} bytes")
    said += outside(facts)
    if facts.deep:
        said.append("some values too large or too deep to look into")
    return said


def outside(facts: JsonFacts) -> list[str]:
    """What is no part of the values, or not as it should be: a page and every answer of a query
    say so.
    """
    said = []
    if facts.broken is not None:
        what = "incomplete JSON: the input ends" if facts.cut_off else "invalid JSON"
        said.append(f"{what} at byte {facts.broken:,}")
    if facts.before:
        lines = counted(facts.before.lines or 0, "line")
        said.append(f"{lines} before it: {clip(facts.before.text)}")
    if facts.after:
        text = clip(facts.after.text, 120)
        said.append(f"other text after it, from byte {facts.after.offset:,}: {text}")
    if facts.other:
        other = counted(facts.other.lines or 0, "other line")
        said.append(f"{other}, the first at line {facts.other.line or 0:,}")
    if facts.halves:
        many = counted(facts.halves, "escape is", "escapes are")
        said.append(f"{many} half of a surrogate pair, the first at line {facts.halves_line:,}")
    return said


def structure(facts: JsonFacts) -> list[str]:
    if facts.form == LINES:
        return _record_lines(facts)
    lines = []
    if facts.documents > 1:
        lines.append(f"the first is an {_root(facts)}")
        lines += item_lines(facts.records) if facts.records else []
    if facts.keys:
        keys = (_key(key) for key in facts.keys[:_KEYS])
        lines.append(f"keys ({facts.length:,}): {listed(keys, facts.length, 290, 90)}")
    examples = [f"{clip(one.path, 100)}: {clip(one.source, 120)}" for one in facts.examples]
    lines += examples[:_EXAMPLES]
    for items in facts.groups:
        lines += [_group(items), *item_lines(items)]
    if facts.others:
        others = [f"{one.path} {counted(one.count, 'item')}" for one in facts.others]
        lines.append(f"also {listed(others, len(others), 290, 90)}")
    return lines + examples[_EXAMPLES:]


def _group(items: ItemsFacts) -> str:
    if items.word == "key":
        what = "objects" if items.objects else "values"
        return f"{clip(items.path, 80) or 'values'}: map of {counted(items.count, 'key')} to {what}"
    lists = f" in {items.lists:,} lists" if items.lists > 1 else ""
    return f"{clip(items.path, 80) or 'items'}: {counted(items.count, 'item')}{lists}"


def _record_lines(facts: JsonFacts) -> list[str]:
    records = facts.records or ItemsFacts("", "line", 0, 0)
    lines = [f"keys ({len(records.keys)}): {listed(records.keys, len(records.keys))}"]
    if facts.other:
        lines.append(f"other line {facts.other.line:,}: {clip(facts.other.text, 120)}")
    # What is grave stands among the notable lines.
    plain = records.replace(grave=())
    return [*lines, *item_lines(plain), f"first record: {clip(facts.first)}"]


def _root(facts: JsonFacts) -> str:
    if facts.root == "array":
        return f"array of {counted(facts.length, 'item')}"
    return f"object of {counted(facts.length, 'key')}"


def _key(key: KeyFacts) -> str:
    length = "" if key.length is None else f" {key.length:,}"
    return f"{clip(key.name, 60)} {key.type}{length}"
