"""One module an API: how it writes calls, results and what is said. Pure."""
