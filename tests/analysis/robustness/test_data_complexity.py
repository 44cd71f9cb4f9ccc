"""Complexity of data sets, by hand and as published."""

import pytest

import itemcurve as ic
from itemcurve.errors import EvaluationError


def test_complexity_counts_the_class_column_as_an_attribute():
    assert ic.robustness.data_complexity(100, 5, 4) == pytest.approx(0.2)
    with pytest.raises(EvaluationError):
        ic.robustness.data_complexity(0, 5, 4)


PUBLISHED = {
    "nursery": 0,
    "wall-robot-navigation": 0,
    "page-blocks": 0.01,
    "letter": 0.02,
    "waveform-5000": 0.02,
    "spambase": 0.03,
    "satimage": 0.03,
    "mfeat-morphological": 0.03,
    "analcatdata_dmft": 0.04,
    "segment": 0.06,
    "yeast": 0.06,
    "texture": 0.08,
    "optdigits": 0.12,
    "vowel": 0.14,
    "mfeat-zernike": 0.24,
    "mfeat-karhunen": 0.32,
    "mfeat-fourier": 0.38,
    "cnae-9": 7.14,
}


def test_complexities_of_the_complete_data_sets_are_those_published(shared_data):
    import pandas

    for name, published in PUBLISHED.items():
        table = pandas.read_csv(shared_data / "data" / "table1" / f"{name}.csv.gz")
        found = ic.robustness.data_complexity(*table.shape, table["target"].nunique())
        assert found == pytest.approx(published, abs=0.005 + 1e-9), name
