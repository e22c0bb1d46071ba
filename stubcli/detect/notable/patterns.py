"""The words by which a line decides, in classes of severity, as RE2 patterns over bytes.

Rules for kinds of output, never for one tool's one message. It matches single lines; it does not
know where they stand or how many there are.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from re2 import _Regexp, _Set

FATAL, ERROR, WEAK, WARNING, NOTE = 5, 4, 3, 2, 1

# One alternation finds the lines worth a look; it is wider than the classes below.
CANDIDATE = (
    rb"(?i)err[o!]|fatal|panic|exception|fail|traceback|abort|assert|exit[ie]?[dn]?g? |signal|"
    rb"segmentation|core dumped|killed|denied|not found|no such|memory|cannot|can't|unable|"
    rb"time[ds]? ?out|timeout|warn|refused|conflict|undefined|unresolved|corrupt|deadlock|invalid|"
    rb"missing|passed|passing|critical|alert|emerg|severe|unreachable|rejected|incompatible|"
    rb"overflow|violation|\*\*\*|(?m:^)(?:ran \d|(?:not )?ok\b|e: )|test result|"
    rb"\d+ problems?|\d+ vulnerab|plan: \d|build s|"
    rb"\d upgraded|\d+ files? changed|complete|success|\d+ actionable|total size is|"
    rb"--> \S|\d: +required from|_test\.go:\d|"
    rb"(?m:^)[ \t]*(?:(?:expected|received|actual|got|left|right)\b[^:\n]{0,20}:|"
    rb"\d{1,3}\) \S|rspec \./)|"
    rb"(?-i:\xe2\x97\x8f \S|:\d+ \xe2\x80\xba |\xe2\x9c[\x95\x97\x98] )|"
    rb"apply complete|oomkill|backoff|unhealthy|not ?ready|evicted|stopped|lost|vanish|"
    rb"no changes\.|"
    rb"(?-i:\xc3\xbcltig|Fehler|erreur|\xd1\x88\xd0\xb8\xd0\xb1\xd0\xba|"
    rb"\xd0\x9e\xd0\xa8\xd0\x98\xd0\x91|"
    rb"\xd0\xa4\xd0\x90\xd0\xa2\xd0\x90\xd0\x9b|\xe5\xa4\xb1\xe6\x95\x97|\xe5\xa4\xb1\xe8\xb4\xa5|"
    rb"\xe3\x82\xa8\xe3\x83\xa9\xe3\x83\xbc|\xe9\x94\x99\xe8\xaf\xaf|\xec\x98\xa4\xeb\xa5\x98|"
    rb"\xe8\xad\xa6\xe5\x91\x8a)"
)

# Beyond the bound of lines that are examined one by one, only these are searched for.
SEVERE = (
    rb"(?:\bFATAL\b|\bfatal\b|\bpanic\b|Traceback|[Ss]egmentation fault|core dumped|"
    rb"[Oo]ut of memory|OOM|CRITICAL|EMERG|\*\*\* )"
)

_CLASSES: tuple[tuple[int, bytes], ...] = (
    (FATAL, rb"(?i)\bpanic(?:ked|king)?\b|\bfatal\b|\bemerg(?:ency)?\b|\bcritical\b|\bCRIT\b"),
    (FATAL, rb"(?i)segmentation fault|core dumped|\bSIG(?:SEGV|ABRT|KILL|BUS|ILL)\b|bus error"),
    (FATAL, rb"(?i)out of memory|cannot allocate memory|oom-?kill|\bkilled\b|stack overflow"),
    (FATAL, rb"(?i)assertion\b.{0,80}\bfailed|assertion failed|deadlock|double free"),
    # The line that ends a traceback, also behind pytest's E and Java's "Caused by:".
    (
        FATAL,
        rb"^(?:E +|Caused by: |Exception in thread \S+ |Unhandled exception\S* |Uncaught )?"
        rb"[\w.$]*[A-Z]\w*(?:Error|Exception|Interrupt|Fault)(?:: |:?$)",
    ),
    (FATAL, b"\xd0\xa4\xd0\x90\xd0\xa2\xd0\x90\xd0\x9b|\xe8\x87\xb4\xe5\x91\xbd"),
    (ERROR, rb"(?i)(?:^|[\s\[(\"'=|<:,>*])errors?(?:[\s:\]),!\"'\[(|<;=]|$)"),
    (ERROR, rb"\bERR\b|ERR!|\bERROR|\bSEVERE\b|^E: |^\S*E\d{4} \d\d:\d\d:\d\d|^E[/ ][\w.]+[(: ]"),
    (WEAK, rb"[a-z](?:Error|Exception)(?:$|[\s:;,()])"),
    # The name of a test that failed: jest's and playwright's headings, glyphs of mocha and others.
    (ERROR, rb"^\s*\xe2\x97\x8f (?:.* \xe2\x80\xba |Test suite failed)|:\d+:\d+ \xe2\x80\xba \S"),
    (ERROR, rb"^\s*\xe2\x9c[\x95\x97\x98] \S|^(?:invalid|syntax)-\w+: "),
    # Linters: a name that is not defined fails at run time, whatever the style says.
    (ERROR, rb"\b(?:F821|E0602|E999|F82\d|no-undef)\b"),
    (ERROR, rb"(?:^|[^\w/-])FAIL(?:ED|URE|URES)?(?:$|[^\w/=-])"),
    (
        ERROR,
        rb"(?i)\bexit(?:ed|ing)?(?: \w+)?(?: with)?(?: an?)?(?: \w+)? ?(?:code|status)?:? {0,8}"
        rb"[1-9]",
    ),
    (
        ERROR,
        rb"(?i)non-?zero (?:exit|status|code)|returned [1-9]\d* exit status|exit(?:ed)? \d*[1-9]\b",
    ),
    (
        ERROR,
        rb"(?i)\*\*\* .*(?:error|no rule|stop|missing)|\bCONFLICT \(|\bunhandled\b|\buncaught\b",
    ),
    (ERROR, rb"(?i)permission denied|access (?:is )?denied|no space left|read-only file system"),
    (ERROR, rb"(?i)\b[1-9]\d* (?:\w+ )?(?:failed|failures?|failing|errors?)\b|^not ok\b"),
    (ERROR, rb"(?i)(?:failed|failures?|errors?|unreachable)[\"']?\s*[:=]\s*[\"']?[1-9]"),
    (
        ERROR,
        rb"(?i)CrashLoopBackOff|OOMKilled|ImagePullBackOff|ErrImage|\bEvicted\b|connection refused",
    ),
    (
        ERROR,
        rb"(?i)undefined (?:reference|symbol|variable)|unresolved (?:external|import|reference)",
    ),
    (ERROR, rb"(?:\xc3\xbc|\xc3\x9c)(?:ltig|LTIG)|Fehler|FEHLER|erreur|Erreur|ERREUR"),
    (ERROR, b"\xd1\x88\xd0\xb8\xd0\xb1\xd0\xba|\xd0\x9e\xd0\xa8\xd0\x98\xd0\x91\xd0\x9a"),
    (
        ERROR,
        b"\xe5\xa4\xb1\xe6\x95\x97|\xe5\xa4\xb1\xe8\xb4\xa5|\xe3\x82\xa8\xe3\x83\xa9\xe3\x83\xbc",
    ),
    (ERROR, b"\xe9\x94\x99\xe8\xaf\xaf|\xec\x98\xa4\xeb\xa5\x98"),
    (WEAK, rb"(?i)\bfail(?:ed|ure|ures|s|ing)?\b|\b(?:is|was|been|operation) aborted|\baborting\b"),
    (
        WEAK,
        rb"(?i)\b(?:cannot|can't|could not|couldn't|unable to|not found|no such|does not exist)\b",
    ),
    (WEAK, rb"(?i)time[ds]? ?out\b|\b(?:refused|rejected|denied|unreachable|corrupt\w*|invalid)\b"),
    (WEAK, rb"(?i)\b(?:missing|incompatible|violat\w+|unexpected|overflow|conflicts?)\b"),
    (WEAK, rb"(?i)\b(?:not ?ready|unhealthy|stopped posting|lost|vanished)\b"),
    (WARNING, rb"(?i)\bwarn(?:ing)?s?\b|deprecat"),
    (WARNING, b"\xe8\xad\xa6\xe5\x91\x8a"),
)

_OUTCOMES: tuple[bytes, ...] = (
    rb"^=+ .*\d+ (?:passed|failed|errors?|skipped|deselected|xfailed|warnings?).*=+$",
    rb"(?:^|\s)\d+ (?:passed|failed|skipped|flaky|passing|failing|did not run)\b(?:\s*\(|[ ,;]|$)",
    rb"^Ran \d+ tests? in |^(?:OK|FAILED)(?: \(.*\))?$|^test result: |\baborting due to\b",
    rb"^(?:FAIL|ok)\s+\S+\s+(?:\d|\(cached\)|\[)|^--- FAIL|^FAIL$",
    rb"^\s*(?:Tests|Test Suites|Snapshots|Test Files|Suites)[: ]\s*.*\d",
    rb"^\d+ examples?, \d+ failures?|^Tests: \d+|\bTests run: \d+",
    rb"^added \d+ packages|\b\d+ (?:\w+ )?vulnerabilit|^npm (?:ERR!|error) code",
    rb"^g?make(?:\[\d+\])?: \*\*\*|\bBUILD (?:SUCCESS|SUCCESSFUL|FAILURE|FAILED)\b|FAILURE: Build",
    rb"\d+ actionable tasks|\bFound \d+ errors?|^Success: no issues|\d+ problems? \(|^All checks ",
    rb"\d+ (?:errors?|warnings?)(?: and \d+ errors?)? generated|could not compile",
    rb"generated \d+ warn",
    rb"^Plan: \d+ to |^Apply complete!|^Destroy complete!|^No changes\.",
    rb"^Successfully (?:built|tagged|installed)|failed to solve",
    rb"^CONFLICT \(|^Automatic merge failed",
    rb"\d+ files? changed|\d+ upgraded, \d+ newly installed|: ok=\d+ +changed=\d+",
    rb"^sent [\d,.]+\w? bytes|^total size is|^rsync error:|^Process completed with exit code",
    rb"##\[error\]|^Executed \d+ out of|^(?:Passed|Failed)! +- |^TOTAL\s+\d",
    rb"(?i)\b\d+ \w+, \d+ (?:failed|passed|errors?|skipped|failures?)\b",
)

_QUIET = (
    rb"(?i)\b(?:0|no|zero|without(?: any)?)[ _-](?:new |other |\w+ )?(?:errors?|failures?|failed|"
    rb"failing|warnings?|conflicts?|problems?|exceptions?|issues?)\b|"
    rb"\b(?:errors?|err|failures?|failed|fail|fatal|warnings?|exceptions?|dropped|timeouts?|missing|"
    rb"lost|conflicts?|unreachable|invalid|rejected)[\"']?\s*[:=]\s*(?:[\"']?0(?:\.0+)?\b|"
    rb"none\b|null\b|false\b|nil\b|\"\"|''|<nil>|\[\])|error[- ]free"
)

# A test's or step's name may hold any word; its result follows or precedes it. A compiler's
# excerpt of the source stands behind a gutter, its message does not.
_BENIGN = (
    rb"(?:\bPASSED\b|\bPASS\b|\.\.\. ok|\bSUCCESS)(?:\s*\[.*\]|\s*\(.*\))?\s*$|"
    rb"^\s*(?:\xe2\x9c[\x93\x94]|\xe2\x88\x9a|ok \d+ -|--- PASS|=== (?:RUN|PAUSE|CONT)|"
    rb"PASS )|^ok\s|\[ +OK +\]|^ *\d* +\| |^\|[ |]*(?:[\^~_/-]{2}|\^|$)|"
    rb"^- +\d+ \S|^=+ (?:ERRORS|FAILURES|warnings summary) =+$|^_+ .* _+$|"
    rb"^(?:Some errors have detailed|For more information about|= (?:note|help): |help: )|"
    rb"^console\.\w+$|^Errors +Files$"
)
# The level of a log line outranks the words of its message.
_CALM = (
    rb"(?i)^.{0,80}?(?:[\s\[(|<]|^|level[\"']?[=:] ?[\"']?)"
    rb"(?:info|debug|trace|notice|fine|verbose)(?:[\s\]):|>\"',]|$)"
)


# Lines that say nothing alone and belong to an error close by: how many lines before it they may
# stand, and how many after it.
_COMPANY: tuple[tuple[int, int, bytes], ...] = (
    (0, 2, rb"^--> \S+:\d+"),
    (0, 14, rb"(?i)^(?:expected|received|actual|got|left|right)\b[^:\n]{0,20}: "),
    # Numbered names of tests under the count of those that failed; mocha, rspec, playwright.
    (0, 4, rb"^\d{1,3}\) \S|^rspec \S+:\d+ # "),
    (3, 3, rb"\b\w+_test\.go:\d+: "),
    (14, 0, rb"^[^/\s]\S*:\d+:\d+: +required from"),
)
# An error inside of what others wrote is mostly the consequence of one in the project.
_FOREIGN = (
    rb"^(?:/usr/|/opt/|/nix/|/Library/|[A-Z]:\\Program)|/(?:site-packages|node_modules|\.cargo)/"
)


@dataclass(frozen=True)
class Judgement:
    """rank: 0 for nothing. outcome: a tool's own. before, after: how far from its error it stands.

    foreign: an error that stands in a file of a library.
    """

    rank: int = 0
    outcome: bool = False
    before: int = 0
    after: int = 0
    foreign: bool = False


# The places of the patterns that take a line's weight away or move it, in one set.
_IS_QUIET, _IS_BENIGN, _IS_CALM, _IS_FOREIGN, _IS_COMPANY = range(5)


class Judge:
    """What one line is: its rank (0: nothing), and whether it is a tool's own outcome."""

    def __init__(self) -> None:
        import re2

        options = re2.Options()
        options.encoding = re2.Options.Encoding.LATIN1
        options.log_errors = False
        self.candidate: _Regexp = re2.compile(CANDIDATE, options)
        self.severe: _Regexp = re2.compile(SEVERE, options)
        self._quiet: _Regexp = re2.compile(_QUIET, options)
        self._ranks = [rank for rank, _ in _CLASSES]

        def set_of(patterns: Iterable[bytes]) -> "_Set":
            made: _Set = re2.Set.SearchSet(options)
            for pattern in patterns:
                made.Add(pattern)
            made.Compile()
            return made

        # Three automata stay small where one of all patterns would outgrow its memory and slow
        # down by a factor of ten.
        self._classes = set_of(pattern for _, pattern in _CLASSES)
        self._outcomes = set_of(_OUTCOMES)
        company = (pattern for _, _, pattern in _COMPANY)
        self._others = set_of((_QUIET, _BENIGN, _CALM, _FOREIGN, *company))

    def verdict(self, line: bytes) -> Judgement:
        others = self._others.Match(line) or ()
        outcome = bool(self._outcomes.Match(line))
        if _IS_BENIGN in others:
            return Judgement(0, outcome)
        weighed = self._without_quiet(line) if _IS_QUIET in others else line
        rank = max((self._ranks[i] for i in self._classes.Match(weighed) or ()), default=0)
        if _IS_CALM in others and rank < FATAL:
            rank = min(rank, NOTE)
        company = [_COMPANY[i - _IS_COMPANY] for i in others if i >= _IS_COMPANY]
        before = max((near for near, _, _ in company), default=0)
        after = max((near for _, near, _ in company), default=0)
        return Judgement(rank, outcome, before, after, rank == ERROR and _IS_FOREIGN in others)

    def rank(self, line: bytes) -> int:
        return self.verdict(line).rank

    def _without_quiet(self, line: bytes) -> bytes:
        pieces, at = [], 0
        for match in self._quiet.finditer(line):
            pieces.append(line[at : match.start()])
            at = match.end()
        return b"~".join([*pieces, line[at:]])
