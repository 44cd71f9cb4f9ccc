"""Verdicts on robustness: by the share of changed predictions, κ where it can be read."""

import numpy as np
import pytest

from itemcurve.analysis.robustness.changed_predictions import find_readable
from itemcurve.analysis.robustness.interval_contrast import (
    Estimate,
    difference,
)
from itemcurve.analysis.robustness.system_curves import SystemCurves
from itemcurve.analysis.robustness.verdict_notes import explain_verdicts
from itemcurve.errors import EvaluationError
from itemcurve.evaluation.difficulty.robustness import measure_kappa

PER_BIN = 80


def predict(changes, minority=40, per_bin=PER_BIN):
    """Clean and noisy predictions of one model; in each bin so many are of class 1 or change."""
    minorities = np.broadcast_to(minority, len(changes))
    clean, noisy = [], []
    for changed, few in zip(changes, minorities, strict=True):
        own = (np.arange(per_bin) < few).astype(int)
        # Spread over both classes, so that κ tells of agreement and not of a lost class.
        places = np.random.default_rng(changed).permutation(per_bin)[:changed]
        moved = own.copy()
        moved[places] ^= 1
        clean.append(own)
        noisy.append(moved)
    return np.concatenate(clean), np.concatenate(noisy)


def make_curves(models, bins, per_bin=PER_BIN):
    """Measured curves of models given as pairs of clean and noisy predictions."""
    clean, noisy = (np.stack([pair[side] for pair in models.values()]) for side in (0, 1))
    places = np.repeat(np.arange(bins), per_bin)
    order = np.tile(np.random.default_rng(0).permutation(per_bin), bins)
    blank = np.empty((len(models), bins, 2))
    curves = SystemCurves(
        "made",
        tuple(models),
        np.arange(bins, dtype=float),
        (0.0, 0.5),
        blank,
        blank,
        blank,
        0.9,
        ("bad", "good"),
        clean[0],
        clean,
        noisy,
        places,
        order,
        0.01,
    )
    return measure_kappa(curves)


def test_three_changes_in_an_easy_bin_of_one_class_are_no_reverse_pattern():
    # The case of German credit: κ falls from 1 to 0 in the easiest bin by three changes of 80.
    easy_clean = np.ones(PER_BIN, dtype=int)
    easy_noisy = easy_clean.copy()
    easy_noisy[:3] = 0
    hard_clean, hard_noisy = predict([17])
    model = (np.concatenate([easy_clean, hard_clean]), np.concatenate([easy_noisy, hard_noisy]))
    curves = make_curves({"logistic": model}, bins=2)
    row = curves.verdicts().iloc[0]
    assert row["verdict"] == "weak to difficulty"
    assert (row["changed_easy"], row["changed_hard"]) == (3 / 80, 17 / 80)
    assert not row["kappa_readable_easy"]
    assert row["kappa_readable_hard"]
    # From 9.1 to 26.2 points: not wholly beyond 10.
    assert not row["is_clear"]
    assert row["verdict_by_kappa"] == "reverse pattern"


def test_an_interval_of_the_whole_range_is_never_clear():
    curves = make_curves({"one": predict([0, 30])}, bins=2)
    kappa = np.array([[[1.0, 0.0], [1.0, 1.0]]])
    lower, upper = kappa.copy(), kappa.copy()
    upper[0, 0, 1] = 1.0
    whole = type(curves)(**{**vars(curves), "kappa": kappa, "lower": lower, "upper": upper})
    row = whole.verdicts(measure="kappa").iloc[0]
    assert row["verdict"] == "reverse pattern"
    assert not row["is_clear"]
    everything = Estimate(np.array([0.5]), np.array([0.0]), np.array([1.0]))
    found = difference(everything, everything)
    assert found.lower[0] < -0.1 < 0.1 < found.upper[0]


