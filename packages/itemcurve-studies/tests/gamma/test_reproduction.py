"""A small run of the whole study."""

import pytest

from itemcurve_studies.gamma.reproduction import reproduce_gamma


@pytest.mark.slow
def test_the_study_judges_every_claim(shared_data, tmp_path):
    found = reproduce_gamma(shared_data, seeds=2, report=lambda line: None, work=tmp_path / "work")
    assert found.tables["claims"]["claim"].tolist() == [f"G{k}" for k in range(1, 21)]
    found.save(tmp_path)
    assert (tmp_path / "figure_9_variation.png").exists()
