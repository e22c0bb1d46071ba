"""Declarations of commands and options, in a file for each group. The only room with typer."""
