"""Following the commands that pages print visits every byte once, whatever the bytes are."""

import json
import shlex
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

import stubcli.store.measure
from stubcli.retrieve.page import BYTES, CHARS, LINES, Page, Window, read_page
from stubcli.store.artifact import Artifact
from stubcli.store.surface import Session
from stubcli.text.display import amount
from tests.chance import examples
from tests.conftest import Store
from tests.helpers import artifact, forked, keep, session_of

UNITS = [CHARS, LINES, BYTES]
MANY = examples(100)
FEW = examples(12)

words = st.text(st.characters(codec="utf-8"), min_size=1, max_size=40)
texts = st.lists(
    st.one_of(
        words, st.sampled_from(["中文", "😀👨\u200d👩", "\n", "\r\n", "\r", "\n\n\n", "\0", "ab"])
    ),
    min_size=1,
    max_size=60,
).map("".join)
outputs = st.one_of(
    st.binary(min_size=1, max_size=400),
    texts.map(str.encode),
    texts.map(lambda text: ("\ufeff" + text).encode("utf-16-le")),
    texts.map(lambda text: text.encode("utf-16-be")),
    texts.map(lambda text: text.replace("\n", "\r\n").encode()),
    texts.map(lambda text: text.replace("\n", "\r").encode()),
    st.integers(1, 400).map(lambda times: b"\n" * times),
    st.integers(1, 400).map(lambda times: b"x" * times),
    st.tuples(st.binary(min_size=1, max_size=9), st.integers(1, 60)).map(lambda p: p[0] * p[1]),
)


@pytest.fixture(params=[16, 61, 1 << 20])
def session(
    store: Store, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Session]:
    """A session whose blocks are tiny, so that every page lies across many."""
    monkeypatch.setattr(stubcli.store.measure, "BLOCK", request.param)
    with session_of(store) as opened:
        yield opened


def pages(opened: Artifact, window: Window) -> Iterator[Page]:
    follow: Window | None = window
    while follow is not None:
        page = read_page(opened, follow)
        assert page.data, "a page that brings nothing on would be read for ever"
        yield page
        follow = page.follow


@MANY
@given(outputs, st.sampled_from(UNITS), st.integers(1, 90), st.integers(1, 90), st.integers(0, 300))
def test_from_any_place_on_pages_put_together_are_the_rest(
    session: Session, data: bytes, unit: str, limit: int, room: int, offset: int
) -> None:
    with artifact(session, data) as opened:
        first = read_page(opened, Window(offset, limit, unit, room))
        if first.data:
            parts = [page.data for page in pages(opened, Window(offset, limit, unit, room))]
            assert b"".join(parts) == data[first.start :]
        else:
            assert (first.start, first.end, first.follow) == (len(data), len(data), None)


@FEW
@given(outputs, st.sampled_from(UNITS), st.integers(2, 8), st.booleans())
def test_the_process_leads_through_all_of_it(
    store: Store, data: bytes, unit: str, steps: int, as_json: bool
) -> None:
    with session_of(store) as session:
        record = keep(session, data)
    size = {CHARS: record.characters, LINES: record.lines, BYTES: record.size}[unit]
    arguments = [record.reference.short, "--unit", unit, "--limit", str(-(-size // steps))]
    follow = _next_in_json if as_json else _next_in_text
    got, command = b"", arguments
    for _ in range(steps + 1):
        part, command = follow(store, command)
        got += part
        if not command:
            break
    assert got == data


def _next_in_text(store: Store, arguments: list[str]) -> tuple[bytes, list[str]]:
    done = forked(store, b"", "read", *arguments)
    assert (done.status, len(done.lines)) == (0, 1)
    said = done.lines[0]
    if said.endswith("; end"):
        return done.out, []
    command = shlex.split(said.partition("; next: ")[2])
    assert command[:2] == ["stub", "read"]
    return done.out, command[2:]


def _next_in_json(store: Store, arguments: list[str]) -> tuple[bytes, list[str]]:
    done = forked(store, b"", "read", *arguments, "--json")
    found = json.loads(done.out)
    content = found["content"]
    data = _decoded(content) if found["encoding"] == "base64" else content.encode()
    assert len(data) == found["end"] - found["start"]
    assert found["has_more"] == (found["next"] is not None)
    if found["next"] is None:
        return data, []
    options = [f"--{name}={value}" for name, value in found["next"].items()]
    return data, [found["ref"], *options]


def _decoded(content: str) -> bytes:
    import base64

    return base64.b64decode(content)


@FEW
@given(outputs)
def test_all_of_it_at_once_is_all_of_it(store: Store, data: bytes) -> None:
    with session_of(store) as session:
        record = keep(session, data)
    done = forked(store, b"", "read", record.reference.short, "--all")
    assert done.out == data
    size = f"{amount(record.lines, 'line')}, {amount(record.size, 'byte')}"
    assert done.lines == [f"stub: all {size}"]
