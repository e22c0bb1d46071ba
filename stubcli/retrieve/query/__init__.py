"""An artifact as a table that can be asked in SQL: how it is read, bounded, and described."""
