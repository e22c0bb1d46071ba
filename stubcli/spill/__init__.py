"""A stream that is too large to pass: kept in the store, and one stub in its place."""
