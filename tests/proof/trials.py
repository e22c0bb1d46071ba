"""A scenario ready to be tried: its store arranged once, copied for each point, and judged."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from tests.proof.adapter import Ran, Store
from tests.proof.calls import FAIL, Disturbance, calls_of, run_disturbed
from tests.proof.judges import Disturbed
from tests.proof.oracles import (
    BUG,
    DOCUMENTED,
    KILLED,
    Ledger,
    check_answer,
    check_final_names,
    check_kept,
    check_mended,
    check_next,
)
from tests.proof.processes import value_in_child
from tests.proof.scenarios import Scenario
from tests.proof.states import State

_arranged: dict[tuple[str, Path], tuple[Path, Ledger]] = {}
_calls: dict[tuple[str, Path], list[str]] = {}


def store_in(folder: Path) -> Store:
    return Store(folder / "store")


@dataclass(frozen=True)
class Template:
    """A store that was arranged once, to be copied for each point."""

    scenario: Scenario
    folder: Path
    ledger: Ledger

    @property
    def home(self) -> Path:
        """The store that copies are made of, to be looked at."""
        return store_in(self.folder).home

    def copy(self, folder: Path) -> Store:
        return self.copy_into(folder / "copy")

    def copy_into(self, folder: Path) -> Store:
        shutil.copytree(self.folder, folder, symlinks=True)
        store = store_in(folder)
        self.scenario.finish(store)
        return store


def template(scenario: Scenario, place: Path) -> Template:
    """The scenario in its state; what was arranged in `place` once is there for all."""
    folder, ledger = arranged(scenario.state, place)
    return Template(scenario, folder, ledger)


def arranged(state: State, place: Path) -> tuple[Path, Ledger]:
    """(folder, ledger) of a state, arranged in a child: nothing of it is left in this process."""
    if (state.name, place) not in _arranged:
        folder, ledger = place / state.name.replace(" ", "-"), Ledger()
        if state.before:
            before, ledger = arranged(state.before, place)
            shutil.copytree(before, folder, symlinks=True)
        else:
            folder.mkdir()
        found = value_in_child(lambda: state.arrange(store_in(folder), ledger))
        _arranged[state.name, place] = folder, found
    return _arranged[state.name, place]


def calls(made: Template, place: Path) -> list[str]:
    """The calls that the scenario's command makes, found out once in a copy."""
    key = made.scenario.name, place
    if key not in _calls:
        spare = made.copy(place / f"calls of {made.scenario.name}")
        _calls[key] = calls_of(spare, made.scenario.data, *made.scenario.words(spare))
    return _calls[key]


def try_one(made: Template, call: str, what: Disturbance, folder: Path) -> None:
    """Run the scenario with that disturbance of that call on a copy, and judge what it left."""
    store, scenario = made.copy(folder), made.scenario
    done, consumed = run_disturbed(store, scenario.data, scenario.words(store), what)
    broken = call == "write:1" and what.way == FAIL
    # Where the calls before took another way, the call of that number may be missing.
    killed = what.kills and done.status == KILLED
    judge(made, store, done, killed=killed, broken_output=broken, consumed=consumed)


def judge(
    made: Template,
    store: Store,
    done: Ran,
    *,
    killed: bool = False,
    broken_output: bool = False,
    consumed: int = 0,
    bugs: bool = False,
) -> None:
    """Every oracle of the scenario. bugs: status 70 is no violation, as where memory is short."""
    scenario = made.scenario
    extra = {BUG} if bugs else set()
    check_answer(done, *({KILLED} if killed else DOCUMENTED | scenario.statuses | extra))
    check_final_names(store)
    check_kept(store, made.ledger, collected=scenario.collects)
    run = Disturbed(scenario.data, store, made.ledger, done, killed, consumed, broken_output)
    ledger = scenario.judge(run)
    check_mended(store, ledger)
    check_next(store, ledger)
