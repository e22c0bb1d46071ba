"""The lines of stacks: frames as debuggers and runtimes write them, and what names the stack above
them. It loads no reader.

A frame is what was called and where; whose it is, its place tells: an application's own frames say
more than those of the runtime and of libraries.
"""

import re
from functools import cache
from typing import NamedTuple

# What valgrind, the kernel and a log write before each line.
_BEFORE = rb"==\d+==|\[ *\d+\.\d+\]|[^\s].{0,160}?[:\]|] ?(?=\s+at )"
# at package.Class.method(File.java:12) ~[jar], at name (file:1:2)
_AT = (
    rb"\s*at (?:async )?(?:new )?(?P<name>[\w$.<>/\[\]#`@ -]{1,200}?) ?"
    rb"(?P<place>\((?:[^()]|\(\)){0,300}\).{0,120})$"
)
# at name(arguments) in file:line 12
_AT_LINE = rb"\s*at (?P<name>\S{1,200}\([^()]{0,200}\)) (?P<place>in \S.{0,200}:line \d+)$"
# at file:1:2, of Rust under the function, of JavaScript alone
_AT_PLACE = rb"\s+at (?:async )?(?P<below>[^\s()]{1,300}:\d+(?::\d+)?)$"
# at 0x4005F4: name (file.c:12), by 0x…: name (in /lib/…)
_AT_ADDRESS = rb"\s*(?:at|by) 0x[0-9A-F]+: (?P<name>\S.*?) (?P<place>\((?:in )?[^()]{1,200}\))$"
# #4  0x… in name (arguments) at file.c:12, frame #4: 0x… image`name + 12 at file.c:3
_NUMBERED = (
    rb"\s*(?:\* )?(?:frame )?#(?P<number>\d+):? +(?:0x[0-9a-f]+ (?:in )?(?:\S+`)?"
    rb"(?P<name>[^\s(]\S{0,200}?)(?=$|[\s(])|"
    rb"(?P<called>[A-Za-z_~/?<][^\s(]{0,200})(?= ?\(| at | from ))(?P<place>.*)$"
)
# File "x.py", line 12, in name
_FILE = rb"\s+File \"(?P<place>[^\"]{1,300}\", line \d+)(?:,? in (?P<name>\S.{0,200}))?$"
# from x.rb:12:in `name'
_IN = rb"\s*(?:from )?(?P<place>\S{1,300}:\d+):in (?P<name>[`']?\S.{0,100}[`'])$"
# name+0x12 (image), name+0x12/0x40 [module]
_OFFSET = (
    rb"\s+(?:\? )?(?:[0-9a-f]{8,16} )?(?P<name>[A-Za-z_]\S{0,200}?)\+0x[0-9a-f]+(?P<place>.*)$"
)
# name (file.py:12)
_BARE = rb"\s+(?P<name>[A-Za-z_<]\S{0,200}) (?P<place>\([^()\s]{1,200}:\d+\))$"
# The second line of a frame of Go, whose first names the function.
_GO = rb"\t(?P<below>/\S{1,300}:\d+)(?: \+0x[0-9a-f]+)?$"
# By what stands in a line, which kinds of frames it may be: the first that is there decides.
_KINDS = (
    (b'File "', (_FILE,)),
    (b"\t/", (_GO,)),
    (b"at ", (_AT, _AT_PLACE, _AT_LINE, _AT_ADDRESS, _NUMBERED)),
    (b"by 0x", (_AT_ADDRESS,)),
    (b":in ", (_IN,)),
    (b"#", (_NUMBERED,)),
    (b"+0x", (_OFFSET,)),
    (b":", (_BARE,)),
)
# Where none of these stands, there is no frame.
MARKS = (b" at ", b"\tat ", b"by 0x", b'File "', b"\t/", b":in ", b"#0", b"#1", b"+0x", b")\n")
_LIBRARY = (
    rb"(?:/usr/|/opt/|/nix/|/rustc/|/lib(?:32|64)?/|node:|<frozen |[A-Z]:\\Program)|\.\./sysdeps|"
    rb"\./(?:nptl|elf|csu|malloc|socket|stdio-common)/|"
    rb"/(?:site-packages|dist-packages|node_modules|\.cargo|rustlib|gems|pkg/mod|vendor)/|"
    rb"/lib/python\d|~\[(?!classes)|Native Method|vg_replace|<optimized|\[kernel|\bin \?\?"
)
_FOREIGN = (
    rb"(?:app//)?(?:javax?|jdk|sun|com\.sun|scala|kotlinx?|groovy|clojure|androidx?|dalvik|libcore|"
    rb"com\.(?:android|google|fasterxml|zaxxer|mysql)|reactor|rx|akka|okhttp3|retrofit2|System|"
    rb"org\.(?:springframework|apache|hibernate|eclipse|junit|jboss|postgresql|slf4j|gradle|codehaus|"
    rb"mockito|testng|aspectj|quartz|jetbrains|xml|json)|"
    rb"io\.(?:netty|vertx|grpc|micronaut|quarkus|undertow|ktor|reactivex|micrometer|opentelemetry)|"
    rb"Microsoft|runtime|syscall|std|core|alloc|tokio)(?:\.|::|/)|_{2,}|"
    rb"(?:start_thread|clone3?|main\.main|_start|\?\?|syscall|process\.)\b|pthread_|futex_|epoll_|"
    rb"(?:Object|Module|Function)\._?"
)
_CALLED = rb"\s*\d+: +(?:0x[0-9a-f]+ - )?(\S.*)$|(\S.*)\([^()]*\)$"
# Numbers that differ where the function is the same: of lambdas, of copies that a compiler made.
_COPIES = re.compile(rb"0x[0-9a-f]+|(?<=[$/.])\d+")
_THREAD = re.compile(
    rb"(?i)\W{0,3}(?:current )?(?:thread|goroutine|lwp|task|fiber|pid|process|tid)\b|\"[^\"]+\""
)
_LEAST = 6


