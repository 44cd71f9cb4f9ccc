"""What finished data sets say while the others are missing."""

import pandas
import pytest

from itemcurve_studies.robustness.pieces import finished_sets, trainings
from itemcurve_studies.robustness.size import Size
from itemcurve_studies.study.finished_parts import FinishedParts
from itemcurve_studies.study.second_verdicts import SecondVerdict

SIZE = Size(None, 1, is_quick=True)


@pytest.fixture
def folder(loaded, data, monkeypatch):
    """Give a folder with the data of `toy`, the only data set there is."""
    monkeypatch.setattr(finished_sets, "SETS", (loaded.source,))
    return data


def test_a_data_set_is_finished_when_its_last_piece_is_there(loaded, folder):
    parts = FinishedParts(folder / "work" / "parts")
    pieces = trainings.list_pieces(SIZE)
    for piece in pieces[1:]:
        parts.arrays(trainings.name_piece("toy", SIZE, piece), dict)
    assert not list(finished_sets.list_finished(folder, SIZE, folder / "work"))
    parts.arrays(trainings.name_piece("toy", SIZE, pieces[0]), dict)
    assert list(finished_sets.list_finished(folder, SIZE, folder / "work")) == [loaded.source]


@pytest.mark.slow
def test_finished_data_sets_are_put_together_and_kept(loaded, folder, monkeypatch):
    parts = FinishedParts(folder / "work" / "parts")
    assert not finished_sets.read_finished(folder, SIZE, folder / "work").sets
    for piece in trainings.list_pieces(SIZE):
        trainings.train_piece(loaded, SIZE, piece, parts)
    study = finished_sets.read_finished(folder, SIZE, folder / "work")
    assert [one.data.source.name for one in study.sets] == ["toy"]
    assert parts.has_arrays(SIZE.name_set("toy"))
    assert len(study.profiles["dand"].respondents) == 8


def test_claims_are_renewed_and_all_else_stays():
    columns = ["claim", "measured", "interval", "paper_measured", "paper_verdict"]
    rows = [["R1", "a", "old", "so far, 2", "not run"], ["R6", "b", "counts", "", "holds"]]
    claims = pandas.DataFrame(rows, columns=columns)
    found = [SecondVerdict("R1", "so far, 8", "not run", "0 to 1")]
    renewed = finished_sets.renew_claims(claims, found).to_numpy().tolist()
    assert renewed == [["R1", "a", "0 to 1", "so far, 8", "not run"], rows[1]]
