"""XML and HTML in words: the root, what it holds by path, test results, what differs."""

from stubcli.detect.fields.words import item_lines
from stubcli.detect.words import clip, counted, limited, listed
from stubcli.detect.xml.facts import HtmlFacts, JunitCounts, XmlFacts

_ATTRIBUTES = 8
# Beyond so many paths each has less room.
_FEW = 12


def summary(facts: XmlFacts) -> list[str]:
    if facts.html:
        return _html(facts, facts.html)
    said = []
    if facts.root:
        said.append(f"root {clip(facts.root, 100)}, {counted(facts.elements, 'element')}")
    if facts.entities:
        said.append("a DTD declares entities: none is expanded, and what follows was not read")
    elif facts.doctype:
        said.append("has a DTD")
    if facts.junit:
        said.append(_junit(facts.junit))
    if facts.illegal:
        what = counted(facts.illegal, "character is", "characters are")
        where = f"the first at line {facts.illegal_line:,}"
        said.append(f"{what} not allowed in XML (shown as ?), {where}")
    if facts.error and facts.closed:
        said.append(f"more after the root element, at line {facts.error_line:,}: {facts.error}")
    elif facts.error:
        what = "incomplete" if facts.cut_off else "invalid"
        said.append(f"{what} at line {facts.error_line:,}: {facts.error}")
    if facts.looked_at is not None:
        said += limited(facts.looked_at, facts.size)
    return said


def _junit(found: JunitCounts) -> str:
    results = (
        counted(found.failures, "failure"),
        counted(found.errors, "error"),
        f"{found.skipped:,} skipped",
    )
    tests = counted(found.tests, "testcase")
    if found.announced is not None and found.announced != found.tests:
        tests = f"{found.tests:,} of the {found.announced:,} testcases that the suite counts"
    return f"{tests}, {', '.join(results)}"


def structure(facts: XmlFacts) -> list[str]:
    if facts.html:
        return _html_structure(facts.html)
    said = [f"failing: {clip(name)}" for name in facts.failing]
    said += [
        f"differs: {_path(one.path, 60)} number {one.number:,}{_of(one.owner)} (line {one.line:,}):"
        f" {clip(one.source, 240)}"
        for one in facts.differing
    ]
    if facts.attribute_count:
        attributes = [f'{name}="{clip(value, 60)}"' for name, value in facts.attributes]
        shown = listed(attributes[:_ATTRIBUTES], facts.attribute_count, 280, 100)
        said.append("root attributes: " + shown)
    for items in facts.groups:
        # Those that differ, and what failed, are told above with their lines.
        lines = item_lines(items.replace(differing=(), grave=()))
        said += [f"{clip(items.path, 120)}: {items.count:,}", *lines]
    grouped = {items.path for items in facts.groups}
    texts = dict(facts.texts)
    most = 80 if len(facts.paths) <= _FEW else 30
    return said + [
        f"{clip(path, 150)}: {number:,}{_text(texts.get(path), most)}"
        for path, number in facts.paths
        if path not in grouped
    ]


def _path(path: str, most: int) -> str:
    """The end of a path, which says most."""
    return path if len(path) <= most else f"…{path[-most + 1 :]}"


def _of(owner: str) -> str:
    return f" of {' '.join(owner.split())}" if owner else ""


def _text(text: str | None, most: int) -> str:
    return f' "{clip(" ".join(text.split()), most)}"' if text else ""


def _html(facts: XmlFacts, html: HtmlFacts) -> list[str]:
    said = [f"{counted(html.lines, 'line')}, {counted(html.tag_count, 'tag')}"]
    if html.title is not None:
        said.insert(0, f"title: {clip(html.title)}")
    return said + list(
        limited(facts.size if facts.looked_at is None else facts.looked_at, facts.size)
    )


def _html_structure(html: HtmlFacts) -> list[str]:
    said = []
    if html.tables:
        said.append(f"{counted(html.tables, 'table')}, {counted(html.rows, 'row')}")
        said += [f"columns of {counted(n, 'table')}: {clip(names)}" for names, n in html.headers]
    if html.headings:
        said.append("headings: " + listed(html.headings, len(html.headings), 290, 100))
    tags = (f"{tag} {number:,}" for tag, number in html.tags)
    return [*said, "tags: " + listed(tags, html.tag_names)]
