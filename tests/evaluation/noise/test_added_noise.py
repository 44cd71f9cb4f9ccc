"""Noise on purpose, and abilities along it."""

import numpy as np
import pandas
import pytest

import itemcurve as ic
from itemcurve.errors import EvaluationError
from itemcurve.evaluation.grading.regrading import regrade


def test_exactly_the_share_asked_for_is_flipped_to_another_class():
    labels = np.repeat(["a", "b", "c"], 100)
    noisy = ic.noise.flip_labels(labels, 0.2, seed=1)
    np.testing.assert_array_equal(noisy.values != labels, noisy.changed)
    assert noisy.changed.sum() == 60
    again = ic.noise.flip_labels(labels, 0.2, seed=1)
    np.testing.assert_array_equal(noisy.values, again.values)
    assert (ic.noise.flip_labels(labels, 0.2, seed=2).values != noisy.values).any()
    moved = ic.noise.flip_labels(labels, 1.0, seed=1).values[:100]
    assert set(moved) == {"b", "c"}


def test_targets_are_blurred_in_units_of_their_own_spread():
    targets = np.linspace(0, 100, 4000)
    noisy = ic.noise.blur_targets(targets, 0.5, seed=1).values
    assert (noisy - targets).std() == pytest.approx(0.5 * targets.std(), rel=0.05)


def test_features_are_blurred_by_kind():
    table = pandas.DataFrame(
        {"x": np.linspace(0, 1, 1000), "kind": np.repeat(["a", "b"], [900, 100])}
    )
    noisy = ic.noise.blur_features(table, 0.2, seed=1, fraction=0.5)
    assert noisy.changed.sum() == 500
    change = (noisy.values["x"] - table["x"])[noisy.changed]
    assert change.std() == pytest.approx(0.2 * table["x"].std(ddof=0), rel=0.15)
    assert (noisy.values["x"] == table["x"])[~noisy.changed].all()
    # Drawn anew with probability 1 − exp(−0.2), and then of the other kind in 18 of 100 cases.
    moved = (noisy.values["kind"] != table["kind"])[noisy.changed].mean()
    assert moved == pytest.approx((1 - np.exp(-0.2)) * 0.18, abs=0.02)
    assert table["x"].iloc[0] == 0


@pytest.mark.parametrize(
    "call",
    [
        lambda: ic.noise.flip_labels([0, 1], 1.2, seed=1),
        lambda: ic.noise.blur_targets([1.0, 2.0], -1, seed=1),
        lambda: ic.noise.blur_features([[1.0]], float("nan"), seed=1),
    ],
)
def test_amounts_that_mean_nothing_are_refused(call):
    with pytest.raises(EvaluationError):
        call()


def test_a_sweep_over_flipped_labels_trains_once_and_grades_anew(moons, few):
    trained = []
    sweep = ic.noise.noise_sweep(
        few, *moons, levels=(0, 0.2), repeats=2, progress=lambda *told: trained.append(told)
    )
    assert len(trained) == 4
    table = sweep.frame()
    assert len(table) == 16
    assert {"noise", "repeat", "respondent", "ability", "accuracy"} <= set(table.columns)
    clean = ic.evaluate_classifiers(few, *moons)
    first = table[(table["noise"] == 0) & (table["repeat"] == 0)].set_index("respondent")
    expected = clean.leaderboard().frame().set_index("respondent")
    np.testing.assert_allclose(first["ability"], expected["ability"], atol=1e-9)
    found = sweep.detection()
    assert found["flipped"].tolist() == [0, 0, 12, 12]
    # One flipped label in five: chance would rank a fifth of them first.
    assert found["ranked"].iloc[2:].min() > 0.5
    with pytest.raises(EvaluationError, match="'audit' or 'negative'"):
        sweep.detection("guess")


def test_noise_in_both_parts_trains_anew(moons, few):
    trained = []
    ic.noise.noise_sweep(
        few,
        *moons,
        levels=(0, 0.3),
        place="both",
        response="correct",
        progress=lambda *told: trained.append(told),
    )
    assert len(trained) == 8


def test_targets_and_references_follow_the_noise(line):
    pool = ic.pools.standard_regressors()
    small = ic.pools.Pool(pool.names[:3], pool.estimators[:3], pool.references)
    sweep = ic.noise.noise_sweep(
        small, *line, kind="targets", levels=(0, 0.5), response="normalised", model="rasch-errors"
    )
    for step in sweep.steps:
        errors = step.evaluation.responses.array()
        np.testing.assert_allclose(errors[-2], 1.0)
        np.testing.assert_allclose(errors[-3], errors[[0, 1, 2, 4]].min(axis=0))


def test_features_can_be_swept(moons, few):
    sweep = ic.noise.noise_sweep(few, *moons, kind="features", levels=(0, 2.0), response="correct")
    means = sweep.frame().groupby("noise")["accuracy"].mean()
    assert means[2.0] < means[0.0]


def test_grading_against_the_same_answers_changes_nothing(moons, few):
    evaluation = ic.evaluate_classifiers(few, *moons)
    again = regrade(evaluation, moons.y_test)
    np.testing.assert_array_equal(evaluation.fit.estimates.abilities, again.fit.estimates.abilities)
