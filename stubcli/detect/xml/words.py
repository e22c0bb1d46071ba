"""XML and HTML in words: the root, what it holds by path, test results, what differs."""

from stubcli.detect.words import clip, counted, limited, listed
from stubcli.detect.xml.facts import HtmlFacts, JunitCounts, XmlFacts

_ATTRIBUTES = 8


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
    return f"{counted(found.tests, 'testcase')}, {', '.join(results)}"


def structure(facts: XmlFacts) -> list[str]:
    if facts.html:
        return _html_structure(facts.html)
    said = [f"failing: {clip(name)}" for name in facts.failing]
    said += [
        f"differs: {clip(one.path, 80)} number {one.number:,}: {clip(one.source, 260)}"
        for one in facts.differing
    ]
    if facts.attribute_count:
        attributes = [f'{name}="{clip(value, 60)}"' for name, value in facts.attributes]
        shown = listed(attributes[:_ATTRIBUTES], facts.attribute_count, 280, 100)
        said.append("root attributes: " + shown)
    return said + [f"{clip(path, 150)}: {number:,}" for path, number in facts.paths]


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
