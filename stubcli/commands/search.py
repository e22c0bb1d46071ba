"""`stub search`: matches in artifacts on stdout, exact totals and the next command on stderr."""

from collections.abc import Callable, Iterator
from functools import partial

from stubcli.commands.answer import emit_json, emit_text, say, tracked
from stubcli.commands.place import home_of, open_artifact, session_of
from stubcli.errors import INTEGRITY, NOTHING_FOUND, OK, IntegrityError, MissingError
from stubcli.retrieve.position import byte_of_line
from stubcli.retrieve.search import WINDOW, Hit, compile_pattern
from stubcli.retrieve.search import search as find
from stubcli.settings.load import Settings
from stubcli.store.artifacts import Artifact, read_record, record_names
from stubcli.store.layout import Session, close_session, open_session
from stubcli.text.decode import decode
from stubcli.text.escape import one_line


def search(
    settings: Settings,
    pattern: str,
    references: list[str],
    *,
    literal: bool = False,
    ignore_case: bool = False,
    word: bool = False,
    before: int = 0,
    after: int = 0,
    skip: int = 0,
    count: bool = False,
    as_json: bool = False,
) -> int:
    """Print matches: line number, byte offset, the line around them. 0 where any, else 1."""
    compiled = compile_pattern(pattern, literal=literal, ignore_case=ignore_case, word=word)
    room, total, matched, damaged = settings.matches, 0, 0, False
    rows: list[dict[str, object]] = []
    named: list[str] = []
    for opening in _artifacts(settings, references):
        try:
            artifact = opening()
        except (IntegrityError, MissingError) as error:
            if references:
                raise  # it was named: this is the answer
            damaged = damaged or isinstance(error, IntegrityError)
            say(str(error))
            continue
        with artifact:
            here = 0
            named += [artifact.record.reference.short] if references else []
            try:
                for hit in find(artifact, compiled):
                    here += 1
                    if not count and skip < total + here <= skip + room:
                        rows.append(_row(artifact, hit))
                        if not as_json:
                            _print(artifact, hit, len(references) != 1, before, after)
            except IntegrityError as error:
                damaged = True
                say(str(error))
            total += here
            matched += bool(here)
            if count and not as_json and (here or references):
                emit_text(f"{artifact.record.reference} {here}\n")
    if as_json:
        emit_json({"pattern": pattern, "total": total, "artifacts": matched, "hits": rows})
    elif not count:
        options = _options(settings, literal, ignore_case, word, before, after)
        _totals(settings, options, pattern, named, total, matched, skip)
    if damaged:
        return INTEGRITY
    return OK if total else NOTHING_FOUND


def _artifacts(settings: Settings, references: list[str]) -> Iterator[Callable[[], Artifact]]:
    """How to open each artifact that is named, else each of the session, oldest first."""
    if references:
        for reference in references:
            yield partial(open_artifact, settings, reference)
        return
    session = open_session(home_of(settings), session_of(settings), create=False)
    try:
        names = record_names(session)
        for number in tracked(sorted(names), "searching", len(names)):
            for name in names[number]:
                yield partial(_open, session, name)
    finally:
        close_session(session)


def _open(session: Session, name: str) -> Artifact:
    return Artifact(session, read_record(session, name))


def _row(artifact: Artifact, hit: Hit) -> dict[str, object]:
    return {
        "ref": str(artifact.record.reference),
        "line": hit.line,
        "offset": hit.offset,
        "text": decode(hit.text).encode("utf-8", "backslashreplace").decode("utf-8"),
        "before": hit.before,
        "after": hit.after,
    }


def _print(artifact: Artifact, hit: Hit, named: bool, before: int, after: int) -> None:
    name = f"{artifact.record.reference.short}:" if named else ""
    lines = [
        f"{name}{line}-{text}" for line, text in _context(artifact, hit.line - before, hit.line - 1)
    ]
    left = f"[{hit.before:,} bytes] …" if hit.before else ""
    right = f"… [{hit.after:,} bytes]" if hit.after else ""
    lines.append(f"{name}{hit.line}:{hit.offset}:{left}{one_line(decode(hit.text))}{right}")
    lines += [
        f"{name}{line}-{text}" for line, text in _context(artifact, hit.line + 1, hit.line + after)
    ]
    if before or after:
        lines.append("--")
    emit_text("\n".join(lines) + "\n")


def _context(artifact: Artifact, first: int, last: int) -> Iterator[tuple[int, str]]:
    """Lines around a hit, each cut at the window's width."""
    for line in range(max(1, first), min(last, artifact.record.lines) + 1):
        start = byte_of_line(artifact, line)
        end = min(byte_of_line(artifact, line + 1), start + WINDOW)
        yield line, one_line(decode(artifact.read_at(start, end - start).rstrip(b"\r\n")))


def _options(
    settings: Settings, literal: bool, ignore_case: bool, word: bool, before: int, after: int
) -> str:
    """What the next command must repeat to go on with the same search."""
    given = [f for f, on in (("-F", literal), ("-i", ignore_case), ("-w", word)) if on]
    given += [f"{f} {n}" for f, n in (("-B", before), ("-A", after)) if n]
    if settings.sources["matches"] == "--matches":
        given.append(f"-m {settings.matches}")
    return "".join(f" {option}" for option in given)


def _totals(
    settings: Settings,
    options: str,
    pattern: str,
    references: list[str],
    total: int,
    matched: int,
    skip: int,
) -> None:
    from shlex import quote

    shown = len(range(skip, min(total, skip + settings.matches)))
    line = f"{total:,} matches" if total != 1 else "1 match"
    if not references or len(references) > 1:
        line += f" in {matched:,} artifacts"
    if shown < total:
        line += f", shown {skip + 1:,}-{skip + shown:,}" if shown else ", none shown"
    if skip + shown < total and shown:
        words = " ".join(quote(word) for word in [pattern, *references])
        end = " --" if pattern.startswith("-") else ""
        suffix = settings.suffix(session=True)
        line += f"; next: stub search{options} --skip {skip + shown}{suffix}{end} {words}"
    say(line)
