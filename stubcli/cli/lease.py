"""The declarations of leases and pins: who needs an artifact, and until when."""

from typing import Annotated

import typer

from stubcli.cli.options import Everywhere, Home, Json, Ref, Session, Text, settings

Transaction = Annotated[str, typer.Argument(metavar="ID", help="The transaction of the lease.")]
Command = Annotated[
    list[str],
    typer.Argument(metavar="CMD [ARG]...", help="A program; put -- before it."),
]
Count = Annotated[
    int, typer.Option("--count", min=1, metavar="N", help="How many references there are.")
]
Until = Annotated[
    Text,
    typer.Option(
        "--retain-until",
        metavar="TIME",
        help="When the claim ends, once committed: ISO 8601 with its zone.",
    ),
]
Owner = Annotated[
    Text,
    typer.Option(
        "--owner", metavar="NAME", help="The memory that holds it, where a session has several."
    ),
]
Timeout = Annotated[
    float | None,
    typer.Option(
        min=0.001, metavar="SECONDS", help="End CMD after so long; what it did is then not known."
    ),
]

app = typer.Typer(
    help="Say who needs an artifact, so that gc keeps it.\n\n"
    "A lease is prepared before a reference to an artifact is published in a memory, committed "
    "when it is, and released when the reference is removed. While it is prepared or committed "
    "the artifact is kept. What was published is asked of the memory itself: reconcile.",
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.command()
def prepare(
    ref: Ref,
    transaction: Annotated[
        Text, typer.Option(metavar="ID", help="A stable name (default: a new one).")
    ] = None,
    count: Count = 1,
    until: Until = None,
    owner: Owner = None,
    as_json: Json = False,
    home: Home = None,
    session: Session = None,
) -> int:
    """Claim an artifact for a reference that is about to be published; print the transaction.

    The artifact is verified first. It is kept, without an end, until the lease is settled.
    """
    from stubcli.commands.lease import prepare as run

    return run(
        settings(home=home, session=session),
        ref,
        transaction=transaction,
        count=count,
        until=until,
        owner=owner,
        as_json=as_json,
    )


@app.command()
def publish(
    ref: Ref,
    command: Command,
    transaction: Annotated[
        str, typer.Option(metavar="ID", help="A stable name; each is published once.")
    ],
    count: Count = 1,
    until: Until = None,
    owner: Owner = None,
    timeout: Timeout = None,
    as_json: Json = False,
    home: Home = None,
    session: Session = None,
) -> int:
    """Prepare a lease, let CMD publish the reference, commit.

    CMD is given the memory reference and its transaction_id as a line of JSON on its stdin. It ends
    with 0 when the reference is published durably, and with 195 when it wrote nothing and never
    will: then the lease is aborted. After any other end nobody knows, and the lease stays prepared:
    see stub lease reconcile. A CMD that cannot be started publishes nothing and changes nothing.
    What CMD prints goes to stderr.
    """
    from stubcli.commands.publish import publish as run

    return run(
        settings(home=home, session=session),
        ref,
        command,
        transaction=transaction,
        count=count,
        until=until,
        owner=owner,
        timeout=timeout,
        as_json=as_json,
    )


@app.command()
def commit(
    transaction: Transaction, as_json: Json = False, home: Home = None, session: Session = None
) -> int:
    """Say that the reference is published."""
    from stubcli.commands.lease import commit as run

    return run(settings(home=home, session=session), transaction, as_json=as_json)


@app.command()
def abort(
    transaction: Transaction, as_json: Json = False, home: Home = None, session: Session = None
) -> int:
    """Say that the reference was not published and never will be."""
    from stubcli.commands.lease import abort as run

    return run(settings(home=home, session=session), transaction, as_json=as_json)


@app.command()
def release(
    transaction: Transaction, as_json: Json = False, home: Home = None, session: Session = None
) -> int:
    """Say that the reference is removed."""
    from stubcli.commands.lease import release as run

    return run(settings(home=home, session=session), transaction, as_json=as_json)


@app.command()
def remove(
    transaction: Transaction,
    command: Command,
    timeout: Timeout = None,
    as_json: Json = False,
    home: Home = None,
    session: Session = None,
) -> int:
    """Let CMD remove the reference, then release the lease.

    CMD is given transaction_id, source_id and content_sha256 as a line of JSON on its stdin. Where
    it does not end with 0 the lease stays committed. What CMD prints goes to stderr.
    """
    from stubcli.commands.publish import remove as run

    return run(
        settings(home=home, session=session),
        transaction,
        command,
        timeout=timeout,
        as_json=as_json,
    )


@app.command()
def ls(
    pending: Annotated[
        bool, typer.Option("--pending", help="Those that wait for their owner only.")
    ] = False,
    limit: Annotated[
        int, typer.Option("-n", "--limit", min=1, metavar="N", help="Leases to show.")
    ] = 30,
    skip: Annotated[int, typer.Option(min=0, metavar="N", help="Leases to pass over.")] = 0,
    everywhere: Everywhere = False,
    as_json: Json = False,
    home: Home = None,
    session: Session = None,
) -> int:
    """List leases, newest first."""
    from stubcli.commands.lease import ls as run

    return run(
        settings(home=home, session=session),
        pending=pending,
        limit=limit,
        skip=skip,
        everywhere=everywhere,
        as_json=as_json,
    )


@app.command()
def reconcile(
    owner: Annotated[
        str,
        typer.Option(
            metavar="OWNER", help="The memory: sqlite:FILE, or exec:CMD, which speaks JSON lines."
        ),
    ],
    transaction: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Settle this one only; may be repeated."),
    ] = None,
    name: Annotated[
        Text,
        typer.Option("--as", metavar="NAME", help="Settle what was prepared for this owner."),
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=0.001, metavar="SECONDS", help="How long to wait for the memory.")
    ] = 30,
    as_json: Json = False,
    home: Home = None,
    session: Session = None,
) -> int:
    """Ask the memory what became of pending leases, and settle them.

    A reference that is published commits its lease. One that is absent is forbidden in the memory
    for ever before its lease is aborted. Anything less certain stays pending and protected, and the
    status is 6. Only what was prepared for this owner is asked of it: what names an owner by --as
    its name, all else without.

    An exec: program is started for each transaction and asked in JSON, one object a line, each
    answered by one. {"request": "inspect", "transaction_id", "source_id", "content_sha256"}: it
    holds everything still and answers {"transaction_id", "generation", "presence"}, presence being
    published, with source_id and content_sha256, or absent, with absence_sealed true where a
    tombstone stands, or unknown. {"request": "seal", "transaction_id", "generation"}: it writes a
    tombstone, durably, and answers as before with a higher generation, or {"error":
    "generation_changed"}. {"request": "release", "transaction_id"}: it lets go, answers {} and
    ends.
    """
    from stubcli.commands.reconcile import reconcile as run

    return run(
        settings(home=home, session=session),
        owner,
        transactions=transaction or (),
        name=name,
        timeout=timeout,
        as_json=as_json,
    )


def pin(ref: Ref, as_json: Json = False, home: Home = None, session: Session = None) -> int:
    """Keep an artifact, whatever its age, until it is unpinned."""
    from stubcli.commands.pin import pin as run

    return run(settings(home=home, session=session), ref, as_json=as_json)


def unpin(ref: Ref, as_json: Json = False, home: Home = None, session: Session = None) -> int:
    """Give a pinned artifact back to gc."""
    from stubcli.commands.pin import unpin as run

    return run(settings(home=home, session=session), ref, as_json=as_json)
