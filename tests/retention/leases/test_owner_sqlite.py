"""The memory in a SQLite file: what it holds is there, what it forbade stays forbidden."""

import os
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from stubcli.errors import (
    INTEGRITY,
    NOT_STORED,
    REFUSED,
    USAGE,
    IntegrityError,
    MissingError,
    RefusedError,
    StubError,
)
from stubcli.retention.leases.lease import PublicationRejected
from stubcli.retention.leases.memory import MemoryReference, MemorySource
from stubcli.retention.leases.model import PREPARED, Claim, Lease
from stubcli.retention.leases.owners import ABSENT, PUBLISHED, GenerationChanged, Observation
from stubcli.retention.leases.sqlite_owner import SqliteOwner
from tests.helpers import code_of, fork, root_only, wait_until


def reference(digit: str = "a") -> MemoryReference:
    sha = digit * 64
    source = MemorySource(f"artifact:s:tool_result_001.txt:{sha[:16]}", "artifact", "t", "2020")
    return MemoryReference(f"summary {digit}", "/path", sha, "grep", source)


def lease(name: str = "t") -> Lease:
    claim = Claim(f"artifact:s:tool_result_001.txt:{'a' * 16}", "a" * 64)
    return Lease(name, claim, PREPARED, "2020-01-01T00:00:00Z", "2020-01-01T00:00:00Z")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def memory(path: Path) -> SqliteOwner:
    return SqliteOwner(str(path), create=True)


def seen(memory: SqliteOwner, name: str = "t") -> Observation:
    with memory.fence(lease(name)) as fence:
        return fence.observe()


def test_a_published_reference_is_there_and_is_listed(memory: SqliteOwner) -> None:
    assert memory.publish(reference("b"), "second")
    assert memory.publish(reference(), "t")
    entry = memory.find("t")
    assert entry
    assert entry.reference == reference().to_dict()
    assert [each.transaction_id for each in memory.entries()] == ["second", "t"]
    assert seen(memory) == Observation(
        "t", 1, PUBLISHED, reference().source.source_id, reference().content_sha256
    )


def test_publishing_twice_is_once_and_another_reference_is_refused(memory: SqliteOwner) -> None:
    assert memory.publish(reference(), "t")
    assert not memory.publish(reference(), "t")
    with pytest.raises(RefusedError):
        memory.publish(reference("b"), "t")
    entry = memory.find("t")
    assert entry
    assert (entry.generation, entry.reference) == (1, reference().to_dict())


def test_what_was_never_published_is_absent_and_not_sealed(memory: SqliteOwner) -> None:
    assert memory.find("t") is None
    assert seen(memory) == Observation("t", 0, ABSENT)
    with pytest.raises(MissingError):
        memory.remove("t")


def test_what_is_removed_is_never_published_again(memory: SqliteOwner) -> None:
    memory.publish(reference(), "t")
    assert memory.remove("t")
    assert not memory.remove("t")
    assert memory.entries() == []
    assert seen(memory) == Observation("t", 2, ABSENT, absence_sealed=True)
    with pytest.raises(PublicationRejected):
        memory.publish(reference(), "t")


def test_a_seal_moves_the_generation_and_rejects_what_comes_late(memory: SqliteOwner) -> None:
    with memory.fence(lease()) as fence:
        assert fence.seal(0) == Observation("t", 1, ABSENT, absence_sealed=True)
        # It stands already now, before the fence ends: what follows may rely on it.
        other = SqliteOwner(memory.path)
        assert seen(other).absence_sealed
    with pytest.raises(PublicationRejected):
        memory.publish(reference(), "t")


def test_a_seal_of_another_generation_is_refused(memory: SqliteOwner) -> None:
    memory.publish(reference(), "t")
    with pytest.raises(GenerationChanged), memory.fence(lease()) as fence:
        fence.seal(0)
    assert seen(memory).presence == PUBLISHED


def test_a_seal_never_covers_what_is_published(memory: SqliteOwner) -> None:
    memory.publish(reference(), "t")
    with memory.fence(lease()) as fence:
        assert fence.seal(1).presence == PUBLISHED
    assert len(memory.entries()) == 1


def test_a_failure_behind_the_fence_writes_nothing(memory: SqliteOwner) -> None:
    with pytest.raises(ConnectionError), memory.fence(lease()):
        raise ConnectionError
    assert seen(memory) == Observation("t", 0, ABSENT)


def test_nobody_publishes_while_the_fence_is_held(memory: SqliteOwner) -> None:
    impatient = SqliteOwner(memory.path, timeout=0.05)
    with memory.fence(lease()):
        with pytest.raises(RefusedError, match="locked"):
            impatient.publish(reference(), "t")
        assert impatient.find("t") is None
    assert impatient.publish(reference(), "t")


def test_the_fence_is_free_again_when_its_holder_is_killed(
    memory: SqliteOwner, tmp_path: Path
) -> None:
    held = tmp_path / "held"
    pid = fork()
    if pid == 0:
        with memory.fence(lease()):
            held.touch()
            threading.Event().wait(60)
        os._exit(0)
    wait_until(held.exists)
    with pytest.raises(RefusedError):
        SqliteOwner(memory.path, timeout=0.05).publish(reference(), "t")
    os.kill(pid, 9)
    os.waitpid(pid, 0)
    assert memory.publish(reference(), "t")


