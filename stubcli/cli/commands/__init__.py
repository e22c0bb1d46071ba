"""One file a command: it declares what may be typed and words the answer."""
