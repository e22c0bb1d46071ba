"""Tables, documents and source code that a rule of thumb takes for less. Made by hand."""

import json

from tests.detect.cases.mistaken_text import joined


def records_on_lines() -> bytes:
    levels = ("info", "info", "warn")
    return joined(
        *(
            json.dumps({"level": "fatal" if i == 777 else levels[i % 3], "seq": i, "msg": "ok"})
            for i in range(1200)
        )
    )


def _orders(number: int = 2000, separator: str = ",") -> list[str]:
    rows = (
        ("order", "country", "amount"),
        *((i, ("DE", "FR")[i % 2], f"{i}.50") for i in range(number)),
    )
    return [separator.join(map(str, row)) for row in rows]


def table_with_an_early_ragged_row() -> bytes:
    lines = _orders()
    lines[4] += ",extra"
    return joined(*lines)


def table_with_a_preamble() -> bytes:
    return joined("# exported by shop 4.2", "# on 2026-01-05", *_orders())


def table_of_semicolons() -> bytes:
    return joined(*_orders(separator=";"))


def table_of_pipes() -> bytes:
    return joined(*_orders(separator="|"))


def table_with_a_large_cell() -> bytes:
    lines = _orders()
    lines[700] = f"699,{'x' * 200_000},699.50"
    return joined(*lines)


def table_without_a_header() -> bytes:
    return joined(*_orders()[1:])


def table_with_an_open_quote() -> bytes:
    lines = _orders()
    lines[30] = '29,"DE,29.50'
    return joined(*lines)


def objects_of_a_cluster() -> bytes:
    lines = ["apiVersion: v1", "items:"]
    for i in range(120):
        lines += ["- apiVersion: v1", "  kind: Pod", "  metadata:", f"    name: pod-{i}"]
        lines += ["  status:", f"    phase: {'Failed' if i == 77 else 'Running'}"]
    return joined(*lines, "kind: List", "metadata:", '  resourceVersion: ""')


def charts() -> bytes:
    lines: list[str] = []
    for i in range(150):
        lines += ["---", f"# Source: shop/templates/{i}.yaml", "apiVersion: v1"]
        lines += [f"kind: {('Service', 'Deployment', 'Secret')[i % 3]}", "metadata:"]
        lines += [f"  name: part-{i}", "spec:", f"  replicas: {i % 4}"]
    return joined(*lines)


def flat_yaml() -> bytes:
    return joined(*(f"option_{i}: value-{i}" for i in range(800)))


def list_yaml() -> bytes:
    return joined(*(f"- name: item-{i}\n  port: {8000 + i}\n  tags: [a, b]" for i in range(400)))


def tagged_yaml() -> bytes:
    lines = ["AWSTemplateFormatVersion: '2010-09-09'", "Resources:"]
    for i in range(200):
        lines += [f"  Bucket{i}:", "    Type: AWS::S3::Bucket", "    Properties:"]
        lines += [f"      BucketName: !Sub 'shop-{i}'", "      Owner: !Ref Account"]
    return joined(*lines)


def yaml_with_quoted_keys() -> bytes:
    lines: list[str] = []
    for i in range(250):
        lines += [f'"key {i} of the list":', f"  'inner key': {i}", "  other words here: true"]
    return joined(*lines)


def yaml_that_holds_code() -> bytes:
    lines = ["jobs:"]
    for i in range(200):
        lines += [f"  job{i}:", "    steps:", "      - run: |", "          import os"]
        lines += [f"          def main(): return {i}"]
    return joined(*lines)


def json_with_byte_order_mark() -> bytes:
    return b"\xef\xbb\xbf" + json.dumps({"rows": [{"n": i} for i in range(900)]}).encode()


def json_after_a_warning() -> bytes:
    document = json.dumps({"rows": [{"n": i} for i in range(900)]}, indent=1)
    return joined("npm WARN old lockfile", document)


def array_with_its_meta_first() -> bytes:
    items = [{"meta": {"page": 1}}, *({"id": i, "price": i * 2} for i in range(1000))]
    return json.dumps(items).encode()


def one_failure_in_a_thousand() -> bytes:
    items = [{"id": i, "state": "failed" if i == 423 else "ok"} for i in range(1000)]
    return json.dumps({"items": items}).encode()


