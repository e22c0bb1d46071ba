"""Delimited tables: csv and tsv, whatever stands between cells and around them."""
