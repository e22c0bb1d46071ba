"""The declarations of the commands that coding agents and their harnesses use."""

from typing import Annotated

import typer

from stubcli.cli.options import Home, Session, settings

LENIENT = {"ignore_unknown_options": True, "allow_extra_args": True}
tools = typer.Typer(help="Tools for a model: their definitions, and calls of them.")


def init(
    agent: Annotated[
        str,
        typer.Argument(metavar="AGENT", help="claude, codex, gemini, opencode, copilot or cursor."),
    ],
    project: Annotated[
        bool,
        typer.Option("--project/--user", help="This project's files, or the user's (default)."),
    ] = False,
    instructions: Annotated[
        bool, typer.Option("--instructions", help="A few lines in its rules file, too.")
    ] = False,
    skill: Annotated[bool, typer.Option("--skill", help="A SKILL.md, too.")] = False,
    uninstall: Annotated[bool, typer.Option("--uninstall", help="Take all of it out.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what changes.")] = False,
) -> int:
    """Plug into a coding agent.

    Large outputs of its commands become stubs by themselves. Shows the difference, keeps what
    stood there beside the file, and changes nothing else in it. Run it again, and nothing is to
    do. --uninstall restores the file to the byte where it was not changed since, and else takes
    out what is of stub.
    """
    from stubcli.commands.init import init as run

    return run(
        agent,
        project=project,
        instructions=instructions,
        skill=skill,
        uninstall=uninstall,
        dry_run=dry_run,
    )


def hook(
    host: Annotated[str, typer.Argument(metavar="AGENT", help="Whose event it is.")] = "",
) -> int:
    """Answer an event of a coding agent.

    JSON on stdin and stdout; what stub init sets up.

    Whatever is not as expected, it answers nothing and exits 0, and the agent goes on without it.
    """
    from stubcli.commands.hook import hook as run

    return run(host)


def mcp(home: Home = None, session: Session = None) -> int:
    """Serve the tools over MCP.

    The four tools and the artifacts, over the Model Context Protocol on stdin and stdout.

    For clients that take their tools from such servers: {"command": "stub", "args": ["mcp"]}.
    """
    from stubcli.commands.mcp import mcp as run

    return run(lambda: settings(home=home, session=session))


@tools.callback(invoke_without_command=True)
def definitions(
    context: typer.Context,
    output_format: Annotated[
        str, typer.Option("--format", metavar="API", help="openai, anthropic or gemini.")
    ] = "openai",
) -> int:
    """Tools for a model: definitions, and calls.

    Prints the definitions of stub_read, stub_search, stub_query and stub_list for a harness.
    """
    from stubcli.commands.tools import definitions as run

    return 0 if context.invoked_subcommand else run(output_format)


@tools.command()
def call(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Which tool.")],
    home: Home = None,
    session: Session = None,
) -> int:
    """Run a tool with the arguments on stdin.

    The arguments are a JSON object; prints {"is_error", "text", "next"}.

    text is below 20,000 characters; next holds the arguments that go on, or null. A mistake in the
    arguments is such an answer, with status 0.
    """
    from stubcli.commands.tools import call as run

    return run(settings(home=home, session=session), name)
