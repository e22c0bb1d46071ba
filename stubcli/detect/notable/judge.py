"""What one line is: how severe, how sure that is, and whether it is a tool's own outcome.

A label outranks the words of its message. Words count as far as they stand as plain words; names,
paths, values and types are masked. It sees single lines and does not know how many are alike.
"""

import re
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, NamedTuple

from stubcli.detect.notable import patterns
from stubcli.detect.notable.patterns import (
    CALL,
    ERROR,
    EVENT,
    LABEL,
    LEVELS,
    MESSAGE,
    NOTE,
    SIGNS,
    WARNING,
    WEAK,
    WORD,
    WORDS,
)

if TYPE_CHECKING:
    from re2 import _Regexp, _Set

# Who says it: nobody, the line itself at the left edge, a program or a daemon there.
NOBODY, EDGE, PROGRAM = range(3)

# Of a line, so much is searched for its label.
_LABELLED = 300
# In running text, one word of four is of these; messages leave them out.
_RUNNING = frozenset(
    b"a an the of is are be if when that which this these those it its or and as by may might can "
    b"should would must will any has have than only also such then because while for with from "
    b"you your we they into used about all other more does where each some but".split()
)
_SUPPOSED = frozenset(b"if when whenever unless whether may might should would must".split())
_LONG = 14
QUOTED = re.compile(rb"(?<![\w=])(['\"`])[^'\"`]{0,200}\1(?!\w)")
# A word of digits and letters, in camel case, or with a sign inside. Some compounds are words.
_NAME = (
    rb"(?<!\S)\S*?(?:\w[./\\@=:#$&+<>{}|(\[]\w|\w(?<!non)(?<!read)(?<!time)(?<!oom)-\w|"
    rb"[a-z][A-Z]|[A-Za-z]\d|\d[A-Za-z]|[/\\_$@])\S*"
)
_LETTERS = rb"[A-Za-z]+"
# What ends a traceback stands at the left edge; indented, it is documented.
_INDENTED_CAUSE = (ERROR, EVENT, b"")
_FRAMED = re.compile(
    rb"[:\]|>-]\s+(?:at [\w$.<>/]+\(|\.\.\. \d+ (?:more|common)|File \"[^\"]+\", line \d|#\d+ +0x)"
)
_FRAME_BEGINS = 16
# Options, lists, comments.
_LISTED = (b"-", b"*", b"#", b";", b"//", b"/*", b"\xe2\x80\xa2", b"<!--")


class Judgement(NamedTuple):
    """rank: 0 for nothing. place: how the word stands. origin: who says it. outcome: a tool's own.
    word: the class of the word, None for a label. before, after: how far from its error it stands.
    foreign: an error that stands in a file of a library.
    """

    rank: int = 0
    place: int = LABEL
    origin: int = EDGE
    outcome: bool = False
    word: int | None = None
    before: int = 0
    after: int = 0
    foreign: bool = False


class _Weighed(NamedTuple):
    rank: int
    place: int
    spoken: bool
    word: int | None = None


_NOTHING = _Weighed(0, LABEL, False)
_SECRET = _Weighed(WEAK, CALL, True)

# The places of the patterns that take a line's weight away or move it, in one set.
_IS_QUIET, _IS_BENIGN, _IS_STAMPED, _IS_SPOKEN = range(4)
_IS_SOURCE, _IS_SECRET, _IS_FOREIGN, _IS_COMPANY = range(4, 8)


