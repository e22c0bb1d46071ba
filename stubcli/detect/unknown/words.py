"""What is no text, in words: named and measured, not judged."""

from stubcli.detect.text import words as text_words
from stubcli.detect.unknown.facts import UnknownFacts
from stubcli.detect.words import counted, limited


def summary(facts: UnknownFacts) -> list[str]:
    if facts.form == "empty":
        return ["0 bytes"]
    if facts.form == "encoding":
        return _decoded(facts)
    undecodable = "" if facts.undecodable is None else f", {facts.undecodable:,} not UTF-8"
    said = [f"{counted(facts.size, 'byte')}, {facts.nul:,} NUL{undecodable}"]
    if facts.magic:
        size = f", {facts.pixels[0]} × {facts.pixels[1]} pixels" if facts.pixels else ""
        said.insert(0, facts.magic + size)
    return said


def structure(facts: UnknownFacts) -> list[str]:
    return text_words.structure(facts.text) if facts.text else []


def _decoded(facts: UnknownFacts) -> list[str]:
    marked = "with" if facts.marked else "no"
    said = [
        f"text in {facts.encoding.upper()}, {marked} BOM, {facts.size:,} bytes",
        f"{counted(facts.lines, 'line')}, {facts.characters:,} characters when decoded",
        *limited(facts.seen, facts.size),
    ]
    if facts.text:
        # The lines are counted above, over the whole.
        said += [f"as text: {facts.text.form}", *text_words.summary(facts.text)[1:]]
    return said
