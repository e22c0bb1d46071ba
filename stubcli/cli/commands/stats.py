"""`stub stats`: how much is kept, how many characters the stubs saved, how much was read back."""

from collections import Counter
from dataclasses import dataclass, field

from stubcli.advice import Advice
from stubcli.cli.command import ALL_SESSIONS, JSON, Command, Given
from stubcli.cli.output import emit_json, emit_rows, say
from stubcli.cli.place import home_of, sessions_of
from stubcli.cli.progress import tracked
from stubcli.debug import swallowed
from stubcli.errors import IntegrityError, MissingError, StubError
from stubcli.store import open_session
from stubcli.store.records import Arrival, Record, Run
from stubcli.store.surface import Keeping
from stubcli.text.display import amount


@dataclass
class Sums:
    """What records and runs add up to. Sizes in bytes, lengths in characters.

    characters: of what is kept, each content once; came: of every run.
    answers, reread: how often something was read back, and the bytes that it printed.
    """

    artifacts: int = 0
    runs: int = 0
    size: int = 0
    characters: int = 0
    came: int = 0
    printed: int = 0
    damaged: int = 0
    answers: int = 0
    reread: int = 0
    kinds: Counter[str] = field(default_factory=Counter)

    def add_content(self, record: Record) -> None:
        self.artifacts += 1
        self.size += record.size
        self.characters += record.characters
        self.kinds[str(record.facts.get("kind", "unknown"))] += 1

    def add_run(self, record: Record, run: Run) -> None:
        """Each time that the bytes came a stub was printed in their place."""
        self.runs += 1
        self.came += record.characters
        self.printed += len(run.stub or record.run.stub) or record.characters


def _add_session(sums: Sums, session: Keeping) -> None:
    arrivals: dict[tuple[int, str], list[Arrival]] = {}
    for one in session.arrivals():
        arrivals.setdefault((one.number, one.digest), []).append(one)
    for key, runs in tracked(arrivals.items(), "reading records", len(arrivals)):
        try:
            record = session.find(*key)
            sums.add_content(record)
            for one in runs:
                sums.add_run(record, session.run_of(one, record))
        except (IntegrityError, MissingError) as error:
            swallowed("adding up what is kept", error)
            sums.damaged += 1
    answers, size = session.read_back()
    sums.answers += answers
    sums.reread += size


def run(given: Given) -> int:
    """Print the sums of the session, or of all sessions."""
    settings = given.settings()
    sums, sessions = Sums(), 0
    for name in sessions_of(settings, everywhere=given[ALL_SESSIONS]):
        try:
            with open_session(home_of(settings), name) as session:
                _add_session(sums, session)
        except MissingError:
            continue
        except StubError as error:
            if not given[ALL_SESSIONS]:
                raise
            say(str(error))
            continue
        sessions += 1
    document = {
        "sessions": sessions,
        "artifacts": sums.artifacts,
        "runs": sums.runs,
        "bytes_kept": sums.size,
        "characters_kept": sums.characters,
        "characters_printed": sums.printed,
        "characters_saved": sums.came - sums.printed,
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
        check = Advice("check").said(settings.where)
        say(f"{amount(sums.damaged, 'record')} cannot be read; {check}")
    return 0


COMMAND = Command(
    "stats",
    "Sum up what is kept and what the stubs saved.",
    run,
    (ALL_SESSIONS, JSON),
    examples=(("Sums over every session:", "stub stats --all-sessions"),),
)
