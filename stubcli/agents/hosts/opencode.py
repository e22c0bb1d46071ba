"""opencode: every command runs in stub-shell (observed on 1.18).

Its hooks come too late: of 108 kB they were handed 100 kB as the whole, and a hook before the
command would hide it from the permission rules. Its shell does neither.
"""

from stubcli.agents.host import Host

HOST = Host(
    "opencode",
    "opencode",
    directory="~/.config/opencode",
    project_directory=".opencode",
    variable="XDG_CONFIG_HOME/opencode",
    settings=("opencode.jsonc", "opencode.json"),
    comments=True,
    shell_key=("shell",),
)
