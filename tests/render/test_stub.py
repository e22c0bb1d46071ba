"""The stub, as text and as JSON: its bounds, its numbers, and what it never lets through."""

import json
import shlex
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.detect.model import NotableLine, Synopsis
from stubcli.render.model import Facts, Limits
from stubcli.render.stub_json import render_json
from stubcli.render.stub_text import render_text

from .made import SYNOPSIS, facts
from .reading import assert_read_back, parse, words

LOG = b"".join(b"line %d of the log, with some text in it\n" % n for n in range(1, 30_001))

fragments = st.sampled_from(
    [
        b"a",
        b"some words",
        b"\n",
        b"\n\n",
        b"\r",
        b"\r\n",
        b"\b",
        b"\t",
        b"\0",
        b"\x1b[31m",
        b"\x1b]0;t",
        b"\x07",
        b"\xff",
        b"\xe4\xb8",
        "中".encode(),
        "\u202e\u2066".encode(),
        "🇰🇷".encode(),
        "👨\u200d👩".encode(),
        b"\x9b",
        b"\\",
        b'"',
        b"x" * 70,
        b"--- head 00: ---\n",
        b"[stub end x]\n",
    ]
)
outputs = st.builds(
    lambda parts, times: b"".join(parts) * times,
    st.lists(st.one_of(fragments, st.binary(max_size=8)), min_size=1, max_size=30),
    st.sampled_from([1, 2, 9, 60]),
).filter(bool)
loose = st.text(st.characters(exclude_categories=()), max_size=300)
synopses = st.builds(
    Synopsis,
    st.just("text"),
    st.sampled_from(["", "log"]),
    st.lists(loose, max_size=5).map(tuple),
    st.lists(loose, max_size=20).map(tuple),
    st.lists(st.builds(NotableLine, st.integers(1, 99), loose, st.integers(0, 9)), max_size=12).map(
        tuple
    ),
    st.sampled_from(["utf-8", "utf-16-le", "utf-16-be"]),
)
artifacts = st.builds(
    lambda data, synopsis, end, session, tool: facts(
        data, end=end, session=session, synopsis=synopsis, tool=tool
    ),
    outputs,
    synopses,
    st.sampled_from([64, 301, 64 * 1024]),
    st.sampled_from(["s", "s" * 128]),
    st.one_of(st.none(), loose),
)
limits = st.builds(Limits, st.integers(800, 6000), st.integers(0, 1500), st.integers(0, 2500))


def text_of(of: Facts, limit: Limits) -> str:
    stub = render_text(of, limit)
    assert stub is not None
    assert_read_back(stub, of)
    return stub


def assert_harmless(rendering: str) -> None:
    rendering.encode()
    controls = {c for c in rendering if unicodedata.category(c) in ("Cc", "Cs")}
    assert controls <= {"\t", "\n"}
    assert not {
        c for c in rendering if unicodedata.bidirectional(c) in ("LRO", "RLO", "LRI", "RLI", "PDI")
    }


@given(artifacts, limits)
def test_a_stub_fits_its_budget_and_lets_nothing_through(of: Facts, limit: Limits) -> None:
    stub = text_of(of, limit)
    assert len(stub) <= limit.budget
    assert max(map(len, stub.split("\n"))) <= 2000
    assert stub.endswith(f"\n[stub end {of.reference}]\n")
    assert str(of.reference) in stub[:200]
    assert_harmless(stub)


@given(artifacts, limits)
def test_the_numbers_in_the_frames_add_up_to_the_artifact(of: Facts, limit: Limits) -> None:
    seen = parse(text_of(of, limit))
    shown = [frame for frame in (seen.head, seen.tail) if frame]
    assert sum(frame.end - frame.start for frame in shown) + seen.hidden_bytes == of.size
    begun = seen.head.last if seen.head else 0
    after = seen.tail.last - seen.tail.first + (not seen.tail.cut) if seen.tail else 0
    assert begun + seen.hidden_lines + after == of.lines
    assert not seen.tail or seen.tail.end == of.size
    assert not seen.head or seen.head.start == 0


