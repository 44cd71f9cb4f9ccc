"""Skill of respondents and references, and how far it is known."""

import numpy as np

from itemcurve.analysis.predictions import Predictions
from itemcurve.analysis.respondents.standings import find_standings

GROUPS, ROWS = 20, 20


def shared_misses() -> tuple[Predictions, list[str]]:
    """Three respondents that are right but in four groups, where all miss together."""
    rng = np.random.default_rng(3)
    codes = np.repeat(np.arange(GROUPS), ROWS)
    labels = rng.integers(0, 2, GROUPS * ROWS)
    is_right = np.where(codes < 4, rng.random((3, 400)) < 0.2, rng.random((3, 400)) < 0.95)
    chosen = np.where(is_right, labels, 1 - labels)
    probabilities = np.eye(2)[chosen] * 0.8 + 0.1
    names, items = ("a", "b", "c"), tuple(map(str, range(400)))
    return Predictions(names, items, ("no", "yes"), probabilities, labels), [
        f"group {code}" for code in codes
    ]


def test_groups_that_all_miss_are_not_explained_away_as_wrong_labels():
    predictions, groups = shared_misses()
    found = find_standings(predictions, groups)
    right = predictions.probabilities.argmax(axis=2) == predictions.labels
    of_groups = right[0].reshape(GROUPS, ROWS).mean(axis=1)
    drawn = np.random.default_rng(4).integers(0, GROUPS, (4_000, GROUPS))
    bootstrap = of_groups[drawn].mean(axis=1).std()
    assert 0.9 * bootstrap < found.pairs.own_errors[0] < 1.15 * bootstrap
    assert (found.pairs.errors >= found.plain.errors).all()


def test_without_groups_errors_are_those_of_rows():
    predictions, _ = shared_misses()
    found = find_standings(predictions)
    assert found.pairs.own_errors[0] < 0.03