def test_directions_agree_with_the_share_of_changes_whatever_the_classes():
    rng = np.random.default_rng(3)
    models = {
        f"m{n}": predict(rng.integers(0, 60, 3), minority=rng.choice([0, 1, 4, 20, 40], 3))
        for n in range(300)
    }
    found = make_curves(models, bins=3).verdicts()
    found = found[~found["is_constant"]]
    gap = found["changed_hard"] - found["changed_easy"]
    assert (gap[found["verdict"] == "weak to difficulty"] > 0.1).all()
    assert (gap[found["verdict"] == "reverse pattern"] < -0.1).all()
    assert set(found["verdict"]) >= {"weak to difficulty", "reverse pattern", "weak to noise"}
    clear = found[found["is_clear"]]
    assert 0 < len(clear) < len(found)
    toward = clear["verdict"] == "weak to difficulty"
    assert (clear.loc[toward, "difference_lower"] > 0.1).all()
    # The paper's verdicts on the same predictions do not agree: that is why they are an option.
    assert ((found["verdict_by_kappa"] == "reverse pattern") & (gap > 0.1)).any()


def test_damage_in_the_middle_counts_as_weakness_to_noise():
    row = make_curves({"one": predict([2, 40, 2])}, bins=3).verdicts().iloc[0]
    assert row["verdict"] == "weak to noise"
    assert row["changed"] == pytest.approx(44 / 240)
    assert row["is_clear"]


def test_constant_models_are_apart_and_never_called_robust():
    always = (np.ones(2 * PER_BIN, dtype=int), np.ones(2 * PER_BIN, dtype=int))
    models = {"always": always, "steady": predict([0, 1]), "shaky": predict([2, 40])}
    curves = make_curves(models, bins=2)
    found = curves.verdicts()
    assert found["respondent"].tolist() == ["steady", "shaky", "always"]
    assert found["verdict"].tolist() == ["robust to both", "weak to difficulty", "constant"]
    assert found["is_clear"].tolist() == [True, True, False]
    published = curves.verdicts(measure="kappa")
    assert published["respondent"].tolist() == ["always", "steady", "shaky"]
    assert published["verdict"].iloc[0] == "robust to both"
    notes = " ".join(explain_verdicts(found))
    assert "one class is all they ever predict: always." in notes


def test_kappa_is_readable_where_classes_are_mixed_and_it_is_known():
    mixed, single = predict([5, 5], minority=[40, 4]), predict([30, 5], minority=[12, 8])
    readable = find_readable(make_curves({"mixed": mixed, "single": single}, bins=2))
    assert readable.tolist() == [[True, False], [True, False]]
    few = make_curves({"few": predict([2, 2], minority=3, per_bin=6)}, bins=2, per_bin=6)
    assert not find_readable(few).any()
    frame = make_curves({"mixed": mixed}, bins=2).frame()
    assert frame.groupby("bin")["is_readable"].first().tolist() == [True, False]


def test_a_clear_verdict_is_not_contradicted_by_a_readable_kappa():
    # Shares rise from 10 to 32 of 80, κ falls more in the easy bin, where classes are 70 to 10.
    curves = make_curves({"one": predict([10, 32], minority=[10, 40])}, bins=2)
    table = curves.verdicts()
    assert table["is_clear"].all()
    kappa = curves.kappa.copy()
    kappa[0, 0, 1], kappa[0, 1, 1] = 0.2, 0.9
    opposed = type(curves)(
        **{**vars(curves), "kappa": kappa, "lower": kappa - 0.05, "upper": kappa + 0.05}
    ).verdicts()
    assert opposed["verdict"].tolist() == ["weak to difficulty"]
    assert opposed["verdict_by_kappa"].tolist() == ["reverse pattern"]
    assert not opposed["is_clear"].any()
    assert "one (reverse pattern)" in " ".join(explain_verdicts(opposed))


def test_notes_explain_the_words_that_occur_and_no_others():
    notes = explain_verdicts(make_curves({"one": predict([2, 40])}, bins=2).verdicts())
    assert [note.split(":")[0] for note in notes] == ["weak to difficulty"]
    by_kappa = make_curves({"one": predict([2, 40])}, bins=2).verdicts(measure="kappa")
    assert explain_verdicts(by_kappa)[0].startswith("weak to difficulty: κ loses")


def test_an_unknown_measure_is_refused():
    with pytest.raises(EvaluationError, match="share"):
        make_curves({"one": predict([2, 40])}, bins=2).verdicts(measure="accuracy")
