"""Finds the lines that decide, whatever the kind: patterns, templates, the choice."""
