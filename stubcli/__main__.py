#!/usr/bin/env python3
"""The `stub` command. Installed as a script under that name, so nothing but the road is here."""

import sys

from stubcli.entry import main

if __name__ == "__main__":
    sys.exit(main())