class Frame(NamedTuple):
    """name: the function, without what differs among its copies. number: as counted, -1 for none.
    below: a place alone; the line above names the function.
    """

    name: bytes
    own: bool
    number: int
    below: bool


@cache
def compiled(pattern: bytes) -> re.Pattern[bytes]:
    """The pattern; each costs up to a millisecond, and most texts hold no frame."""
    return re.compile(pattern)


def frame(line: bytes) -> Frame | None:
    """The frame that the line shows; None where it is none."""
    patterns = next((kinds for mark, kinds in _KINDS if mark in line), ())
    if not patterns or (patterns == (_BARE,) and line[-1:] != b")"):
        return None
    before = None if line[:1] in b" \t#a" else compiled(_BEFORE).match(line)
    bare = line[before.end() :] if before else line
    kinds = (compiled(pattern).match(bare) for pattern in patterns)
    match = next(filter(None, kinds), None)
    if match is None:
        return None
    found = match.groupdict()
    if found.get("below"):
        return Frame(found["below"], not is_foreign(found["below"]), -1, True)
    number = int(found.get("number") or -1)
    name, place = found.get("called") or found["name"] or found["place"], found["place"]
    foreign = is_foreign(place) or is_foreign(name) or compiled(_FOREIGN).match(name)
    return Frame(_COPIES.sub(b"0", name), not foreign, number, False)


def called(above: bytes) -> bytes:
    """The function that a line over the place of its frame names, "" for none."""
    match = compiled(_CALLED).match(above)
    return (match[1] or match[2]) if match else b""


def is_foreign(place: bytes) -> bool:
    """Whether the place is one of the runtime or of a library."""
    return bool(compiled(_LIBRARY).search(place))


def names_a_thread(line: bytes) -> bool:
    return bool(_THREAD.match(line))


def stacks(lines: list[bytes], framed: list[bool]) -> bool:
    """Whether most lines are frames, what belongs to them and what names each stack. framed: of
    each line, whether it is a frame.
    """
    heads = details = 0
    inside = False
    for line, is_frame in zip(lines, framed, strict=True):
        if is_frame:
            heads += not inside
            inside = True
        elif inside and line[:1] in b" \t":
            details += 1
        else:
            inside = inside and line.startswith(b"No ")
    frames = sum(framed)
    if frames < _LEAST or heads < 2 or details > 20 * frames:
        return False
    return frames + details + 2 * heads >= 0.6 * len(lines)
