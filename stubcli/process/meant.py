"""What may have been meant by a command that does not exist: most often a script for a shell."""

from shlex import quote

from stubcli.advice import Advice

# What a word of a command line has only where a shell is to read it. Names of files may have some,
# but this one is the name of none.
_SPECIAL = frozenset(" \t\n|&;<>()$`\"'*?[]{}!#=\\")
_BUILTINS = frozenset((
    ".", ":", "alias", "bg", "case", "cd", "command", "eval", "exec", "exit", "export", "fg", "for",
    "getopts", "hash", "if", "jobs", "local", "read", "readonly", "return", "set", "shift", "time",
    "times", "trap", "type", "ulimit", "umask", "unalias", "unset", "until", "wait", "while",
))  # fmt: skip
_OF_BASH = frozenset((
    "declare", "dirs", "function", "let", "popd", "pushd", "select", "shopt", "source", "typeset",
))  # fmt: skip


def advise(argv: list[str], otherwise: str) -> str | Advice:
    """The command that runs it as a script, where it looks like one; else `otherwise`."""
    name = argv[0]
    if not (name in _BUILTINS | _OF_BASH or _SPECIAL.intersection(name)):
        return otherwise
    script = " ".join([name, *map(quote, argv[1:])])
    shell = "bash" if name in _OF_BASH or "[[" in script else "sh"
    return Advice("run", shell, "-c", script, lead="to run it as a script")
