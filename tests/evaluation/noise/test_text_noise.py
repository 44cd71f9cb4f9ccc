"""Noise in texts: how much of it there is, and that whole evaluations take it."""

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

import itemcurve as ic
from itemcurve.errors import EvaluationError
from itemcurve.evaluation.noise.text_noise import TextNoise


def perturb(text, level, kind, seed=0):
    texts = np.array([text], dtype=object)
    return TextNoise(level, kind)(texts, texts, np.random.default_rng(seed))[0]


def test_as_many_letters_change_as_the_level_says():
    text = "abcdefghij " * 500
    noisy = perturb(text, 0.1, "replace")
    assert len(noisy) == len(text)
    changed = np.mean([a != b for a, b in zip(text, noisy, strict=True) if a != " "])
    assert changed == pytest.approx(0.1, abs=3 * np.sqrt(0.09 / 5_000))
    assert all(b == " " for a, b in zip(text, noisy, strict=True) if a == " ")


def test_each_kind_does_what_its_name_says():
    assert perturb("Ab c", 1.0, "case") == "aB C"
    assert perturb("three little words", 1.0, "words") == ""
    kept = perturb("word " * 1_000, 0.3, "words").split()
    assert len(kept) == pytest.approx(700, abs=50)
    assert set(kept) == {"word"}
    assert perturb("1, 2; 3!", 1.0, "typos") == "1, 2; 3!"
    noisy = perturb("abcdefghij" * 300, 0.2, "typos")
    # Dropping and doubling even out.
    assert abs(len(noisy) - 3_000) < 100
    assert noisy != "abcdefghij" * 300


def test_noise_hurts_a_classifier_of_words_more_the_more_there_is():
    rng = np.random.default_rng(0)
    words = {0: ["tree", "leaf", "river"], 1: ["screen", "cable", "socket"]}
    y = np.arange(60) % 2
    texts = [" ".join(rng.choice(words[label], 4)) for label in y]
    model = {"words": make_pipeline(CountVectorizer(), MultinomialNB())}
    hard = np.arange(60.0)
    moved = []
    for level in (0.0, 0.2, 0.9):
        curves = ic.robustness.system_curves(
            model, texts, y, difficulty=hard, noise=TextNoise(level), bins=2, cv=3
        )
        moved.append(float((curves.clean != curves.noisy).mean()))
    assert moved[0] == 0
    assert moved[0] <= moved[1] < moved[2]


def test_wrong_settings_and_tables_are_refused():
    with pytest.raises(EvaluationError, match="from 0 to 1"):
        TextNoise(1.5)
    with pytest.raises(EvaluationError, match="one text per row"):
        TextNoise()(np.ones((2, 2)), None, np.random.default_rng(0))
