"""`itemcurve difficulty`: how hard rows are, and new rows."""

import json

import numpy as np
import pandas
import pytest
from scipy.stats import spearmanr

from itemcurve.evaluation.difficulty.table_difficulty import measure_table_difficulty

SMALL = ("--target", "label", "--pool", "random:10", "--cv", 2, "--jobs", 1)


def draw(rows, seed):
    """Two classes that meet at x = 0: what lies there is hard, by construction."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(-2, 2, rows)
    label = rng.uniform(size=rows) < 1 / (1 + np.exp(-4 * x))
    return pandas.DataFrame(
        {"x": x, "z": rng.normal(size=rows), "label": np.where(label, "u", "d")}
    )


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "data.csv"
    draw(150, 0).to_csv(path, index=False)
    return path


def test_new_rows_near_the_border_of_the_classes_are_the_hard_ones(command, table, tmp_path):
    new = draw(80, 1).drop(columns="label")
    new.to_csv(tmp_path / "new.csv", index=False)
    out = tmp_path / "run"
    done = command("difficulty", table, *SMALL, "--new", tmp_path / "new.csv", "--out", out)
    assert done.code == 0, done.err
    assert "Hardest rows" in done.out
    assert "New rows, 10 hardest of 80" in done.out
    assert f"itemcurve audit {table}" in done.out
    known = pandas.read_csv(out / "difficulty.csv")
    assert known["item"].tolist()[:2] == ["row_001", "row_002"]
    assert "What makes rows hard" in done.out
    explained = pandas.read_csv(out / "explained.csv").set_index(["feature", "class"])["effect"]
    assert explained["x", "u"] < 0 < explained["x", "d"]
    found = pandas.read_csv(out / "predicted.csv")
    assert found["row"].tolist() == list(range(1, 81))
    assert spearmanr(found["difficulty"], -new["x"].abs()).statistic > 0.6
    assert found["harder_than"].between(0, 1).all()
    assert (found["error"] > 0).all()
    assert (found["right_lower"] <= found["right"]).all()
    assert (found["right"] <= found["right_upper"]).all()
    assert spearmanr(found["right"], found["difficulty"]).statistic < -0.6
    assert "right answers" in done.out
    assert "tie as hardest" in done.out
    assert "features alone, which is all that a new row has" in done.out
    assert f"itemcurve findings {out}" in done.out


def test_errors_and_right_answers_of_new_rows_hold(tmp_path):
    known, new = draw(300, 2), draw(300, 3)
    found = measure_table_difficulty(known, "label", new=new, pool="random:12", cv=3)
    own = measure_table_difficulty(new, "label", pool="random:12", cv=3)
    told = found.new_frame()
    truth = own.difficulty.frame()["mean_response"].to_numpy()
    # Of the rows themselves, once they have a label and answers.
    assert told["right"].median() == pytest.approx(np.median(truth), abs=0.06)
    inside = (truth >= told["right_lower"] - 1e-9) & (truth <= told["right_upper"] + 1e-9)
    assert inside.mean() > 0.7
    misses = own.difficulty.values - told["difficulty"]
    assert np.sqrt(np.mean(misses**2)) == pytest.approx(
        np.sqrt(np.mean(told["error"] ** 2)), rel=0.3
    )


def test_json_holds_all_rows(command, table):
    printed = json.loads(command("difficulty", table, *SMALL, "--json").out)
    assert 0 < printed["explained"]["share_without_class"] < printed["explained"]["share"] <= 1
    assert printed["ties"]["difficulties"] <= 150
    assert {"difficulty", "check", "notes"} <= set(printed)
    assert "predicted" not in printed


def test_new_rows_without_the_features_are_refused_before_training(command, table, tmp_path):
    pandas.DataFrame({"x": [1.0]}).to_csv(tmp_path / "new.csv", index=False)
    done = command("difficulty", table, *SMALL, "--new", tmp_path / "new.csv")
    assert done.code == 2
    assert "1 of 2 columns are missing: 'z'" in done.err


def test_new_rows_that_a_person_should_see_are_named(command, table, tmp_path):
    pandas.DataFrame({"x": [0.0, 1.9, 0.05, -1.9], "z": 0.0}).to_csv(
        tmp_path / "new.csv", index=False
    )
    done = command("difficulty", table, *SMALL, "--new", tmp_path / "new.csv")
    assert done.code == 0, done.err
    told = next(line for line in done.out.splitlines() if line.startswith("Doubtful are "))
    named = set(told.split("first: ")[1].split(".")[0].split(", "))
    assert "1" in named
    assert not named & {"2", "4"}
    assert "differences smaller than the error are none" in done.out
    far = tmp_path / "far.csv"
    pandas.DataFrame({"x": [1.9, -1.9], "z": 0.0}).to_csv(far, index=False)
    assert "No new row is doubtful" in command("difficulty", table, *SMALL, "--new", far).out


def test_new_rows_that_are_not_there_are_said_to_be_missing(command, table, tmp_path):
    done = command("difficulty", table, *SMALL, "--new", tmp_path / "nothing.csv")
    assert done.code == 2
    assert "New rows (new, --new) must be in a file" in done.err
    assert "scikit-learn" not in done.err


def test_why_no_feature_stands_out_is_said_beside_it_with_what_is_needed(command, tmp_path):
    rng = np.random.default_rng(4)
    frame = pandas.DataFrame(rng.normal(size=(60, 3)), columns=list("abc"))
    frame["label"] = np.where(np.arange(60) < 10, "rare", "usual")
    path = tmp_path / "few.csv"
    frame.to_csv(path, index=False)
    done = command("difficulty", path, *SMALL)
    assert done.code == 0, done.err
    told = next(line for line in done.out.splitlines() if "beyond doubt" in line)
    assert told.startswith("No feature by itself makes rows harder")
    assert "each class needs 20, 'rare' has 10" in told
    assert done.out.count("Too few rows for slopes by class") == 1


def test_more_rows_that_tie_than_are_listed_are_told_in_the_title(command, table):
    done = command("difficulty", table, *SMALL)
    assert "Easiest rows, 5 of " in done.out


def test_rows_without_a_label_keep_the_numbers_of_the_file(tmp_path):
    frame = draw(60, 0)
    frame.loc[1, "label"] = None
    found = measure_table_difficulty(frame, "label", pool="random:6", cv=2)
    assert found.difficulty.fit.responses.items[:2] == ("row_01", "row_03")


def test_numbers_are_refused_with_what_to_do(tmp_path, command):
    rng = np.random.default_rng(0)
    rows = pandas.DataFrame(rng.normal(size=(60, 3)), columns=["a", "b", "price"])
    rows.to_csv(tmp_path / "prices.csv", index=False)
    done = command("difficulty", tmp_path / "prices.csv", "--target", "price")
    assert (done.code, "Cut them into classes first" in done.err) == (2, True)
