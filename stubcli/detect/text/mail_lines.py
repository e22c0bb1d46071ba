"""The lines that begin a mail, alone or in a mailbox. It loads no reader."""

import re

# What stands before each mail of a mailbox; a commit instead of a sender in a series of patches.
SEPARATOR = re.compile(rb"From \S+ .{0,12}[A-Z][a-z]{2} [ \d]?\d \d\d:\d\d:\d\d (?:\S+ )?\d{4}")
HEADER = re.compile(
    rb"(From|To|Subject|Date|Message-ID|Received|MIME-Version|Content-Type|Return-Path|Reply-To|"
    rb"Content-Transfer-Encoding|Delivered-To|Cc|In-Reply-To|References): ?(.*)",
    re.IGNORECASE,
)


def mail(lines: list[bytes]) -> bool:
    begun = sum(1 for line in lines if SEPARATOR.match(line))
    names = {match[1].lower() for line in lines[:60] if (match := HEADER.match(line))}
    if begun >= 1 and b"from" in names and (b"subject" in names or b"date" in names):
        return bool(SEPARATOR.match(lines[0]))
    known = bool(lines) and bool(HEADER.match(lines[0]))
    return known and len(names & {b"from", b"to", b"subject", b"date", b"message-id"}) >= 3
