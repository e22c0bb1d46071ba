"""A command that the reader may run next, as a value until it is printed.

Whoever finds that something is missing knows what would help; who prints it knows how it is said
here: to a shell with the options that were typed, to a model as a call of a tool, to Python as a
call of the library (see render/hints). Nothing is searched in advice, and none is cut out of it.
"""

# The options that a printed command repeats so that it means the same store and session.
Where = tuple[tuple[str, str], ...]
Value = str | int | bool


class Advice:
    """`stub VERB ARGUMENT... --OPTION VALUE...`, and the words that lead to it.

    verb: `read`, `lease ls`. arguments stand as they are given, words in capitals are for the
    reader to fill in. options: name → value, True for a switch; None and False are left out.
    """

    __slots__ = ("arguments", "lead", "options", "verb")

    def __init__(
        self, verb: str, *arguments: str, lead: str = "see", **options: Value | None
    ) -> None:
        self.verb = verb
        self.arguments = arguments
        self.lead = lead
        self.options = {
            name: value
            for name, value in options.items()
            if value is not None and value is not False
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Advice) and all(
            getattr(self, name) == getattr(other, name) for name in self.__slots__
        )

    def __hash__(self) -> int:
        return hash((self.verb, self.arguments, self.lead))

    def __repr__(self) -> str:
        return f"Advice({self.shell()!r}, lead={self.lead!r})"

    def but(self, **options: Value | None) -> "Advice":
        """The same with other options."""
        return Advice(self.verb, *self.arguments, lead=self.lead, **(self.options | options))

    def shell(self, where: Where = ()) -> str:
        """The command line, which a shell takes as it stands."""
        options = []
        for name, value in (*self.options.items(), *where):
            flag = "--" + name.replace("_", "-")
            options.append(flag if value is True else f"{flag} {_quote(str(value))}")
        arguments = [_quote(argument) for argument in self.arguments]
        if any(argument.startswith("-") for argument in self.arguments):
            return " ".join(["stub", self.verb, *options, "--", *arguments])
        return " ".join(["stub", self.verb, *arguments, *options])

    def said(self, where: Where = ()) -> str:
        """The command line behind its lead: `see: stub ls`."""
        return f"{self.lead}: {self.shell(where)}"


def _quote(text: str) -> str:
    """`text` as one word of a shell, on one line."""
    from shlex import quote

    return quote(text) if text.isprintable() else "$'" + "".join(map(_escape, text)) + "'"


def _escape(char: str) -> str:
    if char.isprintable():
        return "\\" + char if char in "\\'" else char
    return "".join(f"\\x{byte:02x}" for byte in char.encode("utf-8", "surrogateescape"))
