"""Every number and choice that a user may change, its default, and where its value came from.

Light on purpose: no dataclass, no typing, no yaml until a configuration file exists. A small
input pays for this package at every run.
"""
