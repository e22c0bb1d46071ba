"""Stores to read in: made once a worker, and copied."""

import shutil
from collections.abc import Callable

import pytest

from tests.conftest import Store
from tests.helpers import LARGE, forked, is_stub


@pytest.fixture(scope="session")
def large(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Store], Store]:
    """Lets a new store hold LARGE as its number 1; its record names the path of another one."""
    home = tmp_path_factory.mktemp("prepared") / "store"
    assert is_stub(forked(Store(home), LARGE).out)

    def copied(store: Store) -> Store:
        shutil.copytree(home, store.home, symlinks=True)
        return store

    return copied
