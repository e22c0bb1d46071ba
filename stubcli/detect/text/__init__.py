"""Text: everything that nothing else claims, in one of its forms."""
