"""Whether a list of messages is piped in, as far as the words of a command line tell by themselves.

For where no parser could be loaded, or none understands them: the list passes then as it came.
"""

import os

# Options without a value; with the first two no list is printed, with the last nothing is done.
_FLAGS = ("--dry-run", "--in-place", "--help", "-h")


def is_piped_list(words: list[str]) -> bool:
    """Whether `words`, which begin with `messages`, name a verb and no file, and print the list."""
    if len(words) < 2 or os.isatty(0):
        return False
    before = ""
    for word in words[2:]:
        if word in _FLAGS:
            return False
        # Any other option may take the next word.
        if not word.startswith("-") and not (before.startswith("--") and "=" not in before):
            return False
        before = word
    return True
