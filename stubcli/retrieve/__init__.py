"""Pages and matches of a stored artifact, verified. Knows no command line and no wording."""
