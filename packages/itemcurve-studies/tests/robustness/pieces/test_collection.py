"""Pieces side by side and within a time limit."""

import pytest

from itemcurve_studies.robustness import experiment
from itemcurve_studies.robustness.pieces import collection, trainings
from itemcurve_studies.robustness.size import Size

SIZE = Size(None, 1, is_quick=True)


@pytest.fixture
def folder(loaded, data, monkeypatch):
    """Give a folder with the data of `toy`, the only data set there is."""
    monkeypatch.setattr(collection, "SETS", (loaded.source,))
    return data


@pytest.mark.slow
def test_pieces_are_trained_side_by_side_and_once(loaded, folder, monkeypatch, capsys):
    every = len(trainings.list_pieces(SIZE))
    assert collection.train_pieces(folder, SIZE, folder / "work", 2, minutes=0) == every
    assert "time is over" in capsys.readouterr().out
    assert collection.train_pieces(folder, SIZE, folder / "work", 2, minutes=None) == 0
    assert not list(collection.list_missing(folder, SIZE, folder / "work"))
    monkeypatch.setattr(trainings, "_train", None)
    found = experiment.measure_set(loaded, SIZE, folder / "work")
    assert len(found.curves.respondents) == 8


def test_only_the_data_sets_named_are_trained_on(folder):
    work = folder / "work"
    assert not list(collection.list_missing(folder, SIZE, work, ["vowel"]))
    named = list(collection.list_missing(folder, SIZE, work, ["toy"]))
    assert named == list(collection.list_missing(folder, SIZE, work))
    assert len(named) == len(trainings.list_pieces(SIZE))
