"""The lines of a page's accessibility tree, as browsers' drivers print it: role, name, marks in
brackets. It loads no reader.
"""

import re

# Behind a dash or a number in brackets, or bare: role "name" [mark] [mark=value]: text
NODE = re.compile(
    rb"(\s*)(?:- |\[[\w-]+\] |uid=\S+ )?'?([A-Za-z][A-Za-z]{1,24})"
    rb"(?: (\"(?:[^\"\\]|\\.){0,400}\"|'[^']{0,400}'|/.{1,200}/))?"
    rb"((?: \[[^\]]{1,80}\]| (?:level|url|value|checked|expanded|focused|disabled)\S{0,200}){0,12})"
    rb"'?(:?)(?: (.*))?$"
)
INTERACTIVE = frozenset(
    b"button link textbox checkbox radio combobox searchbox slider switch tab menuitem option "
    b"spinbutton treeitem menuitemcheckbox menuitemradio gridcell".split()
)
_ROLES = INTERACTIVE | frozenset(
    b"generic heading text img image list listitem navigation main banner contentinfo region "
    b"paragraph table row rowgroup cell columnheader rowheader document dialog alert status form "
    b"group article section strong emphasis separator figure iframe search complementary menu "
    b"menubar tablist tabpanel toolbar tooltip tree listbox progressbar note code term definition "
    b"statictext rootwebarea webarea labeltext log blockquote time".split()
)


def role_of(line: bytes) -> re.Match[bytes] | None:
    match = NODE.match(line[:1000])
    return match if match and match[2].lower() in _ROLES else None


def snapshot(lines: list[bytes]) -> bool:
    if len(lines) < 8:
        return False
    found = [match for line in lines if (match := role_of(line))]
    marked = sum(1 for match in found if match[3] or match[4])
    roles = {match[2].lower() for match in found}
    return len(found) >= 0.6 * len(lines) and marked >= 0.25 * len(found) and len(roles) >= 3
