"""What a shell may complete a value to: choices, references, sessions, tools, agents, leases.

Never fails and never writes: a shell that completes must not show an error.
"""

from collections.abc import Iterator
from typing import Any

from stubcli.cli.command import Given
from stubcli.debug import swallowed
from stubcli.settings.option import Option

_MOST = 50
Values = list[tuple[str, str]]


def values(option: Option[Any], given: Given, incomplete: str) -> Values:
    """(value, meaning) pairs that begin with `incomplete`; given: --home and --session so far."""
    try:
        found = _FINDERS[option.complete](given) if option.complete else iter(())
        every = [*((word, "") for word in option.choices), *found]
    except Exception as error:
        swallowed("completion", error)
        return []
    return [pair for pair in every if pair[0].startswith(incomplete)][:_MOST]


def _references(given: Given) -> Iterator[tuple[str, str]]:
    from stubcli.cli.run_rows import recent

    yield "last", "the newest output"
    for forms, what in recent(given.settings(), _MOST):
        yield from ((form, what) for form in forms)


def _sessions(given: Given) -> Iterator[tuple[str, str]]:
    from stubcli.cli.place import sessions_of

    for name in sessions_of(given.settings(), everywhere=True):
        yield name, ""


def _tools(given: Given) -> Iterator[tuple[str, str]]:
    from stubcli.retrieve.listing import list_runs
    from stubcli.settings.load import configured_tools, home_of, session_of

    settings = given.settings()
    names = dict.fromkeys(configured_tools(), "configured")
    for row in list_runs(home_of(settings), [session_of(settings)], limit=_MOST, skip=0).rows:
        if row.run and row.run.origin.tool:
            names.setdefault(row.run.origin.tool, "made an output")
    yield from names.items()


def _agents(given: Given) -> Iterator[tuple[str, str]]:
    from stubcli.agents.host import host_names, load_host

    for name in host_names():
        yield name, load_host(name).title


def _transactions(given: Given) -> Iterator[tuple[str, str]]:
    from stubcli.retention.leases.newest import list_leases
    from stubcli.settings.load import home_of, session_of

    settings = given.settings()
    names = [session_of(settings)]
    for lease in list_leases(home_of(settings), names, pending=False, limit=_MOST, skip=0).leases:
        yield lease.transaction_id, lease.phase


def _files(given: Given) -> Iterator[tuple[str, str]]:
    """Nothing: the shell completes files by itself where it is told nothing."""
    return iter(())


_FINDERS = {
    "ref": _references,
    "session": _sessions,
    "tool": _tools,
    "agent": _agents,
    "file": _files,
    "transaction": _transactions,
}
