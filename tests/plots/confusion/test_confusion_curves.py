import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

mpl.use("Agg")
import matplotlib.pyplot as plt

import itemcurve as ic
from itemcurve.errors import EvaluationError


@pytest.fixture(scope="module")
def fitted():
    return ic.fit(ic.simulate("3pl", respondents=200, items=30, seed=2).responses, "3pl")


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def test_there_is_a_panel_per_cell_with_a_curve_per_item(fitted):
    y = np.arange(30) % 2
    view = ic.confusion(fitted, y, {"a": y ^ (np.arange(30) < 5), "b": y})
    panels = ic.plots.confusion_curves(view, "a")
    counts = view.frame().query("respondent == 'a'")["items"].tolist()
    # Each panel has its items, the mean curve and the line at the ability.
    assert [len(panel.lines) for panel in panels] == [count + 2 for count in counts]
    assert [panel.get_title(loc="left")[:2] for panel in panels] == ["TP", "FP", "FN", "TN"]


def test_many_curves_of_a_cell_are_one_band():
    """Lines that hide each other tell nothing; their middle does, and the mean stays."""
    fitted = ic.fit(ic.simulate("2pl", respondents=100, items=60, seed=3).responses, "2pl")
    y = np.arange(60) % 2
    panel = ic.plots.confusion_curves(ic.confusion(fitted, y, y))[0]
    assert len(panel.lines) == 2
    assert len(panel.collections) == 1
    assert "middle 80 %" in panel.figure.get_suptitle()


def test_empty_cells_say_so_and_unknown_classifiers_are_refused(fitted):
    y = np.arange(30) % 2
    view = ic.confusion(fitted, y, y)
    panels = ic.plots.confusion_curves(view)
    assert "no item" in panels[1].texts[0].get_text()
    with pytest.raises(EvaluationError, match="classifier must be one"):
        ic.plots.confusion_curves(view, "nobody")


@pytest.mark.parametrize(("classes", "panels"), [(3, 9), (6, 12)])
def test_many_classes_make_a_grid(fitted, classes, panels):
    y = np.arange(30) % classes
    view = ic.confusion(fitted, y, np.roll(y, 1))
    assert len(ic.plots.confusion_curves(view)) == panels


def test_given_axes_are_used(fitted):
    y = np.arange(30) % 2
    axes = plt.subplots(2, 2)[1].ravel()
    assert ic.plots.confusion_curves(ic.confusion(fitted, y, y), ax=axes)[0] is axes[0]
    single = plt.subplots()[1]
    assert ic.plots.item_parameters(fitted, ax=single) is single


def test_item_pictures_tell_classes_apart(fitted):
    summary = ic.summarise_items(fitted, ["x", "y", "z"] * 10)
    ax = ic.plots.item_parameters(summary)
    shown = [text.get_text() for text in ax.get_legend().get_texts()]
    assert shown[:3] == ["x (10)", "y (10)", "z (10)"]
    panels = ic.plots.item_histograms(summary)
    assert [panel.get_xlabel() for panel in panels] == ["discrimination", "difficulty", "guessing"]
    heights = sum(patch.get_height() for patch in panels[0].patches)
    assert heights == 30


def test_the_map_of_tests_shows_every_pair():
    table = pd.DataFrame(np.random.default_rng(0).random((8, 4)), columns=list("abcd"))
    ax = ic.plots.metric_tests(ic.metrics.compare_metrics(table))
    # The note below the title is a text too.
    assert len(ax.texts) == 12 + 1
