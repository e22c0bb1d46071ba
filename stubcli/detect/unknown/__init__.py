"""Streams that are no text: empty, binary, or text in UTF-16."""
