"""Pieces side by side and within a time limit."""

import gzip

import pytest

from itemcurve_studies.robustness import experiment
from itemcurve_studies.robustness.pieces import collection, trainings
from itemcurve_studies.robustness.size import Size

SIZE = Size(None, 1, is_quick=True)


@pytest.mark.slow
def test_pieces_are_trained_side_by_side_and_once(loaded, tmp_path, monkeypatch, capsys):
    folder = tmp_path / "data" / "table1"
    folder.mkdir(parents=True)
    with gzip.open(folder / loaded.source.file, "wt") as file:
        loaded.X.assign(target=loaded.y).to_csv(file, index=False)
    monkeypatch.setattr(collection, "SETS", (loaded.source,))
    every = len(trainings.list_pieces(SIZE))
    assert collection.train_pieces(tmp_path, SIZE, tmp_path / "work", 2, minutes=0) == every
    assert "time is over" in capsys.readouterr().out
    assert collection.train_pieces(tmp_path, SIZE, tmp_path / "work", 2, minutes=None) == 0
    assert not list(collection.list_missing(tmp_path, SIZE, tmp_path / "work"))
    monkeypatch.setattr(trainings, "_train", None)
    found = experiment.measure_set(loaded, SIZE, tmp_path / "work")
    assert len(found.curves.respondents) == 8
