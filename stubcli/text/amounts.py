"""How many of what, in words: `1 line`, `1,102 lines`."""


def amount(number: int, one: str, many: str = "") -> str:
    """`number` with thousands separators, and the noun that goes with it."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
