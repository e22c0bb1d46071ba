"""`stub init`: the files of each agent, changed where they must be and restored to the byte."""

import errno
import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from stubcli.agents import user_files
from stubcli.agents.host import host_names, load_host
from tests.agents.home import Home, home_at
from tests.agents.samples import sample_of

HOSTS = host_names()
# Somebody's settings, with hooks of their own and an indentation of their own.
FOREIGN = """{
    "zeta": [1, 2,   3],
    "env": {"A": "1"},
    "hooks": {
        "PostToolUse": [
            {"matcher": "Bash", "hooks": [{"type": "command", "command": "lint.sh"}]}
        ],
        "AfterTool": [], "postToolUse": []
    },
    "alpha": 1.50
}"""


def ours(home: Home, host: str) -> Any:
    """Our entries in a host's file."""
    document = json.loads(home.settings(host).read_text())
    if load_host(host).hook_entry is None:
        for key in load_host(host).shell_key:
            document = document.get(key, {})
        return document
    events = document.get("hooks", {})
    return [
        hook
        for event in events.values()
        for group in event
        for hook in group.get("hooks", [group])
        if f"hook {host}" in json.dumps(hook) or hook.get("args") == ["hook", host]
    ]


@pytest.mark.parametrize("host", HOSTS)
def test_a_fresh_home_gets_the_hook_with_absolute_paths(home: Home, host: str) -> None:
    ran = home.done(host)
    assert list(home.files()) == [sample_of(host).settings]
    found = ours(home, host)
    if load_host(host).hook_entry is None:
        assert found == f"{home.stub}-shell"
    else:
        (hook,) = found
        assert str(home.stub) in (hook.get("command") or hook["bash"]).split()
    assert b"+++ " in ran.out
    assert f"written: {home.settings(host)}" in ran.err.decode()


@pytest.mark.parametrize("host", HOSTS)
def test_a_second_run_has_nothing_to_do(home: Home, host: str) -> None:
    home.done(host, "--skill")
    before = home.files()
    ran = home.done(host, "--skill")
    assert home.files() == before
    assert ran.out == b""
    assert ran.err.startswith(b"stub: nothing to do: ")


@pytest.mark.parametrize("host", HOSTS)
def test_uninstalling_a_fresh_home_leaves_nothing(home: Home, host: str) -> None:
    home.done(host, "--skill")
    home.done(host, "--uninstall")
    assert home.files() == {}
    assert b"nothing to do" in home.done(host, "--uninstall").err


@pytest.mark.parametrize("text", [FOREIGN, FOREIGN + "\n", FOREIGN.replace("\n", "\r\n"), "{}", ""])
@pytest.mark.parametrize("host", HOSTS)
def test_uninstalling_restores_a_file_to_the_byte(home: Home, host: str, text: str) -> None:
    home.write(host, text)
    before = home.files()
    home.done(host)
    assert ours(home, host)
    home.done(host, "--uninstall")
    assert home.files() == before


@pytest.mark.parametrize("host", HOSTS)
def test_what_is_not_ours_stays_as_it_is_written(home: Home, host: str) -> None:
    home.write(host, FOREIGN)
    home.done(host)
    new = home.settings(host).read_text()
    for part in ('    "zeta": [1, 2,   3],\n', '"alpha": 1.50', '"A": "1"', '"command": "lint.sh"'):
        assert part in new
    old = json.loads(FOREIGN)
    assert list(json.loads(new))[:4] == list(old)
    (backup,) = home.settings(host).parent.glob("*.before-stub")
    assert backup.read_text() == FOREIGN


@pytest.mark.parametrize("host", HOSTS)
def test_a_file_changed_since_loses_what_is_ours_alone(home: Home, host: str) -> None:
    home.write(host, FOREIGN)
    home.done(host)
    path = home.settings(host)
    path.write_text(path.read_text().replace('"alpha": 1.50', '"alpha": 2, "beta": 3'))
    home.done(host, "--uninstall")
    wanted = json.loads(FOREIGN) | {"alpha": 2, "beta": 3}
    left = json.loads(path.read_text())
    left.pop("version", None)  # which the host needs
    assert {k: v for k, v in left.items() if k != "hooks"} == {
        k: v for k, v in wanted.items() if k != "hooks"
    }
    assert left["hooks"]["PostToolUse"] == wanted["hooks"]["PostToolUse"]
    assert not ours(home, host)


def test_a_command_that_moved_is_renewed_in_its_place(home: Home, tmp_path: Path) -> None:
    home.write("claude", FOREIGN)
    home.done("claude")
    elsewhere = home_at(tmp_path / "elsewhere", home.capture)
    home.done("claude", PATH=f"{elsewhere.path}/bin:/usr/bin:/bin")
    (hook,) = ours(home, "claude")
    assert hook["command"] == str(elsewhere.stub)
    home.done("claude", "--uninstall")
    assert home.settings("claude").read_text() == FOREIGN


