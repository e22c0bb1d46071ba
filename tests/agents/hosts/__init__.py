"""One file an agent: its sample, the shapes that it takes, and what it is left alone with."""
