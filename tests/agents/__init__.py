"""Plugging into coding agents: what is written into their files, what their hooks are answered."""
