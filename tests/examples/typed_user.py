"""A program that uses every name of `stubcli`, and is right for `mypy --strict`.

Runs as it is: `python tests/examples/typed_user.py`. It keeps the outputs of two commands, asks
them, remembers one in a memory of its own, and collects what nobody needs.
"""

import contextlib
import sys
import tempfile
from collections.abc import Callable, Iterator

import stubcli

TABLE = "".join(f"{number},{number * number}\n" for number in range(5_000))
NESTED = '{"users": [' + ",".join(f'{{"id": {n}}}' for n in range(3_000)) + "]}\n"


class Memory:
    """A memory system in a dictionary: an owner of leases."""

    def __init__(self) -> None:
        self.kept: dict[str, stubcli.MemoryReference | None] = {}
        self.generation = 0

    def publish(self, reference: stubcli.MemoryReference, transaction_id: str) -> str:
        if transaction_id in self.kept:
            raise stubcli.PublicationRejected(f"{transaction_id} is sealed")
        self.kept[transaction_id] = reference
        self.generation += 1
        source: stubcli.MemorySource = reference.source
        return source.source_id

    @contextlib.contextmanager
    def fence(self, lease: stubcli.Lease) -> Iterator[stubcli.Fence]:
        yield Held(self, lease.transaction_id)


class Held:
    """The memory while it holds still."""

    def __init__(self, memory: Memory, transaction_id: str) -> None:
        self.memory = memory
        self.transaction_id = transaction_id

    def observe(self) -> stubcli.Observation:
        generation, name = self.memory.generation, self.transaction_id
        if found := self.memory.kept.get(name):
            source = found.source.source_id
            return stubcli.Observation(name, generation, "published", source, found.content_sha256)
        sealed = name in self.memory.kept
        return stubcli.Observation(name, generation, "absent", absence_sealed=sealed)

    def seal(self, generation: int) -> stubcli.Observation:
        if generation != self.memory.generation:
            raise stubcli.GenerationChanged
        self.memory.kept[self.transaction_id] = None
        self.memory.generation += 1
        return self.observe()


def keep(options: stubcli.Options) -> tuple[str, str]:
    """Two outputs of commands: their references."""
    table: stubcli.Offloaded = stubcli.offload(
        f"id,square\n{TABLE}",
        tool="report",
        call_id="call_1",
        mime="text/csv",
        command=["report", "--csv"],
        exit_status=3,
        cwd=tempfile.gettempdir(),
        **options,
    )
    nested = stubcli.offload(NESTED.encode(), command="curl users", signal="SIGKILL", **options)
    assert table.ref
    assert nested.ref
    return table.ref, nested.ref


def read(store: stubcli.Store, ref: str) -> None:
    """A content, its runs, and pages of it."""
    record: stubcli.Record = store.record(ref)
    points: tuple[stubcli.Checkpoint, ...] = record.checkpoints
    run: stubcli.Run = store.runs(ref)[0]
    origin: stubcli.Origin = run.origin
    print(len(points), "block,", record.lines, "lines, exit", origin.exit_status)
    page: stubcli.Page = store.page(ref, limit=100)
    follow: stubcli.Window | None = page.follow
    assert follow
    assert store.page(ref, follow.offset, follow.limit, follow.unit).start == 100
    assert store.read(ref, lines="2-3") == b"0,0\n1,1\n"
    assert b"".join(store.blocks(ref)) == store.read(ref)
    assert store.show(ref) == store.show(ref, run.number) == run.stub


def find(store: stubcli.Store, ref: str) -> None:
    """What is kept, and matches in it."""
    listing: stubcli.Listing = store.list(limit=10)
    row: stubcli.RunRow = listing.rows[0]
    unfinished: stubcli.Sighting | None = row.sighting
    print(listing.runs, "runs; the last:", row.command, unfinished)
    matches: stubcli.Matches = store.search(r"^77,\d+$", ref, before=1)
    match: stubcli.Match = matches.matches[0]
    print(matches.total, "match at line", match.line, "after", match.lines_before[0])


