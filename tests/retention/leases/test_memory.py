"""What a memory is given of an artifact: a summary within its limit, names, digests, no content."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.errors import UsageError
from stubcli.retention.leases.memory import SUMMARY, MemoryReference, memory_of, memory_reference
from stubcli.store.records import CAPPED, INTERRUPTED, Checkpoint, Origin, Record
from tests.conftest import Store
from tests.helpers import artifact, made_run, session_of, sha256


def reference(data: bytes, tool: str | None = "grep", state: str = "complete") -> MemoryReference:
    """The reference of an artifact that holds `data`, without a disk."""
    record = Record(
        session="test",
        number=7,
        sha256=sha256(data),
        size=len(data),
        characters=len(data.decode("utf-8", "surrogateescape")),
        lines=data.count(b"\n") + (data[-1:] not in (b"", b"\n")),
        run=made_run(7, state=state, origin=Origin(tool)),
        facts={},
        checkpoints=(Checkpoint(0, 0, 0, sha256(data)[:32]),) if data else (),
    )
    return memory_reference(record, "/store/tool_result_007.txt", data)


def test_a_reference_names_the_artifact_and_where_it_came_from() -> None:
    data = b"first line\nsecond line\n"
    assert reference(data).to_dict() == {
        "summary": "grep output: 2 lines, 23 characters; starts with: first line",
        "path": "/store/tool_result_007.txt",
        "content_sha256": sha256(data),
        "source_tool": "grep",
        "source": {
            "source_id": f"artifact:test:tool_result_007.txt:{sha256(data)[:16]}",
            "source_type": "artifact",
            "title": "grep output tool_result_007.txt",
            "captured_at": "2020-01-01T00:00:01Z",
        },
    }


def test_a_reference_holds_no_content_beyond_its_summary(store: Store) -> None:
    secret = b"SECRET-BODY " * 2000
    with session_of(store) as session, artifact(session, b"3 matches\n" + secret) as opened:
        document = memory_of(opened).to_dict()
    assert document["path"] == str(store.results / "tool_result_001.txt")
    assert "content" not in document
    assert "preview" not in document
    assert "SECRET" not in json.dumps(document)


def test_a_document_is_read_back_with_or_without_its_transaction() -> None:
    made = reference(b"first line\n")
    document = json.loads(json.dumps(made.to_dict()))
    assert MemoryReference.from_dict(document) == made
    assert MemoryReference.from_dict({"transaction_id": "t", **document}) == made


@pytest.mark.parametrize("lost", ["summary", "content_sha256", "source"])
def test_a_document_that_lacks_something_is_refused(lost: str) -> None:
    document = reference(b"first line\n").to_dict()
    del document[lost]
    for broken in (document, {**document, lost: None} if lost == "source" else document):
        with pytest.raises(UsageError):
            MemoryReference.from_dict(broken)


SUMMARIES = {
    "no tool is known": (b"x\n", None, "output: 1 line, 2 characters; starts with: x"),
    "a blank tool": (b"x\n", " ", "output: 1 line, 2 characters; starts with: x"),
    "leading blank lines": (
        b"\n \t\n\n  the first\n",
        "grep",
        "grep output: 4 lines, 17 characters; starts with: the first",
    ),
    "nothing at all": (b"", "grep", "grep output: 0 lines, 0 characters"),
    "nothing but blanks": (b" \n\t\n" * 9, "grep", "grep output: 18 lines, 36 characters"),
    "white space within": (
        b"a\t\t b   c\n",
        "grep",
        "grep output: 1 line, 10 characters; starts with: a b c",
    ),
    "wide characters": (
        "错误：第一行\n".encode(),
        "grep",
        "grep output: 1 line, 7 characters; starts with: 错误：第一行",
    ),
    "colours": (
        b"\x1b[31mred\x1b[0m\n",
        "grep",
        "grep output: 1 line, 13 characters; starts with: red",
    ),
    "a line of colours alone": (
        b"\x1b[31m\x1b[0m\nthen\n",
        "grep",
        "grep output: 2 lines, 15 characters; starts with: then",
    ),
    "progress": (
        b" 10%\r 50%\r100%\ndone\n",
        "grep",
        "grep output: 2 lines, 20 characters; starts with: 100%",
    ),
    "undecodable bytes": (
        b"\xff\xfe caf\xe9\n",
        "grep",
        "grep output: 1 line, 8 characters; starts with: \\xff\\xfe caf\\xe9",
    ),
    "control characters": (
        b"a\x00b\x07c\n",
        "grep",
        "grep output: 1 line, 6 characters; starts with: a\\x00b\\x07c",
    ),
    "marks that reorder text": (
        "a\u202eb\n".encode(),
        "grep",
        "grep output: 1 line, 4 characters; starts with: a<U+202E>b",
    ),
    "a hostile tool": (
        b"x\n",
        "evil\n\x1b[2Jtool",
        "evil \\x1b[2Jtool output: 1 line, 2 characters; starts with: x",
    ),
}


@pytest.mark.parametrize("case", SUMMARIES)
def test_a_summary_is_what_a_reader_would_see(case: str) -> None:
    data, tool, summary = SUMMARIES[case]
    assert reference(data, tool).summary == summary


@pytest.mark.parametrize("state", [INTERRUPTED, CAPPED])
def test_a_summary_says_that_the_output_is_not_whole(state: str) -> None:
    assert f"({state})" in reference(b"x\n", state=state).summary


# At 185 characters of a first line such a summary broke its own limit, and the output was lost.
@pytest.mark.parametrize("length", [150, 184, 185, 186, 240, 241, 4096, 4097, 300_000])
@pytest.mark.parametrize("letter", ["x", "错", "\x00", "e\u0301", "👨‍👩‍👧"])
def test_a_long_first_line_is_cut_to_fit(length: int, letter: str) -> None:
    summary = reference((letter * length).encode()).summary
    assert len(summary) <= SUMMARY
    counts, _, shown = summary.partition("starts with: ")
    one = "\\x00" if letter == "\x00" else letter
    if len(counts) + len("starts with: ") + len(one) * length <= SUMMARY:
        assert shown == one * length
    else:
        assert shown == one * ((len(shown) - 1) // len(one)) + "…"
        assert len(summary) > SUMMARY - len(one) - 1


@given(st.binary(max_size=3000), st.none() | st.text(max_size=300))
def test_any_bytes_of_any_tool_give_one_safe_line_within_the_limit(
    data: bytes, tool: str | None
) -> None:
    made = reference(data, tool)
    assert 0 < len(made.summary) <= SUMMARY
    assert len(made.summary.splitlines()) == 1
    assert made.summary == " ".join(made.summary.split())
    made.summary.encode("utf-8")
    assert len(made.source.title) <= SUMMARY
    json.dumps(made.to_dict())


def test_a_million_blank_lines_are_passed_over() -> None:
    data = b"\n" * 1_000_000 + b"here\n"
    assert reference(data).summary.endswith("; starts with: here")


def test_show_prints_the_reference_and_check_finds_it_true(store: Store, tmp_path: Path) -> None:
    data = b"head of it\n" + b"body of it\n" * 5000
    store.stub("--tool", "pytest", stdin=data)
    document = json.loads(store.stub("show", "last", "--memory").out)
    assert Path(document["path"]).read_bytes() == data
    assert document["content_sha256"] == sha256(data)
    assert document["summary"] == (
        "pytest output: 5,001 lines, 55,011 characters; starts with: head of it"
    )
    assert set(document) == {"summary", "path", "content_sha256", "source_tool", "source"}


def test_a_damaged_beginning_is_never_summed_up(store: Store) -> None:
    store.stub(stdin=b"head of it\n" + b"body of it\n" * 5000)
    path = store.artifacts()[0]
    path.chmod(0o600)
    path.write_bytes(path.read_bytes().replace(b"head", b"HEAD"))
    done = store.stub("show", "last", "--memory", check=False)
    assert (done.status, done.out) == (4, b"")


def test_what_is_being_written_cannot_be_referred_to(store: Store) -> None:
    store.stub(stdin=b"body of it\n" * 5000)
    (store.folder / ".incoming" / "tool_result_002").write_bytes(b"half of i")
    for command in (("show", "2", "--memory"), ("pin", "2"), ("lease", "prepare", "2")):
        done = store.stub(*command, check=False)
        assert (done.status, done.out) == (3, b"")
        assert done.err.count(b"\n") == 1
    assert not (store.folder / "retention-leases.jsonl").exists()
