"""The families by name, in the order of the table."""

from tests.proof import full, inputs, journals, limits, load, planted, power, races, syscalls
from tests.proof.adapter import version
from tests.proof.point import Points

FAMILIES: dict[str, Points] = {
    "syscalls": syscalls.points,
    "limits": limits.points,
    "power": power.points,
    "full": full.points,
    "planted": planted.points,
    "load": load.points,
    "journals": journals.points,
    "races": races.points,
    "inputs": inputs.points,
}

# How much of the time each has, beside the others: a power cut takes longest, and of mutants there
# are to be most.
SHARES = {**dict.fromkeys(FAMILIES, 1.0), "power": 2.5, "journals": 2.0, "inputs": 1.5, "load": 1.5}

__all__ = ["FAMILIES", "SHARES", "version"]