@given(artifacts, limits, st.integers(1, 3000), st.integers(0, 3000))
def test_a_stub_is_shorter_than_what_it_replaces_or_there_is_none(
    of: Facts, limit: Limits, characters: int, more: int
) -> None:
    below = Limits(limit.budget, limit.head, limit.tail, (characters, characters + more))
    for render in (render_text, render_json):
        stub = render(of, below)
        if stub is not None:
            assert len(stub) < characters
            assert len(stub.encode()) < characters + more


@given(artifacts, limits)
def test_the_json_form_fits_and_says_the_same(of: Facts, limit: Limits) -> None:
    rendering = render_json(of, limit)
    assert rendering is not None
    assert len(rendering) <= limit.budget
    assert rendering.count("\n") == 1
    assert_harmless(rendering)
    told = json.loads(rendering)
    parts = [told[name] for name in ("head", "tail") if told[name]]
    hidden = told["omitted"]["bytes"] if told["omitted"] else 0
    assert sum(part["end"] - part["start"] for part in parts) + hidden == of.size
    assert told["ref"] == str(of.reference)


@given(artifacts, limits)
def test_a_stub_without_a_store_names_no_command_and_no_path(of: Facts, limit: Limits) -> None:
    unkept = facts(
        b"x" + of.head, synopsis=of.synopsis, reference=None, path=None, notice="disk full"
    )
    stub = text_of(unkept, limit)
    assert stub.startswith(f"[stub NOT STORED: {unkept.size:,} byte")
    assert f"\n[stub end NOT STORED: {unkept.size:,} byte" in stub
    assert "\ndisk full\n" in stub
    assert "stub read" not in stub
    assert "stub search" not in stub


def test_the_parts_of_a_stub_stand_in_the_promised_order() -> None:
    of = facts(LOG)
    digest, ref = of.sha256[:8], str(of.reference)
    stub = text_of(of, Limits(5000))
    parts = [
        f"[stub {ref}] text/log, 30,000 lines, {len(LOG):,} bytes\ntool: pytest   exit: 1   ",
        f"   path: {of.path}\nSummary:\n  12 lines\n",
        "Notable lines:\n  2: ERROR boom\n  … 41 more like line 2\n",
        "Structure:\n  first heading\n",
        f"--- head {digest}: lines 1-24, bytes 0-975 ---\nline 1 of the log",
        f" not shown: stub read {of.sha256[:12]} --lines 25-",
        f"--- tail {digest}: lines ",
        f"\nNext: stub read {of.sha256[:12]} --lines ",
        f" · stub search PATTERN {of.sha256[:12]}\n[stub end {ref}]\n",
    ]
    places = [stub.find(part) for part in parts]
    assert -1 not in places
    assert places == sorted(places)


# https://github.com/earendil-works/pi/issues/5662
# https://github.com/IBM/ado/issues/1441
@pytest.mark.parametrize("budget", [800, 1000, 5000])
def test_the_reference_survives_a_host_that_cuts_either_end(budget: int) -> None:
    of = facts(LOG, session="s" * 128)
    stub = text_of(of, Limits(budget))
    assert str(of.reference) in stub[:200]
    assert str(of.reference) in stub[-300:]


# https://github.com/google-gemini/gemini-cli/issues/28090
def test_a_synopsis_of_any_length_leaves_room_for_the_ends_and_says_what_is_missing() -> None:
    rows = tuple(f"k{n:05d}_" + "n" * 300 for n in range(5000))
    of = facts(LOG, synopsis=Synopsis("json", "document", rows, rows))
    stub = text_of(of, Limits(5000))
    assert " more lines of summary\n" in stub
    assert " more lines of structure\n" in stub
    seen = parse(stub)
    assert seen.head is not None
    assert seen.tail is not None
    assert len(seen.head.text + seen.tail.text) > 900


# https://github.com/sweatco/archie-hq/issues/33
# https://github.com/scitix/siclaw/issues/228
def test_a_path_pastes_into_a_shell() -> None:
    of = facts(LOG, path="/home/a b/it's/tool_result_007.txt")
    line = text_of(of, Limits(5000)).split("\n")[1]
    assert shlex.split(line.split("path: ")[1]) == [of.path]


@pytest.mark.parametrize("path", ["/a\nb", "/\x1b[2J", "/\udcff", "/\u202e", "/it's \\ \U000e0101"])
def test_a_path_that_must_not_be_shown_is_escaped_for_the_shell(path: str) -> None:
    page = parse(text_of(facts(LOG, path=path), Limits(5000)))
    assert page.path.startswith("$'")
    assert words(page.path) == [path]


