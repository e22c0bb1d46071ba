"""Mails, one or a mailbox, also a series of patches: how many, their subjects, and in which
encoding their bodies are, as what is encoded is found by no search.
"""

from collections import Counter

from stubcli.detect.model import ByteSource, Scan
from stubcli.detect.reading import plain_lines, reach
from stubcli.detect.text.facts import FormFacts, Heading
from stubcli.detect.text.forms.diff import DiffReader
from stubcli.detect.text.mail_lines import HEADER, SEPARATOR
from stubcli.detect.text.read import FormReading
from stubcli.detect.words import clip, counted, limited, listed
from stubcli.text.characters import decode

NAME = "mail"
_LIMIT = 24 * 1024 * 1024
_SUBJECTS = 40
_SENDERS = 2000
_SHOWN = 12
_ENCODED = ("base64", "quoted-printable")


class MailFacts(FormFacts):
    """subjects: the first of them, with their lines. senders: the most frequent of sender_count.
    encoded: mails or parts by the encoding of their bodies. files: of patches, in so many patches.
    """

    mails: int = 0
    subjects: tuple[Heading, ...] = ()
    subject_count: int = 0
    senders: tuple[tuple[str, int], ...] = ()
    sender_count: int = 0
    encoded: tuple[tuple[str, int], ...] = ()
    files: int = 0
    patches: int = 0
    added: int = 0
    removed: int = 0


FACTS = MailFacts


class _Mails:
    def __init__(self) -> None:
        self.separated = self.subject_count = 0
        self.subjects: list[Heading] = []
        self.senders: Counter[str] = Counter()
        self.encoded: Counter[str] = Counter()
        self.patches = DiffReader()
        self._header = True
        self._open = False

    def line(self, number: int, line: bytes) -> None:
        if SEPARATOR.match(line):
            self.separated += 1
            self._header = True
            return
        if not line.strip():
            self._header = False
        if not self._header:
            self._body(line)
            return
        match = HEADER.match(line)
        if match is not None:
            self._field(number, match[1].lower(), decode(match[2][:300]).strip())
        elif self._open and line[:1] in b" \t" and self.subjects:
            # A long subject goes on in the next line.
            last = self.subjects[-1]
            self.subjects[-1] = Heading(last.line, clip(f"{last.text} {decode(line).strip()}", 150))
            return
        self._open = match is not None and match[1].lower() == b"subject"

    def _body(self, line: bytes) -> None:
        if line[:10].lower() == b"content-tr":
            match = HEADER.match(line)
            if match:
                self._field(0, match[1].lower(), decode(match[2]).strip())
        self.patches.line(line)

    def _field(self, number: int, name: bytes, value: str) -> None:
        if name == b"subject":
            self.subject_count += 1
            if len(self.subjects) < _SUBJECTS:
                self.subjects.append(Heading(number, clip(value, 150)))
        elif name == b"from" and (value in self.senders or len(self.senders) < _SENDERS):
            self.senders[value] += 1
        elif name == b"content-transfer-encoding" and value.lower() in _ENCODED:
            self.encoded[value.lower()] += 1


def read(source: ByteSource, scan: Scan) -> FormReading:
    mails = _Mails()
    seen = reach(source, _LIMIT)
    for number, line in enumerate(plain_lines(source, seen), 1):
        mails.line(number, line.rstrip(b"\r"))
    ranked = sorted(mails.senders.items(), key=lambda item: (-item[1], item[0]))
    facts = MailFacts(
        seen,
        source.size,
        max(1, mails.separated),
        tuple(mails.subjects),
        mails.subject_count,
        tuple((clip(name, 80), number) for name, number in ranked[:_SHOWN]),
        len(ranked),
        tuple(sorted(mails.encoded.items())),
        mails.patches.distinct,
        mails.patches.count,
        mails.patches.added,
        mails.patches.removed,
    )
    # A patch changes lines about errors; in a mail, somebody writes of one.
    return FormReading(facts, () if mails.patches.count else scan.notable, instead=True)


def words(facts: MailFacts) -> list[str]:
    said = [counted(facts.mails, "mail"), *limited(facts.seen, facts.size)]
    for name, number in facts.encoded:
        many = counted(number, "body is", "bodies are")
        said.append(f"{many} in {name}: a search does not find the words in it")
    if facts.patches:
        many = f"{counted(facts.files, 'file')} in {counted(facts.patches, 'patch', 'patches')}"
        said.append(f"{many}, +{facts.added:,} −{facts.removed:,}")
    senders = (f"{name} {number:,}" for name, number in facts.senders)
    said.append("from: " + listed(senders, facts.sender_count, 250, 60))
    shown = facts.subjects[: _SHOWN * 2]
    first = f", the first {len(shown):,}" if len(shown) < facts.subject_count else ""
    said.append(f"subjects ({facts.subject_count:,}{first}):")
    return said + [f"  {one.line:,}: {clip(one.text, 100)}" for one in shown]
