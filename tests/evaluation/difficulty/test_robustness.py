"""System curves from data: what noise does to predictions, bin by bin."""

import numpy as np
import pandas
import pytest
from sklearn.datasets import make_circles, make_classification, make_moons
from sklearn.dummy import DummyClassifier

import itemcurve as ic
from itemcurve.errors import EvaluationError, EvaluationWarning
from itemcurve.evaluation.difficulty.difficulty_bins import part_by_difficulty


@pytest.fixture(scope="module")
def data():
    X, y = make_moons(200, noise=0.3, random_state=0)
    return X, np.where(y == 1, "up", "down")


@pytest.fixture(scope="module")
def small_pool():
    # Every second of the ten kinds is enough, and quick.
    pool = ic.pools.random_pool(40, seed=0)
    keep = [n for n, name in enumerate(pool.names) if name.split()[0] not in ("Neural", "Gradient")]
    return ic.pools.Pool(
        tuple(pool.names[n] for n in keep), tuple(pool.estimators[n] for n in keep)
    )


@pytest.fixture(scope="module")
def difficulty(data, small_pool):
    return ic.robustness.estimate_difficulty(*data, pool=small_pool, cv=3)


@pytest.fixture
def curves(data, difficulty, few):
    return ic.robustness.system_curves(few, *data, difficulty=difficulty, bins=4, cv=3, noise=0.5)


def test_difficulty_lies_on_one_scale_and_tells_how_well_it_fits(difficulty):
    table = difficulty.frame()
    assert len(table) == 200
    # Under the 1PL the number of right answers decides, but for the last digits.
    order = table["difficulty"].round(6).corr(table["mean_response"].round(9), method="spearman")
    assert order < -0.9999
    assert (table["difficulty_se"] > 0).all()
    assert set(table["flags"]) <= {"", "outside [-6, 6]"}
    summary = difficulty.summary()
    assert summary["outside"] == pytest.approx((np.abs(table["difficulty"]) > 6).mean())
    assert 0 < summary["infit"] < 2


def test_bins_hold_equally_many_and_leave_out_what_does_not_count():
    values = np.r_[np.zeros(50), np.linspace(1, 2, 50), 99.0]
    counts = values < 6
    places = part_by_difficulty(values, counts, 4, np.random.default_rng(0))
    assert places[-1] == -1
    assert np.bincount(places[:-1]).tolist() == [25, 25, 25, 25]
    assert (places[:50] < 2).all()
    with pytest.raises(EvaluationError):
        part_by_difficulty(values, counts, 1, np.random.default_rng(0))


def test_without_noise_kappa_is_one_and_it_falls_with_the_share(curves):
    table = curves.frame()
    assert list(table.columns) == [
        "respondent",
        "bin",
        "difficulty",
        "share",
        "kappa",
        "kappa_lower",
        "kappa_upper",
        "is_readable",
    ]
    assert (table.loc[table["share"] == 0, "kappa"] == 1).all()
    means = table.groupby(["respondent", "share"])["kappa"].mean().unstack()
    assert (means[0.5] < means[0.1]).all()
    assert (table["kappa_lower"] <= table["kappa"]).all()
    assert (table["kappa"] <= table["kappa_upper"]).all()
    # More than half of these instances are answered right by all: two bins are equally easy.
    np.testing.assert_array_less(-1e-9, np.diff(curves.difficulty))
    assert any("equally hard" in note for note in curves.notes)


def test_the_same_seed_gives_the_same_curves(curves, data, difficulty, few):
    again = ic.robustness.system_curves(few, *data, difficulty=difficulty, bins=4, cv=3, noise=0.5)
    np.testing.assert_array_equal(curves.kappa, again.kappa)
    np.testing.assert_array_equal(curves.lower, again.lower)
    other = ic.robustness.system_curves(
        few, *data, difficulty=difficulty, bins=4, cv=3, noise=0.5, seed=1
    )
    assert (curves.kappa != other.kappa).any()


def test_a_perturbation_of_ones_own_takes_the_place_of_noise(data, difficulty, few):
    still = ic.robustness.system_curves(
        few, *data, difficulty=difficulty, cv=3, noise=lambda X, train, rng: X.copy()
    )
    assert (still.kappa == 1).all()


