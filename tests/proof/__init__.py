"""The proof: nothing that was acknowledged is lost, nothing is forged, under every fault at hand.

    python -m tests.proof [--minutes N] [--points N] [--family NAME] [--seed N] [--json FILE]

A family of faults is a module here with `points(given)`. A point is one fault at one place, tried
in a store of its own. The first points of each family are its negative controls: a program that
was broken on purpose, in which the same oracles must find a loss. See `__main__` and `runner`.
"""
