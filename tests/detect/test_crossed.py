"""What columns say of each other, and what texts say: facts over records of every kind."""

import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.detect.fields.crossing import RECORDS, Crossing
from stubcli.detect.fields.facts import CrossedFacts
from stubcli.detect.fields.leads import leads
from stubcli.detect.fields.sentences import Sentences, template_of
from stubcli.detect.words import shortened
from tests.chance import examples
from tests.detect.cases.whole_way import synopsis_of


def crossed(**columns: list[str]) -> CrossedFacts:
    """What is told of these columns."""
    crossing = Crossing()
    names = list(columns)
    crossing.add(names, list(columns.values()), range(1, len(columns[names[0]]) + 1))
    return crossing.facts() or CrossedFacts()


def hosts(bad: int, good: int = 100) -> dict[str, list[str]]:
    """`bad` records are down, all on one host of ten, among as many good ones as on any host."""
    return {
        "state": ["down"] * bad + ["up"] * good,
        "host": ["host-3"] * bad + [f"host-{at % 10}" for at in range(good)],
    }


def page(text: str) -> str:
    """The structure of the page."""
    return "\n".join(synopsis_of(text.encode()).structure)


def table(rows: Sequence[tuple[str, ...]]) -> str:
    return "\n".join(",".join(row) for row in rows) + "\n"


def test_what_records_with_a_grave_value_share_is_told_with_their_number() -> None:
    (tie,) = crossed(**hosts(8)).ties
    assert (tie.column, tie.text, tie.times, tie.row) == ("state", "down", 8, 1)
    (shared,) = tie.shared
    assert (shared.column, shared.text, shared.times, shared.having) == ("host", "host-3", 8, 8)


def test_what_is_as_common_among_all_others_is_not_told() -> None:
    columns = hosts(8)
    columns["zone"] = ["a"] * 108
    assert [one.column for one in crossed(**columns).ties[0].shared] == ["host"]


def test_records_that_share_nothing_are_not_told() -> None:
    columns = hosts(8)
    columns["host"] = [f"host-{at % 10}" for at in range(108)]
    assert crossed(**columns).ties == ()


def test_columns_of_which_each_value_goes_with_one_of_another_are_not_told() -> None:
    plans = ["free", "team", "firm"]
    columns = {
        "status": [plans[at % 3] for at in range(90)] + ["trial"] * 6,
        "price": [str(10 * (at % 3)) for at in range(90)] + ["5"] * 6,
    }
    assert crossed(**columns).ties == ()


def test_cells_without_a_value_are_not_counted_as_one() -> None:
    columns = hosts(8)
    columns["user"] = ["eve", "eve", "eve", "-", "", "<none>", "", ""] + ["ann", "bob"] * 50
    (shared,) = [one for one in crossed(**columns).ties[0].shared if one.column == "user"]
    assert (shared.text, shared.times, shared.having) == ("eve", 3, 3)


def test_names_are_compared_by_their_leading_part() -> None:
    columns = {
        "state": ["CLOSE-WAIT"] * 20 + ["ESTAB"] * 80,
        "process": [f'users:(("orders",pid=7,fd={at}))' for at in range(20)]
        + [f'users:(("{"orders" if at % 8 == 0 else "web"}",pid=9,fd={at}))' for at in range(80)],
    }
    (tie,) = crossed(**columns).ties
    assert (tie.text, tie.shared[0].text, tie.shared[0].times) == ("CLOSE-WAIT", "orders", 20)


def test_more_records_than_are_kept_are_told_of_as_the_first_ones() -> None:
    facts = crossed(**hosts(100, RECORDS))
    assert facts.looked == RECORDS
    assert facts.uneven == ()


SIZES = {"ares": 60, "boreas": 60, "ceto": 41, "doris": 60, "eos": 61}


def test_a_group_that_has_fewer_records_than_all_others_is_told() -> None:
    names = [f"{host}@{at}" for host, many in SIZES.items() for at in range(many)]
    (group,) = crossed(name=names).uneven
    assert (group.group, group.times, group.usual, group.others) == ("ceto@", 41, 60, 4)


def test_groups_that_differ_freely_are_not_compared() -> None:
    names = [
        f"{host}@{at}"
        for host, n in zip("abcdefg", (3, 9, 14, 40, 41, 60, 75), strict=True)
        for at in range(n)
    ]
    assert crossed(name=names).uneven == ()


def test_a_group_that_ends_long_before_the_others_is_told_with_both_ends() -> None:
    rows = [
        (host, f"2026-11-{day:02} 02:10:00")
        for host in SIZES
        for day in range(1, 15 if host == "ceto" else 31)
    ]
    (group,) = crossed(host=[one for one, _ in rows], time=[one for _, one in rows]).uneven
    assert (group.group, group.last) == ("ceto", "2026-11-14 02:10:00")
    assert group.usual_last == "2026-11-30 02:10:00"


@pytest.mark.parametrize(
    ("names", "part"),
    [
        (
            [f"tank/vm@auto-{at}" for at in range(9)] + [f"tank/db@auto-{at}" for at in range(9)],
            "tank/vm@",
        ),
        ([f"10.0.0.{at % 3}:{40000 + at}" for at in range(30)], "10.0.0.0:"),
        ([f"/srv/{'ab'[at % 2]}/{at}.gz" for at in range(30)], "/srv/a/"),
        ([f"{('cart', 'ledger')[at % 2]}-{at:04x}" for at in range(30)], "cart-"),
        ([f"{('/usr/bin/node', 'bash')[at % 2]} --job {at}" for at in range(30)], "node"),
    ],
)
def test_the_part_that_sorts_names_is_found(names: list[str], part: str) -> None:
    found = leads(names)
    assert found is not None
    assert part in found.counts


