"""What is disturbed: every command that writes, and those that read, each on a store in a state.

All of it through the command line; what must hold afterwards is the judge's.
"""

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.proof.adapter import LARGE, Store
from tests.proof.judges import (
    Disturbed,
    judge_collection,
    judge_filter,
    judge_lease,
    judge_list,
    judge_nothing,
    judge_printed_list,
    judge_read,
    judge_run,
    judge_small,
    judge_unpinned,
)
from tests.proof.oracles import Ledger
from tests.proof.states import (
    COLLECTED_BEFORE,
    DATA,
    EMPTY,
    IN_USE,
    LEFT_OVER,
    LIST,
    ONE,
    SEEN_BEFORE,
    SMALL,
    WITH_FILES,
    State,
    conversation,
    do,
)

Judge = Callable[[Disturbed], Ledger]


@dataclass(frozen=True)
class Scenario:
    """A command, the state that it meets, and its judge: the ledger that must hold from then on.

    arguments: `{folder}` in them is the folder that holds the store. collects: the command may
    delete what nobody needs. statuses: those that a failure may have, beside those documented.
    finish: what of the state cannot be copied, since it names the store's own place.
    """

    name: str
    state: State
    arguments: tuple[str, ...] = ()
    data: bytes = b""
    judge: Judge = judge_nothing
    collects: bool = False
    statuses: frozenset[int] = frozenset()
    finish: Callable[[Store], object] = lambda _store: None

    def words(self, store: Store) -> tuple[str, ...]:
        return tuple(word.replace("{folder}", str(store.home.parent)) for word in self.arguments)


def write_plan(store: Store) -> None:
    do(store, "gc", "--plan", f"{store.home.parent}/plan", "--older-than", "0s")


_SCRIPT = """import sys
open(sys.argv[1] + ".read", "w").close()
sys.stdout.write(open(sys.argv[1]).read())
sys.exit(3)"""


def scenarios() -> Iterator[Scenario]:
    """Every command that writes, and those that only read."""
    python = os.path.realpath(sys.executable)
    run = ("run", "--", python, "-I", "-S", "-c", _SCRIPT, "{folder}/data")
    statuses = frozenset({3, 124, 125, 126, 127})
    publish = ("lease", "publish", "--transaction", "three", "4", "--", "/bin/cat")
    offload = ("messages", "offload", "--threshold", "5000")
    compact = ("messages", "compact", "--max-messages", "2", "--keep", "0")
    in_place = ("--in-place", "{folder}/" + LIST)
    old = ("--older-than", "0s")
    yield Scenario("filter, a new store", EMPTY, (), DATA, judge_filter)
    yield Scenario("filter, a store in use", IN_USE, (), DATA, judge_filter)
    yield Scenario("filter, seen before", SEEN_BEFORE, (), DATA, judge_filter)
    yield Scenario("filter, after a collection", COLLECTED_BEFORE, (), DATA, judge_filter)
    yield Scenario("filter, 3 MB", IN_USE, (), LARGE * 10, judge_filter)
    yield Scenario("filter, small", IN_USE, (), SMALL, judge_small)
    yield Scenario("filter, preview", IN_USE, ("--on-failure", "preview"), DATA, judge_filter)
    yield Scenario("run", WITH_FILES, run, b"", judge_run, statuses=statuses)
    yield Scenario("gc", IN_USE, ("gc", "--apply", *old), b"", judge_collection, collects=True)
    yield Scenario("gc --plan", IN_USE, ("gc", "--plan", "{folder}/plan", *old))
    yield Scenario(
        "gc --apply --plan", IN_USE, ("gc", "--apply", "--plan", "{folder}/plan"), b"",
        judge_collection, collects=True, finish=write_plan,
    )  # fmt: skip
    prepare = ("lease", "prepare", "4", "--transaction", "three")
    yield Scenario("lease prepare", IN_USE, prepare, b"", judge_lease("three", "prepared"))
    yield Scenario("lease prepare, the first", ONE,
                   ("lease", "prepare", "1", "--transaction", "three"), b"",
                   judge_lease("three", "prepared"))  # fmt: skip
    yield Scenario("lease commit", IN_USE, ("lease", "commit", "one"), b"",
                   judge_lease("one", "committed"))  # fmt: skip
    yield Scenario("lease abort", IN_USE, ("lease", "abort", "one"), b"",
                   judge_lease("one", "aborted"))  # fmt: skip
    yield Scenario("lease release", IN_USE, ("lease", "release", "two"), b"",
                   judge_lease("two", "released"))  # fmt: skip
    yield Scenario("lease publish", IN_USE, publish, b"",
                   judge_lease("three", "prepared", "aborted", "committed"),
                   statuses=frozenset({126, 127}))  # fmt: skip
    yield Scenario("lease remove", IN_USE, ("lease", "remove", "two", "--", "/bin/true"), b"",
                   judge_lease("two", "released"), statuses=frozenset({126, 127}))  # fmt: skip
    yield Scenario("unpin", IN_USE, ("unpin", "3"), b"", judge_unpinned)
    yield Scenario("messages offload", WITH_FILES, offload, conversation(), judge_printed_list)
    yield Scenario(
        "messages offload --in-place", WITH_FILES, (*offload, *in_place), b"", judge_list
    )
    yield Scenario(
        "messages compact --in-place", WITH_FILES, (*compact, *in_place), b"", judge_list
    )
    yield Scenario("check --repair", LEFT_OVER, ("check", "--repair"))
    yield Scenario("check", LEFT_OVER, ("check",))
    yield Scenario("read --all", IN_USE, ("read", "1", "--all"), b"", judge_read)
    yield Scenario("search", IN_USE, ("search", "output 3"))
    yield Scenario("ls", IN_USE, ("ls", "--json"))
