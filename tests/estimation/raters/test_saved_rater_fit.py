"""Fits of ratings on disk."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import StorageError
from itemcurve.estimation.saving.saved_fit import load
from itemcurve.judges import Raters, load_rater_fit, simulate_ratings
from itemcurve.storage.run_folder import read_run, update_run


@pytest.fixture(scope="module")
def fit():
    drawn = simulate_ratings(respondents=6, items=30, raters=3, seed=1)
    return ic.fit(drawn.ratings, "grm", raters=Raters(families=drawn.families))


def test_a_fit_comes_back_as_it_was(fit, tmp_path):
    fit.save(tmp_path / "run")
    again = load_rater_fit(tmp_path / "run")
    assert again.settings == fit.settings
    for name in ("respondents", "items", "raters", "thresholds"):
        np.testing.assert_array_equal(
            getattr(again, name).to_numpy(), getattr(fit, name).to_numpy()
        )
    np.testing.assert_array_equal(again.predict(fit.ratings), fit.predict(fit.ratings))


def test_the_other_reader_says_where_to_go(fit, tmp_path):
    fit.save(tmp_path / "run")
    with pytest.raises(StorageError, match=r"by raters. Read it with itemcurve.load"):
        load(tmp_path / "run")
    assert ic.load(tmp_path / "run").log_likelihood == fit.log_likelihood


@pytest.mark.parametrize(
    ("name", "spoil"),
    [
        ("vector", lambda a: a[:-1]),
        ("vector", lambda a: a * np.nan),
        ("grade", lambda a: a + 9),
        ("weight", lambda a: -a),
    ],
)
def test_a_spoilt_folder_is_refused(fit, tmp_path, name, spoil):
    fit.save(tmp_path / "run")
    arrays = dict(read_run(tmp_path / "run").arrays("rater_fit"))
    arrays[name] = spoil(arrays[name])
    update_run(tmp_path / "run", {}, {"rater_fit": arrays})
    with pytest.raises(StorageError):
        load_rater_fit(tmp_path / "run")
