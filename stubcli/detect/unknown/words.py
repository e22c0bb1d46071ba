"""What is no text, in words: named and measured, not judged."""

from stubcli.detect.text import words as text_words
from stubcli.detect.unknown.facts import UnknownFacts
from stubcli.detect.words import clip, counted, limited


def summary(facts: UnknownFacts) -> list[str]:
    if facts.form == "empty":
        return ["0 bytes"]
    if facts.encoding != "utf-8":
        return _decoded(facts)
    if facts.wrapping:
        return _wrapped(facts)
    undecodable = "" if facts.undecodable is None else f", {facts.undecodable:,} not UTF-8"
    said = [f"{counted(facts.size, 'byte')}, {facts.nul:,} NUL{undecodable}"]
    if facts.magic:
        size = f", {facts.pixels[0]} × {facts.pixels[1]} pixels" if facts.pixels else ""
        said.insert(0, facts.magic + size)
    return said


def structure(facts: UnknownFacts) -> list[str]:
    said = text_words.structure(facts.text) if facts.text else []
    return said + [f"  name {one.line:,}: {clip(one.text, 150)}" for one in facts.named]


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


def _wrapped(facts: UnknownFacts) -> list[str]:
    if not facts.streams:
        within = f" in the first {facts.seen:,} of {facts.size:,} bytes"
        said = counted(facts.pieces, "name or value", "names or values")
        return [said + " that end with NUL" + (within if facts.seen < facts.size else "")]
    names = ("standard input", "standard output", "standard error")
    streams = zip(names, facts.streams, strict=True)
    by_stream = ", ".join(f"{name} {size:,}" for name, size in streams if size)
    said = f"text in {counted(facts.pieces, 'frame')} of 8 bytes and their content"
    lines = f"{counted(facts.lines, 'line')} without them; bytes: {by_stream}"
    broken = [] if facts.broken is None else [f"no whole frame from byte {facts.broken:,} on"]
    return [f"{said}, {lines}", *broken, *limited(facts.seen, facts.size)]
