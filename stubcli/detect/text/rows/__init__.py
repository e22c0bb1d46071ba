"""The rows in the lines of a form of text: one file for each form that has columns."""
