"""The command line: what may be typed, what is said. The only room that knows typer and rich."""
