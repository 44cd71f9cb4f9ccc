"""Responses of every kind that files must keep, under names that files might not."""

from random import Random

import numpy as np

from itemcurve.responses.matrix import Responses

ENDINGS = ("csv", "tsv", "csv.gz", "tsv.gz", "jsonl", "jsonl.gz", "npz", "parquet")
_NAMES = (
    *("gpt-4", "007", "7", "NA", "nan", "true", "q1", "Unnamed: 0", "index", "weight", "é"),
    *("e\u0301", "respondent", "item", "response", "__index_level_0__", "x" * 300, "=1+1"),
    *(
        "-2+3",
        "@SUM(A1)",
        "'=x",
        "'tis",
        "+1",
        "-0.5",
        "a,b",
        "a\tb",
        'say "no"',
        '"',
        "two\nlines",
    ),
    *("two\r\nlines", " space ", "数学", "💥", "<b>", "a;b", "\ufeffx", "#x", "\\"),
)
_VALUES = (
    (0.0, 1.0),
    (0.0, 1.0, float("nan")),
    (0.0, 1.0, 2.0, 10.0, float("nan")),
    (0.5, 0.25, 0.125, 1.0, 1e-9, 123456.789, -2.5, float("nan")),
)


def draw_responses(random: Random) -> Responses:
    """Give some responses: dense or long, with gaps, weights, repeats and odd names.

    Parameters
    ----------
    random : decides everything.
    """
    shape = random.randint(1, 7), random.randint(1, 7)
    names = {
        "respondents": draw_names(random, "r", shape[0]),
        "items": draw_names(random, "q", shape[1]),
    }
    values = random.choice(_VALUES)
    matrix = np.array([[random.choice(values) for _ in range(shape[1])] for _ in range(shape[0])])
    if random.random() < 0.7:
        return Responses.from_array(matrix, **names)
    weights = np.array(
        [[random.choice((1.0, 2.0, 0.5, 12.0)) for _ in range(shape[1])] for _ in range(shape[0])]
    )
    return Responses.from_array(matrix, weights=weights, **names)


def draw_names(random: Random, stem: str, count: int) -> list[str]:
    plain = [f"{stem}{place}" for place in range(count)]
    if random.random() < 0.5:
        return plain
    return random.sample(list(dict.fromkeys([*_NAMES, *plain])), count)


def same_responses(one: Responses, other: Responses) -> bool:
    """Whether two hold the same responses, weights and names, in whatever order."""
    names = (one.respondents, other.respondents), (one.items, other.items)
    if any(sorted(mine) != sorted(theirs) for mine, theirs in names):
        return False
    other = other.select(one.respondents, one.items)
    return _same(one.array(), other.array()) and _same(_weights(one), _weights(other))


def _weights(responses: Responses) -> np.typing.NDArray[np.float64]:
    weight = responses.weight()
    if weight is None:
        return np.ones(responses.shape)
    dense = weight.toarray() if hasattr(weight, "toarray") else weight
    return np.asarray(dense, dtype=float)


def _same(one: np.typing.NDArray[np.float64], other: np.typing.NDArray[np.float64]) -> bool:
    return one.shape == other.shape and np.array_equal(one, other, equal_nan=True)
