"""Tool results in lists of chat messages: found, replaced in place, and remembered."""
