#!/usr/bin/env python3
"""The `stub` command. Installed as a script under that name, so nothing but the call is here."""

from stubcli.entry import run

if __name__ == "__main__":
    run()
