"""What chosen items are worth."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.adaptive.score.choice_worth import weigh_choice
from itemcurve.datasets.dataset_table import load_dataset_table


@pytest.fixture(scope="module")
def measured():
    """Mean accuracies of sixteen classifiers on fourteen data sets."""
    table = load_dataset_table()
    cube = table.values[table.measures.index("accuracy")].astype(float)
    return ic.Responses.from_array(np.nanmean(cube, axis=2)[2:76:5][:, 3:160:12])


def test_chosen_data_sets_foretell_the_score_better_than_nothing(measured):
    worth = weigh_choice(measured, ic.choose_items(measured, 5))
    assert worth.error < worth.unasked_error
    assert worth.random_error < worth.unasked_error
    assert -1 <= worth.rank <= 1
    table = worth.frame()
    assert table["how"].tolist() == ["drawn"] * 3 + ["chosen"] * 2
    means = measured.array().mean(axis=0)
    place = measured.items.index(table["item"][0])
    assert table["place"][0] == 1 + (means < means[place]).sum()
    assert table["mean_response"][0] == pytest.approx(means[place])


def test_a_newcomer_is_not_given_the_level_of_easy_items(measured):
    # Items chosen to tell most are the easy ones here; the score lies far below their mean.
    errors, nothing = [], []
    for row in range(measured.shape[0]):
        others = measured.take(rows=[i for i in range(measured.shape[0]) if i != row])
        form = ic.make_short_form(others, ic.choose_items(others, 4, random_share=0))
        truth = measured.array()[row].mean()
        errors.append(form.predict(measured.take(rows=[row])).score[0] - truth)
        nothing.append(others.array().mean() - truth)
    assert np.mean(np.square(errors)) < np.mean(np.square(nothing))


def test_all_items_leave_nothing_to_compare(measured):
    worth = weigh_choice(measured, ic.choose_items(measured, measured.shape[1]))
    assert np.isnan(worth.rank)
    assert worth.error < 1e-6
