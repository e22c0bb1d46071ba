"""Keep every byte of a large output, print one useful page of it, find the rest again."""

__version__ = "0.1.0"