def test_names_that_nothing_sorts_have_no_part() -> None:
    assert leads([f"{at * 7919:x}" for at in range(100)]) is None


def test_a_template_has_neither_numbers_nor_names_nor_places() -> None:
    text = 'Get "http://10.0.0.3:9100/": failed after 30s on /dev/sda1 (try=3)'
    assert template_of(text) == "Get …: failed after … on … (try=…)"


def test_texts_that_are_like_no_other_say_nothing_in_common() -> None:
    said = Sentences()
    for at in range(26):
        said.add(f"the {chr(97 + at)}ord {chr(122 - at)}ill", at)
    assert said.ranked() == []


def test_a_long_text_is_shortened_to_its_beginning_and_its_cause() -> None:
    text = (
        "[1796004411][1247:0x7f3c], file:collection.wt: "
        + "handle: " * 20
        + "No space left on device"
    )
    short = shortened(text, 100)
    assert len(short) <= 100
    assert short.endswith("No space left on device")
    assert short.startswith("[1796004411]")


def test_a_field_that_is_mostly_empty_is_told_by_what_the_rest_says() -> None:
    long = "could not resolve the reference registry.example/media/resizer, i/o timeout of the pull"
    items = [
        {"id": f"t{at}", "reason": f"attempt {at}: {long}" if at % 20 == 3 else ""}
        for at in range(100)
    ]
    (line,) = [one for one in page(json.dumps(items)).split("\n") if "  reason:" in one]
    assert "95 empty, by what they say: attempt 3: could not resolve" in line
    assert " 5 (item 3)" in line


def test_seldom_messages_stand_with_their_lines() -> None:
    records = [{"msg": f"request {at} done in {at % 7} ms"} for at in range(200)]
    records[77] = {"msg": "node restarted after fault\n\nat boot"}
    lines = page("\n".join(map(json.dumps, records)))
    assert "msg, seldom: node restarted after fault … (line 78)" in lines
    assert "request 0 done in 0 ms 199 (line 1)" in lines


def test_a_level_of_one_letter_makes_a_line_notable() -> None:
    records: list[dict[str, object]] = [{"s": "I", "msg": "accepted"} for _ in range(60)]
    records[40] = {
        "s": "F",
        "msg": "assertion",
        "attr": {"error": {"errmsg": "pwrite: No space left"}},
    }
    found = synopsis_of("\n".join(map(json.dumps, records)).encode())
    assert [line.number for line in found.notable] == [41]
    assert "No space left" in found.notable[0].text


def test_priorities_of_syslog_make_lines_notable() -> None:
    records = [{"PRIORITY": "6", "MESSAGE": f"tick {at}"} for at in range(60)]
    records[12] = {"PRIORITY": "2", "MESSAGE": "filesystem remounted read-only"}
    found = synopsis_of("\n".join(map(json.dumps, records)).encode())
    assert [line.number for line in found.notable] == [13]


def test_the_record_of_the_largest_number_is_named() -> None:
    rows: list[tuple[str, ...]] = [
        ("mag", "depth", "place"),
        *((f"{at % 40 / 10}", str(at), f"{at} km of Hilo") for at in range(90)),
    ]
    rows[50] = ("7.6", "3", "61 km of Hihifo")
    assert "mag: number, 0.0–7.6 (record 50: 61 km of Hihifo)" in page(table(rows))


def test_a_table_of_text_tells_what_its_rows_share() -> None:
    failed, running = "Failed    node-3", "Running   node-{}"
    rows = [
        f"pod-{at:03}   {failed if at % 12 == 5 else running.format(at % 7)}   {at}d"
        for at in range(120)
    ]
    lines = page("\n".join(["NAME      STATUS    NODE     AGE", *rows]) + "\n")
    assert "STATUS Failed 10 (first line 7): NODE node-3 in all 10" in lines


def test_a_log_tells_what_entries_of_a_grave_level_share() -> None:
    lines = [
        f"ts=2026-11-30T09:{at // 60:02}:{at % 60:02}Z level={'error' if at % 25 == 3 else 'info'} "
        f"tenant={'globex' if at % 25 == 3 else ('acme', 'globex', 'initech', 'hooli')[at % 4]} "
        f'msg="{"limit exceeded" if at % 25 == 3 else "push ok"}" took={at % 9}ms'
        for at in range(300)
    ]
    told = page("\n".join(lines) + "\n")
    assert (
        "level error 12 (first line 4): msg limit exceeded in all 12, tenant globex in all 12"
        in told
    )
    assert "msg push ok 288 limit exceeded 12" in told


def test_a_folder_of_a_listing_that_ends_before_the_others_is_told() -> None:
    lines = [
        f"2026-11-{day:02} 03:10:00  {day * 7919} backups/{name}/{day}.tar"
        for name in ("etcd", "pg", "redis", "vault", "wiki")
        for day in range(1, 13 if name == "etcd" else 31)
    ]
    told = page("\n".join(lines) + "\n")
    assert "folder backups/etcd/: 12 where the 4 others have about 30" in told
    assert "last time 2026-11-12 03:10:00 where the 4 others end 2026-11-30 03:10:00" in told


CELLS = st.text(alphabet="ab-_/@:. \"'0123456789", max_size=12) | st.sampled_from(
    ["down", "up", ""]
)


@examples(60)
@given(st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=12, max_size=60))
def test_what_is_told_of_any_cells_is_counted_right(rows: list[tuple[str, str, str]]) -> None:
    columns = dict(zip(("state", "name", "host"), map(list, zip(*rows, strict=True)), strict=True))
    for tie in crossed(**columns).ties:
        assert columns[tie.column].count(tie.text) == tie.times
        for shared in tie.shared:
            assert 0 < shared.times <= shared.having <= tie.times
