"""The forms of text, each a rule on sampled lines and a summary of the stream."""
