"""What passes: up to the threshold the input itself is the answer.

For every small input, so it imports little. Knows neither where bytes come from nor what becomes
of more of them.
"""

from stubcli.descriptors import WIDE, Input, Output
from stubcli.settings.readers import CHARACTERS, Size
from stubcli.settings.table import SMALLEST_BUDGET
from stubcli.text.decode import characters


def passes(held: bytes | bytearray, threshold: Size) -> bool:
    """Whether `held` does not exceed the threshold, or is no longer than the smallest stub."""
    if len(held) <= SMALLEST_BUDGET:
        return True
    if threshold.unit == CHARACTERS:
        limit = max(threshold.amount, SMALLEST_BUDGET)
        return len(held) <= limit or characters(held) <= limit
    return len(held) <= threshold.scaled or characters(held) <= SMALLEST_BUDGET


def hold(source: Input, threshold: Size, held: bytearray) -> bool:
    """Read into `held`, to the end or just beyond the threshold; whether it all passes.

    Never holds much more than four times the threshold. Whatever it raises, every byte that was
    read is in `held`, or is what `source` gives next.
    """
    asked = 0
    while data := source.read():
        try:
            held += data
        except MemoryError:
            source.put_back(data)
            raise
        # Beyond a MiB asked anew when half as much again came in: each time it is all decoded.
        if asked > WIDE and len(held) < asked + asked // 2:
            continue
        asked = len(held)
        if not passes(held, threshold):
            return False
    return passes(held, threshold)


def copy(source: Input, out: Output) -> None:
    """Pass the rest of `source` on."""
    while data := source.read():
        out.write(data)


def pass_on(source: Input, out: Output, held: bytearray) -> None:
    """Pass the input after all: what of `held` is not on `out` yet, then the rest of `source`.

    For whoever met an error that nobody expected, and has printed nothing but what is in `held`.
    """
    source.give_spare()
    with memoryview(held) as whole:
        out.write(whole[out.written :])
    copy(source, out)
