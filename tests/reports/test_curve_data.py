"""Curves of items of several formats: each on the range of its own responses."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.cli.main import run
from itemcurve.reports.curve_data import curve_data


@pytest.fixture(scope="module")
def fit() -> ic.FitResult:
    right = ic.simulate("2pl", respondents=120, items=4, seed=1).responses.array()
    grades = 1.0 + ic.simulate("grm", respondents=120, items=4, seed=1).responses.array()
    items = [f"mc_{k}" for k in range(4)] + [f"essay_{k}" for k in range(4)]
    table = ic.Responses.from_array(np.hstack([right, grades]).astype(float), items=items)
    return ic.fit(table, {"mc_*": "2pl", "essay_*": "grm"})


def test_right_and_wrong_beside_ratings_has_its_own_range(fit) -> None:
    scale = curve_data(fit, list(fit.responses.items)).layout["scale"]
    assert scale["lower"] == [0.0] * 4 + [1.0] * 4
    assert scale["upper"] == [1.0] * 4 + [5.0] * 4
    alike = curve_data(fit, ["mc_0", "mc_1"]).layout["scale"]
    assert (alike["lower"], alike["upper"]) == ([0.0], [1.0])


def test_what_was_found_of_several_formats_is_kept(fit, tmp_path, capsys) -> None:
    fit.save(tmp_path / "run")
    for _ in range(2):
        assert run(["findings", str(tmp_path / "run")]) == 0
        assert capsys.readouterr().err == ""
