"""κ, profiles, taxonomy and losses against values computed by hand and by other packages."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score, silhouette_samples

import itemcurve as ic
from itemcurve.analysis.metrics.kappa import cross_table, kappa_interval
from itemcurve.analysis.robustness import cluster_quality as quality
from itemcurve.analysis.robustness.kappa_losses import kappa_gradients
from itemcurve.analysis.robustness.robustness_profiles import RobustnessProfiles
from itemcurve.analysis.robustness.system_curves import SystemCurves, perturbed
from itemcurve.errors import EvaluationError


def make_curves(kappa, name="one", respondents=None, complexity=0.01, half=0.0):
    """Curves with given κ and no more than that."""
    kappa = np.asarray(kappa, dtype=float)
    count, bins, shares = kappa.shape
    return SystemCurves(
        name,
        tuple(respondents or (f"m{n}" for n in range(count))),
        np.arange(bins, dtype=float),
        tuple(np.arange(shares) / 10),
        kappa,
        kappa - half,
        kappa + half,
        0.9,
        ("a", "b"),
        np.zeros(4, int),
        np.zeros((count, 4), int),
        np.zeros((count, 4), int),
        np.zeros(4, int),
        np.arange(4),
        complexity,
    )


@pytest.fixture
def two_by_two():
    # Two models, two bins, shares 0 and .1 and .2.
    return make_curves([[[1, 0.9, 0.8], [1, 0.7, 0.5]], [[1, 0.8, 0.4], [1, 0.9, 0.9]]], half=0.01)


def test_kappa_equals_the_value_by_hand():
    # p0 = 7/10, pe = (6·5 + 4·5)/100 = .5, so κ = 1 − .3/.5 = .4.
    first = list("aaaaaabbbb")
    second = list("aaaabbabbb")
    assert ic.cohen_kappa(first, second) == pytest.approx(0.4, abs=1e-15)


@pytest.mark.parametrize("seed", range(20))
def test_kappa_equals_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    classes = rng.integers(2, 27)
    first = rng.integers(classes, size=rng.integers(2, 500))
    second = np.where(rng.random(len(first)) < 0.6, first, rng.integers(classes, size=len(first)))
    expected = cohen_kappa_score(first, second)
    assert ic.cohen_kappa(first, second) == pytest.approx(expected, abs=1e-12)


def test_kappa_of_one_class_follows_the_written_rule():
    assert ic.cohen_kappa(["a"] * 5, ["a"] * 5) == 1
    assert ic.cohen_kappa(["a"] * 5, ["a"] * 4 + ["b"]) == 0
    assert ic.cohen_kappa(["a"] * 5, ["b"] * 5) == 0
    assert np.isnan(ic.cohen_kappa([], []))
    with pytest.raises(EvaluationError):
        ic.cohen_kappa(["a"], ["a", "b"])


def test_kappa_intervals_cover_the_kappa_of_the_population():
    rng = np.random.default_rng(0)
    shares = np.array([[0.4, 0.1], [0.1, 0.4]])
    hits = 0
    for _ in range(200):
        table = rng.multinomial(300, shares.ravel()).reshape(2, 2).astype(float)
        lower, upper = kappa_interval(table, rng, level=0.9, resamples=300)
        hits += lower <= 0.6 <= upper
    assert 0.83 <= hits / 200 <= 0.96
    assert kappa_interval(cross_table(list("abab"), list("abab")), rng) == (1, 1)


def test_larger_shares_hold_the_smaller_ones():
    order = np.random.default_rng(0).permutation(50)
    former = perturbed(order, 0.0)
    assert not former.any()
    for share in (0.1, 0.2, 0.3, 0.5, 1.0):
        found = perturbed(order, share)
        assert found.sum() == round(share * 50)
        assert found[former].all()
        former = found


def test_profiles_are_the_differences_of_equations_5_to_7(two_by_two):
    across_noise = [[-0.1, -0.1, -0.3, -0.2], [-0.2, -0.4, -0.1, 0.0]]
    across_bins = [[0.0, -0.2, -0.3], [0.0, 0.1, 0.5]]
    dan = ic.robustness_profiles(two_by_two, "dan")
    np.testing.assert_allclose(dan.values, across_noise, atol=1e-15)
    np.testing.assert_allclose(
        ic.robustness_profiles(two_by_two, "dad").values, across_bins, atol=1e-15
    )
    both = ic.robustness_profiles([two_by_two])
    np.testing.assert_allclose(both.values, np.hstack([across_noise, across_bins]), atol=1e-15)
    assert both.frame().columns[1] == "bin 1, share 0→0.1"
    assert len(both.steps) == both.values.shape[1]


def test_profiles_average_over_the_data_sets_that_have_a_model(two_by_two):
    flat = make_curves(np.ones((1, 2, 3)), "two", ["m1"])
    found = ic.robustness_profiles([two_by_two, flat], "dad").values
    np.testing.assert_allclose(found, [[0, -0.2, -0.3], [0, 0.05, 0.25]], atol=1e-15)


def test_profiles_of_unlike_curves_are_refused(two_by_two):
    with pytest.raises(EvaluationError):
        ic.robustness_profiles([two_by_two, make_curves(np.ones((2, 3, 3)))])
    with pytest.raises(EvaluationError):
        ic.robustness_profiles(two_by_two, "dna")


def test_losses_are_those_of_equations_8_to_11(two_by_two):
    easy, hard = kappa_gradients(two_by_two)
    np.testing.assert_allclose(easy, [0.2, 0.6])
    np.testing.assert_allclose(hard, [0.5, 0.1])
    other = replace(two_by_two, kappa=np.ones((2, 2, 3)), name="two", complexity=0.5)
    losses = ic.kappa_losses([two_by_two, other], split=True).set_index(["part", "respondent"])
    assert losses.loc[("all", "m0"), "loss_by_difficulty"] == pytest.approx(0.15)
    assert losses.loc[("simple", "m1"), "loss_by_difficulty"] == pytest.approx(0.5)
    assert losses.loc[("simple", "m1"), "loss_by_noise"] == pytest.approx(0.35)
    assert losses.loc[("complex", "m1"), "loss_by_noise"] == 0


def test_verdicts_of_the_paper_follow_from_the_numbers():
    curves = make_curves(
        [
            [[1, 0.98], [1, 0.95]],
            [[1, 0.70], [1, 0.68]],
            [[1, 0.95], [1, 0.60]],
            [[1, 0.60], [1, 0.95]],
        ],
        half=0.02,
    )
    table = curves.verdicts(measure="kappa")
    assert table["verdict"].tolist() == [
        "robust to both",
        "weak to noise",
        "weak to difficulty",
        "reverse pattern",
    ]
    assert table["is_clear"].all()
    wide = make_curves(curves.kappa, half=0.3).verdicts(measure="kappa")
    assert not wide["is_clear"].any()


def make_profiles(points):
    points = np.asarray(points, dtype=float)
    names = tuple(f"m{n}" for n in range(len(points)))
    return RobustnessProfiles("dand", names, ("x", "y")[: points.shape[1]], points, ())


def test_groups_far_apart_are_found_with_their_medoids():
    tree = ic.taxonomy(make_profiles([[0], [1], [3], [10], [11], [13]]), 2)
    assert len(set(tree.clusters[:3])) == 1
    assert len(set(tree.clusters[3:])) == 1
    assert set(tree.prototypes) == {"m1", "m4"}
    assert tree.elbow == 2
    assert tree.frame()["is_prototype"].sum() == 2
    # Pairs between: 10 11 13, 9 10 12, 7 8 10, whose mean is 10.
    assert tree.quality["avg_bc"].iloc[0] == pytest.approx(10)
    # Squares within: 2·(16/9 + 1/9 + 25/9) = 28/3.
    assert tree.quality["within"].iloc[0] == pytest.approx(28 / 3)


def test_silhouettes_equal_the_value_by_hand_and_scikit_learn():
    # First point: a = 1, b = mean(10, 11) = 10.5, width 9.5/10.5.
    points = np.array([0.0, 1.0, 10.0, 11.0])
    distances = np.abs(points[:, None] - points)
    widths = quality.silhouette_widths(distances, np.array([0, 0, 1, 1]))
    assert widths[0] == pytest.approx(9.5 / 10.5)
    rng = np.random.default_rng(0)
    points = rng.normal(size=(20, 3))
    distances = np.linalg.norm(points[:, None] - points, axis=2)
    groups = np.r_[rng.integers(4, size=19), 4]
    expected = silhouette_samples(distances, groups, metric="precomputed")
    np.testing.assert_allclose(quality.silhouette_widths(distances, groups), expected, atol=1e-12)


def test_equal_profiles_still_give_the_number_of_clusters_asked_for():
    tree = ic.taxonomy(make_profiles(np.zeros((5, 2))), 3)
    assert len(set(tree.clusters)) == 3
    with pytest.raises(EvaluationError):
        ic.taxonomy(make_profiles(np.zeros((2, 2))))


def test_complexity_counts_the_class_column_as_an_attribute():
    assert ic.data_complexity(100, 5, 4) == pytest.approx(0.2)
    with pytest.raises(EvaluationError):
        ic.data_complexity(0, 5, 4)


PUBLISHED = {
    "nursery": 0,
    "wall-robot-navigation": 0,
    "page-blocks": 0.01,
    "letter": 0.02,
    "waveform-5000": 0.02,
    "spambase": 0.03,
    "satimage": 0.03,
    "mfeat-morphological": 0.03,
    "analcatdata_dmft": 0.04,
    "segment": 0.06,
    "yeast": 0.06,
    "texture": 0.08,
    "optdigits": 0.12,
    "vowel": 0.14,
    "mfeat-zernike": 0.24,
    "mfeat-karhunen": 0.32,
    "mfeat-fourier": 0.38,
    "cnae-9": 7.14,
}


def test_complexities_of_the_complete_data_sets_are_those_published(shared_data):
    import pandas

    for name, published in PUBLISHED.items():
        table = pandas.read_csv(shared_data / "data" / "table1" / f"{name}.csv.gz")
        found = ic.data_complexity(*table.shape, table["target"].nunique())
        assert found == pytest.approx(published, abs=0.005 + 1e-9), name