def test_uninstalling_works_where_the_command_is_gone(home: Home) -> None:
    home.write("claude", FOREIGN)
    home.done("claude")
    (home.path / "bin" / "stub").unlink()
    home.done("claude", "--uninstall")
    assert not ours(home, "claude")
    assert "CLAUDE_CODE_SHELL_PREFIX" not in home.settings("claude").read_text()


def test_a_dry_run_shows_the_difference_and_writes_nothing(home: Home) -> None:
    home.write("claude", FOREIGN)
    before = home.files()
    ran = home.done("claude", "--skill", "--instructions", "--dry-run")
    assert home.files() == before
    assert ran.out.count(b"+++ ") == 3
    assert ran.err.count(b"stub: would be ") == 3


@pytest.mark.parametrize(
    ("text", "status", "reason"),
    [
        ("{", 2, "this is not JSON (line 1, column 2)"),
        ('{"a": 1,}', 2, "this is not JSON"),
        ('{"a": 1} // mine', 2, "this is not JSON"),
        ("[]", 2, "this is not a JSON object"),
        ('{"hooks": []}', 2, "'hooks' is not an object"),
        ('{"hooks": {"PostToolUse": {}}}', 2, "'PostToolUse' is not an array"),
        ('{"env": 1}', 2, "'env' is not an object"),
        ('{"a": 1, "a": 2}', 2, "duplicate key 'a'"),
        (
            '{"env": {"CLAUDE_CODE_SHELL_PREFIX": "/opt/other"}}',
            6,
            "CLAUDE_CODE_SHELL_PREFIX is already set",
        ),
    ],
)
def test_what_cannot_be_understood_is_refused_and_stays(
    home: Home, text: str, status: int, reason: str
) -> None:
    home.write("claude", text)
    before = home.files()
    ran = home.init("claude", "--skill")
    assert ran.status == status
    assert reason in ran.err.decode()
    assert str(home.settings("claude")) in ran.err.decode()
    assert ran.err.count(b"\n") == 1
    assert home.files() == before


def test_a_file_that_is_not_utf_8_is_refused(home: Home) -> None:
    path = home.write("claude", "{}")
    path.write_bytes(b'{"a": "\xff"}')
    assert home.init("claude").status == 2
    assert path.read_bytes() == b'{"a": "\xff"}'


def test_a_byte_order_mark_stays(home: Home) -> None:
    home.write("gemini", '\ufeff{"a": 1}')
    home.done("gemini")
    assert home.settings("gemini").read_bytes().startswith(b'\xef\xbb\xbf{"a": 1, "hooks"')
    home.done("gemini", "--uninstall")
    assert home.settings("gemini").read_bytes() == b'\xef\xbb\xbf{"a": 1}'


def test_the_mode_of_a_file_stays(home: Home) -> None:
    path = home.write("claude", FOREIGN)
    path.chmod(0o600)
    home.done("claude")
    for each in path.parent.iterdir():
        assert stat.S_IMODE(each.stat().st_mode) == 0o600


def test_a_link_is_written_through_and_stays_a_link(home: Home) -> None:
    dotfiles = home.path / "dotfiles"
    dotfiles.mkdir()
    (dotfiles / "claude.json").write_text(FOREIGN)
    path = home.settings("claude")
    path.parent.mkdir()
    path.symlink_to(dotfiles / "claude.json")
    ran = home.done("claude")
    assert path.is_symlink()
    assert ours(home, "claude")
    assert f"in the file that it leads to, {dotfiles}" in ran.err.decode()
    home.done("claude", "--uninstall")
    assert (dotfiles / "claude.json").read_text() == FOREIGN
    assert [each.name for each in dotfiles.iterdir()] == ["claude.json"]


def test_a_link_out_of_the_project_is_refused(home: Home) -> None:
    secret = home.path / "notes.json"
    secret.write_text("{}")
    (home.project / ".claude").mkdir()
    (home.project / ".claude" / "settings.local.json").symlink_to(secret)
    ran = home.init("claude", "--project")
    assert ran.status == 6
    assert b"leads out of the project" in ran.err
    assert secret.read_text() == "{}"


@pytest.mark.parametrize("kind", ["folder", "fifo"])
def test_what_is_no_file_is_refused(home: Home, kind: str) -> None:
    path = home.settings("claude")
    path.parent.mkdir()
    path.mkdir() if kind == "folder" else os.mkfifo(path)
    ran = home.init("claude")
    assert ran.status == 6
    assert b"is not a regular file" in ran.err


def test_a_disk_that_is_full_is_one_line_and_the_file_stays(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.write("claude", FOREIGN)
    before = home.files()

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "rename", full)
    ran = home.init("claude")
    assert ran.status == 6
    assert ran.err == (
        f"stub: {home.settings('claude')} cannot be written: No space left on device; "
        "nothing was lost\n".encode()
    )
    # The copy that was to be kept is there already; nothing half-written is.
    assert home.files() == before | {
        f"{sample_of('claude').settings}.before-stub": FOREIGN.encode()
    }


