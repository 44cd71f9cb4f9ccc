"""`itemcurve taxonomy`: several runs of robustness in, groups of models out."""

import json

import pandas
import pytest
from sklearn.datasets import make_circles, make_moons

from itemcurve.analysis.robustness.kappa_losses import kappa_losses
from itemcurve.analysis.robustness.saved_curves import read_saved_curves
from itemcurve.evaluation.difficulty.table_robustness import measure_table_robustness

SMALL = {"models": "random:4", "pool": "random:10", "cv": 2, "bins": 2}


@pytest.mark.slow
def test_groups_over_several_tables_are_those_of_the_library(command, tmp_path):
    runs, curves = [], []
    for name, make in (("moons", make_moons), ("circles", make_circles)):
        X, y = make(80, noise=0.3, random_state=0)
        table = tmp_path / f"{name}.csv"
        pandas.DataFrame(X, columns=["x", "y"]).assign(target=y).to_csv(table, index=False)
        options = [text for key, value in SMALL.items() for text in (f"--{key}", value)]
        runs.append(tmp_path / name)
        done = command("robustness", table, *options, "--jobs", 1, "--out", runs[-1])
        assert done.code == 0, done.err
        curves.append(measure_table_robustness(table, **SMALL)[1])
    expected = kappa_losses(curves)
    found = kappa_losses([read_saved_curves(run) for run in runs])
    pandas.testing.assert_frame_equal(found, expected)
    out = tmp_path / "out"
    done = command("taxonomy", *runs, "--clusters", 2, "--out", out)
    assert done.code == 0, done.err
    assert "Groups of models over 2 data sets" in done.out
    assert {"taxonomy.csv", "profiles.csv", "kappa_losses.csv", "taxonomy.png"} <= {
        path.name for path in out.iterdir()
    }
    printed = json.loads(command("taxonomy", *runs, "--json").out)
    assert printed["runs"] == ["moons", "circles"]


def test_other_runs_are_refused_with_how_to_make_one(command, tmp_path):
    done = command("taxonomy", tmp_path)
    assert done.code == 2
    assert "itemcurve robustness data.csv --out" in done.err
