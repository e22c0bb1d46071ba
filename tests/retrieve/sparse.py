"""Artifacts of many gigabytes that take no room: holes with a few islands, and a true record."""

import hashlib
import os

from stubcli.store.posix.session import PosixSession
from stubcli.store.records import BLOCK, Checkpoint, Record
from stubcli.text.characters import characters
from tests.helpers import made_run


def sparse(session: PosixSession, size: int, islands: dict[int, bytes]) -> Record:
    """Publish `size` NUL bytes with `islands` (offset → bytes, each within one block of 1 MiB)."""
    incoming = session.begin()
    os.ftruncate(incoming._descriptor, size)
    for offset, data in islands.items():
        os.pwrite(incoming._descriptor, data, offset)
    incoming.size = size
    record = _record(session.name, incoming.number, size, islands)
    incoming.publish(record)
    incoming.close()
    return record


def _record(session: str, number: int, size: int, islands: dict[int, bytes]) -> Record:
    hole = bytes(BLOCK)
    digest_of_hole = hashlib.sha256(hole).hexdigest()[:32]
    whole, checkpoints = hashlib.sha256(), []
    characters_before = feeds = 0
    for start in range(0, size, BLOCK):
        block = bytearray(hole[: min(BLOCK, size - start)])
        for offset, data in islands.items():
            if start <= offset < start + BLOCK:
                block[offset - start : offset - start + len(data)] = data
        is_hole = block == hole
        digest = digest_of_hole if is_hole else hashlib.sha256(block).hexdigest()[:32]
        checkpoints.append(Checkpoint(start, characters_before, feeds, digest))
        whole.update(block)
        characters_before += BLOCK if is_hole else characters(block)
        feeds += 0 if is_hole else block.count(b"\n")
    return Record(
        session=session,
        number=number,
        sha256=whole.hexdigest(),
        size=size,
        characters=characters_before,
        lines=feeds + (block[-1:] != b"\n"),
        run=made_run(number),
        facts={},
        checkpoints=tuple(checkpoints),
    )
