"""Something else stands under a name of the store: nothing is followed, and nothing is waited for.

Every name that any command makes, and those that the next one will make; clones, overlays, other
owners, wrong modes, and file systems without second names.
"""

import os
import random
import shutil
import stat
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from tests.proof import spoiled
from tests.proof.adapter import Store, forked, plants, refusals_of_links, sha256
from tests.proof.calls import run_fed
from tests.proof.commands import invoke
from tests.proof.journals import try_everything
from tests.proof.oracles import Ledger, check_answer, check_input, check_kept, number_of, read_back
from tests.proof.point import (
    ACKNOWLEDGED,
    OTHER,
    PROTECTED,
    Given,
    NotRun,
    Point,
    first_caught,
    require,
)
from tests.proof.processes import IS_ROOT, own_mounts
from tests.proof.scenarios import Scenario, scenarios
from tests.proof.states import DATA, EVERYTHING, conversation
from tests.proof.trials import Template, judge, store_in, template

SECRET = b"a secret from outside"
STRANGER = 61_235
FOLDERS = (".incoming", ".index", "tool-results")
MODES = (0o666, 0o777, 0o000, 0o620, 0o602)
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("ls", "--json"), ("show", "last"), ("search", "secret"), ("check",), ("lease", "ls"),
    ("lease", "prepare", "2", "--transaction", "planted"), ("pin", "5"), ("stats",), ("config",),
    ("gc", "--apply", "--older-than", "0s"), ("check", "--repair"),
)  # fmt: skip


def points(given: Given) -> Iterator[Point]:
    made = template(Scenario("everything", EVERYTHING), given.place)
    yield Point("control: links are followed", partial(_control, made), control=True)
    every = list(_planted(made)) + list(_elsewhere(made, given))
    random.Random(given.seed).shuffle(every)
    yield from every


def _planted(made: Template) -> Iterator[Point]:
    home = made.home
    names = [str(path.relative_to(home)) for path in sorted(home.rglob("*"))]
    for_files, for_folders, _ = plants()
    for name in [*names, *_next_names(home), ""]:
        path = home / name
        ways = for_folders if path.is_dir() and not path.is_symlink() else for_files
        # The path of a socket and what it is bound in may be no longer than 107 bytes.
        for what in ways:
            run = partial(_run, made, name, ways[what])
            yield Point(f"{name or 'the home'} is {what}", run, seconds=45)
        if path.exists():
            for mode in MODES:
                run = partial(_run, made, name, partial(_with_mode, mode))
                yield Point(f"{name or 'the home'} has mode {mode:o}", run, seconds=45)
            run = partial(_run, made, name, _of_stranger)
            yield Point(f"{name or 'the home'} is another user's", run, seconds=45)
            run = partial(_run, made, name, _moved)
            yield Point(f"{name or 'the home'} is a link to itself elsewhere", run, seconds=45)


def _next_names(home: Path) -> Iterator[str]:
    """What the next command will make."""
    session = next((home / "sessions").iterdir())
    within = session.relative_to(home)
    highest = max(number_of(path.name) for path in session.rglob("tool_result_*"))
    for number in (highest + 1, highest + 2):
        name = f"tool_result_{number:03d}"
        yield f"{within}/.incoming/{name}"
        yield f"{within}/.incoming/{name}.json"
        yield f"{within}/tool-results/{name}.txt"
        yield f"{within}/tool-results/{name}.{sha256(DATA)[:16]}.json"


# Each puts something in the place of `place`, which was moved to `aside`.
Put = Callable[[Path, Any, Path | None], None]


def _with_mode(mode: int, place: Path, _outside: Any, aside: Path | None) -> None:
    assert aside
    aside.rename(place)
    place.chmod(mode)


def _of_stranger(place: Path, _outside: Any, aside: Path | None) -> None:
    if not IS_ROOT:
        raise NotRun("another user: needs root")
    assert aside
    aside.rename(place)
    os.chown(place, STRANGER, STRANGER, follow_symlinks=False)


def _moved(place: Path, _outside: Any, aside: Path | None) -> None:
    assert aside
    place.symlink_to(aside)


def _run(made: Template, name: str, put: Callable[..., None], folder: Path) -> int:
    store = made.copy(folder)
    outside = plants()[2](folder / "outside")
    place, aside = store.home / name if name else store.home, folder / "aside"
    stood = os.path.lexists(place)
    status = place.lstat() if stood else None
    if stood:
        place.rename(aside)
    before = outside.looks()
    if isinstance(put, partial) or put in (_of_stranger, _moved):
        put(place, outside, aside)
    else:
        put(place, outside)
    planted = place.lstat()
    count = _try_commands(store, made.ledger, name, folder)
    require(outside.looks() == before, OTHER, "something outside was changed")
    if status is not None and os.path.lexists(place):
        _restore(place, aside, planted, status)
        if not os.path.lexists(aside):
            check_kept(store, made.ledger, collected=True)
    return count


