"""Writes outputs of everyday commands into the corpus of language_weights.py: what is no code.

    python -m tests.bench.language_outputs CORPUS TREE...

Manuals as they are displayed (the half of them whose name hashes so), help texts, listings, tables,
matches of grep in the trees, diffs between neighbouring files, logs and sessions that are made up.
The folders begin with a dash, as those of all classes that are no language.
"""

import difflib
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from tests.bench.language_corpus import PIECE, digest

COMMANDS = {
    "-listing": (
        "ls -lR /usr/lib/python3",
        "ls -la /usr/bin",
        "ls -laR /etc",
        "find /usr/share/doc",
        "find /usr/lib -name '*.so*'",
        "find /etc -ls",
        "find /usr/include -type f -printf '%s %p\\n'",
        "du -a /usr/share",
        "ls -R /usr/share/perl",
        "md5sum /usr/bin/*",
        "sha256sum /usr/lib/*/*.so",
        "ls -1 /usr/bin",
        "cksum /usr/bin/*",
        "tar -cf - /etc 2>/dev/null | tar -tvf -",
        "dpkg -L perl-modules-5.36 libc6 git",
        "cat /var/lib/dpkg/info/*.md5sums",
        "ldconfig -p",
        "ldd /usr/bin/*",
        "apt list",
        "file /usr/bin/*",
        "wc -l /etc/*",
        "readlink -f /usr/lib/*/*",
        "locale -a",
        "git -C /usr/share ls-files",
    ),
    "-table": (
        "dpkg -l",
        "ps aux",
        "ps -ef",
        "df -h",
        "cat /proc/mounts",
        "cat /proc/self/smaps",
        "cat /proc/meminfo /proc/vmstat /proc/interrupts",
        "cat /etc/services",
        "cat /etc/passwd /etc/group",
        "netstat -s",
        "cat /proc/self/maps",
        "env",
        "sysctl -a",
        "lscpu",
        "pip list",
        "apt-cache policy",
        "apt-cache show git curl perl gcc",
        "apt-cache showpkg libc6",
        "dpkg -s git perl bash",
        "cat /var/lib/dpkg/status",
        "lsof",
        "stat /usr/bin/*",
        "strings -n 6 /usr/bin/perl",
        "objdump -d /usr/bin/git",
        "objdump -t /usr/bin/python3",
        "readelf -a /usr/bin/git",
        "nm -D /usr/bin/perl",
        "hexdump -C /usr/bin/ls",
        "od -A x -t x1z /usr/bin/ls",
        "base64 /usr/bin/ls",
        "xxd /usr/bin/ls",
        "locale -c -k LC_TIME",
        "perl -V",
        "python3 -m sysconfig",
        "gcc -v --help",
        "gcc -Q --help=optimizers",
        "git config -l",
        "cat /etc/ssl/certs/ca-certificates.crt",
        "seq 1 9000",
        "cal 2024",
    ),
    "-log": (
        "cat /var/log/dpkg.log",
        "cat /var/log/apt/term.log",
        "cat /var/log/apt/history.log",
        "cat /var/log/alternatives.log",
        "cat /var/log/fontconfig.log",
        "dmesg",
        "journalctl",
        "strace -f ls /",
    ),
}
LEVELS = ("DEBUG", "INFO", "INFO", "INFO", "WARN", "ERROR")
EVENTS = (
    "connection from {ip}:{n} accepted",
    "request {hex} done in {n} ms",
    "worker-{n} started (pid={n}, queue=default)",
    "GET /api/v1/items/{n} 200 {n}ms",
    'user "{word}" logged in from {ip}',
    "cache miss for key {word}:{n}, loading from {path}",
    "java.lang.IllegalStateException: {word} was closed",
    "\tat org.example.{word}.Service.handle(Service.java:{n})",
    "retrying {word} in {n} s: [Errno 111] Connection refused",
    "state={word} took={n} size={n}B path={path}",
    "Received block blk_{n} of size {n} from /{ip}",
    "session opened for user {word} by (uid=0)",
    "{{'id': {n}, 'name': '{word}', 'ok': True}}",
    "flushed {n} entries to {path}; next at offset {n}",
)
STAMPS = (
    "2026-03-{d:02} {h:02}:{m:02}:{s:02},{f:03} ",
    "2026-03-{d:02}T{h:02}:{m:02}:{s:02}.{f:03}Z ",
    "Mar {d:2} {h:02}:{m:02}:{s:02} host{n} ",
    "[{h:02}:{m:02}:{s:02}] ",
    "26/03/{d:02} {h:02}:{m:02}:{s:02} ",
    "[Sun Mar {d:02} {h:02}:{m:02}:{s:02} 2026] ",
    "E03{d:02} {h:02}:{m:02}:{s:02}.{f:06} ",
    "{n} ",
    "",
)
SOURCES = ("{level} [main] app.{word}: ", "{level} {word}[{n}]: ", "{word}: ", "[{level}] ", "")
SESSION = ("$ {}", "user@host:~/src$ {}", "root@host:/# {}", "+ {}", "> {}", "% {}")
TYPED = ("ls -la", "git status", "make -j4", "cat README.md | head", "docker ps", "cd build")
TOOLS = """
git curl gcc ls tar find grep rsync ssh perl python3 node npm pip apt dpkg objdump ld as make sort
sed awk gzip xz ps top kill cp mv date df du stat tr head bash cmake cargo rustc java
"""
VERBS = "add commit log diff fetch push rebase config grep clone bisect branch"
SEARCHES = (("import", "-rn"), ("error", "-rin"), ("return", "-r"), ("the", "-rnC1"))


