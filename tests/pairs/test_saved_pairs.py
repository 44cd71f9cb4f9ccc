"""What is saved comes back; what is damaged is refused."""

import json

import numpy as np
import pandas
import pytest

import itemcurve as ic
from itemcurve.errors import StorageError
from itemcurve.storage.run_folder import read_run, update_run


@pytest.fixture(scope="module")
def fit():
    drawn = ic.pairs.simulate_votes(
        respondents=6, votes=1500, judges=3, order=0.4, items=100, length=0.4, seed=8
    )
    return ic.fit_pairs(drawn.frame(), style="length", judges="own", items="own", prior=3.0)


def test_a_fit_comes_back_as_it_was(fit, tmp_path):
    fit.save(tmp_path / "run")
    again = ic.pairs.load_pairs(tmp_path / "run")
    for table in ("frame", "effects", "judges", "items"):
        pandas.testing.assert_frame_equal(getattr(fit, table)(), getattr(again, table)())
    assert (again.settings, again.notes, again.summary()) == (
        fit.settings,
        fit.notes,
        fit.summary(),
    )


def test_a_fit_with_clean_records_and_pieces_comes_back(tmp_path):
    rows = [("top", "m", "a")] * 4 + [("m", "n", "a"), ("n", "m", "a")] * 3 + [("p", "q", "a")] * 2
    votes = pandas.DataFrame(rows, columns=["model_a", "model_b", "winner"])
    fit = ic.fit_pairs(votes, pieces="largest", on_failure="ignore")
    fit.save(tmp_path / "run")
    again = ic.pairs.load_pairs(tmp_path / "run")
    pandas.testing.assert_frame_equal(fit.frame(), again.frame())


def test_the_leaderboard_is_kept_as_a_table(fit, tmp_path):
    fit.save(tmp_path / "run")
    document = json.loads((tmp_path / "run" / "leaderboard.json").read_text("utf-8"))
    assert document["columns"][1]["cells"] == list(fit.board.respondents)


@pytest.mark.parametrize(
    "damage",
    [
        lambda document, arrays: document.update(format="other"),
        lambda document, arrays: document.update(status="FINE"),
        lambda document, arrays: document["settings"].update(ties="maybe"),
        lambda document, arrays: document.pop("numbers"),
        lambda document, arrays: arrays.update(first=arrays["first"] + 90),
        lambda document, arrays: arrays.update(outcomes=arrays["outcomes"][:-1]),
        lambda document, arrays: arrays.update(estimate_theta=np.zeros(3)),
        lambda document, arrays: arrays.pop("respondents"),
    ],
)
def test_a_strangers_folder_is_refused_not_trusted(fit, tmp_path, damage):
    fit.save(tmp_path / "run")
    run = read_run(tmp_path / "run")
    document, arrays = run.document("pairs"), run.arrays("pairs")
    damage(document, arrays)
    update_run(tmp_path / "run", {"pairs": document}, {"pairs": arrays})
    with pytest.raises(StorageError):
        ic.pairs.load_pairs(tmp_path / "run")
