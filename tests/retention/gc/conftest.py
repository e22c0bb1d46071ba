"""Where many stores are made and spoiled: in memory, where that is."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

_MEMORY = "/dev/shm"


@pytest.fixture
def ram(tmp_path: Path) -> Iterator[Path]:
    """A folder whose syncs cost nothing; an ordinary one where there is no memory file system."""
    if not os.access(_MEMORY, os.W_OK):
        yield tmp_path
        return
    made = tempfile.mkdtemp(prefix="stub-test-", dir=_MEMORY)
    yield Path(made)
    shutil.rmtree(made, ignore_errors=True)
