"""YAML in words: documents, keys, kinds of manifests, records that differ."""

from stubcli.detect.fields.facts import ItemsFacts
from stubcli.detect.fields.words import differing_words, item_lines
from stubcli.detect.words import clip, counted, limited, listed
from stubcli.detect.yaml.facts import YamlFacts

_A_LINE = 10


def summary(facts: YamlFacts) -> list[str]:
    said = [f"{counted(facts.documents, 'document')} with content, {counted(facts.lines, 'line')}"]
    if facts.items:
        said.append(f"a list of {counted(facts.items, 'item')} at the top")
    if facts.aliases:
        said.append(f"{counted(facts.aliases, 'line')} with aliases, none followed")
    return [*said, *limited(facts.looked_at, facts.size)]


def structure(facts: YamlFacts) -> list[str]:
    said = []
    if facts.kinds:
        kinds = (f"{kind} {number:,}" for kind, number in facts.kinds)
        said.append("kinds: " + listed(kinds, len(facts.kinds)))
    documents = facts.word == "document"
    if documents:
        said += [line for items in facts.groups for line in _differing(items)]
    said += _keys(facts)
    said += _singles(facts)
    for items in facts.groups:
        said += _group(items.replace(differing=()) if documents else items)
    if facts.others:
        others = (f"{one.path or 'no kind'} {one.count:,}" for one in facts.others)
        said.append("also " + listed(others, len(facts.others), 290, 90))
    if facts.compared is not None:
        said.append(f"  values of the first {facts.compared:,} lines only")
    return said


def _differing(items: ItemsFacts) -> list[str]:
    """What differs in a stream, before all that its documents have in common."""
    path = clip(items.path, 80) or "no kind"
    return [
        f"differs: {path}: {differing_words(one, 'document' if items.lists else items.word)}"
        for one in items.differing
    ]


def _group(items: ItemsFacts) -> list[str]:
    path = clip(items.path, 80)
    if items.word == "document":
        head = f"{path or 'no kind'}: {counted(items.count, 'document')}"
    elif items.word == "key":
        what = "mappings" if items.objects else "values"
        head = f"{path or 'values'}: map of {counted(items.count, 'key')} to {what}"
    else:
        lists = f" in {items.lists:,} lists" if items.lists > 1 else ""
        head = f"{path or 'items'}: {counted(items.count, 'item')}{lists}"
    keys = []
    if items.keys and items.word == "item" and "[]" not in items.path:
        keys.append(f"  keys of items: {listed(items.keys, len(items.keys))}")
    return [head, *keys, *item_lines(items)]


def _singles(facts: YamlFacts) -> list[str]:
    """Scalars that are not at the top, a line for each mapping."""
    found: dict[str, list[str]] = {}
    for one in facts.singles:
        above, _, name = one.path.rpartition(".")
        text = f" {clip(one.text, 40)}" if one.type != "null" and one.text else ""
        found.setdefault(above, []).append(f"{clip(name, 50)} {one.type}{text}")
    return [
        f"{clip(above, 80)}{': ' if above else ''}{listed(names, len(names), 270, 90)}"
        for above, names in found.items()
    ]


def _keys(facts: YamlFacts) -> list[str]:
    names = []
    for key in facts.keys:
        items = "" if key.items is None else f" {key.items:,}"
        names.append(f"{clip(key.name, 60)} {key.type}{items}")
    said = []
    for at in range(0, len(names), _A_LINE):
        start = f"keys ({facts.key_count:,}): " if not at else "  "
        total = facts.key_count - at if at + _A_LINE >= len(names) else 0
        said.append(start + listed(names[at : at + _A_LINE], total, 290, 60))
    return said
