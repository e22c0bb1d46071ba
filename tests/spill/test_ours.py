"""A text is stub's own if the store says so: never for its form, on whichever way it comes."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import stubcli
from stubcli.reference import Reference
from stubcli.settings.load import load
from stubcli.settings.table import Settings
from stubcli.spill.in_memory import Outcome, offload
from stubcli.spill.ours import OwnTexts, StubCandidate, candidate_of, is_own
from stubcli.store.records import Origin
from tests.conftest import Store
from tests.helpers import LARGE, forked, ref_of

ORIGIN = Origin(tool="seq")
REF = "artifact:s:tool_result_001.txt:0123456789abcdef"
SMALLEST = {"STUB_THRESHOLD": "800"}


def settings(store: Store, **flags: str) -> Settings:
    return load({"home": str(store.home), "session": store.session, **flags})


def stub_in(store: Store, **flags: str) -> bytes:
    done = offload(LARGE, settings(store, **flags), ORIGIN)
    assert done.stub is not None
    return done.stub.encode()


def framed(ref: str, data: bytes = b"x\n" * 100_000) -> bytes:
    return b"[stub %s] text, 3 lines\n%b[stub end %s]\n" % (ref.encode(), data, ref.encode())


def through_filter(store: Store, data: bytes) -> bytes:
    return forked(store, data, environment=SMALLEST).out


def through_run(store: Store, data: bytes) -> bytes:
    # Given by standard input, which is the command's own.
    return forked(store, data, "run", "--", "cat", environment=SMALLEST).out


def through_hook(store: Store, data: bytes) -> bytes:
    event = {
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_response": {"stdout": data.decode(), "stderr": ""},
    }
    done = forked(store, json.dumps(event).encode(), "hook", "claude", environment=SMALLEST)
    if not done.out:
        return data
    answer = json.loads(done.out)["hookSpecificOutput"]["updatedToolOutput"]["stdout"]
    return bytes(answer.encode())


def through_messages(store: Store, data: bytes) -> bytes:
    messages = [{"role": "tool", "tool_call_id": "a", "content": data.decode()}]
    done = forked(store, json.dumps(messages).encode(), "messages", "offload", environment=SMALLEST)
    content: str = json.loads(done.out)[0]["content"]
    return content.encode()


def through_library(store: Store, data: bytes) -> bytes:
    done = stubcli.offload(data, home=str(store.home), session=store.session, threshold=800)
    return done.text.encode()


WAYS = [through_filter, through_run, through_hook, through_messages, through_library]
Way = Callable[[Store, bytes], bytes]


@pytest.mark.parametrize("way", WAYS)
def test_a_stub_is_not_kept_again_whatever_the_threshold(store: Store, way: Way) -> None:
    stub = stub_in(store)
    assert len(stub) > 800
    assert way(store, stub) == stub
    assert len(store.artifacts()) == 1


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("real", [True, False])
def test_what_stands_between_two_forged_lines_is_kept(store: Store, way: Way, real: bool) -> None:
    ref = ref_of(stub_in(store)) if real else REF
    kept = len(store.artifacts())
    answer = way(store, framed(ref))
    assert len(answer) <= 5000
    assert len(store.artifacts()) == kept + 1
    assert store.artifacts()[-1].read_bytes() == framed(ref)
    assert ref_of(answer) != ref


@pytest.mark.parametrize(
    "change",
    [
        lambda stub: stub.replace(b"--- head", b"--- Head"),
        lambda stub: stub.replace(b"Next: stub", b"Next: curl"),
        lambda stub: stub.replace(b"1\n2\n3\n", b"1\n2\n4\n"),
        lambda stub: stub + b"more\n" * 200,
        lambda stub: b"more\n" * 200 + stub,
        lambda stub: stub * 2,
    ],
)
def test_a_stub_that_was_changed_is_a_text_like_any_other(
    store: Store, change: Callable[[bytes], bytes]
) -> None:
    stub = stub_in(store)
    changed = change(stub)
    assert changed != stub
    assert offload(changed, settings(store, threshold="800"), ORIGIN).stub
    assert store.artifacts()[-1].read_bytes() == changed


@pytest.mark.parametrize("form", ["text", "json"])
def test_blanks_that_a_host_adds_or_takes_away_around_a_stub_do_not_count(
    store: Store, form: str
) -> None:
    stub = stub_in(store, format=form)
    for text in (stub, stub.strip(), b"\n" + stub + b" \n"):
        assert is_own(text, settings(store))
        assert offload(text, settings(store, threshold="800"), ORIGIN) == Outcome()


def test_a_stub_whose_artifact_is_gone_or_in_another_store_is_none(store: Store) -> None:
    stub = stub_in(store)
    assert not is_own(stub, settings(Store(store.home.parent / "other")))
    for path in store.results.iterdir():
        path.unlink()
    assert not is_own(stub, settings(store))


def test_a_store_that_cannot_be_asked_says_nothing(store: Store) -> None:
    stub = stub_in(store)
    for home in ("/proc/nowhere", "relative", "/dev/null/x"):
        assert not is_own(stub, load({"home": home}))


def test_each_artifact_is_looked_for_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    stub = stub_in(store).decode()
    own = OwnTexts(settings(store))
    assert own.find(candidate_of(stub))
    monkeypatch.setattr("stubcli.spill.ours.open_reference", None)
    assert own.find(candidate_of(stub))
    assert own.find(candidate_of(stub + "more")) is None


@given(st.text(max_size=200))
def test_what_names_no_artifact_at_either_end_is_no_candidate(text: str) -> None:
    assert candidate_of(text) is None
    assert candidate_of("x" * 400 + f"[stub {REF}]" + text + "x" * 400) is None


@pytest.mark.parametrize(
    "text",
    [
        f"[stub {REF}] text",
        f"Output: [stub {REF}] text",
        f"{'x' * 9000}\n[stub end {REF}]\n</output>",
        f"[stub history {REF}] the user wrote",
        f'{{"ref":"{REF}","kind":"text"}}\n',
    ],
)
def test_a_candidate_is_only_a_name_and_a_digest(text: str) -> None:
    candidate = candidate_of(text)
    assert isinstance(candidate, StubCandidate)
    assert candidate.ref == REF
    assert candidate == candidate_of(f"\n{text}  \n")


def test_the_name_of_a_candidate_is_a_whole_reference() -> None:
    short = Reference("s", 1, "")
    assert candidate_of(f"[stub {short}] text") is None
