"""By what the lines of a form of text are known: one rule each, on sampled lines.

The rules of all forms stand in two light modules, so that finding the form loads no reader.
"""

from collections.abc import Callable

from stubcli.detect.value import Value


class Sign(Value):
    """form: the name of its file. precedence: the more a line pattern says, the earlier it is
    asked. holds: whether the lines, without colours, are of that form.
    """

    form: str
    precedence: int
    holds: Callable[[list[bytes]], bool]
