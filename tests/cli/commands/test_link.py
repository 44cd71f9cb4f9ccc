"""`itemcurve link`: text, JSON, one leaderboard, and what is refused."""

import json

import numpy as np
import pandas
import pytest

import itemcurve as ic


@pytest.fixture(scope="module")
def years(tmp_path_factory):
    """Runs of two years: this year's models are abler by one, and q02 has leaked."""
    place = tmp_path_factory.mktemp("link")
    rng = np.random.default_rng(2)
    slope, difficulty = np.exp(0.3 * rng.normal(size=30)), rng.normal(size=30)
    for year, asked in ((0, np.arange(20)), (1, np.arange(10, 30))):
        ability = rng.normal(size=400) + year
        own = difficulty - 2.5 * year * (np.arange(30) == 12)
        chance = 1 / (1 + np.exp(-slope[asked] * (ability[:, None] - own[asked])))
        answers = (rng.random(chance.shape) < chance).astype(float)
        names = [f"q{k:02d}" for k in asked]
        models = [f"y{year}_{k:03d}" for k in range(400)]
        ic.fit(ic.Responses.from_array(answers, models, names), "2pl").save(place / f"y{year}")
    ic.fit(ic.simulate("2pl", respondents=60, items=8, seed=1).responses).save(place / "foreign")
    return place


def test_the_item_that_drifted_is_named_and_both_years_are_ranked(command, years):
    files = ("--out", years / "board.csv", "--picture", years / "link.png")
    found = command("link", years / "y0", years / "y1", *files)
    assert (found.code, found.err) == (0, "")
    assert "by 10 common items (stocking-lord). 1 drifted: q12." in found.out
    assert "Items that drifted" in found.out
    assert (years / "link.png").stat().st_size > 5_000
    board = pandas.read_csv(years / "board.csv")
    assert len(board) == 800
    means = board.groupby("calibration")["ability"].mean()
    assert means["other"] - means["base"] == pytest.approx(1.0, abs=0.35)
    assert board["ability"].is_monotonic_decreasing


def test_json_without_the_item_that_drifted(command, years):
    asked = ("link", years / "y0", years / "y1", "--leave-out", "q12", "--method", "haebara")
    found = json.loads(command(*asked, "--json").out)
    assert found["method"] == "haebara"
    assert len(found["items"]) == 9
    assert not any(row["drifted"] for row in found["items"])
    assert found["shift"] == pytest.approx(1.0, abs=0.25)
    assert len(found["leaderboard"]) == 800


def test_runs_without_common_items_and_foreign_items_are_refused(command, years):
    found = command("link", years / "y0", years / "foreign")
    assert found.code == 2
    assert "common" in found.err
    found = command("link", years / "y0", years / "y1", "--leave-out", "q29")
    assert found.code == 2
    assert "'q29' is none of the 10 in both runs" in found.err


def test_a_run_is_not_linked_with_itself(command, years):
    found = command("link", years / "y0", years / "y0")
    assert found.code == 2
    assert "between two runs" in found.err
