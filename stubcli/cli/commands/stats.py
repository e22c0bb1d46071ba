"""`stub stats`: how much is kept, how many characters the stubs saved, how much was read back."""

from collections import Counter
from dataclasses import dataclass, field

from stubcli.advice import Advice
from stubcli.cli.command import ALL_SESSIONS, JSON, Command, Given
from stubcli.cli.context import home_of, sessions_of
from stubcli.cli.output import emit_json, emit_rows, say, tracked
from stubcli.errors import IntegrityError, MissingError
from stubcli.store.posix.artifacts import read_record, record_names
from stubcli.store.posix.layout import close_session, open_session
from stubcli.store.posix.readback import read_back
from stubcli.store.records import Record


@dataclass
class Sums:
    """What the records add up to. Sizes in bytes, lengths in characters.

    answers, reread: how often something was read back, and the bytes that it printed.
    """

    artifacts: int = 0
    size: int = 0
    characters: int = 0
    printed: int = 0
    damaged: int = 0
    answers: int = 0
    reread: int = 0
    kinds: Counter[str] = field(default_factory=Counter)

    def add(self, record: Record) -> None:
        self.artifacts += 1
        self.size += record.size
        self.characters += record.characters
        self.printed += len(record.stub) or record.characters
        self.kinds[str(record.facts.get("kind", "unknown"))] += 1


def run(given: Given) -> int:
    """Print the sums of the session, or of all sessions."""
    settings = given.settings()
    sums, sessions = Sums(), 0
    for name in sessions_of(settings, everywhere=given[ALL_SESSIONS]):
        try:
            session = open_session(home_of(settings), name, create=False)
        except MissingError:
            continue
        sessions += 1
        files = [file for files in record_names(session).values() for file in files]
        for file in tracked(files, "reading records", len(files)):
            try:
                sums.add(read_record(session, file))
            except (IntegrityError, MissingError):
                sums.damaged += 1
        answers, size = read_back(session)
        sums.answers += answers
        sums.reread += size
        close_session(session)
    document = {
        "sessions": sessions,
        "artifacts": sums.artifacts,
        "bytes_kept": sums.size,
        "characters_kept": sums.characters,
        "characters_printed": sums.printed,
        "characters_saved": sums.characters - sums.printed,
        "answers_read_back": sums.answers,
        "bytes_read_back": sums.reread,
        "damaged_records": sums.damaged,
        "kinds": dict(sorted(sums.kinds.items())),
    }
    if given[JSON]:
        emit_json(document)
        return 0
    kinds = document.pop("kinds")
    assert isinstance(kinds, dict)
    rows = [(name.replace("_", " "), f"{value:,}") for name, value in document.items()]
    rows += [(f"kind {name}", f"{value:,}") for name, value in kinds.items()]
    emit_rows(("what", "how much"), rows, right=("how much",))
    if sums.damaged:
        say(f"{sums.damaged:,} records cannot be read; {Advice('check').said(settings.where)}")
    return 0


COMMAND = Command(
    "stats",
    "Sum up what is kept and what the stubs saved.",
    run,
    (ALL_SESSIONS, JSON),
    examples=(("Sums over every session:", "stub stats --all-sessions"),),
)
