"""Pictures by name."""

import pytest

import itemcurve as ic
from itemcurve.errors import ModelError
from itemcurve.plots.drawing.named_pictures import OF_EVALUATIONS, OF_FITS

pytest.importorskip("matplotlib")


@pytest.fixture(scope="module", name="evaluation")
def random_pool(moons):
    pool = ic.pools.random_pool(8)
    return ic.evaluate_classifiers(pool, *moons, response="correct", model="1pl")


@pytest.fixture(autouse=True)
def _closed():
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


@pytest.mark.parametrize("kind", OF_EVALUATIONS)
def test_an_evaluation_has_every_picture(evaluation, kind):
    assert evaluation.plot(kind).figure is not None


@pytest.mark.parametrize("kind", OF_FITS)
def test_a_fit_has_every_picture(evaluation, kind):
    assert evaluation.fit.plot(kind).figure is not None


def test_a_fit_shows_abilities_and_items_on_one_scale(evaluation):
    import matplotlib.pyplot as plt

    own = plt.subplots()[1]
    assert evaluation.fit.plot(ax=own) is own


def test_names_that_are_nearly_right_are_told(evaluation):
    with pytest.raises(ModelError, match="Did you mean 'item_map'"):
        evaluation.plot("itemmap")
    with pytest.raises(ModelError, match="Pictures are called"):
        evaluation.fit.plot("leaderboard")
