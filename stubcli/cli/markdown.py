"""Markdown as roff, for the pages of section 7: headings, paragraphs, lists, terms, code, tables.

Knows the Markdown that these pages use and refuses the rest, so that no page loses a piece.
"""

from collections.abc import Iterator
from typing import Any

from stubcli.cli.roff import bold, filled, roff

_INDENTED = "\n.RS 4\n.nf\n{}\n.fi\n.RE"


def to_roff(text: str) -> tuple[str, str, str]:
    """(title, summary, body) of a page: its first heading, first paragraph, and the rest."""
    from markdown_it import MarkdownIt

    source, terms = _take_terms(text)
    tokens = MarkdownIt("commonmark").enable("table").parse(source)
    blocks = list(_blocks(iter(tokens), terms))
    title, summary = tokens[1].content, tokens[4].content
    return title, summary, "\n".join(blocks[2:])


def _take_terms(text: str) -> tuple[str, list[tuple[str, str]]]:
    """Definition lists, which CommonMark lacks, as `@@N` and (term, meaning) pairs."""
    lines, terms = [], list[tuple[str, str]]()
    rest = text.split("\n")
    while rest:
        line = rest.pop(0)
        if rest and rest[0].startswith(": "):
            meaning = [rest.pop(0)[2:]]
            while rest and rest[0].startswith("  "):
                meaning.append(rest.pop(0).strip())
            terms.append((line, " ".join(meaning)))
            line = f"@@{len(terms) - 1}"
        lines.append(line)
    return "\n".join(lines), terms


def _blocks(tokens: Iterator[Any], terms: list[tuple[str, str]]) -> Iterator[str]:
    for token in tokens:
        if token.type == "heading_open":
            content = next(tokens).content
            level = {"h1": ".TH", "h2": ".SH", "h3": ".SS"}[token.tag]
            yield f"{level} {roff(content.upper() if level == '.SH' else content)}"
        elif token.type == "paragraph_open":
            inline = next(tokens)
            if inline.content.startswith("@@"):
                term, meaning = terms[int(inline.content[2:])]
                yield f".TP\n{bold(_plain(term))}\n{filled(_plain(meaning))}"
            else:
                yield f".PP\n{_inline(inline)}"
        elif token.type in ("fence", "code_block"):
            yield ".PP" + _INDENTED.format("\n".join(map(roff, token.content.rstrip().split("\n"))))
        elif token.type in ("bullet_list_open", "ordered_list_open"):
            yield from _items(tokens, token.type.replace("open", "close"))
        elif token.type == "table_open":
            yield ".PP" + _INDENTED.format("\n".join(map(roff, _table(tokens))))
        elif not token.type.endswith("_close"):
            raise ValueError(f"no roff for {token.type} near {token.content!r}")


def _items(tokens: Iterator[Any], end: str) -> Iterator[str]:
    for token in tokens:
        if token.type == end:
            return
        if token.type == "inline":
            yield f".IP \\(bu 2\n{_inline(token)}"


def _table(tokens: Iterator[Any]) -> list[str]:
    """The rows as text in columns."""
    rows: list[list[str]] = []
    for token in tokens:
        if token.type == "table_close":
            break
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(_plain(token.content))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]


def _plain(text: str) -> str:
    return text.replace("`", "").replace("**", "").replace("\\|", "|")


def _inline(token: Any) -> str:
    """A paragraph with its emphasis."""
    parts = []
    for child in token.children or []:
        if child.type == "code_inline":
            parts.append(bold(child.content))
        elif child.type == "text":
            parts.append(roff(child.content))
        elif child.type == "softbreak":
            parts.append("\n")
        elif child.type in ("strong_open", "em_open"):
            parts.append(r"\fB" if child.type == "strong_open" else r"\fI")
        elif child.type in ("strong_close", "em_close"):
            parts.append(r"\fR")
        elif child.type not in ("link_open", "link_close"):
            raise ValueError(f"no roff for {child.type} in {token.content!r}")
    lines = "".join(parts).split("\n")
    # A line that begins with a dot or a quote would be a request.
    return "\n".join(r"\&" + line if line[:1] in (".", "'") else line for line in lines)
