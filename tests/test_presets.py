"""Each preset is a configuration, and does with its system's own figures what they mean."""

import os
from pathlib import Path

import pytest

import stubcli
from stubcli.errors import StubError, UsageError
from stubcli.settings.file import read_file
from stubcli.settings.load import load
from stubcli.settings.presets import PRESETS
from stubcli.settings.template import expand
from tests.conftest import Store
from tests.messages.made import ref_in, turn


@pytest.fixture
def chosen(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The preset of that name is the configuration file."""
    path = tmp_path / "config.yaml"
    path.write_text(PRESETS[request.param])
    monkeypatch.setenv("STUB_CONFIG", str(path))
    monkeypatch.setenv("STUB_HOME", str(tmp_path / "store"))
    monkeypatch.setenv("STUB_SESSION", "test")
    return str(request.param)


def replaced(*results: tuple[str, str]) -> list[int]:
    """The sizes of the results of one turn that are replaced."""
    _, report = stubcli.offload_messages(turn("openai-chat", *results))
    return [change.before for change in report.changes]


def test_every_preset_is_a_configuration(tmp_path: Path) -> None:
    for text in PRESETS.values():
        (tmp_path / "config.yaml").write_text(text)
        assert read_file(str(tmp_path / "config.yaml"))
        # What stands in a comment is a configuration too.
        loose = [
            line.removeprefix("# ")
            for line in text.splitlines()
            if line.startswith(("# session", "# exempt"))
        ]
        (tmp_path / "config.yaml").write_text("\n".join([text, *loose]))
        assert read_file(str(tmp_path / "config.yaml"))


@pytest.mark.parametrize("chosen", ["openviking"], indirect=True)
def test_openviking_replaces_above_twenty_thousand_and_fits_the_turn(chosen: str) -> None:
    assert replaced(("bash", "x" * 20_000), ("bash", "y" * 20_001)) == [20_001]
    texts = [f"{n:02} {'word ' * 600}\n" * 5 for n in range(40)]
    new, report = stubcli.offload_messages(turn("openai-chat", *(("bash", text) for text in texts)))
    assert sum(len(message["content"]) for message in new[1:]) <= 100_000
    assert report.over == ()


@pytest.mark.parametrize("chosen", ["workbuddy"], indirect=True)
def test_workbuddy_counts_bytes_but_for_the_shell(chosen: str) -> None:
    assert replaced(("web", "x" * 51_200), ("web", "y" * 51_201)) == [51_201]
    assert replaced(("web", "é" * 25_600), ("web", "ü" * 25_601)) == [25_601]
    assert replaced(("bash", "é" * 30_000), ("bash", "ü" * 30_001)) == [30_001]
    # Its own pointer was longer than an output just above the limit.
    lines = "".join(f"line {number}\n" for number in range(10_000))
    new, _ = stubcli.offload_messages(turn("openai-chat", ("bash", lines)))
    stub = new[1]["content"]
    assert 20_000 < len(stub) <= 30_000
    assert "line 9999\n--- " not in stub
    assert "line 9999\n" in stub


@pytest.mark.parametrize("chosen", ["kocoro"], indirect=True)
def test_kocoro_exempts_what_bounds_itself_and_limits_grep(chosen: str) -> None:
    large = "x" * 80_000
    tools = (
        "file_read",
        "think",
        "computer_use",
        "screenshot",
        "browser_navigate",
        "cloud_delegate",
    )
    assert replaced(*((tool, large) for tool in tools)) == []
    assert replaced(("grep", "y" * 20_000), ("grep", "z" * 20_001)) == [20_001]
    assert replaced(("mcp", "v" * 50_000), ("mcp", "w" * 50_001)) == [50_001]
    texts = ["".join(f"{n} {i}\n" for i in range(5_000))[:30_000] for n in range(10)]
    assert 2 <= len(replaced(*(("mcp", text) for text in texts))) <= 6


@pytest.mark.parametrize("chosen", ["gliding-horse"], indirect=True)
def test_gliding_horse_begins_at_sixteen_kibibytes_and_has_a_window(chosen: str) -> None:
    assert replaced(("bash", "x" * 16_383), ("bash", "y" * 16_384)) == [16_384]
    rounds = [turn("openai-chat", ("bash", f"{n} {'x' * 600}"), first=n) for n in range(16)]
    messages = [message for one in rounds for message in one]
    assert stubcli.compact_messages(messages[:30])[1].changes == ()
    assert len(stubcli.compact_messages(messages)[1].changes) == 14


@pytest.mark.parametrize("chosen", ["eino"], indirect=True)
def test_eino_counts_tokens_and_clears_near_the_end_of_the_window(chosen: str) -> None:
    assert replaced(("bash", "x" * 80_000), ("bash", "y" * 80_001)) == [80_001]
    sunny = [*turn("openai-chat", ("weather", "Sunny")), *turn("openai-chat", ("weather", "Sunny"))]
    big = [
        *sunny,
        *turn("openai-chat", ("bash", "x" * 640_001)),
        *turn("openai-chat", ("bash", "y")),
    ]
    new, report = stubcli.compact_messages(big)
    # Five characters became a block of ninety and a file.
    assert [change.before for change in report.changes] == [640_001]
    assert (
        stubcli.compact_messages([*sunny, *turn("openai-chat", ("bash", "x" * 600_000))] * 1)[
            1
        ].changes
        == ()
    )
    assert ref_in(new[5]["content"])


def test_a_preset_is_printed_as_a_file_to_begin_with(store: Store, tmp_path: Path) -> None:
    for name, text in PRESETS.items():
        assert store.stub("config", "--preset", name).text == text
    done = store.stub("config", "--preset", "openvikin", check=False)
    assert (done.status, done.err) == (
        2,
        b"stub: --preset: invalid value 'openvikin'; did you mean openviking?\n",
    )


def test_a_preset_is_named_in_the_help(store: Store) -> None:
    text = "".join(store.stub("config", "--help").text.split())
    assert all(name in text for name in PRESETS)


def test_the_name_of_a_session_may_hold_the_day_the_user_and_variables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("time.strftime", lambda _form: "2026-07-08")
    monkeypatch.setenv("TENANT", "acme")
    assert expand("{env:TENANT}-{date}-{uid}") == f"acme-2026-07-08-{os.getuid()}"
    monkeypatch.setenv("STUB_SESSION", "{env:TENANT}.{date}")
    assert load({}).session == "acme.2026-07-08"
    assert load({"session": "x-{date}"}).session == "x-2026-07-08"


@pytest.mark.parametrize("template", ["{env:NOT_SET}", "{env:}", "{time}", "{}"])
def test_a_field_that_means_nothing_is_refused(template: str) -> None:
    with pytest.raises(UsageError, match="session: "):
        expand(template)


@pytest.mark.parametrize("value", ["../../etc", "a/b", "", "\n", "x" * 129, "{date"])
def test_a_variable_cannot_lead_out_of_the_store(
    value: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TENANT", value)
    with pytest.raises(StubError) as refused:
        stubcli.offload_messages(
            turn("openai-chat", ("bash", "x" * 30_000)),
            home=str(store.home),
            session="{env:TENANT}",
        )
    assert refused.value.status == 2
    assert not (store.home / "sessions").exists() or not list((store.home / "sessions").iterdir())