def test_processes_that_publish_and_seal_at_once_agree(memory: SqliteOwner, tmp_path: Path) -> None:
    start, pids = tmp_path / "start", []
    for number in range(6):
        pid = fork()
        if pid == 0:
            code = 1
            try:
                wait_until(start.exists)
                if number % 2:
                    code = 10 if memory.publish(reference(), "t") else 11
                else:
                    with memory.fence(lease()) as fence:
                        found = fence.observe()
                        sealed = found.presence == ABSENT and not found.absence_sealed
                        code = 20 if sealed and fence.seal(found.generation) else 21
            except PublicationRejected:
                code = 12
            finally:
                os._exit(code)
        pids.append(pid)
    start.touch()
    ended = sorted(code_of(os.waitpid(pid, 0)[1]) for pid in pids)
    assert ended in ([10, 11, 11, 21, 21, 21], [12, 12, 12, 20, 21, 21])
    entry = memory.find("t")
    assert entry
    assert (entry.generation, entry.reference is None) == (1, 20 in ended)


def foreign(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE memory (transaction_id, generation, reference)")
        connection.execute("PRAGMA user_version = 1")
    connection.close()


def later(path: Path) -> None:
    SqliteOwner(str(path), create=True)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 2")
    connection.close()


def overwritten(path: Path) -> None:
    SqliteOwner(str(path), create=True)
    data = path.read_bytes()
    path.write_bytes(data[:100] + b"\xff" * (len(data) - 100))


UNUSABLE: dict[str, tuple[Callable[[Path], object], int]] = {
    "missing": (lambda path: None, USAGE),
    "a folder": (lambda path: path.mkdir(), USAGE),
    "a FIFO": (os.mkfifo, USAGE),
    "a dangling link": (lambda path: path.symlink_to("nowhere"), USAGE),
    "empty": (lambda path: path.touch(), USAGE),
    "text": (lambda path: path.write_text("no database at all\n" * 99), INTEGRITY),
    "overwritten": (overwritten, INTEGRITY),
    "of another program": (foreign, USAGE),
    "of a later version": (later, USAGE),
}


@pytest.mark.parametrize("kind", UNUSABLE)
def test_a_file_that_is_no_memory_is_refused_in_one_line_and_not_changed(
    path: Path, kind: str
) -> None:
    make, status = UNUSABLE[kind]
    make(path)
    before = path.read_bytes() if path.is_file() else None
    memory = SqliteOwner(str(path))
    for use in (
        memory.entries,
        lambda: memory.find("t"),
        lambda: memory.publish(reference(), "t"),
        lambda: seen(memory),
    ):
        with pytest.raises(StubError) as raised:
            use()
        assert raised.value.status == status
        assert "\n" not in str(raised.value)
    assert (path.read_bytes() if path.is_file() else None) == before
    assert path.exists() == (kind not in ("missing", "a dangling link"))


def test_another_programs_database_is_not_made_ours(path: Path) -> None:
    foreign(path)
    before = path.read_bytes()
    with pytest.raises(StubError):
        SqliteOwner(str(path), create=True)
    assert path.read_bytes() == before


def test_making_it_twice_keeps_what_it_holds(memory: SqliteOwner) -> None:
    memory.publish(reference(), "t")
    assert len(SqliteOwner(memory.path, create=True).entries()) == 1


def test_it_is_made_for_its_user_alone(path: Path) -> None:
    old = os.umask(0)
    try:
        SqliteOwner(str(path), create=True)
    finally:
        os.umask(old)
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("name", ["with space.db", "what?mode=ro#x.db", "100%41.db", "Ž.db"])
def test_any_name_of_a_file_is_meant_as_it_stands(tmp_path: Path, name: str) -> None:
    memory = SqliteOwner(str(tmp_path / name), create=True)
    assert memory.publish(reference(), "t")
    assert os.listdir(tmp_path) == [name]


@pytest.mark.parametrize("value", ["'{'", "'[]'", "X'00ff'", "'null'"])
def test_an_entry_that_nobody_wrote_is_told_as_damage(memory: SqliteOwner, value: str) -> None:
    memory.publish(reference(), "t")
    with sqlite3.connect(memory.path) as connection:
        connection.execute(f"UPDATE memory SET reference = {value}")
    connection.close()
    with pytest.raises(IntegrityError):
        memory.find("t")
    with pytest.raises(IntegrityError):
        memory.publish(reference(), "t")


def test_a_device_that_is_full_is_told_and_nothing_is_half_written(memory: SqliteOwner) -> None:
    with sqlite3.connect(memory.path) as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.close()
    connect = sqlite3.connect

    def narrow(*arguments: object, **named: object) -> sqlite3.Connection:
        opened = connect(*arguments, **named)  # type: ignore[call-overload]
        opened.execute(f"PRAGMA max_page_count = {pages}")
        assert isinstance(opened, sqlite3.Connection)
        return opened

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", narrow)
        with pytest.raises(StubError) as raised:
            _ = [memory.publish(reference(), f"t{number}") for number in range(1000)]
    assert raised.value.status == NOT_STORED
    kept = len(memory.entries())
    assert 0 < kept < 1000
    assert memory.publish(reference(), f"t{kept}")


@root_only
def test_a_file_that_may_not_be_opened_is_told(memory: SqliteOwner) -> None:
    pid = fork()
    if pid == 0:
        code = 1
        try:
            os.chmod(memory.path, 0o600)
            os.setuid(65534)
            memory.entries()
        except StubError as error:
            code = error.status
        finally:
            os._exit(code)
    assert code_of(os.waitpid(pid, 0)[1]) in (NOT_STORED, REFUSED)