class Judge:
    def __init__(self) -> None:
        import re2

        self._options = re2.Options()
        self._options.encoding = re2.Options.Encoding.LATIN1
        self._options.log_errors = False
        self.candidate = self._compiled(patterns.CANDIDATE)
        self._label = self._compiled(patterns.LABELS)
        self._severe: _Regexp | None = None
        self._quiet: _Regexp | None = None
        # Four automata stay small where one of all patterns would outgrow its memory and slow
        # down by a factor of ten.
        self._signs = self._set_of(pattern for _, _, pattern in SIGNS)
        self._words = self._set_of(pattern for _, pattern in WORDS)
        self._outcomes = self._set_of(patterns.OUTCOMES)
        company = (pattern for _, _, pattern in patterns.COMPANY)
        self._others = self._set_of(
            (
                patterns.QUIET,
                patterns.BENIGN,
                patterns.STAMPED,
                patterns.SPOKEN,
                patterns.SOURCE,
                patterns.SECRET,
                patterns.FOREIGN,
                *company,
            )
        )

    @property
    def severe(self) -> "_Regexp":
        """Only a stream of very many candidates is searched for the most severe alone."""
        if self._severe is None:
            self._severe = self._compiled(patterns.SEVERE)
        return self._severe

    def verdict(self, line: bytes, stamped: bool = False, indented: bool = False) -> Judgement:
        """Judge a line as it is displayed, without the blanks and the time that stood before it."""
        others = self._others.Match(line) or ()
        outcome = bool(self._outcomes.Match(line))
        company = [patterns.COMPANY[i - _IS_COMPANY] for i in others if i >= _IS_COMPANY]
        before = max((near for near, _, _ in company), default=0)
        after = max((near for _, near, _ in company), default=0)
        weighed = _NOTHING
        if _IS_BENIGN not in others:
            weighed = self._weigh(line, others, stamped, indented)
        if _IS_SECRET in others and weighed.rank < WEAK and b"EXAMPLE" not in line:
            weighed = _SECRET
        foreign = weighed.rank == ERROR and _IS_FOREIGN in others
        edge = not indented or weighed.place == CALL
        origin = NOBODY if not edge else PROGRAM if weighed.spoken else EDGE
        return Judgement(
            weighed.rank, weighed.place, origin, outcome, weighed.word, before, after, foreign
        )

    def rank(self, line: bytes) -> int:
        return self.verdict(line).rank

    def _weigh(
        self, line: bytes, others: Collection[int], stamped: bool, indented: bool
    ) -> "_Weighed":
        if _IS_QUIET in others:
            line = self._without_quiet(line)
        stamped = stamped or _IS_STAMPED in others
        spoken = stamped or _IS_SPOKEN in others
        label = self._label.search(line[:_LABELLED])
        if label is not None:
            if _FRAMED.search(line, max(0, label.end() - _FRAME_BEGINS), label.end() + _LABELLED):
                # Each frame of a stack carries the level that its message has.
                return _NOTHING
            rank, first = _level(label[0])
            return _Weighed(rank, LABEL, stamped or (spoken and not first))
        signs = [
            SIGNS[i] if i or not indented else _INDENTED_CAUSE
            for i in self._signs.Match(line) or ()
        ]
        rank, place = max(((rank, place) for rank, place, _ in signs), default=(0, WORD))
        word = None
        plain = b""
        if place < LABEL:
            plain = _without_names(line)
            said = max(((WORDS[i][0], i) for i in self._words.Match(plain) or ()), default=(0, 0))
            if said[0] > rank:
                (rank, word), place = said, WORD
        if _IS_SOURCE in others and place < MESSAGE and rank != WARNING and not spoken:
            return _NOTHING
        if rank and place < MESSAGE:
            place = MESSAGE if stamped else _place(line, plain)
            place = MESSAGE if place == EVENT and spoken else place
            # The class of an error in running text is documented.
            rank = 0 if place == WORD and word is None else rank
        spoken = spoken or place == CALL
        return _Weighed(min(rank, WEAK) if place == WORD else rank, place, spoken, word)

    def _without_quiet(self, line: bytes) -> bytes:
        if self._quiet is None:
            self._quiet = self._compiled(patterns.QUIET)
        pieces, at = [], 0
        for match in self._quiet.finditer(line):
            pieces.append(line[at : match.start()])
            at = match.end()
        return b" ~ ".join([*pieces, line[at:]])

    def _compiled(self, pattern: bytes) -> "_Regexp":
        import re2

        return re2.compile(pattern, self._options)

    def _set_of(self, alternatives: Iterable[bytes]) -> "_Set":
        import re2

        made: _Set = re2.Set.SearchSet(self._options)
        for pattern in alternatives:
            made.Add(pattern)
        made.Compile()
        return made


def _level(label: bytes) -> tuple[int, bool]:
    """What a label says, and whether the line begins with it.

    The level is the last word that names one; letters do so where no word does.
    """
    words = list(re.finditer(_LETTERS, label))
    levels = [word for word in words if word[0].lower() in LEVELS]
    named = [word for word in levels if len(word[0]) > 1] or levels
    if not named:
        return NOTE, True
    return LEVELS[named[-1][0].lower()], named[-1] is words[0]


def _without_names(line: bytes) -> bytes:
    """The line in which names, paths, values and types are masked."""
    if b"'" in line or b'"' in line or b"`" in line:
        line = QUOTED.sub(b" ~ ", line)
    return re.sub(_NAME, b"~", line)


def _place(line: bytes, plain: bytes) -> int:
    """Whether the line reads as a message or as running text."""
    words = plain.lower().split()
    running = len(_RUNNING.intersection(words)) + 2 * (not _SUPPOSED.isdisjoint(words))
    if running >= 3 and 5 * running >= len(words):
        return WORD
    # What is laid out in columns describes things.
    laid_out = b"  " in line or line.startswith(_LISTED)
    return WORD if laid_out or len(words) > _LONG else EVENT


def is_running(line: bytes) -> bool:
    """Whether a line, such as the one above, is of running text."""
    words = line[:_LABELLED].lower().split()
    running = len(_RUNNING.intersection(words))
    return running >= 2 and 8 * running >= len(words)
