"""Delimited tables: csv and tsv, with comma, semicolon, pipe or tab."""
