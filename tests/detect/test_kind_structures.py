"""What is told of YAML, XML, HTML, tables, code and UTF-16: counts, and what differs."""

from collections.abc import Callable

import pytest

from stubcli.detect.model import Synopsis
from stubcli.detect.table import read

Summarise = Callable[..., Synopsis]
Everything = Callable[[Synopsis], str]


def nodes(count: int, odd: int) -> str:
    lines = ["apiVersion: v1", "kind: List", "items:"]
    for i in range(count):
        lines += ["- kind: Node", "  metadata:", f"    name: node-{i}", "  status:"]
        lines += ["    conditions:", "    - type: Ready"]
        lines += [f"      status: {'Unknown' if i == odd else 'True'}"]
    return "\n".join(lines) + "\n"


def test_the_item_that_differs_is_named(synopsis: Summarise, everything: Everything) -> None:
    found = synopsis(nodes(143, 77))
    shown = everything(found)
    assert found.kind == "yaml"
    assert "kinds: Node 143, List 1" in shown
    assert "items list 143" in shown
    assert "differs: item 77[0] of node-77: status: Unknown, type: Ready" in shown


def test_documents_are_compared_within_their_kind(
    synopsis: Summarise, everything: Everything
) -> None:
    documents = []
    for i in range(120):
        image = "latest" if i == 40 else f"1.{i % 40}"
        documents.append(
            f"---\nkind: Deployment\nmetadata:\n  name: app-{i}\nspec:\n"
            f"  image: registry.example/app-{i}:{image}\n"
        )
        documents.append(f"---\nkind: ConfigMap\nmetadata:\n  name: c-{i}\ndata:\n  k{i}: v{i}\n")
    shown = everything(synopsis("".join(documents)))
    where = "differs: Deployment: document 81 (from line 482)"
    assert f"{where}: name: app-40, image: registry.example/app-40:latest" in shown
    assert shown.count("differs") == 1


def test_a_description_in_columns_is_no_yaml(synopsis: Summarise) -> None:
    pod = "Name:             pod\nNamespace:        shop\nContainers:\n  api:\n    Image:    a:1\n"
    assert synopsis(pod * 40).kind == "text"


def test_the_element_that_differs_is_shown(synopsis: Summarise, everything: Everything) -> None:
    gone = ' gone="1"'
    lines = [
        f'  <m:article id="A{i}"{gone if i == 600 else ""}>\n'
        f"    <m:stock>{-7 if i == 600 else i % 90}</m:stock>\n  </m:article>\n"
        for i in range(1200)
    ]
    shown = everything(synopsis('<m:inv xmlns:m="urn:x">\n' + "".join(lines) + "</m:inv>\n"))
    assert "m:inv/m:article: 1,200" in shown
    assert (
        'differs: m:inv/m:article number 601 (line 1,802): <m:article id="A600" gone="1">'
        "<m:stock>-7</m:stock></m:article>"
    ) in shown


def test_a_failure_without_a_message_is_told_by_its_text(
    synopsis: Summarise, everything: Everything
) -> None:
    cases = [
        f'<testcase classname="c" name="t{i}">'
        + ("<failure>want 4, got 5\nat x</failure>" if i == 9 else "")
        + "</testcase>"
        for i in range(40)
    ]
    shown = everything(synopsis("<testsuite>" + "".join(cases) + "</testsuite>"))
    assert "40 testcases, 1 failure, 0 errors, 0 skipped" in shown
    assert "failing: c t9: want 4, got 5" in shown


def test_tables_of_a_page_are_counted_and_their_columns_named(
    synopsis: Summarise, everything: Everything
) -> None:
    table = "<table><tr><th>Vendor</th><th>Score</th></tr>" + "<tr><td>a</td></tr>" * 9 + "</table>"
    shown = everything(synopsis("<!doctype html><html><body>" + table * 5 + "</body></html>"))
    assert "5 tables, 50 rows" in shown
    assert "columns of 5 tables: Vendor | Score" in shown


def test_records_are_counted_when_cells_are_not_looked_at(
    synopsis: Summarise, everything: Everything, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read, "DETAILED", 1024)
    lines = ["id,name"] + [f"{i},name {i}" for i in range(200_000)]
    lines[150_001] += ",x"
    shown = everything(synopsis("\n".join(lines) + "\n"))
    assert "200,000 records, 2 columns" in shown
    assert "1 record (line 150,002) has extra fields, in column more1" in shown
    assert "records only; records of all" in shown


def test_lines_before_a_table_are_told(synopsis: Summarise) -> None:
    body = "".join(f"{i},DE,{i}.50\n" for i in range(500))
    found = synopsis("# exported by shop\n\nid,country,amount\n" + body)
    assert found.label == "csv/comma"
    assert "1 line before the table: # exported by shop" in found.summary
    assert found.structure[0] == "columns: id, country, amount"


def test_where_code_gives_up_is_shown(synopsis: Summarise, everything: Everything) -> None:
    lines = ["package main", "", 'import "os"', "", "func main() {"]
    lines += [f"\tx{i} := {i}" for i in range(300)] + ['\tpanic("not yet")', "}", ""]
    shown = everything(synopsis("\n".join(lines)))
    assert '306: panic("not yet")' in shown
    assert "5: func main() {" in shown


CODE = {
    "C#": "using System;\n\nnamespace Shop {\n    public class Cart {\n        public int Total"
    " { get; set; }\n        public void Add(int n) {\n            var a = n;\n        }\n"
    "    }\n}\n",
    "Kotlin": "package shop\n\nimport java.io.File\n\ndata class Cart(val n: Int)\n\n"
    "fun main(args: Array<String>) {\n    val a = 1\n    when (a) {\n    }\n}\n",
    "Swift": "import Foundation\n\nfinal class Cart {\n    let n: Int\n    func add(_ n: Int) {\n"
    "        guard n > 0 else { return }\n    }\n}\n",
    "Perl": "#!/usr/bin/perl\nuse strict;\nuse warnings;\n\nsub add {\n    my ($n) = @_;\n"
    "    return $n;\n}\n",
    "R": "library(dplyr)\n\nadd <- function(a, b) {\n  total <- a + b\n  total\n}\nx <- c(1, 2)\n",
    "Lua": 'local json = require("json")\n\nlocal function add(a)\n  local b = a\n  if b then\n'
    "    return b\n  end\nend\n",
}


@pytest.mark.parametrize("name", CODE)
def test_a_language_is_named_with_its_symbols(name: str, synopsis: Summarise) -> None:
    found = synopsis(CODE[name] * 12)
    assert found.label == f"code/{name}"
    assert any(line.startswith("symbols (") for line in found.structure)


def test_utf_16_is_described_as_the_text_that_it_is(
    synopsis: Summarise, everything: Everything
) -> None:
    lines = [
        f"2026-03-03 03:00:{i % 60:02d} [{'WARN' if i % 300 == 9 else 'INFO'} ] synced {i}\r\n"
        for i in range(1500)
    ]
    shown = everything(synopsis(b"\xff\xfe" + "".join(lines).encode("utf-16-le")))
    assert "text/log" in shown
    assert "WARN 5" in shown
