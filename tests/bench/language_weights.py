"""Counts the weights by which detection tells languages apart, from a corpus.

    python -m tests.bench.language_weights CORPUS [OUT] [--held=ORIGIN,...]

CORPUS is what language_corpus.py and language_outputs.py wrote. The same corpus gives the same
weights. The features that tell most about the class of a document are chosen; a softmax regression
is fitted to them by stochastic gradient descent, and its weights are written as one byte each. With
--held, documents of these origins are left out and then classified, which says how it does on trees
that it has not seen. It takes some minutes, and nothing but the standard library.
"""

import math
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from stubcli.detect.code.features import features
from stubcli.detect.code.model import CENTRE, STEP, weighed
from tests.bench.language_corpus import digest

MOST_FEATURES = 1500
# A feature of few trees says something of these trees, not of a language.
LEAST_ORIGINS, LEAST_DOCUMENTS = 4, 25
MOST_OF_A_CLASS = 350
# Lines, and the bytes that they must have.
FEW, LEAST_OF_FEW = 14, 200
EPOCHS = 6
RATE = 12.0
DECAY = 0.002
MODEL = Path(__file__).parents[2] / "stubcli/detect/code/weights.txt"

# The class, the origin and the counted features of a document.
Document = tuple[str, str, dict[bytes, float]]


def documents(corpus: Path) -> list[Document]:
    """Each document, and a few lines of every other: little evidence is learnt from, too."""
    found = []
    for number, path in enumerate(_taken(corpus)):
        data = path.read_bytes()
        found.append(_document(path, data))
        lines = data.split(b"\n")
        start = number * 7919 % max(1, len(lines) - FEW)
        few = b"\n".join(lines[start : start + FEW])
        if number % 2 and len(few) > LEAST_OF_FEW:
            found.append(_document(path, few))
    return found


def _taken(corpus: Path) -> Iterator[Path]:
    """As many of each class as are learnt from, of every origin some."""
    for folder in sorted(corpus.iterdir()):
        paths = sorted(folder.iterdir(), key=lambda path: digest(path.name))
        yield from paths[:MOST_OF_A_CLASS]


def _document(path: Path, data: bytes) -> Document:
    counts = features(data)
    total = counts.total() or 1
    shares = {name: weighed(count, total) for name, count in counts.items()}
    return path.parent.name, path.name.rpartition("+")[0], shares


def chosen(found: list[Document]) -> list[bytes]:
    """The features whose presence says most about the class, every class counting the same."""
    sizes = Counter(name for name, _, _ in found)
    within: dict[bytes, Counter[str]] = defaultdict(Counter)
    origins: dict[bytes, set[str]] = defaultdict(set)
    for name, origin, shares in found:
        for feature in shares:
            within[feature][name] += 1
            origins[feature].add(origin)
    told: dict[bytes, float] = {}
    for feature, counts in within.items():
        if len(origins[feature]) >= LEAST_ORIGINS and counts.total() >= LEAST_DOCUMENTS:
            rates = [count / sizes[name] for name, count in counts.items()]
            inside = sum(map(_entropy, rates)) / len(sizes)
            told[feature] = _entropy(sum(rates) / len(sizes)) - inside
    return sorted(sorted(told), key=lambda feature: -told[feature])[:MOST_FEATURES]


def _entropy(rate: float) -> float:
    if not 0 < rate < 1:
        return 0.0
    return -rate * math.log(rate) - (1 - rate) * math.log(1 - rate)


class Regression:
    """Weights by feature and class; those of the feature b"" belong to every text."""

    def __init__(self, names: list[str], vocabulary: list[bytes]) -> None:
        self.names = names
        self.weights = {feature: [0.0] * len(names) for feature in (*vocabulary, b"")}

    def scores(self, shares: dict[bytes, float]) -> list[float]:
        totals = list(self.weights[b""])
        for feature, share in shares.items():
            if row := self.weights.get(feature):
                totals = [total + share * weight for total, weight in zip(totals, row, strict=True)]
        return totals

    def learn(self, shares: dict[bytes, float], target: int, rate: float) -> None:
        scores = self.scores(shares)
        most = max(scores)
        odds = [math.exp(score - most) for score in scores]
        whole = sum(odds)
        errors = [(at, odd / whole - (at == target)) for at, odd in enumerate(odds)]
        wrong = [(at, rate * error) for at, error in errors if abs(error) > 0.003]
        for feature, share in (*shares.items(), (b"", 0.1)):
            if row := self.weights.get(feature):
                for at, step in wrong:
                    row[at] -= step * share

    def shrink(self, by: float) -> None:
        for row in self.weights.values():
            row[:] = [weight * (1 - by) for weight in row]


def fitted(found: list[Document]) -> Regression:
    names = sorted({name for name, _, _ in found})
    sizes = Counter(name for name, _, _ in found)
    model = Regression(names, chosen(found))
    inside = [
        (names.index(name), {f: s for f, s in shares.items() if f in model.weights})
        for name, _, shares in found
    ]
    mean = sum(math.sqrt(size) for size in sizes.values()) / len(sizes)
    chance = random.Random(0)
    for epoch in range(EPOCHS):
        chance.shuffle(inside)
        for target, shares in inside:
            # Large classes count more than small ones, and less than by their size.
            balance = min(3.0, mean / math.sqrt(sizes[names[target]]))
            model.learn(shares, target, RATE * balance * (1 - epoch / EPOCHS))
        model.shrink(DECAY * EPOCHS)
        print(f"epoch {epoch + 1}", file=sys.stderr, flush=True)
    return model


def rounded(model: Regression) -> dict[bytes, bytes]:
    return {
        feature: bytes(CENTRE + max(-46, min(46, round(weight / STEP))) for weight in row)
        for feature, row in model.weights.items()
    }


def dump(names: list[str], weights: dict[bytes, bytes], path: Path) -> None:
    lines = ["\t".join(names)]
    for feature, row in sorted(weights.items()):
        shown = feature.decode("latin-1").encode("unicode_escape").decode().replace(" ", r"\x20")
        lines.append(f"{shown} {row.decode()}")
    path.write_text("\n".join(lines), encoding="ascii")


def measure(model: Regression, held: list[Document]) -> None:
    mistaken: Counter[tuple[str, str]] = Counter()
    for name, _, shares in held:
        scores = model.scores(shares)
        mistaken[name, model.names[scores.index(max(scores))]] += 1
    sources = sum(n for (name, _), n in mistaken.items() if name[0] != "-")
    right = sum(n for (name, found), n in mistaken.items() if name == found and name[0] != "-")
    code = sum(n for (a, b), n in mistaken.items() if a[0] != "-" and b[0] != "-")
    false = sum(n for (a, b), n in mistaken.items() if a[0] == "-" and b[0] != "-")
    others = mistaken.total() - sources
    print(f"{sources} sources: code {code}, right {right}; {false} of {others} others code")
    print([(pair, n) for pair, n in mistaken.most_common() if pair[0] != pair[1]][:40])


def main(corpus: Path, *options: str) -> None:
    found = documents(corpus)
    apart = {name for one in options if one.startswith("--held=") for name in one[7:].split(",")}
    model = fitted([one for one in found if one[1].rpartition("+")[2] not in apart])
    if apart:
        measure(model, [one for one in found if one[1].rpartition("+")[2] in apart])
    out = [Path(one) for one in options if not one.startswith("--")]
    dump(model.names, rounded(model), out[0] if out else MODEL)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