def _restore(place: Path, aside: Path, planted: os.stat_result, before: os.stat_result) -> None:
    """As it was, where nobody has put something new there meanwhile."""
    now = place.lstat()
    if (now.st_ino, now.st_dev) != (planted.st_ino, planted.st_dev):
        return
    if aside.exists() or aside.is_symlink():
        shutil.rmtree(place) if stat.S_ISDIR(now.st_mode) else place.unlink()
        aside.rename(place)
    elif not stat.S_ISLNK(now.st_mode):
        if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
            os.chown(place, before.st_uid, before.st_gid)
        place.chmod(stat.S_IMODE(before.st_mode))


def _try_commands(store: Store, ledger: Ledger, name: str, folder: Path) -> int:
    done = forked(store, DATA)
    check_answer(done)
    check_input(store, DATA, done, ledger)
    for words in COMMANDS:
        done = invoke(store, b"", *words)
        check_answer(done)
        require(SECRET not in done.out + done.err, OTHER, f"{words}: the secret was shown: {done}")
    done = invoke(store, conversation(), "messages", "offload", "--threshold", "5000")
    check_answer(done)
    require(done.out.startswith(b"["), OTHER, f"the list did not come out: {done}")
    _check_unhurt(store, ledger, name)
    return len(COMMANDS) + 2


def _check_unhurt(store: Store, ledger: Ledger, name: str) -> None:
    """What stands elsewhere reads back; what stood there, not at all or as it was."""
    for ref, data in ledger.kept.items():
        done = read_back(store, ref)
        fine = (done.status == 0 and done.out == data) or (done.status and not done.out)
        require(fine, ACKNOWLEDGED, f"{ref}: {done.status}, {done.out[:200]!r}")
        require(SECRET not in done.err, OTHER, done.err)
        stem = f"tool_result_{number_of(ref):03d}"
        folder = name.rpartition("/")[2] in ("", "sessions", "test", *FOLDERS)
        hurt = folder or (stem in name and ".incoming" not in name)
        require(hurt or ref not in ledger.needed or not done.status, PROTECTED, f"{ref}: {done}")


# ---- Other places for a whole store


def _elsewhere(made: Template, given: Given) -> Iterator[Point]:
    yield Point("a clone by cp -a", partial(_clone, made))
    yield Point("an overlay over a store", partial(_overlay, made))
    chosen = [one for one in scenarios() if one.name.startswith(("filter", "run", "messages"))]
    for scenario in chosen:
        for error in refusals_of_links():
            name = f"{scenario.name}: links fail with {os.strerror(error)}"
            yield Point(name, partial(_without_links, template(scenario, given.place), error))
    yield Point("a store on vfat", partial(_vfat, made))


def _clone(made: Template, folder: Path) -> None:
    store = made.copy(folder)
    (folder / "clone").mkdir()
    subprocess.run(["cp", "-a", store.home, folder / "clone" / "store"], check=True)
    for one in (store_in(folder / "clone"), store):
        try_everything(one, made.ledger)


def _overlay(made: Template, folder: Path) -> None:
    own_mounts()
    store = made.copy(folder)
    for name in ("upper", "work", "merged"):
        (folder / name).mkdir(mode=0o700)
    options = f"lowerdir={store.home},upperdir={folder}/upper,workdir={folder}/work"
    _mount("-t", "overlay", "-o", options, "none", str(folder / "merged"))
    try_everything(Store(folder / "merged"), made.ledger)


def _vfat(made: Template, folder: Path) -> None:
    own_mounts()
    image, point = folder / "image", folder / "vfat"
    point.mkdir()
    image.touch()
    os.truncate(image, 16 << 20)
    if shutil.which("mkfs.vfat") is None:
        raise NotRun("vfat: needs mkfs.vfat")
    subprocess.run(["mkfs.vfat", image], check=True, capture_output=True)
    _mount("-o", "loop,umask=077", str(image), str(point))
    store = Store(point / "store")
    done = forked(store, DATA)
    check_answer(done)
    check_input(store, DATA, done, made.ledger)


def _mount(*words: str) -> None:
    done = subprocess.run(["mount", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotRun(
            f"{'vfat' if 'loop,umask=077' in words else 'overlay'}: cannot be mounted here"
        )


def _without_links(made: Template, error: int, folder: Path) -> None:
    store, scenario = made.copy(folder), made.scenario

    def prepare() -> None:
        def link(*_given: object, **_named: object) -> None:
            raise OSError(error, os.strerror(error))

        os.link = link

    done, consumed = run_fed(store, scenario.data, scenario.words(store), prepare)
    judge(made, store, done, consumed=consumed)


# ---- Control


def _control(made: Template, folder: Path) -> int:
    """A program that opens whatever stands there must be seen to change what is outside."""

    def attempt() -> None:
        store = made.copy(folder)
        outside = plants()[2](folder / "outside")
        place = store.folder / ".sequence"
        place.unlink()
        place.symlink_to(outside.file)
        before = outside.looks()
        forked(store, DATA, prepare=spoiled.links_are_followed)
        require(outside.looks() == before, OTHER, "something outside was changed")

    return first_caught([attempt])
