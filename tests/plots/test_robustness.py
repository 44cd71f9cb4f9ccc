"""Pictures of robustness: curves, dendrogram, losses."""

from dataclasses import replace

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.analysis.robustness.system_curves import SystemCurves
from itemcurve.errors import EvaluationError
from itemcurve.plots.robustness.changed_predictions import save_changed_predictions
from itemcurve.plots.robustness.system_curves import save_system_curves


@pytest.fixture
def curves():
    rng = np.random.default_rng(0)
    drops = rng.uniform(0, 0.1, size=(5, 4, 3))
    kappa = 1 - np.cumsum(drops * np.array([0, 1, 1]), axis=2)
    return SystemCurves(
        "data",
        tuple(f"model {n}" for n in range(5)),
        np.array([-2.0, -1.0, 0.0, 2.0]),
        (0.0, 0.2, 0.4),
        kappa,
        kappa - 0.05,
        np.minimum(kappa + 0.05, 1),
        0.9,
        ("a", "b"),
        np.zeros(8, int),
        np.tile([0, 1], (5, 4)),
        np.tile([0, 1], (5, 4)),
        np.repeat(np.arange(4), 2),
        np.tile([0, 1], 4),
        0.1,
    )


def test_each_model_has_a_panel_with_a_line_per_share(curves):
    panels = ic.plots.system_curves(curves)
    assert len(panels) == 5
    assert [len(panel.lines) for panel in panels] == [3] * 5
    np.testing.assert_allclose(panels[1].lines[2].get_ydata(), curves.kappa[1, :, 2])
    assert len(ic.plots.system_curves([curves, curves], ["model 2"])) == 2


def test_bins_in_which_kappa_cannot_be_read_have_open_circles_and_no_line(curves):
    clean = curves.clean.copy()
    clean[2, :2] = 0
    doubtful = replace(curves, clean=clean)
    panels = ic.plots.system_curves(doubtful, ["model 2", "model 3"])
    line, circles = panels[0].lines[4].get_ydata(), panels[0].lines[5].get_ydata()
    np.testing.assert_array_equal(np.isnan(line), [True, False, False, False])
    np.testing.assert_array_equal(np.isnan(circles), [False, True, True, True])
    key = [text.get_text() for text in panels[1].get_legend().get_texts()]
    assert key[-1] == "κ cannot\nbe read"


def test_changed_predictions_are_drawn_with_their_verdict(curves, tmp_path):
    noisy = curves.noisy.copy()
    noisy[1, 6] = 1
    clean = curves.clean.copy()
    clean[4], noisy[4] = 0, 0
    moved = replace(curves, noisy=noisy, clean=clean)
    panels = ic.plots.changed_predictions(moved)
    assert len(panels) == 5
    np.testing.assert_array_equal(panels[1].lines[0].get_ydata(), [0, 0, 0, 0.5])
    assert [text.get_text() for text in panels[1].texts] == ["weak to difficulty ?"]
    assert [text.get_text() for text in panels[4].texts] == ["constant"]
    assert len(ic.plots.changed_predictions(moved, ["model 1"])) == 1
    with pytest.raises(EvaluationError, match="nobody"):
        ic.plots.changed_predictions(moved, ["nobody"])
    names = [path.name for path in save_changed_predictions(moved, tmp_path)]
    assert names == ["changed_predictions-01.png"]


def test_models_that_are_not_there_are_refused(curves):
    with pytest.raises(EvaluationError):
        ic.plots.system_curves(curves, ["nobody"])
    with pytest.raises(EvaluationError):
        ic.plots.system_curves([curves] * 6)


def test_pages_are_written(curves, tmp_path):
    assert [path.name for path in save_system_curves(curves, tmp_path)] == ["system_curves-01.png"]
    assert (tmp_path / "system_curves-01.png").stat().st_size > 1_000


def test_the_dendrogram_names_everybody_and_marks_prototypes(curves):
    tree = ic.robustness.taxonomy(ic.robustness.kappa_profiles(curves), 2)
    ax = ic.plots.taxonomy(tree)
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert {name.removesuffix(" ★") for name in names} == set(curves.respondents)
    assert sum(name.endswith("★") for name in names) == 2


def test_losses_are_points_in_a_plane(curves):
    profile = ic.robustness.kappa_profiles(curves)
    ax = ic.plots.kappa_losses(profile, ic.robustness.taxonomy(profile, 2))
    assert sum(len(part.get_offsets()) for part in ax.collections) == 5
    assert len(ic.plots.kappa_losses(curves).collections) == 1


def test_class_makeup_fills_a_bar_per_data_set_and_per_bin(curves):
    ax = ic.plots.class_makeup([curves, curves])
    widths = [bar.get_width() for bar in ax.patches]
    assert sum(widths) == pytest.approx(2)
    (panel,) = ic.plots.bin_makeup(curves)
    assert sum(bar.get_height() for bar in panel.patches) == pytest.approx(curves.n_bins)
    assert len(ic.plots.bin_makeup([curves] * 5)) == 5


def test_difficulties_are_drawn_from_the_easiest_data_set_up():
    ax = ic.plots.difficulty_spread({"hard": [1.0, 2.0, 9.0], "easy": [-2.0, -1.0, 0.0]})
    assert [label.get_text() for label in ax.get_yticklabels()] == ["easy", "hard"]
    assert ax.get_xlim() == (-6, 6)
    with pytest.raises(EvaluationError):
        ic.plots.difficulty_spread({"one": [1.0]})
    with pytest.raises(EvaluationError):
        ic.plots.difficulty_spread({})
