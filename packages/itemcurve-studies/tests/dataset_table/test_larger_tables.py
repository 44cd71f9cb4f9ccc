"""More rows against the table of 2,000."""

import numpy as np

from itemcurve.datasets.dataset_table import load_dataset_table
from itemcurve_studies.dataset_table import collection
from itemcurve_studies.dataset_table.classifier_settings import list_settings
from itemcurve_studies.dataset_table.larger_tables import compare_rows


def test_the_same_measurements_differ_by_nothing_and_more_rows_by_their_gain(
    data_folder, tmp_path, monkeypatch
):
    names = ("knn-1", "tree-1", "bayes-1", "LR")
    settings = [s for s in list_settings() if s.name in names]
    monkeypatch.setattr(collection, "list_settings", lambda: settings)
    monkeypatch.setattr(collection, "SPLITS", 1)
    collection.collect(tmp_path / "shards", data_folder)
    collection.pack(tmp_path / "shards", tmp_path / "table.npz")
    table = load_dataset_table(tmp_path / "table.npz")
    same = compare_rows(tmp_path / "shards" / collection.fingerprint(settings), table)
    assert np.abs(same["change"]).max() < 1e-6
    assert (same["data_sets"] == 2).all()
    np.testing.assert_allclose(same["means"], 1.0)

    collection.collect(tmp_path / "shards", data_folder, rows=30, largest=1)
    fewer = compare_rows(tmp_path / "shards" / collection.fingerprint(settings, 30), table)
    assert (fewer["data_sets"] == 1).all()
    assert fewer["sd"].max() > 0
