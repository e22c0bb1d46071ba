"""Which command lines run `stub` and nothing else: what it prints is bounded, or asked for whole.

By what is run, also in a script for a shell; not by what the output looks like, which anybody can
print. A script that cannot be followed is no such one.
"""

import re
from collections.abc import Iterator, Sequence

_SHELLS = frozenset(("sh", "bash", "dash", "zsh", "ksh", "mksh", "ash"))
# What only prepares for the next command, and what only starts the one behind it.
_SILENT = frozenset(("cd", "export", "set", "unset", "umask", "true", ":"))
_STARTERS = frozenset(("exec", "command", "env", "time", "nice"))
# A longer script is one of many commands, and reading it would delay them.
_LONGEST = 4096
_WITH_FILE = ("--rcfile", "--init-file")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_BETWEEN = frozenset(("&&", "||", ";", "\n", "|", "|&"))
_REDIRECTION = re.compile(r"[<>]+[&|]?|&>+")


def runs_only_stub(argv: Sequence[str]) -> bool:
    """Whether all that this runs is stub, by itself or in a script that a shell is given."""
    words = _command_words(argv)
    if not words:
        return False
    name = words[0].rpartition("/")[2]
    if name == "stub":
        return True
    script = _script(words[1:]) if name in _SHELLS else None
    return script is not None and len(script) <= _LONGEST and _is_only_stub(script)


def _command_words(words: Sequence[str]) -> Sequence[str]:
    """The words from the name of the command on."""
    place = 0
    while place < len(words) and (words[place] in _STARTERS or _ASSIGNMENT.match(words[place])):
        place += 1
    return words[place:]


def _script(options: Sequence[str]) -> str | None:
    """What a shell with these arguments runs: the first that is none of its options, after `-c`."""
    given = False
    words = iter(options)
    for word in words:
        if not word.startswith(("-", "+")):
            return word if given else None
        if word in _WITH_FILE or (not word.startswith("--") and word[-1:] in ("o", "O")):
            next(words, "")
        elif not word.startswith("--"):
            given = given or "c" in word
    return None


def _is_only_stub(script: str) -> bool:
    try:
        commands = list(_commands(script))
    except ValueError:  # a quote that is not closed
        return False
    spoken = [words for words in commands if words[0] not in _SILENT]
    return bool(spoken) and all(runs_only_stub(words) for words in spoken)


def _commands(script: str) -> Iterator[Sequence[str]]:
    """The words of each command of a script. Raises ValueError where it is more than a list."""
    from shlex import shlex

    tokens = shlex(script, posix=True, punctuation_chars="();<>|&\n")
    tokens.whitespace, tokens.whitespace_split, tokens.commenters = " \t\r", True, ""
    words: list[str] = []
    for token in (*tokens, ";"):
        if token.strip("\n") in _BETWEEN or not token.strip("\n"):
            if found := _command_words(words):
                yield found
            words = []
        elif set(token) <= set("();<>|&\n") and not _REDIRECTION.fullmatch(token):
            raise ValueError(token)
        else:
            words.append(token)
