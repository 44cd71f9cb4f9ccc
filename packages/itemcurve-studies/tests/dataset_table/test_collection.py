"""Collecting resumes, and failures are kept with their reason."""

import numpy as np
import pytest

from itemcurve.datasets.dataset_table import load_dataset_table
from itemcurve_studies.dataset_table import collection as dataset_table
from itemcurve_studies.dataset_table.classifier_settings import list_settings
from itemcurve_studies.dataset_table.source_tables import read_table


def test_collecting_resumes_and_packs_what_is_finished(data_folder, tmp_path, monkeypatch):
    settings = [s for s in list_settings() if s.name in ("knn-1", "tree-1", "LR")]
    monkeypatch.setattr(dataset_table, "list_settings", lambda: settings)
    monkeypatch.setattr(dataset_table, "SPLITS", 2)
    shards = tmp_path / "shards"
    dataset_table.collect(shards, data_folder)
    files = sorted(shards.glob("*/*/*.npz"))
    assert len(files) == 4
    first, times = files[0].read_bytes(), [file.stat().st_mtime_ns for file in files[1:]]
    files[0].unlink()
    dataset_table.collect(shards, data_folder)
    assert [file.stat().st_mtime_ns for file in files[1:]] == times
    assert len(files[0].read_bytes()) == pytest.approx(len(first), rel=0.05)
    dataset_table.pack(shards, tmp_path / "table.npz")
    table = load_dataset_table(tmp_path / "table.npz")
    assert table.values.shape == (6, 3, 2, 2)
    assert table.complete_splits == (0, 1)
    assert table.responses("accuracy", "pool").respondents == ("knn-1", "tree-1")
    assert len(table.frame()) == 12


def test_a_classifier_that_fails_is_missing_with_its_reason(data_folder):
    class Broken:
        def fit(self, X, y):
            raise RuntimeError("no luck")

    setting = dataset_table.Setting("broken", "broken", "pool", lambda seed: Broken())
    table = read_table(data_folder / "pmlb" / "small.csv.gz")
    shard = dataset_table.measure_table(table, 0, [setting])
    assert np.isnan(shard["values"]).all()
    assert shard["reasons"].tolist() == ["RuntimeError: no luck"]


def test_processor_time_is_limited():
    with pytest.raises(TimeoutError, match="processor seconds"):
        _work_forever(0.05)


def _work_forever(seconds):
    with dataset_table.limit_processor_time(seconds):
        while True:
            pass
