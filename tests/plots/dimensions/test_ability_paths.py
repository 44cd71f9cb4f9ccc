"""Pictures of several abilities: everything named that is drawn, and the largest drawn first."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ModelError

SUBJECTS = {name: [f"{name}_*"] for name in ("algebra", "logic", "law")}


@pytest.fixture(scope="module")
def responses():
    rng = np.random.default_rng(0)
    general = rng.normal(size=300)
    abilities = 0.7 * general[:, None] + 0.7 * rng.normal(size=(300, 3))
    names = [f"{name}_{k}" for name in SUBJECTS for k in range(6)]
    predictor = abilities[:, np.arange(18) // 6] * rng.uniform(0.8, 2, 18)
    answers = (rng.random(predictor.shape) < 1 / (1 + np.exp(-predictor))).astype(float)
    return ic.Responses.from_array(answers, items=names)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"dimensions": SUBJECTS}, {"algebra", "logic", "law"}),
        ({"dimensions": SUBJECTS, "general": True}, {"general", "algebra", "logic", "law"}),
        ({"dimensions": SUBJECTS, "general": "above"}, {"general", "algebra", "logic", "law"}),
        ({"dimensions": 2}, {"ability_1", "ability_2"}),
    ],
)
def test_abilities_and_their_items_are_named(responses, settings, words):
    fit = ic.fit(responses, "2pl", **settings)
    ax = fit.plot("ability_paths")
    written = {text.get_text() for text in ax.texts}
    assert words | set(responses.items) <= written
    drawn = sum(bool(line.get_linestyle()) for line in ax.lines)
    assert drawn >= len(responses.items)
    if settings.get("general") == "above":
        loading = fit.second_order["loading"][0]
        assert f"{loading:.2f}" in written
    plt.close(ax.figure)


def test_loadings_are_written_where_they_are_free(responses):
    fit = ic.fit(responses, "2pl", dimensions=SUBJECTS)
    ax = fit.plot()
    assert len(ax.texts) - 1 == len(responses.items)
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["algebra", "logic", "law"]
    top = fit.loadings.set_index("item")["algebra"].idxmax()
    assert ax.get_yticklabels()[0].get_text() == top
    plt.close(ax.figure)


def test_of_many_items_those_with_large_loadings_are_drawn(responses):
    fit = ic.fit(responses, "2pl", dimensions=2)
    for draw in (ic.plots.loadings, ic.plots.ability_paths):
        ax = draw(fit, most=5)
        assert any("5 of 18 items" in text.get_text() for text in ax.texts)
        plt.close(ax.figure)


def test_one_ability_has_no_paths_and_other_names_are_refused(responses):
    one = ic.fit(responses, "2pl", dimensions=1)
    with pytest.raises(ModelError, match="several abilities"):
        one.plot("ability_paths")
    with pytest.raises(ModelError, match="loadings, ability_paths"):
        one.plot("wright_map")
