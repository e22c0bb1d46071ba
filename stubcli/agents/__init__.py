"""Coding agents: what is written into their configuration, their hooks, tools and MCP."""
