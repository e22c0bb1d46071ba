"""Benchmarks: each prints ratios measured side by side in one run. None is a timed test.

python -m tests.bench.throughput [--size 1GiB] [--where DIR ...]
python -m tests.bench.startup
python -m tests.bench.numbering [--artifacts 100000]
"""
