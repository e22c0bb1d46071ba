"""What can go wrong, as a user meets it: one line, a documented status, what to do next.

Plain integers and one class: every run loads this module, and an enum alone would cost half of
the interpreter's own start.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:  # loaded by who gives advice: not by a small input
    from stubcli.advice import Advice, Where

OK = 0
NOTHING_FOUND = 1
USAGE = 2
NO_SUCH_ARTIFACT = 3
INTEGRITY = 4
NOT_STORED = 5
REFUSED = 6
BUG = 70
RUN_FAILED = 125


class StubError(Exception):
    """An error that a user can act on.

    `message` says what happened, `hint` what to do next, in words or as a command; `status` is the
    exit status.
    """

    def __init__(self, message: str, status: int, hint: "str | Advice" = "") -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.hint = hint

    def line(self, where: "Where" = ()) -> str:
        """All of it in one line; `where` is repeated in the command that it names."""
        hint = self.hint if isinstance(self.hint, str) else self.hint.said(where)
        if not hint:
            return self.message
        return f"{self.message}{' ' if self.message.endswith('?') else '; '}{hint}"

    def __str__(self) -> str:
        return self.line()


class UsageError(StubError):
    """What was typed or configured is invalid: status 2."""

    def __init__(self, message: str, hint: "str | Advice" = "") -> None:
        super().__init__(message, USAGE, hint)


class MissingError(StubError):
    """No artifact answers to that reference, or it is gone: status 3."""

    def __init__(self, message: str, hint: "str | Advice" = "") -> None:
        super().__init__(message, NO_SUCH_ARTIFACT, hint)


class IntegrityError(StubError):
    """What is stored is not what was recorded: status 4."""

    def __init__(self, message: str, hint: "str | Advice" = "") -> None:
        super().__init__(message, INTEGRITY, hint)


class NotStoredError(StubError):
    """The store cannot be used, or cannot take the bytes: status 5."""

    def __init__(self, message: str, hint: "str | Advice" = "") -> None:
        super().__init__(message, NOT_STORED, hint)


class RefusedError(StubError):
    """Refused for safety, since somebody may need what it could cost: status 6."""

    def __init__(self, message: str, hint: "str | Advice" = "") -> None:
        super().__init__(message, REFUSED, hint)


def reason_of(error: OSError) -> str:
    """What the system said, for who names the path itself."""
    return error.strerror or str(error) or type(error).__name__


def explain(error: Exception) -> str:
    """Why something failed, in a few words, and the path that it was about where there is one."""
    if isinstance(error, MemoryError):
        return "not enough memory"
    if not isinstance(error, OSError):
        return str(error) or type(error).__name__
    import os

    # A number is a descriptor, which says nothing to anybody else.
    names = [name for name in (error.filename, error.filename2) if isinstance(name, str | bytes)]
    where = " -> ".join(os.fsdecode(name) for name in names)
    return f"{where}: {reason_of(error)}" if where else reason_of(error)


def refusal(error: OSError) -> NotStoredError:
    """The error for what the system refused where nothing expected it to."""
    from stubcli.advice import Advice

    return NotStoredError(explain(error), Advice("config"))


def nearest(word: str, known: "list[str] | tuple[str, ...]") -> str:
    """The hint that names the known word closest to `word`, or lists them all."""
    from difflib import get_close_matches

    close = get_close_matches(word, known, n=1, cutoff=0.5)
    return f"did you mean {close[0]}?" if close else "known: " + ", ".join(known)
