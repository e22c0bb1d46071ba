"""Source code, by language."""
