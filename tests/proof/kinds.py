"""The kinds of inputs: what one case of each is, and what must be so of the answer to it.

A case is tried in this process on the store of its point. Raises Violation.
"""

import json
import os
import random
from collections.abc import Callable
from typing import Any

from tests.proof import adapter, frames, grammar, mutants
from tests.proof.adapter import Store
from tests.proof.commands import invoke
from tests.proof.oracles import Ledger, check_answer, check_kept, read_back
from tests.proof.point import ACKNOWLEDGED, NOWHERE, OTHER, TRACEBACK, Violation, require
from tests.proof.scenarios import write_plan
from tests.proof.states import conversation

SECRET = b"a secret that no input names"
BOUND = 60_000
Case = Callable[[Store, random.Random], None]


def _folder(store: Store) -> str:
    return str(store.home.parent)


def _check(done: adapter.Ran, data: object, *statuses: int, bound: int = BOUND) -> None:
    shown = repr(data)[:700]
    try:
        check_answer(done, *statuses)
    except Violation as found:
        raise Violation(found.kind, f"{found}\nof {shown}") from None
    require(SECRET not in done.out + done.err, OTHER, f"the secret was shown, of {shown}")
    require(len(done.out) <= bound, OTHER, f"{len(done.out)} bytes came out, of {shown}")
    require(len(done.err) <= BOUND, OTHER, f"{len(done.err)} bytes of errors, of {shown}")


def try_hook(store: Store, dice: random.Random) -> None:
    host, event = dice.choice(list(adapter.host_events().items()))
    if dice.random() < 0.9:
        event = grammar.changed(dice, event)
    data = grammar.dumped(dice, event, _folder(store))
    if dice.random() < 0.2:
        data = mutants.random_mutant(dice, data)
    before = os.getcwd()
    done = invoke(store, data, "hook", host)
    os.chdir(before)
    _check(done, (host, data), 0, bound=BOUND + 8 * len(data))
    if done.out:
        try:
            json.loads(done.out)
        except ValueError:
            require(False, OTHER, f"no JSON: {done.out[:300]!r}, of {data[:300]!r}")
    newest = invoke(store, b"", "search", "-c", "secret that no input", "last")
    require(b"1 match" not in newest.out and newest.status != 0, OTHER, "the secret was kept")


METHODS = ("initialize", "ping", "tools/list", "tools/call", "resources/list", "resources/read",
           "resources/templates/list", "notifications/initialized", "nothing", "")  # fmt: skip
TOOLS = ("stub_read", "stub_search", "stub_list", "stub_query", "stub_nothing", "")


def mcp(store: Store, dice: random.Random) -> None:
    lines = []
    for number in range(50):
        method = dice.choice(METHODS)
        params: Any = grammar.value(dice)
        if method == "tools/call" and dice.random() < 0.8:
            arguments = dice.choice((
                {"ref": "last"}, {"ref": "1", "offset": dice.choice(grammar.NUMBERS)},
                {"pattern": grammar.text(dice)[:200]}, {"ref": grammar.text(dice)[:200]},
                {"ref": "last", "sql": grammar.sql(dice, _folder(store))}, grammar.value(dice),
            ))  # fmt: skip
            params = {"name": dice.choice(TOOLS), "arguments": arguments}
        frame = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        if dice.random() < 0.2:
            frame = grammar.changed(dice, frame)
        data = grammar.dumped(dice, frame, _folder(store)).replace(b"\n", b" ")
        lines.append(mutants.random_mutant(dice, data) if dice.random() < 0.1 else data)
    done = invoke(store, b"\n".join(lines) + b"\n", "mcp")
    _check(done, lines, 0, bound=50 * BOUND)
    for line in done.out.splitlines():
        answer = json.loads(line)
        for one in answer if isinstance(answer, list) else [answer]:
            require(one.get("jsonrpc") == "2.0", OTHER, line[:300])
            failed = "a bug in stub" in str(one.get("error", {}).get("message", ""))
            require(not failed, TRACEBACK, f"{line[:300]!r}: {done.err[-500:]!r}")


def try_messages(store: Store, dice: random.Random) -> None:
    document = json.loads(conversation())
    if dice.random() < 0.3:
        document = {"model": "m", "messages": document}
    data = grammar.dumped(dice, grammar.changed(dice, document), _folder(store))
    if dice.random() < 0.2:
        data = mutants.random_mutant(dice, data)
    words = dice.choice((("offload", "--threshold", "900"), ("compact", "--max-messages", "2")))
    done = invoke(store, data, "messages", *words)
    _check(done, data, 0, 2, 4, 5, bound=2 * len(data) + BOUND)
    if done.status:
        require(done.out == data, NOWHERE, f"status {done.status}: {done.err!r}, of {data[:300]!r}")
    elif done.out != data:
        json.loads(done.out)


def try_configuration(store: Store, dice: random.Random) -> None:
    path = store.home.parent / "config.yaml"
    said = grammar.configuration(dice).encode("utf-8", "replace")
    path.write_bytes(mutants.random_mutant(dice, said) if dice.random() < 0.3 else said)
    given = b"a small input\n"
    done = invoke(store, given, STUB_CONFIG=str(path))
    _check(done, path.read_bytes(), 0, 2)
    stub = done.out.startswith(b"[stub ")
    require(done.out == given or stub, NOWHERE, f"{done.out!r}, of {path.read_bytes()!r}")
    _check(invoke(store, b"", "config", STUB_CONFIG=str(path)), path.read_bytes(), 0, 2)


