"""Where the tests get their chance from: hypothesis by a profile, everything else by one seed.

`ci`, the default, tries the same examples in every run, in any order and on any number of workers.
`explore` (HYPOTHESIS_PROFILE=explore or --hypothesis-profile) draws new ones, STUB_TEST_TIMES as
many, and keeps its finds in .hypothesis/examples; what it finds becomes an explicit example.
A failure is printed with what repeats it.
"""

import hashlib
import os
import random
import shlex
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.database import DirectoryBasedExampleDatabase
from hypothesis.internal import observability
from hypothesis.internal.conjecture import providers

ROOT = Path(__file__).parent.parent
# How long a draw takes is the machine's; a store that an example finds used is the point.
UNCHECKED = (
    HealthCheck.too_slow,
    HealthCheck.data_too_large,
    HealthCheck.function_scoped_fixture,
    HealthCheck.differing_executors,
)
SEED = "STUB_TEST_SEED"
_seed = pytest.StashKey[str]()
# How many times the examples of `ci` are tried by `explore`.
TIMES = int(os.environ.get("STUB_TEST_TIMES", "20"))

settings.register_profile(
    "ci",
    derandomize=True,
    database=None,
    deadline=None,
    print_blob=True,
    suppress_health_check=UNCHECKED,
)
settings.register_profile(
    "explore",
    derandomize=False,
    database=DirectoryBasedExampleDatabase(ROOT / ".hypothesis" / "examples"),
    deadline=None,
    print_blob=True,
    max_examples=100 * TIMES,
    suppress_health_check=UNCHECKED,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def exploring() -> bool:
    return settings.get_current_profile_name() == "explore"


def examples(count: int, **more: Any) -> settings:
    """Settings of a property: so many examples in `ci`, many more where one explores."""
    return settings(max_examples=count * (TIMES if exploring() else 1), **more)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--examples-log",
        metavar="FILE",
        help="write a line for each test: how many examples it tried, and a digest of them",
    )


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Once the profile is known: what workers inherit, and what is not left to the machine."""
    if exploring():
        os.environ.setdefault(SEED, str(random.SystemRandom().randrange(1 << 32)))
    else:
        # Sets and dictionaries of the tests themselves; it reaches the workers and every `stub`.
        os.environ.setdefault("PYTHONHASHSEED", "0")
        # Else numbers and words of every module that is loaded by now would be drawn, too: other
        # ones after each change of the code, and in each order of the tests.
        assert callable(providers._get_local_constants)
        providers._get_local_constants = lambda: providers._local_constants
    config.stash[_seed] = os.environ.get(SEED, "0")
    if path := config.getoption("--examples-log"):
        config.pluginmanager.register(ExamplesLog(Path(path), is_worker=_is_worker(config)))


def _is_worker(config: pytest.Config) -> bool:
    return hasattr(config, "workerinput")


@pytest.fixture
def dice(request: pytest.FixtureRequest) -> random.Random:
    """Chance for one test: its own, whatever ran before, and repeatable by the seed."""
    return random.Random(f"{request.config.stash[_seed]} {request.node.nodeid}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed and "dice" in getattr(item, "fixturenames", ()):
        again = (
            f"{SEED}={item.config.stash[_seed]} python -m pytest -n 0 {shlex.quote(item.nodeid)}"
        )
        report.sections.append(("chance", f"this repeats it: {again}"))
    return report


class ExamplesLog:
    """What each test drew, in one line a test: equal where two runs tried the same."""

    def __init__(self, path: Path, *, is_worker: bool) -> None:
        self._path = path
        self._is_worker = is_worker
        self._count, self._digest = 0, hashlib.sha256()
        observability.OBSERVABILITY_CHOICES = True
        observability.OBSERVABILITY_COLLECT_COVERAGE = False
        observability.add_observability_callback(self._note)
        if not is_worker:
            path.write_bytes(b"")

    def _note(self, observation: Any) -> None:
        if observation.type == "test_case":
            drawn = [node.value for node in observation.metadata.choice_nodes or ()]
            self._count += 1
            self._digest.update(f"{observation.status} {drawn!r}\n".encode("utf-8", "replace"))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self._count, self._digest = 0, hashlib.sha256()
        done = yield
        if self._count:
            line = f"{item.nodeid}\t{self._count}\t{self._digest.hexdigest()}\n"
            with self._path.open("a") as file:
                file.write(line)
        return done

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        if not self._is_worker:
            self._path.write_text("".join(sorted(self._path.read_text().splitlines(True))))
