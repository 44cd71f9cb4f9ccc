"""What items are taken for: recovery, real predictions, and what must hold for any."""

import numpy as np
import pytest
from numpy.typing import NDArray

import itemcurve as ic
from itemcurve.analysis.confusion.wrong_classes import find_wrong_classes
from itemcurve.analysis.predictions import Predictions
from itemcurve.errors import EvaluationError

Floats = NDArray[np.float64]


def draw_dirichlet(
    seed: int, people: int, items: int, classes: int, spread: float
) -> tuple[Predictions, Floats]:
    """Draw Dirichlet responses whose right class is Beta(α, β) of β³, and their true shares."""
    rng = np.random.default_rng(seed)
    ability, difficulty = rng.uniform(0.1, 0.9, (people, 1)), rng.uniform(0.1, 0.9, items)
    slope, labels = rng.normal(1, 0.5, items), rng.integers(classes, size=items)
    alpha = (ability / difficulty) ** slope
    beta = ((1 - ability) / (1 - difficulty)) ** slope
    profiles = rng.dirichlet(np.ones(classes), classes)
    shares = np.array([rng.dirichlet(profiles[label] * spread + 1e-3) for label in labels])
    shares[np.arange(items), labels] = 0.0
    shares /= shares.sum(axis=1, keepdims=True)
    weights = beta[:, :, None] * shares
    weights[:, np.arange(items), labels] = alpha
    found = rng.gamma(weights) + 1e-300
    names = [
        tuple(f"{word}{k}" for k in range(n)) for word, n in zip("rik", weights.shape, strict=True)
    ]
    values = found / found.sum(axis=2, keepdims=True)
    return Predictions(names[0], names[1], names[2], values, labels), shares


def test_shares_of_dirichlet_responses_come_back() -> None:
    given, truth = draw_dirichlet(0, 200, 80, 5, 10.0)
    found = find_wrong_classes(given)

    assert np.abs(found.shares - truth).mean() < 0.02
    assert np.corrcoef(found.shares.ravel(), truth.ravel())[0, 1] > 0.98


@pytest.mark.parametrize("spread", [1.0, 30.0])
def test_few_respondents_are_helped_by_items_of_the_same_label(spread: float) -> None:
    given, truth = draw_dirichlet(1, 8, 300, 5, spread)
    found = find_wrong_classes(given)

    def error(shares: Floats) -> float:
        return float(((shares - truth) ** 2).mean())

    own = found.counts / found.counts.sum(axis=1, keepdims=True)
    assert error(found.shares) < error(own)
    assert error(found.shares) < error(found.profiles[found.labels])


def test_alike_items_are_drawn_together_more_than_those_that_differ() -> None:
    alike, unlike = (find_wrong_classes(draw_dirichlet(2, 12, 300, 4, s)[0]) for s in (100.0, 0.5))

    assert alike.weight > 3 * unlike.weight


def test_shares_add_up_and_the_label_has_none() -> None:
    found = find_wrong_classes(draw_dirichlet(3, 6, 50, 4, 2.0)[0])

    np.testing.assert_allclose(found.shares.sum(axis=1), 1.0)
    assert (found.shares[np.arange(50), found.labels] == 0).all()
    np.testing.assert_allclose(found.by_label().to_numpy().sum(axis=1), 1.0)


def test_expected_probabilities_add_up_and_keep_that_of_the_label() -> None:
    found = find_wrong_classes(draw_dirichlet(4, 6, 50, 4, 2.0)[0])
    right = np.random.default_rng(0).uniform(size=(3, 50))
    expected = found.expected(right)

    np.testing.assert_allclose(expected.sum(axis=2), 1.0)
    np.testing.assert_allclose(expected[:, np.arange(50), found.labels], right)


def test_the_order_of_respondents_and_items_does_not_matter() -> None:
    given, _ = draw_dirichlet(5, 6, 50, 4, 2.0)
    rng = np.random.default_rng(0)
    people, items = rng.permutation(6), rng.permutation(50)
    mixed = Predictions(
        tuple(given.respondents[k] for k in people),
        tuple(given.items[k] for k in items),
        given.classes,
        given.probabilities[np.ix_(people, items)],
        given.labels[items],
    )

    np.testing.assert_allclose(
        find_wrong_classes(mixed).shares, find_wrong_classes(given).shares[items], rtol=1e-9
    )


def test_constant_answers_are_left_out() -> None:
    given, _ = draw_dirichlet(6, 6, 50, 4, 2.0)
    constant = np.broadcast_to([1.0, 0.0, 0.0, 0.0], (1, 50, 4))
    more = Predictions(
        (*given.respondents, "always k0"),
        given.items,
        given.classes,
        np.concatenate([given.probabilities, constant]),
        given.labels,
    )

    np.testing.assert_array_equal(find_wrong_classes(more).shares, find_wrong_classes(given).shares)


def test_two_classes_are_refused() -> None:
    given, _ = draw_dirichlet(7, 6, 50, 2, 2.0)
    with pytest.raises(EvaluationError, match="three classes"):
        find_wrong_classes(given)


@pytest.mark.slow
def test_flipped_labels_of_wine_are_taken_for_the_true_class() -> None:
    from sklearn.datasets import load_wine

    X, y = load_wine(return_X_y=True)
    given = y.copy()
    flipped = np.random.default_rng(0).choice(len(y), 12, replace=False)
    given[flipped] = (y[flipped] + 1) % 3
    found = ic.evaluate_classifiers(ic.pools.random_pool(20), X, given, cv=5).wrong_classes()
    table = found.frame().set_index("item").loc[[found.items[k] for k in flipped]]

    assert (table["taken_for"].to_numpy() == y[flipped].astype(str)).mean() > 0.9
    # The twelve are among the first.
    assert set(table.index) <= set(found.frame()["item"].head(20))


def test_forecasts_of_numbers_are_refused() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), rng.normal(size=60)
    from sklearn.linear_model import LinearRegression, Ridge

    evaluation = ic.evaluate_regressors(
        {"a": LinearRegression(), "b": Ridge(100.0)}, X, y, cv=2, on_failure="ignore"
    )
    with pytest.raises(EvaluationError, match="numbers"):
        evaluation.wrong_classes()
