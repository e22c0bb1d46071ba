"""One verb a file: typed values in, an exit status out, and the words in between."""