def ran(command: str) -> bytes:
    done = subprocess.run(["timeout", "20", "sh", "-c", command], capture_output=True, check=False)
    return done.stdout[: 40 * PIECE]


def cut(data: bytes, most: int = 8) -> Iterator[bytes]:
    """Pieces from all over the output."""
    step = max(PIECE, len(data) // most)
    for start in range(0, len(data), step):
        piece = data[start : start + PIECE]
        if len(piece) > 1500:
            yield piece


def manuals() -> Iterator[bytes]:
    pages = sorted(Path("/usr/share/man").glob("man*/*.gz"), key=lambda path: digest(path.name))
    taken = [path for path in pages if int(digest(path.name), 16) % 2 and path.stat().st_size > 900]
    for path in taken[:350]:
        text = ran(f"man -P cat {path} 2>/dev/null | col -b")
        yield from list(cut(text, 2))


def helps() -> Iterator[bytes]:
    for tool in TOOLS.split():
        yield from list(cut(ran(f"{tool} --help 2>&1") * 2, 2))
    for verb in VERBS.split():
        yield from list(cut(ran(f"git {verb} -h 2>&1"), 1))


def matches(trees: list[Path]) -> Iterator[bytes]:
    for tree in trees:
        for word, flags in SEARCHES:
            found = ran(f"cd {tree} && grep {flags} -I --include='*.*' '{word}' . | head -c 300000")
            yield from list(cut(found, 1))


def diffs(trees: list[Path]) -> Iterator[bytes]:
    """Between files of one suffix that follow each other."""
    for tree in trees:
        files = sorted(path for path in tree.rglob("*.*") if path.is_file())[:400]
        made = ""
        for old, new in pairwise(files):
            if old.suffix == new.suffix and old.stat().st_size < 9000 and len(made) < PIECE:
                a, b = (path.read_text(errors="ignore").split("\n") for path in (old, new))
                made += "\n".join(difflib.unified_diff(a, b, old.name, new.name, lineterm=""))
        if len(made) > 1500:
            yield made[:PIECE].encode()


def numbered(trees: list[Path]) -> Iterator[bytes]:
    for tree in trees:
        files = f"find {tree} -type f -size -60k | grep -v '[.]git' | sort | head -3"
        yield from cut(ran(f"cat -n $({files})"), 1)


def logs() -> Iterator[bytes]:
    chance = random.Random(1)
    words = re.findall(r"[a-z]{4,9}", " ".join(EVENTS))
    for number in range(260):
        stamp, source = chance.choice(STAMPS), chance.choice(SOURCES)
        events = chance.sample(EVENTS, chance.randint(2, 9))
        lines = []
        for at in range(240):
            fields = {
                "d": 1 + at // 90,
                "h": at // 60 % 24,
                "m": at % 60,
                "s": at * 7 % 60,
                "f": at * 37 % 1000,
                "n": chance.randint(1, 60_000),
                "word": chance.choice(words),
                "ip": f"10.0.{at % 9}.{number}",
                "hex": f"{chance.getrandbits(48):x}",
                "level": chance.choice(LEVELS),
                "path": f"/var/lib/{chance.choice(words)}/{at}.dat",
            }
            lines.append((stamp + source + chance.choice(events)).format(**fields))
        yield "\n".join(lines).encode()


def sessions(found: list[bytes]) -> Iterator[bytes]:
    """Prompts with what was typed, and outputs behind them."""
    chance = random.Random(2)
    for _ in range(120):
        prompt, text = chance.choice(SESSION), ""
        while len(text) < PIECE // 2:
            lines = chance.choice(found).decode(errors="ignore").split("\n")
            start = chance.randrange(len(lines))
            text += prompt.format(chance.choice(TYPED)) + "\n"
            text += "\n".join(lines[start : start + chance.randint(2, 25)]) + "\n"
        yield text.encode()


def main(corpus: Path, trees: list[Path]) -> None:
    outputs = {
        name: [piece for command in commands for piece in cut(ran(command))]
        for name, commands in COMMANDS.items()
    }
    outputs["-log"] += list(logs())
    outputs["-manual"], outputs["-help"] = list(manuals()), list(helps())
    outputs["-matches"], outputs["-diff"] = list(matches(trees)), list(diffs(trees))
    outputs["-numbered"] = list(numbered(trees))
    everything = [piece for pieces in outputs.values() for piece in pieces]
    outputs["-session"] = list(sessions(everything))
    for name, pieces in outputs.items():
        (corpus / name).mkdir(parents=True, exist_ok=True)
        for number, piece in enumerate(pieces):
            (corpus / name / f"machine+{number}").write_bytes(piece)
        print(f"{name:20} {len(pieces):6}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), list(map(Path, sys.argv[2:])))