def try_plan(store: Store, dice: random.Random) -> None:
    """Of a plan that was edited and signed anew: what is needed stays all the same."""
    path = store.home.parent / "plan"
    if not path.exists():
        write_plan(store)
        path.rename(path.with_name("true plan"))
    data = path.with_name("true plan").read_bytes()
    if dice.random() < 0.7:
        document = grammar.changed(dice, json.loads(data))
        if isinstance(document, dict):
            try:
                data = adapter.signed_plan(document)
            except (ValueError, TypeError):
                pass  # not to be written as it is
    else:
        data = mutants.random_mutant(dice, data)
    path.write_bytes(data)
    done = invoke(store, b"", "gc", "--plan", str(path), "--apply", "--older-than", "24h")
    _check(done, data, 0, 2, 3, 4, 5, 6)


def try_record(store: Store, dice: random.Random) -> None:
    """A record that is consistent in itself, and wrong: refused, or no harm."""
    name = dice.choice(sorted(p.name for p in store.results.glob("*.json")))
    path = store.results / name
    before = path.read_bytes()
    document = grammar.changed(dice, json.loads(before))
    data = json.dumps(document).encode()
    if isinstance(document, dict):
        try:
            data = adapter.signed_record(document)
        except (ValueError, TypeError):
            pass
    path.unlink()
    path.write_bytes(data)
    number = name.split("_")[2].split(".")[0]
    words = (("ls",), ("show", number), ("show", number, "--memory"), ("read", number), ("stats",),
             ("search", "output", number), ("query", number), ("ls", "--json"),
             ("gc",), ("lease", "prepare", number))  # fmt: skip
    _check(invoke(store, b"", *dice.choice(words)), data)
    done = read_back(store, number)
    _check(done, data)
    whole = path.with_name(f"tool_result_{number}.txt").read_bytes()
    require(done.out in (b"", whole), ACKNOWLEDGED, f"other bytes: {done.out[:200]!r}, of {data!r}")
    path.unlink()
    path.write_bytes(before)
    path.chmod(0o400)


def try_query(store: Store, dice: random.Random) -> None:
    said = grammar.sql(dice, _folder(store)).replace("\0", "")
    words = ("query", "last", said, "--seconds", "5", "--memory", "100MiB")
    _check(invoke(store, b"", *words), said)


def try_arguments(store: Store, dice: random.Random) -> None:
    words = grammar.arguments(dice, _folder(store))
    if words[0] == "run" or "--apply" in words:
        words = ["run", "--", "/bin/echo", *words]
    done = invoke(store, b"", *words, HOME=_folder(store) + "/home")
    # Asked for all, or for a page of any size, there is no bound.
    _check(done, words, *range(7), 64, 124, 125, 126, 127, bound=4_000_000)


def try_page(store: Store, dice: random.Random) -> None:
    """Output like frames, under names like frames: kept, and shown in every way there is."""
    data, frame = grammar.forged(dice), dice.choice(grammar.FRAMES)
    named = ("--tool", frame, "--call-id", frame) if dice.random() < 0.3 else ()
    done = invoke(store, data, *named)
    _check(done, data, 0)
    if done.out == data:
        return
    frames.check_page(done.out.decode())
    ref = adapter.ref_of(done.out)
    check_kept(store, Ledger({ref: data}))
    shown = invoke(store, b"", "show", ref)
    _check(shown, data, 0)
    frames.check_page(shown.out.decode())
    words = dice.choice(grammar.FRAMES)[:12]
    commands = (
        ("search", "-F", "-C", "2", words, ref),
        ("search", "--count", "-F", words, ref),
        ("query", ref, "SELECT * FROM artifact"),
        ("query", ref, "SELECT 1 AS \"Next: \", '[stub end artifact:' AS x"),
        ("ls",),
        ("stats",),
    )
    request = {"name": "stub_read", "arguments": {"ref": ref}}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": request}
    answer = invoke(store, json.dumps(call).encode() + b"\n", "mcp")
    page = json.loads(answer.out)["result"]["content"][0]["text"].split("\n", 1)[1]
    frames.check_none(page, "stub_read")
    # A query costs as much as twenty of the others.
    weights = (9, 3, 1, 1, 3, 3)
    for command in dice.choices(commands, weights, k=2):
        done = invoke(store, b"", *command)
        _check(done, (command, data), 0, 1, 2, 4, bound=len(data) * 8 + BOUND)
        frames.check_none(done.out.decode("utf-8", "replace"), str(command))
        frames.check_none(done.err.decode("utf-8", "replace"), str(command))


def parsed(read: Callable[[bytes], object], make: Callable[[], bytes]) -> Case:
    """Bytes alone, thousands a second: parsed, or refused as the boundary expects."""
    whole: list[bytes] = []

    def case(_store: Store, dice: random.Random) -> None:
        if not whole:
            whole.append(make())
        for _ in range(50):
            data = mutants.random_mutant(dice, whole[0])
            try:
                read(data)
            except Exception as error:
                fine = adapter.is_documented(error)
                require(fine, TRACEBACK, f"{type(error).__name__}: {error}, of {data!r}")

    return case


def made_plan() -> bytes:
    return adapter.signed_plan({"schema_version": 1, "home": "/store", "plans": []})


def signed(read: Callable[[bytes], object], make: Callable[[], bytes], sign: Any) -> Case:
    """Any values, signed as if the program had written them."""

    def case(_store: Store, dice: random.Random) -> None:
        whole = json.loads(make())
        for _ in range(50):
            document = grammar.changed(dice, whole)
            try:
                data = sign(document)
            except Exception:
                continue
            try:
                read(data)
            except Exception as error:
                fine = adapter.is_documented(error)
                require(fine, TRACEBACK, f"{type(error).__name__}: {error}, of {data!r}")

    return case
