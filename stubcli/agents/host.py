"""What an agent is declared by, and how the declarations are found: the files of `hosts/`.

Knows no agent by name. Loaded for every output that a hook is called for, most of them small:
plain classes, since dataclasses and typing cost more than all the rest of it.
"""

from collections.abc import Callable

from stubcli.agents.offloader import Offloader
from stubcli.errors import UsageError, nearest

Event = dict[str, object]
_HOSTS = "stubcli.agents.hosts"


class _Frozen:
    """Attributes are set once, by `_set`."""

    __slots__ = ()

    def _set(self, **values: object) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be changed")


class Commands(_Frozen):
    """The absolute paths of the two commands that configurations name."""

    __slots__ = ("shell", "stub")
    stub: str
    shell: str

    def __init__(self, stub: str, shell: str) -> None:
        self._set(stub=stub, shell=shell)

    def hook_line(self, host: str) -> str:
        """The command line that a shell of the host runs for each event."""
        from shlex import quote

        return f"{quote(self.stub)} hook {host}"


class Host(_Frozen):
    """One agent. Paths are below its directory, or below the project.

    title: how its users call it.
    directory, project_directory: what is the user's, and what is in a project.
    variable: what moves the user's directory, and the way below it: `VARIABLE/below`.
    settings, project_settings: the file to change is the first of these that exists, else the
    last; project_settings default to settings.
    hooks_only: whether that file holds hooks and nothing else, so that it goes with the last one.
    comments: whether the agent accepts comments in it.
    required: members that the file must have beside the hooks.
    shell_key: the setting that makes every command run in stub-shell; empty where none does.
    event, hook_entry: the list that a hook belongs into, and the hook for given commands.
    answer: an event → what to answer so that a stub replaces the output; None leaves it alone.
    unchanged: what is answered then; None where silence is understood.
    rules, project_rules: files with instructions; rules is None where the user has none.
    skills: the folder of skills, below the home directory or the project.
    note: what the user has to do or to know, in a sentence without its full stop.
    """

    __slots__ = (
        "answer",
        "comments",
        "directory",
        "event",
        "hook_entry",
        "hooks_only",
        "name",
        "note",
        "project_directory",
        "project_rules",
        "project_settings",
        "required",
        "rules",
        "settings",
        "shell_key",
        "skills",
        "title",
        "unchanged",
        "variable",
    )
    name: str
    title: str
    directory: str
    project_directory: str
    settings: tuple[str, ...]
    project_settings: tuple[str, ...]
    variable: str
    hooks_only: bool
    comments: bool
    required: dict[str, object]
    shell_key: tuple[str, ...]
    event: str
    hook_entry: Callable[[Commands], dict[str, object]] | None
    answer: Callable[[Event, Offloader], Event | None] | None
    unchanged: Event | None
    rules: str | None
    project_rules: str
    skills: str
    note: str

    def __init__(
        self,
        name: str,
        title: str,
        *,
        directory: str,
        project_directory: str,
        settings: tuple[str, ...],
        project_settings: tuple[str, ...] = (),
        variable: str = "",
        hooks_only: bool = False,
        comments: bool = False,
        required: dict[str, object] | None = None,
        shell_key: tuple[str, ...] = (),
        event: str = "",
        hook_entry: Callable[[Commands], dict[str, object]] | None = None,
        answer: Callable[[Event, Offloader], Event | None] | None = None,
        unchanged: Event | None = None,
        rules: str | None = "AGENTS.md",
        project_rules: str = "AGENTS.md",
        skills: str = ".agents/skills",
        note: str = "",
    ) -> None:
        self._set(
            name=name,
            title=title,
            directory=directory,
            project_directory=project_directory,
            settings=settings,
            project_settings=project_settings or settings,
            variable=variable,
            hooks_only=hooks_only,
            comments=comments,
            required=required or {},
            shell_key=shell_key,
            event=event,
            hook_entry=hook_entry,
            answer=answer,
            unchanged=unchanged,
            rules=rules,
            project_rules=project_rules,
            skills=skills,
            note=note,
        )


def host_names() -> tuple[str, ...]:
    """The names of all agents, sorted. Imports none of their files."""
    from stubcli.agents import hosts
    from stubcli.discover import modules

    return modules(hosts.__path__)


def load_host(name: str) -> Host:
    """The agent of that name; imports its file alone. Raises UsageError that names the nearest."""
    if name.isidentifier() and not name.startswith("_"):
        import importlib

        module = f"{_HOSTS}.{name}"
        try:
            host: Host = importlib.import_module(module).HOST
        except ModuleNotFoundError as error:
            if error.name != module:
                raise
        else:
            return host
    raise UsageError(f"unknown agent {name!r}", nearest(name, host_names()))
