"""Sentences about labels."""

from dataclasses import replace

import numpy as np
import pytest

from itemcurve.analysis.labels.label_noise import LabelNoise
from itemcurve.analysis.labels.label_pool import LabelPool
from itemcurve.analysis.labels.label_words import say_first, say_labels


def noise_of(wrong, gain, overlap=0.01):
    """Two classes, every label the first; `wrong` that it is not, a pool as unsure as told."""
    wrong = np.asarray(wrong, dtype=float)
    pooled = np.tile([1 - overlap, overlap], (len(wrong), 1))
    pool = LabelPool(np.ones(1), np.zeros((1, 2)), np.zeros(2))
    labels = np.zeros(len(wrong), dtype=int)
    return LabelNoise(np.column_stack([1 - wrong, wrong]), pooled, labels, np.eye(2), pool, gain)


FEW = [0.7, 0.6, 0.5, *[0.005] * 197]


@pytest.mark.parametrize(
    ("gain", "overlap", "found", "said"),
    [
        (9.0, 0.01, 3, "3 are suspect; about 3 (1 %) in all look wrong. About 10 % of the"),
        (9.0, 0.01, 0, "none is suspect; about 3 (1 %) in all look wrong. No single one"),
        (1.0, 0.01, 0, "none is suspect beyond doubt. Look at the first 3 of the list:"),
        (1.0, 0.20, 0, "none is suspect: wrong labels cannot be told from classes that overlap"),
        (1.0, 0.20, 1, "1 is suspect; how many are wrong in all cannot be told from classes"),
    ],
)
def test_each_case_has_its_sentence(gain, overlap, found, said):
    text = say_labels(noise_of(FEW, gain, overlap), found, 0.1)
    assert text.startswith(f"Of 200 labels, {said}")
    assert ("Look at the first 3 of the list" in text) == (found == 0)


def test_without_the_check_the_condition_is_said():
    text = say_labels(noise_of(FEW, -1.0, 0.2), 2, 0.4, is_checked=False)
    said = "Of 200 labels, 2 are suspect; if classes do not overlap, about 3 (1 %) in all are"
    assert text.startswith(said)
    assert "cannot be told" not in text


def test_those_far_ahead_are_counted():
    noise = noise_of(FEW, 9.0)
    assert "Each is at least 10 times" in say_first(noise)
    assert "P(wrong) adds up to about 2 wrong labels among them. Each" in say_first(noise)
    assert "Look at the first of the list" in say_first(noise_of([0.9, *[0.001] * 199], 1.0))


def test_two_counts_are_told_apart():
    """What the column adds up to is less, by the probability of mere overlap."""
    noise = noise_of([0.7, 0.6, 0.5, 0.6, 0.6, *[0.005] * 195], -1.0, 0.2)
    shown = 3.0 * noise.probability_of_noise
    assert 0.95 < shown < 2.5
    said = f"adds up to about {round(shown)} wrong label"
    assert said in say_first(noise)
    assert "among them, or about 3 if classes do not overlap here." in say_first(noise)
    assert "about 3 wrong labels among them. Each" in say_first(noise, is_checked=False)


def test_nothing_is_pointed_at_where_nothing_stands_out():
    said = "The ranked list shows where to look first."
    even = say_labels(noise_of([0.001] * 50, -2.0), 0, 0.1)
    assert even == f"Of 50 labels, none is suspect: there is no clear sign of wrong labels. {said}"
    assert say_first(noise_of([0.1] * 50, 1.0)) == said
    quiet = noise_of([0.02, *[1e-4] * 99], 1.0)
    assert say_first(replace(quiet, gain=-3.0)) == said
