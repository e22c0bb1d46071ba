"""Every journal with any bit flipped, cut anywhere, two lines swapped, and random damage.

What protects still protects, or the journal is refused and nothing is deleted; what a damaged line
says is never believed. Fast, on bytes alone, and slower through commands on files in a store.
"""

import json
import random
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from tests.proof import mutants
from tests.proof.adapter import JournalReader, Store, forked, journals
from tests.proof.commands import invoke
from tests.proof.oracles import Ledger, check_answer, check_kept, check_next
from tests.proof.point import (
    ACKNOWLEDGED,
    OTHER,
    PROTECTED,
    Given,
    Point,
    Violation,
    first_caught,
    require,
)
from tests.proof.scenarios import Scenario
from tests.proof.states import EVERYTHING
from tests.proof.trials import Template, template

CHUNK = 2000
Mutant = tuple[bytes, bytes]


def points(given: Given) -> Iterator[Point]:
    for reader in journals():
        yield Point(
            f"control: {reader.name}, every line believed", partial(_believe, reader), control=True
        )
    systematic = [point for reader in journals() for point in _systematic(reader)]
    random.Random(given.seed).shuffle(systematic)
    made = template(Scenario("everything", EVERYTHING), given.place)
    number = 0
    while True:
        # One point through commands costs as much as thousands on bytes.
        yield from systematic[number * 3 : number * 3 + 3]
        for reader in journals():
            name = f"{reader.name}: {CHUNK:,} random mutants, {given.seed} {number}"
            yield Point(name, partial(_random, reader, f"{given.seed} {number}"))
        name = f"a file of a store: random mutant {given.seed} {number}"
        yield Point(name, partial(_on_disk, made, f"{given.seed} {number}"))
        number += 1


def _systematic(reader: JournalReader) -> Iterator[Point]:
    """All one-bit flips, all truncations, all swaps of two lines."""
    whole, beside = reader.whole, reader.beside
    swaps = mutants.pairs(whole)
    kinds: dict[str, tuple[int, Callable[[int], Mutant]]] = {
        "bits flipped": (len(whole) * 8, lambda n: (mutants.flip(whole, n), beside)),
        "truncations": (len(whole), lambda n: (whole[:n], beside)),
        "swaps of two lines": (len(swaps), lambda n: (mutants.swapped(whole, *swaps[n]), beside)),
        "bits flipped beside": (len(beside) * 8, lambda n: (whole, mutants.flip(beside, n))),
        "truncations beside": (len(beside), lambda n: (whole, beside[:n])),
    }
    for kind, (total, make) in kinds.items():
        for part in mutants.chunks(total, CHUNK):
            name = f"{reader.name}: {kind} {part.start} to {part.stop}"
            yield Point(name, partial(_batch, reader, part, make))


def _batch(reader: JournalReader, part: range, make: Callable[[int], Mutant], _f: Path) -> int:
    return compare(reader, (make(number) for number in part))


def _random(reader: JournalReader, seed: str, _folder: Path) -> int:
    return compare(reader, _mutants(reader, seed))


def _mutants(reader: JournalReader, seed: str) -> Iterator[Mutant]:
    dice = random.Random(f"{seed} {reader.name}")
    for _ in range(CHUNK):
        journal, beside = reader.whole, reader.beside
        if not beside or dice.random() < 0.8:
            journal = mutants.random_mutant(dice, journal)
        else:
            beside = mutants.random_mutant(dice, beside)
        yield journal, beside


def compare(reader: JournalReader, made: Iterable[Mutant]) -> int:
    """How many mutants were compared with the whole journal. Raises Violation."""
    whole, count = reader.read(reader.whole, reader.beside), 0
    assert whole
    for journal, beside in made:
        count += 1
        found = reader.read(journal, beside)
        if found is None:
            continue
        if reader.keeps:
            require(found >= whole, PROTECTED, f"mutant {count} frees {whole - found}")
        else:
            require(found <= whole, ACKNOWLEDGED, f"mutant {count} says {found - whole}")
    return count


def _believe(reader: JournalReader, _folder: Path) -> int:
    """A reader that believes whatever can be parsed."""

    def read(data: bytes, _beside: bytes) -> frozenset[object]:
        found = set()
        for line in data.split(b"\n"):
            try:
                document = json.loads(line)
                key = document.get("transaction_id", document.get("key"))
                if reader.keeps:
                    found.add(key)
                    continue
                found.add(json.dumps(document, sort_keys=True))
            except (ValueError, AttributeError):
                pass
        return frozenset(found)

    naive = JournalReader(reader.name, reader.whole, reader.beside, read, reader.keeps)
    return first_caught([lambda: compare(naive, _mutants(naive, "control"))])


# ---- On a disk, through commands


def _on_disk(made: Template, seed: str, folder: Path) -> int:
    """One file of the session's folder is damaged, and then everything is tried on it."""
    store, dice = made.copy(folder), random.Random(seed)
    names = sorted(
        str(path.relative_to(store.folder))
        for path in store.folder.iterdir()
        if path.is_file() and path.suffix in (".jsonl", ".head", ".lock")
    )
    name = dice.choice(names)
    path = store.folder / name
    path.write_bytes(mutants.random_mutant(dice, path.read_bytes()))
    try:
        try_everything(store, made.ledger)
    except Violation as found:
        raise Violation(found.kind, f"{name} was damaged: {found}") from None
    return 1


def try_everything(store: Store, ledger: Ledger) -> None:
    """Whatever is wrong: what was kept reads back, and no collection takes what is needed."""
    check_kept(store, ledger)
    for words in (("ls", "--json"), ("show", "last"), ("stats",), ("lease", "ls"), ("check",)):
        check_answer(invoke(store, b"", *words))
    check_next(store, ledger)
    for command in ("gc --apply --older-than 0s", "check --repair") * 2:
        check_answer(forked(store, b"", *command.split()))
        check_kept(store, ledger, collected=True)
    needed = Ledger({ref: ledger.kept[ref] for ref in ledger.needed}, ledger.needed)
    check_kept(store, needed)
    done = forked(store, b"", "check", "--repair", "--accept-loss")
    check_answer(done)
    check_kept(store, needed)
    check_next(store, ledger)
    require(invoke(store, b"", "check").status in (0, 4), OTHER, "check")
