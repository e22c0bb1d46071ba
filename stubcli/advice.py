"""A command that the reader may run next, as a value until it is printed.

Whoever finds that something is missing knows what would help; who prints it knows how it is said
here: to a shell with the options that were typed, to a model as a call of a tool, to Python as a
call of the library (see render/hints). Nothing is searched in advice, and none is cut out of it.
"""

# The options that a printed command repeats so that it means the same store and session.
Where = tuple[tuple[str, str], ...]
Value = str | int | bool
_NAMED = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}


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
        """The command line, which a shell takes as it stands; `where` fills in what it has not."""
        options = []
        for name, value in {**self.options, **(dict(where) | self.options)}.items():
            flag = "--" + name.replace("_", "-")
            options.append(flag if value is True else f"{flag} {quote_word(str(value))}")
        arguments = [quote_word(argument) for argument in self.arguments]
        if any(argument.startswith("-") for argument in self.arguments):
            return " ".join(["stub", self.verb, *options, "--", *arguments])
        return " ".join(["stub", self.verb, *arguments, *options])

    def said(self, where: Where = ()) -> str:
        """The command line behind its lead: `see: stub ls`."""
        return f"{self.lead}: {self.shell(where)}"


def quote_word(text: str) -> str:
    """`text` as one word of a shell, on one line, with nothing in it that acts on what shows it.

    A shell that knows $'…' gives the same bytes back. In octal, which has three digits and no
    more: POSIX leaves open where a number with `\\x` ends.
    """
    from shlex import quote

    return quote(text) if all(map(_is_visible, text)) else "$'" + "".join(map(_escape, text)) + "'"


def _is_visible(char: str) -> bool:
    # What Python calls printable beyond that are selectors of variants, which carry text unseen.
    return char.isprintable() and char < "\U000e0000"


def _escape(char: str) -> str:
    if _is_visible(char):
        return "\\" + char if char in "\\'" else char
    is_byte = "\udc80" <= char <= "\udcff"
    data = char.encode("utf-8", "surrogateescape" if is_byte else "surrogatepass")
    return _NAMED.get(char) or "".join(f"\\{byte:03o}" for byte in data)
