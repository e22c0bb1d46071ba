"""Collecting what nothing needs any more: a plan that only looks, and its deletions one by one."""