def junit_report() -> bytes:
    tests = []
    for i in range(300):
        inner = '<failure message="got 12, want 13">x</failure>' if i in (41, 277) else ""
        tests.append(f'<testcase classname="shop" name="test_{i}" time="0.1">{inner}</testcase>')
    head = '<?xml version="1.0"?>\n<testsuites name="all">'
    suite = '<testsuite name="s" tests="300" failures="2" errors="0" skipped="0">'
    return joined(head, suite, *tests, "</testsuite></testsuites>")


def rss_feed() -> bytes:
    items = (
        f"<item><title>News {i}</title><link>http://x.invalid/{i}</link></item>" for i in range(500)
    )
    return joined('<rss version="2.0"><channel><title>Daily</title>', *items, "</channel></rss>")


def html_page() -> bytes:
    body = (f"<p>Paragraph {i} says a little more" for i in range(500))
    head = "<!doctype html>\n<html><head><title>Orders of May</title>\n<script>\nimport x from 'y';"
    return joined(head, "</script></head><body>", "<h1>May in numbers</h1>", *body, "<h2>End</h2>")


def xml_behind_a_blank_line() -> bytes:
    return joined("", '<?xml version="1.0"?>', "<list>", *("<row/>" for _ in range(900)), "</list>")


def xml_before_other_text() -> bytes:
    return joined("<list>", *("<row/>" for _ in range(900)), "</list>", "done in 3 s")


def typescript() -> bytes:
    lines = ['import { a, type B } from "./a";', 'import * as path from "path";', ""]
    for i in range(90):
        lines += [f"export interface Row{i} {{", "  readonly id: number;", "}"]
        lines += [f"export async function load{i}(id: number): Promise<Row{i}> {{"]
        lines += ["  const found: number = id;", "  return { id: found };", "}", ""]
    return joined(*lines)


def go() -> bytes:
    lines = ["package shop", "", "import (", '\t"fmt"', '\t"os"', ")", ""]
    for i in range(90):
        lines += [f"type Row{i} struct {{", "\tID int", "}", ""]
        lines += [f"func (r *Row{i}) Load{i}(id int) error {{", '\tfmt.Println("x", id)']
        lines += ['\tif err := os.Chdir("/"); err != nil {', "\t\treturn err", "\t}"]
        lines += ["\treturn nil", "}", ""]
    return joined(*lines)


def rust() -> bytes:
    lines = ["use std::fs;", "use std::io::Read;", ""]
    for i in range(90):
        lines += [f"pub struct Row{i} {{", "    id: u32,", "}", "", f"impl Row{i} {{"]
        lines += [f"    pub(crate) fn load{i}(&self) -> u32 {{", "        let id = self.id;"]
        lines += ["        id", "    }", "}", ""]
    return joined(*lines)


def java() -> bytes:
    lines = ["package shop.rows;", "", "import java.util.List;", "import java.io.*;", ""]
    lines += ["public class Rows {"]
    for i in range(90):
        lines += [f"    public static int load{i}(final int id) {{", "        return id;", "    }"]
        lines += ["    @Override"]
    return joined(*lines, "}")


def c() -> bytes:
    lines = ["#include <stdio.h>", '#include "rows.h"', "#define LIMIT 12", ""]
    for i in range(90):
        lines += [f"static int load{i}(int id, char *name)", "{", "    if (id > LIMIT) {"]
        lines += ['        printf("%s", name);', "    }", "    return id;", "}", ""]
    return joined(*lines)


def sql() -> bytes:
    lines = ["BEGIN;"]
    for i in range(90):
        lines += [f"CREATE TABLE row{i} (", "  id integer NOT NULL,", "  name text,"]
        lines += ["  PRIMARY KEY (id)", ");", f"INSERT INTO row{i} VALUES ({i}, 'x');"]
    return joined(*lines, "COMMIT;")


def shell() -> bytes:
    lines = ["#!/usr/bin/env bash", "set -euo pipefail", 'HERE="$(pwd)"', ""]
    for i in range(90):
        lines += [f"load{i}() {{", '  local id="$1"', '  if [ -f "$id" ]; then', '    cat "$id"']
        lines += ["  fi", "}", ""]
    return joined(*lines)
