"""Benchmarks: each prints ratios measured side by side in one run. None is a timed test.

python -m tests.bench.NAME, with the name of a module of this folder.
"""
