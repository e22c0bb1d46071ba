"""`stub run` where the store takes nothing, or nobody takes what it prints: the status stays."""

import re

import pytest

from tests.conftest import Store
from tests.helpers import LARGE, assert_kept, dev_full, sha256


# https://github.com/anthropics/claude-code/issues/51814
# https://github.com/spoj/tg-bot2/issues/46
# https://github.com/vshulcz/deja-vu/issues/906
@pytest.mark.parametrize("options", ["--home /dev/null/x", "--session ..", "--session a/b"])
def test_where_nothing_can_be_stored_the_output_is_whole_and_the_status_its_own(
    store: Store, options: str
) -> None:
    done = store.shell(f"$STUB run {options} -- sh -c 'seq 1 50000; exit 5'")
    assert (done.status, done.out) == (5, LARGE)
    assert re.fullmatch(rb"stub: [^\n]+\n", done.err)
    small = store.shell(f"$STUB run {options} -- sh -c 'echo out; exit 5'")
    assert (small.status, small.out, small.err) == (5, b"out\n", b"")


# The larger ones fill it while threads count beside the writing: one that was still inside a
# library when the process ended aborted it, status 134.
# https://github.com/anthropics/claude-code/issues/51814
@pytest.mark.parametrize("limit", [64, 1500, 4000])
@pytest.mark.parametrize(
    "form", ["$STUB run -- sh -c 'seq 1 1000000; exit 5'", "seq 1 1000000 | $STUB"]
)
def test_a_store_that_fills_on_the_way_costs_no_byte(store: Store, limit: int, form: str) -> None:
    done = store.shell(f"(ulimit -f {limit}; {form})")
    assert done.status == (5 if "run" in form else 0)
    assert sha256(done.out) == sha256(b"".join(b"%d\n" % n for n in range(1, 1000001)))
    assert re.fullmatch(rb"stub: not stored: [^\n]+; the output follows whole\n", done.err)
    assert not store.artifacts()


# 5 where the command itself has nothing to tell: its output is gone, and a wrapper must know.
@pytest.mark.parametrize(("own", "status"), [(4, 4), (0, 5)])
@pytest.mark.parametrize("how", ["preview", "reject"])
def test_on_failure_decides_what_is_printed_and_the_command_is_heard_to_its_end(
    store: Store, how: str, own: int, status: int, tmp_path: object
) -> None:
    note = f"{tmp_path}/note"
    script = f"seq 1 300000; echo >{note}; exit {own}"
    options = f"--home /dev/null/x --on-failure {how}"
    done = store.shell(f"$STUB run {options} -- sh -c '{script}'; s=$?; ls {note}; exit $s")
    assert done.status == status  # not 141: it was not killed for writing
    assert done.out.endswith(f"{note}\n".encode())
    assert (b"NOT STORED" in done.out) == (how == "preview")
    assert done.out.count(b"\n") == 1 or how == "preview"
    assert done.err.startswith(b"stub: not stored: ")


# https://github.com/openvax/mhctools/issues/387
# https://github.com/objectstack-ai/objectstack/issues/12979
@pytest.mark.parametrize("script", ["echo out; exit 7", "seq 1 50000; exit 7"])
def test_a_reader_that_leaves_changes_nothing_for_the_command(store: Store, script: str) -> None:
    done = store.shell(f"$STUB run -- sh -c '{script}' | true; echo ${{PIPESTATUS[0]}}")
    assert (done.out, done.err) == (b"7\n", b"")
    if "seq" in script:
        assert store.digests() == [sha256(LARGE)]


# https://github.com/uutils/coreutils/issues/9782
@dev_full
@pytest.mark.parametrize("script", ["echo out", "seq 1 50000"])
def test_a_full_device_is_told(store: Store, script: str) -> None:
    done = store.shell(f"$STUB run -- sh -c '{script}' >/dev/full")
    assert done.status == 125
    assert done.err == b"stub: the output of sh: No space left on device\n"
    own = store.shell(f"$STUB run -- sh -c '{script}; exit 3' >/dev/full")
    assert own.status == 3
    if "seq" in script:
        assert store.digests() == [sha256(LARGE)]


# https://github.com/pixelb/crudini/issues/67
# https://github.com/httpie/cli/issues/791
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_descriptors_become_no_part_of_the_artifact(store: Store, closed: str) -> None:
    done = store.shell(f"$STUB run -- seq 1 50000 {closed}")
    stdout_closed = ">&-" in closed.replace("2>&-", "")
    assert done.status == (125 if stdout_closed else 0)
    assert store.digests() == [sha256(LARGE)]
    if stdout_closed:
        assert done.out == b""
        assert done.err in (b"stub: the output of seq: it is closed\n", b"")
    else:
        assert_kept(store, done.out, LARGE)
        assert done.err == b""


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_command_without_output_needs_none(store: Store, closed: str) -> None:
    done = store.shell(f"$STUB run -- true {closed}")
    assert (done.status, done.out, done.err) == (0, b"", b"")
