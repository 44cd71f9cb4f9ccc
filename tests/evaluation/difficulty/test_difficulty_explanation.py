"""Which features make rows hard."""

import numpy as np
import pandas
import pytest

import itemcurve as ic
from itemcurve.errors import EvaluationError
from itemcurve.evaluation.difficulty.difficulty_explanation import explain_difficulty
from itemcurve.evaluation.difficulty.instance_difficulty import Difficulty


def know_difficulty(table, labels, values, answers=400, seed=0):
    """Difficulties from a simulated pool: right answers with probability σ(θ − b)."""
    rng = np.random.default_rng(seed)
    chance = 1 / (1 + np.exp(values - rng.normal(size=(answers, 1))))
    given = (rng.random(chance.shape) < chance).astype(float)
    fit = ic.fit(ic.Responses.from_array(given), "rasch", on_failure="ignore")
    return Difficulty(fit, table, np.asarray(labels))


def draw(rows=240, seed=0):
    rng = np.random.default_rng(seed)
    table = pandas.DataFrame(
        {
            "speaks": rng.normal(50, 10, rows),
            "mute": rng.normal(size=rows),
            "where": rng.choice(["north", "south"], rows),
        }
    )
    labels = rng.choice(["no", "yes"], rows)
    towards = (table["speaks"] - 50) / 10 * np.where(labels == "yes", -1.0, 1.0)
    south = 0.8 * (table["where"] == "south")
    return table, labels, (towards + south + 0.3 * rng.normal(size=rows)).to_numpy()


def test_a_feature_that_speaks_for_the_other_class_makes_rows_hard():
    table, labels, values = draw(seed=1)
    found = explain_difficulty(know_difficulty(table, labels, values))
    unit = table["speaks"].std(ddof=0) / 10
    effects = found.frame().set_index(["feature", "class"])
    for kind, truth in (("no", unit), ("yes", -unit)):
        row = effects.loc[("speaks", kind)]
        assert row["lower"] - 0.05 < truth < row["upper"] + 0.05
        assert abs(row["effect"] - truth) < 0.15
        assert row["p_adjusted"] < 1e-6
        assert effects.loc[("mute", kind)]["p_adjusted"] > 0.05
    assert found.explained > 0.8
    levels = found.frame().query("feature.str.startswith('where')")
    assert (levels["effect"].abs() - 0.8).abs().max() < 0.25


def test_features_that_say_nothing_are_seldom_named():
    named = 0
    for seed in range(20):
        table, labels, _ = draw(seed=seed)
        values = np.random.default_rng(seed + 100).normal(size=len(table))
        known = know_difficulty(table, labels, values, 60, seed)
        named += bool((explain_difficulty(known).frame()["p_adjusted"] < 0.05).any())
    assert named <= 4


def test_units_of_features_do_not_matter():
    table, labels, values = draw()
    found = explain_difficulty(know_difficulty(table, labels, values)).frame()
    other = explain_difficulty(
        know_difficulty(table.assign(speaks=table["speaks"] / 1000), labels, values)
    ).frame()
    np.testing.assert_allclose(other["effect"], found["effect"], rtol=1e-4)


def test_gaps_constants_copies_and_names_of_rows_are_borne():
    table, labels, values = draw()
    table.loc[3, "speaks"] = np.nan
    table.loc[5, "where"] = None
    odd = table.assign(
        copy=table["speaks"], same=1.0, name=[f"person {k}" for k in range(len(table))]
    )
    found = explain_difficulty(know_difficulty(odd, labels, values))
    assert not {"copy", "same", "name"} & set(found.frame()["feature"])
    assert "name" in found.notes[0]


def test_few_rows_share_slopes_and_fewer_are_refused():
    table, labels, values = draw(45)
    found = explain_difficulty(know_difficulty(table, np.repeat(["a", "b", "c"], 15), values))
    assert set(found.frame()["class"]) == {"all classes"}
    assert "each class needs 20, 'a' has 15. All classes share one slope" in found.notes[-1]
    small = know_difficulty(table.iloc[:10], labels[:10], values[:10])
    with pytest.raises(EvaluationError, match="rows for each term"):
        explain_difficulty(small)


def test_arrays_have_columns_by_number():
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(100, 2)), rng.integers(2, size=100)
    known = know_difficulty(X, labels, X[:, 0] + 0.2 * rng.normal(size=100))
    assert explain_difficulty(known).frame()["feature"].iloc[0] == "x0"
