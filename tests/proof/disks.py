"""File systems in files, whose power can be cut: ext4 and XFS by their own shutdown, btrfs by copy.

Mounted in the mount namespace of a point, so that they are gone with it. As in the store's tests,
a cut leaves what was synchronised and nothing else.
"""

import fcntl
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.proof.adapter import SHUT_DOWN, WITHOUT_THE_LOG
from tests.proof.point import NotRun

MIB = 1 << 20


@dataclass(frozen=True)
class Kind:
    """A file system: how it is made and mounted, and whether it can be shut down by itself."""

    name: str
    make: tuple[str, ...]
    size: int
    options: str
    shuts_down: bool


KINDS = (
    Kind("ext4", ("mkfs.ext4", "-q", "-F", "-m", "0"), 16 * MIB, "loop,commit=600", True),
    Kind("XFS", ("mkfs.xfs", "-q", "-f"), 300 * MIB, "loop,nouuid", True),
    Kind("btrfs", ("mkfs.btrfs", "-q", "-f", "--mixed"), 32 * MIB, "loop,commit=600", False),
)


class Disk:
    """One image, mounted at `point`."""

    def __init__(self, kind: Kind, folder: Path) -> None:
        self.kind = kind
        self.point = folder / "disk"
        self._folder = folder
        self._image = folder / "image"
        self._turn = 0
        self.point.mkdir()

    def make(self) -> None:
        """A new, empty file system. Raises NotRun."""
        if shutil.which(self.kind.make[0]) is None:
            raise NotRun(f"{self.kind.name}: needs {self.kind.make[0]}")
        self._image.touch()
        os.truncate(self._image, self.kind.size)
        _tool(*self.kind.make, str(self._image))

    def copy_of(self, other: Path) -> None:
        """Begin with the bytes of another image."""
        _copy(other, self._image)

    def mount(self) -> None:
        # Nothing is written because time passed: what is on the disk was asked for.
        _tool("mount", "-o", self.kind.options, str(self._image), str(self.point))

    def unmount(self) -> None:
        _tool("umount", str(self.point))

    def cut(self) -> None:
        """The power fails, and comes back."""
        if self.kind.shuts_down:
            descriptor = os.open(self.point, os.O_RDONLY)
            try:
                fcntl.ioctl(descriptor, SHUT_DOWN, WITHOUT_THE_LOG)
            finally:
                os.close(descriptor)
            _tool("umount", "-l", str(self.point))
        else:
            self._turn += 1
            # What has reached the block device by now is all that there is.
            after = self._folder / f"image{self._turn}"
            _copy(self._image, after)
            _tool("umount", str(self.point))
            self._image.unlink()
            self._image = after
        self.mount()


def _copy(source: Path, target: Path) -> None:
    _tool("cp", "--sparse=always", str(source), str(target))


def _tool(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    if done.returncode:
        # Without the names of its own files it is one reason for all points.
        said = re.sub(r"\S*/\S*", "...", " ".join(done.stderr.split()))
        raise NotRun(f"{command[0]}: {said[:200]}")