def test_one_model_is_enough_and_one_that_fails_is_told(data, difficulty):
    models = {"most frequent": DummyClassifier(), "broken": DummyClassifier(strategy="none such")}
    with pytest.warns(EvaluationWarning, match="broken"):
        found = ic.robustness.system_curves(models, *data, difficulty=difficulty, cv=3)
    assert found.respondents == ("most frequent",)
    assert (found.kappa == 1).all()
    assert any("broken failed" in note for note in found.notes)


def test_mixed_tables_with_gaps_are_taken(few):
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=120)
    table = pandas.DataFrame(
        {
            "x": np.where(rng.random(120) < 0.1, np.nan, y + rng.normal(size=120)),
            "kind": np.where(rng.random(120) < 0.8, y, 1 - y).astype(str),
        }
    )
    found = ic.robustness.system_curves(
        few, table, y, difficulty=rng.normal(size=120), bins=3, cv=3, noise=1.0
    )
    assert np.isfinite(found.kappa).all()
    assert found.complexity == pytest.approx(3 * 2 / 120)
    top = ic.robustness.system_curves(
        few, table, y, difficulty=rng.normal(size=120), bins=3, cv=3, attributes=1
    )
    assert np.isfinite(top.kappa).all()


@pytest.mark.parametrize(
    "wrong", [{"shares": (0,)}, {"shares": (0, 2)}, {"bins": 500}, {"difficulty": [1.0]}]
)
def test_settings_that_mean_nothing_are_refused(data, difficulty, few, wrong):
    with pytest.raises(EvaluationError):
        ic.robustness.system_curves(few, *data, **{"difficulty": difficulty, **wrong})


def test_class_makeup_and_destinations_add_up(curves):
    makeup = ic.robustness.class_makeup(curves)
    assert makeup[makeup["bin"] == 0]["instances"].sum() == (curves.bins >= 0).sum()
    np.testing.assert_allclose(makeup.groupby("bin")["share"].sum(), 1)
    moved = ic.robustness.noise_destinations(curves)
    assert moved["moved"].between(0, 1).all()
    assert moved["to_share"].dropna().between(0.5, 1).all()


def test_strays_are_those_predicted_out_of_a_single_class_bin(curves):
    from dataclasses import replace

    labels = np.where(curves.bins == 0, 0, curves.labels)
    clean = np.zeros_like(curves.clean)
    first = np.flatnonzero(curves.bins == 0)[0]
    clean[0, first] = 1
    found = ic.robustness.flag_strays(
        replace(curves, labels=labels, clean=clean), curves.respondents[0]
    )
    assert first in found["position"].tolist()
    assert found.set_index("position").loc[first, "is_wrong"]


def test_models_are_chosen_by_difficulty(curves):
    found = ic.robustness.choose_by_difficulty(curves, np.array([-9.0, 9.0]))
    assert len(found) == 2
    assert set(found) <= set(curves.respondents)


def test_learnt_difficulty_beats_the_mean_of_neighbours(difficulty, data):
    check = ic.robustness.check_difficulty(difficulty, cv=3)
    learnt, neighbours = check.spearman
    assert learnt > 0.4
    assert check.frame()["rmse"].notna().all()
    # One small noisy set decides nothing: the comparison over data sets is in the study.
    assert learnt > neighbours - 0.1
    assert ic.robustness.predict_difficulty(difficulty, data[0][:7]).shape == (7,)


SHAPES = {
    "moons": lambda: make_moons(300, noise=0.2, random_state=1),
    "circles": lambda: make_circles(300, noise=0.1, factor=0.5, random_state=1),
    "linear": lambda: make_classification(
        300, 2, n_informative=2, n_redundant=0, n_clusters_per_class=1, random_state=1
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("model", ["1pl", "beta3"])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_hardest_instances_lie_nearer_the_other_class(shape, model, small_pool):
    X, y = SHAPES[shape]()
    found = ic.robustness.estimate_difficulty(X, y, pool=small_pool, model=model)
    distances = np.linalg.norm(X[:, None] - X, axis=2)
    # Distance to the nearest instances of the other class stands for that to the boundary.
    other = np.where(y[:, None] != y, distances, np.inf)
    gap = np.sort(other, axis=1)[:, :5].mean(axis=1)
    order = np.argsort(found.values)
    assert gap[order[-30:]].mean() < gap[order[:30]].mean()
