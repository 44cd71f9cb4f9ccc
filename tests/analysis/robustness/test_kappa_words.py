"""What groups by κ mean, and where κ and shares disagree."""

import numpy as np
import pandas
import pytest

from itemcurve.analysis.robustness.kappa_profiles import KappaProfiles
from itemcurve.analysis.robustness.kappa_words import say_disagreement, say_kappa_groups
from itemcurve.analysis.robustness.taxonomy import taxonomy

NAMES = ("calm", "even", "late", "later", "jumpy", "jumpier")


@pytest.fixture
def losses():
    easy = np.array([0.0, 0.02, 0.01, 0.0, 0.40, 0.42])
    hard = np.array([0.02, 0.03, 0.35, 0.37, 0.1, 0.12])
    return pandas.DataFrame(
        {
            "respondent": NAMES,
            "loss_easy": easy,
            "loss_hard": hard,
            "loss_by_noise": (easy + hard) / 2,
            "data_sets": 6,
            "kappa_readable_on": 3,
        }
    )


def test_groups_by_kappa_have_a_sentence_on_easy_and_hard_rows(losses):
    values = losses[["loss_easy", "loss_hard"]].to_numpy()
    tree = taxonomy(KappaProfiles("dan", NAMES, ("easy", "hard"), values, ()), 3)
    told = " ".join(say_kappa_groups(tree, losses))
    assert "robust to both by κ (κ hardly falls)" in told
    assert "weak to difficulty by κ (κ falls most on hard rows)" in told
    assert "reverse pattern by κ (κ falls most on easy rows)" in told
    assert "by 0.41 on the easiest rows and by 0.11 on the hardest: jumpy and jumpier." in told


def test_models_that_kappa_and_shares_place_far_apart_are_named(losses):
    means = pandas.DataFrame(
        {
            "respondent": NAMES,
            "changed_easy": [0.3, 0.01, 0.02, 0.03, 0.04, 0.05],
            "changed_hard": [0.3, 0.02, 0.04, 0.06, 0.08, 0.1],
            "data_sets": 6,
        }
    )
    told = say_disagreement(losses, means)
    assert "calm (κ lost 0.01, place 1 of 6; 30% changed, place 6)" in told
    assert "in 18 of 36 pairs" in told
    assert "believe the shares" in told
    agreeing = means.assign(changed_easy=losses["loss_easy"], changed_hard=losses["loss_hard"])
    assert say_disagreement(losses, agreeing) == ""
