"""The declarations of `stub messages`."""

from typing import Annotated

import typer

from stubcli.cli.options import Home, Session, Text, given, option

app = typer.Typer(
    help="Shrink the tool results in chat messages.\n\n"
    "They are replaced in place, and every replaced text can be read back.",
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
File = Annotated[Text, typer.Argument(metavar="[FILE]", help="JSON; none: standard input.")]
Form = Annotated[
    Text,
    typer.Option(
        "--format",
        metavar="NAME",
        help="openai-chat, openai-responses, anthropic or gemini (default: by its shape).",
    ),
]
ReportFile = Annotated[
    Text, typer.Option("--report", metavar="FILE", help="Write there what was done, as JSON.")
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Keep and change nothing; print the report.")
]
InPlace = Annotated[
    bool, typer.Option("--in-place", help="Replace the file; what stood there is kept beside.")
]


@app.command("offload")
def offload(
    path: File = None,
    form: Form = None,
    threshold: Annotated[Text, option("threshold")] = None,
    turn_budget: Annotated[Text, option("turn_budget")] = None,
    turn_floor: Annotated[Text, option("turn_floor")] = None,
    turn_preview: Annotated[Text, option("turn_preview")] = None,
    turn_preview_floor: Annotated[Text, option("turn_preview_floor")] = None,
    budget: Annotated[Text, option("budget")] = None,
    head: Annotated[Text, option("head")] = None,
    tail: Annotated[Text, option("tail")] = None,
    report: ReportFile = None,
    pretend: DryRun = False,
    in_place: InPlace = False,
    home: Home = None,
    session: Session = None,
) -> int:
    """Before the model sees a turn: what is too large, alone or together, becomes a stub.

    What was decided once is repeated byte for byte in every later run on the session.
    """
    from stubcli.commands.messages import OFFLOAD
    from stubcli.commands.messages import messages as run

    flags = given(
        threshold=threshold,
        turn_budget=turn_budget,
        turn_floor=turn_floor,
        turn_preview=turn_preview,
        turn_preview_floor=turn_preview_floor,
        budget=budget,
        head=head,
        tail=tail,
        home=home,
        session=session,
    )
    return run(
        OFFLOAD, flags, path=path, form=form, report=report, pretend=pretend, in_place=in_place
    )


@app.command("compact")
def compact(
    path: File = None,
    form: Form = None,
    max_messages: Annotated[Text, option("max_messages")] = None,
    max_tokens: Annotated[Text, option("max_tokens")] = None,
    keep: Annotated[Text, option("keep")] = None,
    report: ReportFile = None,
    pretend: DryRun = False,
    in_place: InPlace = False,
    home: Home = None,
    session: Session = None,
) -> int:
    """Under pressure only: old results become two lines, then old words a line each.

    What came after the last word of the assistant is never touched.
    """
    from stubcli.commands.messages import COMPACT
    from stubcli.commands.messages import messages as run

    flags = given(
        max_messages=max_messages,
        max_tokens=max_tokens,
        keep=keep,
        home=home,
        session=session,
    )
    return run(
        COMPACT, flags, path=path, form=form, report=report, pretend=pretend, in_place=in_place
    )