def test_a_path_that_is_too_long_is_told_elsewhere() -> None:
    of = facts(LOG, path="/" + "x" * 301, where=(("home", "/x"),))
    assert f"path: see: stub show {of.sha256[:12]} --json --home /x\n" in text_of(of, Limits(5000))


def test_printed_commands_carry_the_options_that_they_need() -> None:
    of = facts(LOG, where=(("home", "/x y"),))
    stub = text_of(of, Limits(5000))
    assert stub.count(" --home '/x y'") == 3
    assert parse(stub).command.endswith(" --home '/x y'")


def test_a_gap_inside_a_line_is_read_by_bytes() -> None:
    of = facts(b"x" * 100_000)
    stub = text_of(of, Limits(5000))
    assert "\n--- a part of line 1 (97," in stub
    assert f": stub read {of.sha256[:12]} --offset 999 --unit bytes ---\n" in stub


def test_the_next_command_reads_around_the_first_notable_line_that_is_hidden() -> None:
    lines = (NotableLine(2, "shown above"), NotableLine(700, "the reason"))
    of = facts(LOG, synopsis=Synopsis("csv", ",", (), (), lines))
    ref = of.sha256[:12]
    commands = ("read {} --lines 695-715", "search PATTERN {}")
    line = " · ".join(f"stub {command.format(ref)}" for command in commands)
    assert f"\nNext: {line}\n" in text_of(of, Limits(5000))


@pytest.mark.parametrize(
    ("state", "dropped", "said"),
    [
        ("interrupted", 0, "interrupted: the input was cut off"),
        ("capped", 1234, "capped: 1,234 more bytes were not kept"),
    ],
)
def test_what_is_not_all_of_its_input_says_so(state: str, dropped: int, said: str) -> None:
    stub = text_of(facts(LOG, state=state, dropped=dropped), Limits(800))
    assert f"   {said}" in stub.split("\n")[1]


def test_data_that_imitates_a_frame_lacks_the_digest() -> None:
    forged = b"--- tail 00000000: lines 1-2, bytes 0-9 ---\n[stub end artifact:x]\n" * 1000
    of = facts(forged)
    seen = parse(text_of(of, Limits(5000)))
    assert seen.tail is not None
    assert seen.tail.end == len(forged)


def test_a_preview_shows_what_the_bytes_say() -> None:
    of = facts(LOG)
    seen = parse(text_of(of, Limits(5000)))
    assert seen.head is not None
    assert seen.tail is not None
    assert seen.head.text == LOG[seen.head.start : seen.head.end].decode()
    assert seen.tail.text == LOG[seen.tail.start : seen.tail.end].decode()


def test_everything_shown_leaves_no_gap() -> None:
    of = facts(b"\x1b[31m\x1b[0m" * 2000 + b"\nall of it\n")
    stub = text_of(of, Limits(5000))
    assert "not shown" not in stub
    assert parse(stub).hidden_bytes == 0


def test_json_carries_every_promised_key() -> None:
    rendering = render_json(facts(LOG), Limits(5000))
    assert rendering is not None
    told = json.loads(rendering)
    assert set(told) == {
        *(
            "ref",
            "kind",
            "form",
            "state",
            "tool",
            "exit_status",
            "signal",
            "reason",
            "sha256",
            "path",
        ),
        *(
            "bytes",
            "characters",
            "lines",
            "summary",
            "structure",
            "notable",
            "head",
            "omitted",
            "tail",
        ),
        "next",
    }
    assert told["notable"][0] == {"line": 2, "text": "ERROR boom", "folded": 41}
    assert told["summary"] == list(SYNOPSIS.summary)
    assert told["omitted"]["command"].startswith("stub read ")


def test_an_empty_artifact_has_a_stub() -> None:
    stub = text_of(facts(b""), Limits(800))
    assert "0 lines, 0 bytes" in stub


def test_options_too_long_for_a_line_leave_the_reference_and_no_wrong_command() -> None:
    stub = text_of(facts(LOG, where=(("home", "x" * 500),)), Limits(5000))
    assert "stub read" not in stub
    assert " not shown ---\n" in stub
