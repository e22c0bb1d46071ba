"""JSON that ends too early, closed where its last whole value ends."""

import re

_STEP = re.compile(r'[\[\]{},]|"(?:[^"\\]|\\.)*"', re.DOTALL)


def closed(text: str) -> str:
    """The whole values of an object or array that is not complete, with the brackets they need.

    An item of an array is kept whole or not at all; of an object that is no item, whole members.
    """
    # Of each bracket that is open, and where the last whole value inside of it ends.
    open_: list[str] = []
    ends: list[int] = []
    for step in _STEP.finditer(text):
        mark = step[0]
        if mark in "[{":
            open_.append(mark)
            ends.append(step.end())
        elif mark in "]}":
            open_.pop()
            ends.pop()
            if not open_:
                return text[: step.end()]
            ends[-1] = step.end()
        elif mark == ",":
            ends[-1] = step.start()
        elif open_ and open_[-1] == "[":
            ends[-1] = step.end()
    arrays = [at for at, mark in enumerate(open_) if mark == "["]
    last = arrays[-1] if arrays else len(open_) - 1
    closing = ("]" if mark == "[" else "}" for mark in reversed(open_[: last + 1]))
    return text[: ends[last]] + "".join(closing)
