"""YAML in words: documents, keys, kinds of manifests, records that differ."""

from stubcli.detect.fields.words import field_words, place
from stubcli.detect.words import clip, counted, limited, listed
from stubcli.detect.yaml.facts import DifferingRecord, YamlFacts

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
    said += _keys(facts)
    if facts.item_keys:
        said.append("keys of items: " + listed(facts.item_keys, len(facts.item_keys)))
    said += [
        f"  differs: {place(one.row, facts.word)}: {_differing(one)}" for one in facts.differing
    ]
    said += [f"  {clip(one.name, 60)}: {field_words(one, facts.word)}" for one in facts.fields]
    if facts.compared is not None:
        said.append(f"  values of the first {facts.compared:,} lines only")
    return said


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


def _differing(one: DifferingRecord) -> str:
    return ", ".join(f"{name.rpartition('.')[2]}: {clip(text, 70)}" for name, text in one.values)