def test_a_file_that_changes_meanwhile_is_not_overwritten(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = home.write("claude", FOREIGN)
    real = user_files.back_up

    def slow(found: user_files.UserFile) -> str:
        kept = real(found)
        path.write_text('{"theirs": 1}')
        return kept

    monkeypatch.setattr(user_files, "back_up", slow)
    ran = home.init("claude")
    assert (ran.status, path.read_text()) == (6, '{"theirs": 1}')
    assert b"was changed meanwhile; run this again" in ran.err
    assert not list(path.parent.glob(".*"))


@pytest.mark.parametrize("host", HOSTS)
def test_a_project_gets_its_own_files(home: Home, host: str) -> None:
    home.done(host, "--project", "--instructions", "--skill")
    names = [name for name in home.files() if not name.startswith("project/")]
    assert names == []
    written = sorted(home.files())
    assert len(written) == 3
    # Not the file of Claude that is committed: the path is of this machine.
    assert ("project/.claude/settings.local.json" in written) == (host == "claude")
    home.done(host, "--project", "--uninstall")
    assert home.files() == {}


def test_an_unknown_agent_is_a_usage_error_that_names_the_nearest(home: Home) -> None:
    ran = home.init("cluade")
    assert (ran.status, ran.err) == (2, b"stub: unknown agent 'cluade'; did you mean claude?\n")


def test_a_missing_command_is_said_and_nothing_is_written(home: Home) -> None:
    (home.path / "bin" / "stub-shell").unlink()
    ran = home.init("claude")
    assert ran.status == 2
    assert b"there is no `stub-shell` beside" in ran.err
    assert home.files() == {}


RULES = "# My rules\n\nBe brief."


@pytest.mark.parametrize("text", [RULES, RULES + "\n", RULES.replace("\n", "\r\n") + "\r\n", "\n"])
def test_the_rules_file_gets_one_marked_block_and_loses_it_to_the_byte(
    home: Home, text: str
) -> None:
    path = home.path / ".claude" / "CLAUDE.md"
    path.parent.mkdir()
    path.write_bytes(text.encode())
    home.done("claude", "--instructions")
    new = path.read_bytes().decode()
    assert new.startswith(text)
    block = new[new.index("<!-- stub:start v1 -->") : new.index("<!-- stub:end -->")]
    assert len(block.splitlines()) + 1 <= 15
    assert "STUB_DISABLE=1" in block
    assert home.done("claude", "--instructions").out == b""
    home.done("claude", "--uninstall")
    assert path.read_bytes().decode() == text
    assert [each.name for each in path.parent.iterdir()] == ["CLAUDE.md"]


def test_a_block_of_another_version_is_renewed_where_it_stands(home: Home) -> None:
    path = home.path / ".codex" / "AGENTS.md"
    path.parent.mkdir()
    path.write_text("before\n\n<!-- stub:start v0 -->\nold\n<!-- stub:end -->\n\nafter\n")
    home.done("codex", "--instructions")
    new = path.read_text()
    assert new.startswith("before\n\n<!-- stub:start v1 -->\n")
    assert new.endswith("<!-- stub:end -->\n\nafter\n")
    home.done("codex", "--uninstall")
    assert path.read_text().split() == ["before", "after"]


def test_the_skill_is_one_that_hosts_accept(home: Home) -> None:
    home.done("claude", "--skill")
    text = (home.path / ".claude" / "skills" / "stub" / "SKILL.md").read_text()
    _, front, body = text.split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in front.splitlines())
    assert fields["name"] == "stub"
    assert 1 <= len(fields["description"]) <= 1024
    assert len(body.splitlines()) < 500


def test_a_skill_of_somebody_else_is_left_alone(home: Home) -> None:
    path = home.path / ".claude" / "skills" / "stub" / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    assert home.init("claude", "--skill").status == 6
    assert home.done("claude", "--uninstall").out == b""
    assert list(home.files().values()) == [b"mine"]


def test_what_is_shown_cannot_drive_a_terminal(home: Home) -> None:
    home.write("claude", '{"a": "\u202e\u009b31m"}')
    ran = home.done("claude")
    assert "\u202e" not in ran.out.decode()
    assert "\u009b" not in ran.out.decode()
    assert "\u202e" in home.settings("claude").read_text()


def test_a_backup_that_stands_there_is_never_overwritten(home: Home) -> None:
    path = home.write("claude", FOREIGN)
    home.done("claude")
    path.write_text('{"other": true}')
    home.done("claude")
    backups = sorted(path.parent.glob("*.before-stub*"))
    assert [each.read_text() for each in backups] == [FOREIGN, '{"other": true}']
    home.done("claude", "--uninstall")
    assert path.read_text() == '{"other": true}'


def test_a_damaged_backup_is_no_obstacle(home: Home) -> None:
    path = home.write("claude", FOREIGN)
    home.done("claude")
    backup = path.with_name("settings.json.before-stub")
    backup.write_text("{ broken")
    home.done("claude", "--uninstall")
    assert json.loads(path.read_text())["env"] == {"A": "1"}
    assert not ours(home, "claude")
    assert backup.read_text() == "{ broken"
