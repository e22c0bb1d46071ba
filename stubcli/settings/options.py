"""The settings that a call of the library may override; made by python -m stubcli.cli.pages."""

from typing import TypedDict


class Options(TypedDict, total=False):
    """Settings by the names and in the spelling of `stub config`."""

    threshold: int | str
    budget: int | str
    head: int | str
    tail: int | str
    on_failure: str
    format: str
    max_bytes: int | str
    home: str | None
    session: str | None
    page: int | str
    pager: str
    matches: int | str
    query_memory: int | str
    query_seconds: int | str
    turn_budget: int | str
    turn_floor: int | str
    turn_preview: int | str
    turn_preview_floor: int | str
    max_messages: int | str
    max_tokens: int | str
    keep: int | str
    older_than: int | str
    max_deletions: int | str
    keep_bytes: int | str
