"""JSON: one document, lines of records, or values one after the other."""
