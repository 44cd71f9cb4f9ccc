"""The polynomial with noise."""

import numpy as np

from itemcurve_studies.gamma import polynomial as gamma_polynomial
from itemcurve_studies.gamma.polynomial import run_polynomial


def test_a_finished_data_set_is_read_back(tmp_path, monkeypatch):
    monkeypatch.setattr(gamma_polynomial, "SIGMAS", np.array([0.0, 0.5]))
    first = run_polynomial(1, lambda line: None, tmp_path)
    monkeypatch.setattr(gamma_polynomial, "predict_all", None)
    again = run_polynomial(1, lambda line: None, tmp_path)
    assert (again.abilities == first.abilities).all()
