"""Items in the plane, and the four that figure 6 shows."""

import numpy as np
import pytest

from itemcurve_studies.beta3.curve_pictures import list_curve_pictures
from itemcurve_studies.beta3.example_items import KINDS, measure_examples, pick_kinds
from itemcurve_studies.study.finished_parts import FinishedParts


@pytest.fixture(scope="module")
def tables():
    return measure_examples(FinishedParts(None), ("clusters",))


def test_a_fifth_is_flipped_and_of_each_kind_there_is_one(tables):
    items = tables["example_items"]
    assert items["flipped"].mean() == pytest.approx(0.2)
    chosen = pick_kinds(items)
    own = items.loc[list(chosen.values())]
    assert own["flipped"].tolist() == [False, False, True, True]
    far, near, close, away = own["distance"]
    assert min(far, away) > max(near, close)
    assert set(tables["example_answers"]["kind"]) == set(KINDS)
    assert len(tables["example_answers"]) == 4 * 12


def test_answers_are_probabilities_of_the_given_label(tables):
    answers = tables["example_answers"]
    half = answers[answers["respondent"] == "Constant 0.5"]
    assert np.allclose(half["response"], 0.5)
    sure = answers[answers["respondent"] == "Always positive"].set_index("kind")["response"]
    labels = tables["example_items"]["label"]
    for kind, place in pick_kinds(tables["example_items"]).items():
        assert sure[kind] == pytest.approx(float(labels[place] == 1), abs=0.01)


def test_maps_and_curves_are_drawn(tables):
    import matplotlib.pyplot as plt

    shown = {
        "figure_4_items": tables["example_items"],
        "figure_6_answers": tables["example_answers"],
    }
    drawn = {name: draw() for name, draw in list_curve_pictures(shown).items()}
    assert set(drawn) == {
        "figure_1_model",
        "figure_2_curves",
        "figure_4_clusters_map",
        "figure_6_answers",
    }
    names = [text.get_text() for text in drawn["figure_6_answers"].axes[0].texts]
    assert "Naive Bayes" in names
    for figure in drawn.values():
        plt.close(figure)
