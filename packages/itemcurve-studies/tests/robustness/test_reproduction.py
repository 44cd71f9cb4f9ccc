"""The study on robustness: its data, and one small run."""

import numpy as np
import pytest

from itemcurve.evaluation.pools.random_pools import random_pool
from itemcurve_studies.robustness.calibration_pool import calibration_pool
from itemcurve_studies.robustness.data import QUICK_SETS, SETS, load_set
from itemcurve_studies.robustness.experiment import choose_size
from itemcurve_studies.robustness.planar_shapes import build_shapes, distance_to_other_class
from itemcurve_studies.robustness.reproduction import reproduce_robustness


def test_distances_to_the_other_class_are_those_by_hand():
    X = np.array([[0.0], [1.0], [4.0], [6.0], [7.0], [9.0]])
    found = distance_to_other_class(np.vstack([X, X + 100]), np.repeat([0, 1], 6))
    assert found[0] == pytest.approx(np.mean([100, 101, 104, 106, 107]))
    assert set(build_shapes(20)) == {"moons", "circles", "linear"}


def test_the_quick_pool_leaves_out_what_is_slow():
    assert len(calibration_pool(3, 10, is_quick=True)) == 27
    assert len(calibration_pool(20, 10)) == 200


def test_boosting_keeps_the_rounds_and_attributes_drawn():
    drawn = dict(random_pool(50))
    found = dict(calibration_pool(5, 16))
    for name in (f"Gradient boosting {seed}" for seed in range(5)):
        assert found[name].max_iter == drawn[name].n_estimators
        share = {"sqrt": 0.25, "log2": 0.25, None: 1.0}[drawn[name].max_features]
        assert found[name].max_features == share


def test_the_size_of_the_study_is_said_in_words():
    assert choose_size(0, 20, quick=False).describe() == (
        "all rows of each data set, difficulty from 200 classifiers"
    )
    assert choose_size(None, None, quick=True).describe() == (
        "at most 1,000 rows of each data set (500 of wide ones), difficulty from 27 classifiers"
    )


def test_data_sets_are_marked_and_sampled(shared_data):
    assert sum(one.status == "complete" for one in SETS) == 18
    assert set(QUICK_SETS) <= {one.name for one in SETS if one.status == "complete"}
    nursery = load_set(shared_data, SETS[0], 1_000)
    assert len(nursery.y) == 1_000
    assert nursery.rows == 12_960
    assert nursery.complexity == pytest.approx(9 * 5 / 12_960)
    wide = load_set(shared_data, SETS[-1], 1_000)
    assert (len(wide.y), wide.rows) == (500, 1_080)


@pytest.mark.slow
def test_the_quick_study_judges_every_claim(shared_data, tmp_path):
    lines = []
    found = reproduce_robustness(
        shared_data, seeds=1, quick=True, report=lines.append, work=tmp_path
    )
    claims = found.tables["claims"].set_index("claim")
    assert claims.index.tolist() == [f"R{number}" for number in range(1, 20)]
    assert claims.loc["R17", "verdict"] == "holds"
    assert len(found.tables["table_3"]) > 6
    assert any("min left" in line for line in lines)
    found.save(tmp_path / "out")
    assert (tmp_path / "out" / "figure_8_taxonomy.png").exists()
