import numpy as np
import pandas as pd
import pytest

from itemcurve.datasets.dataset_table import load_dataset_table
from itemcurve_studies.dataset_table import collection as dataset_table
from itemcurve_studies.dataset_table.classifier_settings import list_settings
from itemcurve_studies.dataset_table.performance_measures import MEASURES, measure_performance
from itemcurve_studies.dataset_table.source_tables import read_table, read_tables, split_table


@pytest.fixture
def data_folder(tmp_path):
    """Two small data sets: text, numbers, missing cells, three classes and a rare one."""
    rng = np.random.default_rng(0)
    for name, rows in (("small", 40), ("large", 90)):
        classes = np.repeat(["a", "b", "c"], rows // 3)
        frame = pd.DataFrame(
            {
                "number": rng.normal(size=classes.size) + (classes == "a"),
                "text": rng.choice(["x", "y", None], size=classes.size),
                "target": classes,
            }
        )
        frame.loc[3, "number"] = np.nan
        rare = pd.DataFrame({"number": [0.0], "text": ["x"], "target": ["rare"]})
        folder = tmp_path / "data" / "pmlb"
        folder.mkdir(parents=True, exist_ok=True)
        pd.concat([frame, rare]).to_csv(folder / f"{name}.csv.gz", index=False)
    return tmp_path / "data"


@pytest.mark.parametrize("classes", [2, 4])
def test_measures_agree_with_scikit_learn(classes):
    from sklearn import metrics

    rng = np.random.default_rng(classes)
    y = np.arange(60) % classes
    proba = rng.dirichlet(np.ones(classes), size=60)
    found = dict(zip(MEASURES, measure_performance(y, proba), strict=True))
    hard = proba.argmax(axis=1)
    each = [metrics.accuracy_score(y == k, hard == k) for k in range(classes)]
    assert found["accuracy"] == pytest.approx(metrics.accuracy_score(y, hard))
    assert found["brier"] == pytest.approx(
        1 - ((proba - np.eye(classes)[y]) ** 2).sum(axis=1).mean() / 2
    )
    assert found["log_loss"] == pytest.approx(np.exp(-metrics.log_loss(y, proba)))
    assert found["weighted_accuracy"] == pytest.approx(
        np.average(each, weights=np.bincount(y) / y.size)
    )
    ranks = proba if classes > 2 else proba[:, 1]
    assert found["auc"] == pytest.approx(
        metrics.roc_auc_score(y, ranks, multi_class="ovr", average="weighted")
    )
    assert found["f1"] == pytest.approx(metrics.f1_score(y, hard, average="weighted"))


def test_there_are_nine_algorithms_in_eight_settings_and_five_held_out():
    settings = list_settings()
    pool = [s.algorithm for s in settings if s.group == "pool"]
    assert len(settings) == 77
    assert [pool.count(name) for name in dict.fromkeys(pool)] == [8] * 9
    assert len({s.name for s in settings}) == 77
    assert len({repr(s.build(0)) for s in settings}) == 77


def test_halves_are_even_within_classes_and_standardised(data_folder):
    halves = split_table(read_table(data_folder / "pmlb" / "large.csv.gz"), seed=1)
    assert np.bincount(halves.train_classes).tolist() == [15, 15, 15]
    assert np.bincount(halves.test_classes).tolist() == [15, 15, 15]
    assert np.isfinite(halves.test).all()
    np.testing.assert_allclose(halves.train.mean(axis=0), 0, atol=1e-12)


def test_a_class_too_rare_for_both_halves_is_left_out(data_folder):
    tables = read_tables(data_folder)
    assert [table.name for table in tables] == ["small", "large"]
    assert [int(table.classes.max()) for table in tables] == [2, 2]


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
