"""The words by which a line decides, in classes of severity, as RE2 patterns over bytes.

Rules for kinds of output, never for one tool's one message. Only data: how they are weighed is the
judge's.
"""

FATAL, ERROR, WEAK, WARNING, NOTE = 5, 4, 3, 2, 1

# One alternation finds the lines worth a look; it is wider than the classes below.
CANDIDATE = (
    rb"(?i)err[o!]|no space|expired|unbound|fatal|panic|exception|fail|traceback|abort|assert|"
    rb"exit[ie]?[dn]?g? |signal|"
    rb"segmentation|core dumped|killed|denied|not found|no such|memory|cannot|can't|unable|"
    rb"time[ds]? ?out|timeout|warn|refused|conflict|undefined|unresolved|corrupt|deadlock|invalid|"
    rb"missing|passed|passing|critical|alert|emerg|severe|unreachable|rejected|incompatible|"
    rb"overflow|violation|\*\*\*|(?m:^)(?:ran \d|e: )|(?m:^)[ \t]*(?:not )?ok\b|test result|"
    rb"\d+ problems?|\d+ vulnerab|plan: \d|build s|"
    rb"\d upgraded|\d+ files? changed|complete|success|\d+ actionable|total size is|"
    rb"--> \S|\d: +required from|_test\.go:\d|"
    rb"(?m:^)[ \t]*(?:(?:expected|received|actual|got|left|right)\b[^:\n]{0,20}:|"
    rb"\d{1,3}\) \S|rspec \./)|"
    rb"(?-i:\xe2\x97\x8f \S|:\d+ \xe2\x80\xba |\xe2\x9c[\x95-\x98]|\xe2\x9d\x8c)|"
    rb"apply complete|oomkill|backoff|unhealthy|not ?ready|evicted|stopped|lost|vanish|"
    rb"no changes\.|(?:will|must) be (?:destroyed|replaced|deleted|removed|evicted|recreated|"
    rb"downgraded)|(?:forces?|requires?|causes?) (?:an? )?(?:repl|re-?creat|restart|reboot|downt)|"
    rb"broken pipe|segfault|(?-i:BUG: |Oops: )|"
    rb"private key-|(?-i:AKIA[0-9A-Z]{8}|gh[opsu]_\w{8}|glpat-\w|xox[abprs]-\w|AIza\w{8})|"
    rb"could ?n[o']t|(?-i:(?m:^)[EF]\d{4} \d\d:|\d [EF] [\w.-]+ *: )|"
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

# What a label means, in lower case; the letters are glog's and Android's.
LEVELS = {
    **dict.fromkeys((b"fatal", b"panic", b"crit", b"critical", b"emerg", b"emergency"), FATAL),
    **dict.fromkeys((b"error", b"err", b"severe", b"alert", b"fehler", b"erreur"), ERROR),
    **dict.fromkeys((b"errore", b"erro", b"failure", b"exception", b"e"), ERROR),
    b"f": FATAL,
    **dict.fromkeys((b"warn", b"warning", b"warnung", b"w"), WARNING),
    **dict.fromkeys((b"trace", b"debug", b"info", b"notice", b"verbose", b"fine", b"note"), NOTE),
    **dict.fromkeys((b"hint", b"help", b"success", b"i", b"v", b"d"), NOTE),
}
_UPPER = (
    rb"TRACE|DEBUG|INFO|NOTICE|VERBOSE|FINE|WARN(?:ING)?|ERROR|ERR|FATAL|CRIT(?:ICAL)?|SEVERE|"
    rb"EMERG(?:ENCY)?|ALERT|PANIC"
)
_ANY = (
    rb"trace|debug|info|notice|verbose|warn(?:ing)?|warnung|error|err|fatal|crit(?:ical)?|severe|"
    rb"emerg(?:ency)?|alert|panic|fehler|erreur|errore|erro|failure|exception"
)
# Signs after a label: `error:`, `error[E0382]:`, `error (core):`, `error TS2307:`, `error!`.
_ENDS = rb"(?:\[[\w:-]{1,30}\]|\([\w .:-]{1,30}\)| [A-Z]{1,8}-?\d{1,5})?\s?[:!](?:\s|$)"
# A program, a file, a place in a file, before a label.
_BEFORE = rb"(?:[^\s:\"'{}=]{1,200}(?:\([\d, :]+\)|(?::\d+)+)?\s?: ?)"
# Where a line says of itself what it is. The first word there wins: what follows is its message.
# A field, the first word of capitals among words of none, brackets, the beginning or what follows
# a program or place, a cell of its own, and the letters of glog and Android.
LABELS = (
    rb"(?:^|[\s,{(\[\"'])(?:log_?)?(?i:level|lvl|severity|levelname)[\"']?\s?[=:]\s?[\"']?(?i:"
    + _ANY
    + rb")\b|^(?:==\d+==)?\W{0,4}(?:(?:[^\sa-z]\S*|\S*[^\sa-zA-Z]\S*)[ \t]+\W{0,2}){0,7}?(?:"
    + _UPPER
    + rb")[\s\]):|>\"',!\[-]+\S|(?:^|[\s\]#])\[\s?(?:[\w.-]{1,30}:)?(?i:"
    + _ANY
    + rb")\s?(?:\]|[:\s]\S)|^[^\w#/;%\"'`*$]{0,3}\s*"
    + _BEFORE
    + rb"{0,3}(?:[\w-]+ ){0,2}?(?i:"
    + _ANY
    + rb"|note|hint|help)"
    + _ENDS
    + rb"|^\s*(?:\d+:\d+\s+)?(?i:error|warning|info)(?:\s{2,}|\t)\S|"
    rb"^(?:error|fatal|warning|warn|info|success) (?:- )?[A-Z\"'`/.\d]|"
    rb"^(?:Error|Warning|Fatal|ERROR|WARNING) [a-z][^:]{1,120}?:\s|"
    rb"^[IWEF]\d{4} \d\d:\d\d:\d\d|^(?:[\d:. -]+ )?[VDIWEF][/ ][\w.$-]{2,40} *[:(]"
)

# How a word of alarm stands: in running text, in a line that reads as a message, in a message
# with a time or a program before it, as what the line says of itself, as a call for attention
# that stands in a text.
WORD, EVENT, MESSAGE, LABEL, CALL = range(5)

# What is no plain word: (rank, how it stands, pattern).
SIGNS: tuple[tuple[int, int, bytes], ...] = (
    # The line that ends a traceback, also behind pytest's E and Java's "Caused by:".
    (
        FATAL,
        LABEL,
        rb"^(?:E +|Caused by: |Exception in thread \S+ |Unhandled exception\S* |Uncaught )?"
        rb"[\w.$]*[A-Z]\w*(?:Error|Exception|Interrupt|Fault)(?:: |:?$)",
    ),
    (FATAL, LABEL, rb"^thread '.{1,80}' (?:\(\d+\) )?panicked at|^Unhandled exception"),
    # A kernel's own.
    (FATAL, LABEL, rb"(?:^|\] |kernel: )(?:BUG|Oops): [a-zA-Z0]|\bsegfault at [0-9a-f]"),
    (FATAL, LABEL, b"\xd0\xa4\xd0\x90\xd0\xa2\xd0\x90\xd0\x9b|\xe8\x87\xb4\xe5\x91\xbd"),
    (ERROR, LABEL, rb"ERR!|^E: |^\s*not ok\b|^(?:invalid|syntax)-\w+: |##\[error\]|^::error"),
    # The name of a test that failed: jest's and playwright's headings, glyphs of mocha and others.
    (
        ERROR,
        LABEL,
        rb"^\s*\xe2\x97\x8f (?:.* \xe2\x80\xba |Test suite failed)|:\d+:\d+ \xe2\x80\xba \S",
    ),
    (ERROR, LABEL, rb"^\s*(?:\d+:\d+\s+)?(?:\xe2\x9c[\x95-\x98]|\xe2\x9d\x8c)\s+\S"),
    # Linters: a name that is not defined fails at run time, whatever the style says.
    (ERROR, LABEL, rb"[\s:](?:F821|E0602|E999|F82\d|no-undef)(?:[\s:\]]|$)"),
    (ERROR, LABEL, rb"(?:^|[^\w/'\"`.(\[-])FAIL(?:ED|URE|URES)?(?:$|[^\w/='\"`.(-])"),
    (
        WARNING,
        CALL,
        rb"(?i)^(?:> *|!!! ?|::: ?|\.\. )[\[*_!]*(?:warning|danger|caution|attention)\b",
    ),
    (ERROR, LABEL, rb"(?i)\*\*\* .*(?:error|no rule|stop|missing)|\bCONFLICT \("),
    # A plan: what is named goes away, and what a change brings about.
    (
        WEAK,
        LABEL,
        rb"(?i)^\W{0,4}\S*\w[./:\[_-]\w\S* (?:will|must) be (?:destroyed|replaced|deleted|removed|"
        rb"evicted|recreated|downgraded)\b[^.]{0,40}$",
    ),
    (
        WEAK,
        LABEL,
        rb"(?i)(?:#|\(|<-+|!) ?(?:forces?|requires?|causes?) (?:an? )?"
        rb"(?:replacement|re-?creat\w+|restart|reboot|downtime)\b",
    ),
    # Fields and their values.
    (ERROR, MESSAGE, rb"(?i)(?:failed|failures?|errors?|unreachable)[\"']?\s?[:=]\s?[\"']?[1-9]"),
    (
        ERROR,
        MESSAGE,
        rb"(?i)\bexit[ _-]?(?:code|status)[\"']?\s*[:=]\s*[\"']?[1-9]|status=[1-9]\d*/",
    ),
    (
        ERROR,
        MESSAGE,
        rb"(?i)\b(?:status|state|result|outcome|conclusion)[\"']?\s*[:=]\s*[\"']?"
        rb"(?:fail|error|abort|crash|unhealthy|degraded)\w*",
    ),
    (ERROR, MESSAGE, rb"CrashLoopBackOff|OOMKilled|ImagePullBackOff|ErrImage|\bEvicted\b"),
    # A cell of its own.
    (
        ERROR,
        EVENT,
        rb"(?:^|\S\s{2,}|\t|\| ?)(?:\w*[a-z](?:Error|Exception)|[Ee]rror|ERROR)"
        rb"(?:$|\s{2,}|\t| ?\|)",
    ),
    (WEAK, EVENT, rb"[a-z](?:Error|Exception)(?:: \S|\)$)"),
)

# What plain words say; names, paths, values and types in the line were masked before.
WORDS: tuple[tuple[int, bytes], ...] = (
    (FATAL, rb"(?i)\bpanic(?:ked|king)?\b|\bfatal\b|\bcritical (?:error|failure|condition)"),
    (FATAL, rb"(?i)segmentation fault|core dumped|\bSIG(?:SEGV|ABRT|KILL|BUS|ILL)\b|bus error"),
    (FATAL, rb"(?i)out of memory|cannot allocate memory|oom-?kill|\bkilled\b|stack overflow"),
    (FATAL, rb"(?i)assertion\b.{0,80}\bfailed|deadlock|double free"),
    (
        ERROR,
        rb"(?i)\S error(?:$|[:;,.!]| \(|"
        rb" (?:at|near|in|on|while|from|reading|writing|opening)\b)|"
        rb"^error\b|\berrors? (?:occurred|detected|encountered|found)\b|\buncaught\b|\bunhandled\b",
    ),
    (
        ERROR,
        rb"(?i)\bexit(?:ed|ing)?(?: \w+)?(?: with)?(?: an?)?(?: \w+)? ?(?:code|status)?:? {0,8}"
        rb"\(?[1-9]|non-?zero (?:exit|status|code)|returned [1-9]\d* exit status",
    ),
    (
        ERROR,
        rb"(?i)permission denied|access (?:is )?denied|no space left|read-only file system|"
        rb"connection (?:refused|reset|timed|aborted)|broken pipe|no route to host|"
        rb"too many open files|not permitted",
    ),
    (ERROR, rb"(?i)\b[1-9][\d,]* (?:\w+ )?(?:failed|failures?|failing|errors?)\b"),
    (
        ERROR,
        rb"(?i)undefined (?:reference|symbol|variable)|unresolved (?:external|import|reference)",
    ),
    (ERROR, rb"(?:\xc3\xbc|\xc3\x9c)(?:ltig|LTIG)|Fehler|FEHLER|erreur|Erreur|ERREUR"),
    (ERROR, b"\xd1\x88\xd0\xb8\xd0\xb1\xd0\xba|\xd0\x9e\xd0\xa8\xd0\x98\xd0\x91\xd0\x9a"),
    (
        ERROR,
        b"\xe5\xa4\xb1\xe6\x95\x97|\xe5\xa4\xb1\xe8\xb4\xa5|\xe3\x82\xa8\xe3\x83\xa9\xe3\x83\xbc|"
        b"\xe9\x94\x99\xe8\xaf\xaf|\xec\x98\xa4\xeb\xa5\x98",
    ),
    (
        WEAK,
        rb"(?i)\bfail(?:ed|ure|ures|ing)\b|\bexpired\b|\b(?:is|was|been|operation) aborted|"
        rb"\baborting\b",
    ),
    (
        WEAK,
        rb"(?i)\b(?:cannot|can't|could not|couldn't|unable to|not found|no such|does not exist)\b",
    ),
    (WEAK, rb"(?i)time[ds]? ?out\b|\b(?:refused|rejected|denied|unreachable|corrupt\w*|invalid)\b"),
    (WEAK, rb"(?i)\b(?:missing|incompatible|violat\w+|unexpected|overflow|conflicts?)\b"),
    (WEAK, rb"(?i)\b(?:undefined|unbound|not ?ready|unhealthy|stopped posting|lost|vanished)\b"),
    (WARNING, rb"(?i)\b[1-9][\d,]* warnings?\b|deprecat"),
    (WARNING, rb"(?i)\b(?:will|must) be (?:destroyed|replaced|deleted|removed)\b"),
    (WARNING, b"\xe8\xad\xa6\xe5\x91\x8a"),
)

OUTCOMES: tuple[bytes, ...] = (
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

# What takes the weight from the words in it: nothing happened, or the word only names a thing.
QUIET = (
    rb"(?i)\b(?:0|no|zero|never|without(?: any)?|free of)[ _-](?:new |other |\w+ )?(?:errors?|"
    rb"failures?|failed|fails?|failing|warnings?|conflicts?|problems?|exceptions?|issues?)\b|"
    rb"\b(?:errors?|err|failures?|failed|fail|fatal|warnings?|exceptions?|dropped|timeouts?|missing|"
    rb"lost|conflicts?|unreachable|invalid|rejected)(?:\(s\))?[\"']?(?:\s*[:=]\s*|\s+)"
    rb"(?:[\"']?0(?:\.0+)?%?(?:[\s,;)\]}|\"']|$)|none\b|null\b|false\b|nil\b|\"\"|''|<nil>|\[\])|"
    rb"error[- ]free|non-?fatal|(?:keine|aucune?|sin|senza) (?:fehler|erreurs?|errore?s?|errori)|"
    rb"\b(?:standard|std)[ -]?err(?:or)?\b|"
    rb"\berror[ -](?:messages?|handl\w+|report\w*|check\w*|correct\w*|logs?|rates?|pages?|"
    rb"codes?|counts?|output)\b|"
    rb"\b(?:did|does|do|will|would|should|must) not fail\b|\bnot an error\b|"
    rb"\b(?:is|as|be|if|any|each|every|such|the|cause|raise|return|report|issue|give|produce|"
    rb"generate|throw|print)(?:s|ing)? (?:an? |the )?(?:\w+ )?errors?\b"
)

# A test's or step's name may hold any word; its result follows or precedes it. A compiler's
# excerpt of the source stands behind a gutter, its message does not; a search names file and line.
BENIGN = (
    rb"(?:\bPASSED\b|\bPASS\b|\.\.\. ok|\bSUCCESS)(?:\s*\[.*\]|\s*\(.*\))?\s*$|"
    rb"^\s*(?:\xe2\x9c[\x93\x94]|\xe2\x88\x9a|ok \d+|--- PASS|=== (?:RUN|PAUSE|CONT)|"
    rb"PASS )|^ok\s|\[ +OK +\]|^ *\d* +\| |^\|[ |]*(?:[\^~_/-]{2}|\^|$)|^\s*\d+\t|"
    rb"^- +\d+ \S|^--?[A-Za-z][\w=<>,-]*(?:\s|$)|^=+ (?:ERRORS|FAILURES|warnings summary) =+$|"
    rb"^_+ .* _+$|"
    rb"^(?:Some errors have detailed|For more information about|= (?:note|help): |help: )|"
    rb"^console\.\w+$|^Errors +Files$|"
    rb"^(?:[^\s:]*[./][^\s:]*:)?\d+[:-](?:\s{2,}|\t|[^\s\d:i]|i[^n]| (?:\*|//|#|/\*))|"
    rb"^[\w.@+-]*/[\w./@+-]+[:-](?:\s{2,}|\t|[^\s\d:/\\\]])|^[0-9a-f]{7,40}(?: \S+)+$|"
    rb"^[-dlbcps][-rwxsStT]{9}[.+@]?\s"
)

# A time, or what a daemon writes before its messages.
STAMPED = (
    rb"^\W{0,2}(?:[\d/.-]{8,10}[ T])?\d\d:\d\d(?::\d\d|\b)|"
    rb"^(?:[A-Z][a-z]{2},? )?[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d|^\[ *\d+\.\d+\]|^<\d+>|"
    rb"^\S{1,60}\[\d+\]: "
)
# A program, a place or a part that speaks.
SPOKEN = rb"^[\w.@/\\+-]{1,200}(?:\[\d+\]|(?::\d+)+|\(\d[\d,]*\))?: \S|^\[[\w:./ -]{1,40}\] \S"

# What must not lie around, wherever it does. Examples in documents say that they are some.
SECRET = (
    rb"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----|\bAKIA[0-9A-Z]{16}\b|\bgh[opsu]_\w{36}|"
    rb"\bglpat-[\w-]{20}|\bxox[abprs]-[\w-]{20}|\bAIza[\w-]{35}"
)

# A comment, a statement: what reads as source and is none of a language that is known.
SOURCE = (
    rb"^(?:[#%;'\"$:]|//|/\*|\*\s|\(\*|<!--|--\s)|[{;]$|\(\*|\*/|\s(?:#|//|;|--|%)\s+\S|:=|"
    rb"[\w)] = [\w\"'(\[{]|^(?:if|let|return|raise|throw|assert|error|function|def|func|fn)\b.*\("
)

# Lines that say nothing alone and belong to an error close by: how many lines before it they may
# stand, and how many after it.
COMPANY: tuple[tuple[int, int, bytes], ...] = (
    (0, 2, rb"^\s*--> \S+:\d+"),
    (0, 14, rb"(?i)^\s*(?:expected|received|actual|got|left|right)\b[^:\n]{0,20}: "),
    # Numbered names of tests under the count of those that failed; mocha, rspec, playwright.
    (0, 4, rb"^\s*\d{1,3}\) \S|^\s*rspec \S+:\d+ # "),
    (3, 3, rb"\b\w+_test\.go:\d+: "),
    (14, 0, rb"^[^/\s]\S*:\d+:\d+: +required from"),
)
# An error inside of what others wrote is mostly the consequence of one in the project.
FOREIGN = (
    rb"^(?:/usr/|/opt/|/nix/|/Library/|[A-Z]:\\Program)|/(?:site-packages|node_modules|\.cargo)/"
)
