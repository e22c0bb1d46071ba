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

__all__ = ["FAMILIES", "version"]