def ask(store: stubcli.Store, table: str, nested: str) -> None:
    """Questions in SQL."""
    answer: stubcli.Answer = store.query(table, "SELECT max(square) AS most FROM artifact")
    column: stubcli.Column = answer.columns[0]
    kind: stubcli.Type = column.type
    print(column.name, kind.name, answer.rows[0][0])
    schema: stubcli.Schema = store.query(nested)
    entities: tuple[stubcli.Entity, ...] = schema.entities
    links: tuple[stubcli.Link, ...] = schema.links
    leaf: stubcli.Leaf = entities[0].fields[0]
    print(entities[0].name, entities[0].rows, "rows,", leaf.json, len(links), "links")


def remember(store: stubcli.Store, ref: str) -> None:
    """A memory of one's own, one in SQLite, and one that is a program."""
    leases: stubcli.Leases = store.leases
    memory = Memory()
    lease, source = leases.publish(ref, memory.publish, transaction_id="m1")
    claim: stubcli.Claim = lease.claim
    assert source == claim.source_id
    leases.prepare(ref, transaction_id="m2")
    owner: stubcli.Owner = memory
    settled: tuple[stubcli.Settlement, ...] = leases.reconcile(owner)
    print(settled[0].transaction_id, "is", settled[0].status)
    leases.remove("m1", lambda transaction: memory.kept.pop(transaction))

    with tempfile.TemporaryDirectory() as folder:
        database = stubcli.SqliteOwner(f"{folder}/memory.sqlite", create=True)
        leases.publish(ref, database.publish, transaction_id="m3")
        entry: stubcli.MemoryEntry | None = database.find("m3")
        assert entry
        assert entry.reference == store.memory(ref).to_dict()
        leases.remove("m3", database.remove)

    leases.prepare(ref, transaction_id="m4")
    program = stubcli.ExecOwner([sys.executable, "-c", "print('{}')"], timeout=20)
    print(leases.reconcile(program, failed=lambda name, error: None)[0].status)
    leases.abort("m4")
    listed: stubcli.LeaseListing = leases.list()
    print(listed.total, "leases,", sum(one.phase == "prepared" for one in listed.leases), "pending")


def collect(store: stubcli.Store, pinned: str) -> None:
    """Everything but what is pinned."""
    store.pin(pinned)
    plan: stubcli.Plan = store.plan_gc(older_than=0, max_deletions="all")
    policy: stubcli.Policy = plan.policy
    problems: tuple[stubcli.Problem, ...] = plan.problems
    verdicts: list[stubcli.Verdict] = plan.of("planned_delete")
    snapshot: stubcli.Snapshot | None = verdicts[0].snapshot
    assert policy.older_than == len(problems) == 0
    assert snapshot
    assert snapshot.links == 1
    print([one.state for one in store.apply_gc(plan, network=True).decisions])
    store.unpin(pinned)


def edit(options: stubcli.Options) -> None:
    """The messages of a conversation."""
    call = {"id": "c", "type": "function", "function": {"name": "sh", "arguments": "{}"}}
    messages = [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": TABLE},
    ]
    new, report = stubcli.offload_messages(messages, **options)
    done: stubcli.Report = report
    change: stubcli.Change = done.changes[0]
    print(change.tool, change.before, "characters are", change.after < 5_001 and "a stub")
    compacted, _ = stubcli.compact_messages(new, **options)
    assert len(compacted) == 2


def name_of(call: Callable[[], object]) -> str:
    """The error that a call ends with."""
    try:
        call()
    except (stubcli.UsageError, stubcli.MissingError) as error:
        return type(error).__name__
    except (stubcli.IntegrityError, stubcli.NotStoredError, stubcli.RefusedError):
        return "another"
    except stubcli.StubError as error:
        return f"status {error.status}"
    return "none"


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        options: stubcli.Options = {"home": f"{home}/store", "session": "example"}
        store = stubcli.Store(**options)
        table, nested = keep(options)
        read(store, table)
        find(store, table)
        ask(store, table, nested)
        remember(store, table)
        edit(options)
        collect(store, nested)
        print(name_of(lambda: store.read(table)), name_of(lambda: store.read("x/y/z")))


if __name__ == "__main__":
    main()
