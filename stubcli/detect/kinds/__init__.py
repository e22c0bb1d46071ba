"""One module for each kind of output: `detect` on a sample, `summarise` on the whole stream."""
