"""Policies of other systems, as configuration files to begin with: their figures, our promises.

Where such a system shows a head alone or counts bytes as characters, only the figures are taken.
"""

PRESETS: dict[str, str] = {
    "openviking": """\
# OpenViking: one threshold, a budget for the turn, largest first.
threshold: 20000
head: 1000
tail: 1000
turn_budget: 100000
# It takes any result whose stub is shorter.
turn_floor: 1
turn_preview: 10000
turn_preview_floor: 1000
# preserve_raw; preview_only is `preview` here, and reject is the same.
on_failure: raw
""",
    "workbuddy": """\
# WorkBuddy: 50 KiB for every tool; the shell counts characters and shows more of its end.
threshold: 50KiB
head: 2048
tools:
  bash:
    threshold: 30000
    budget: 30000
    head: 6144
    tail: 22528
""",
    "kocoro": """\
# Kocoro: a result, then the turn; tools that bound themselves or return an address are exempt.
threshold: 50000
head: 2000
turn_budget: 200000
turn_floor: 5000
turn_preview: 2000
turn_preview_floor: 2000
tools:
  grep:
    threshold: 20000
  file_read:
    exempt: true
  think:
    exempt: true
  cloud_delegate:
    exempt: true
  computer*:
    exempt: true
  screenshot:
    exempt: true
  browser_*:
    exempt: true
""",
    "gliding-horse": """\
# Gliding Horse: 16 KiB begin to be large; a window of messages and tokens for the history.
threshold: 16383B
head: 2000
tail: 200
max_messages: 30
max_tokens: 16000
keep: 4
""",
    "eino": """\
# Eino: tokens, four bytes each; old results are cleared near the end of the window.
threshold: 20000tok
max_messages: 1000000000
max_tokens: 160000
keep: 1
# A store for each tenant and day, so that a day is removed as one folder:
# session: "{env:TENANT}-{date}"
# Everything passes, nothing is kept:
# exempt: true
""",
}
"""Name → the text of a configuration file."""
