"""Memory that a library is going to need, asked for before: RE2 aborts where it is refused.

What is asked for is not touched, and costs nothing where there is enough. Knows no library.
"""


def reserve(size: int) -> None:
    """Raises MemoryError where so many bytes cannot be had."""
    bytes(size)


def affordable(most: int, least: int) -> int:
    """`most`, or its half, or the half of that: what can be had twice, and is not below `least`.

    Twice, since others take some before it is used. Raises MemoryError where not even `least` can.
    """
    while most > least:
        try:
            reserve(2 * most)
            return most
        except MemoryError:
            most //= 2
    reserve(2 * least)
    return least
