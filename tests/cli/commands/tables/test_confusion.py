"""`itemcurve confusion`: from a run and a file of predictions."""

import json
import re

import pandas
import pytest
from sklearn.datasets import make_moons

import itemcurve as ic
from itemcurve.estimation.saving.saved_fit import load
from itemcurve.storage.run_folder import read_run


@pytest.fixture
def predictions(files, tmp_path):
    items = load(files / "run").bank.items
    table = pandas.DataFrame({"item": items, "y_true": ["yes", "no", "no"] * 5})
    table["copy"] = table["y_true"]
    table["always"] = "yes"
    path = tmp_path / "preds.csv"
    table.to_csv(path, index=False)
    return path


def test_tables_and_pictures_are_written(command, files, predictions, tmp_path):
    pytest.importorskip("matplotlib")
    out = tmp_path / "out"
    outcome = command(
        "confusion", files / "run", "--predictions", predictions, "--out", out, "--positive", "yes"
    )
    assert outcome.code == 0
    assert "copy is the most accurate" in outcome.out
    table = pandas.read_csv(out / "confusion.csv")
    assert table["items"].tolist() == [5, 0, 0, 10, 5, 10, 0, 0]
    assert (out / "curves-02-always.png").stat().st_size > 1_000


@pytest.fixture
def turned(tmp_path):
    """A run with five malformed items, its predictions, and the table of its instances."""
    y = ic.simulate("2pl", respondents=200, items=40, seed=3).responses.array()
    y[:, :5] = 1 - y[:, :5]
    ic.fit(ic.Responses.from_array(y), "2pl").save(tmp_path / "run")
    items = load(tmp_path / "run").bank.items
    table = pandas.DataFrame({"item": items, "y_true": ["yes", "no"] * 20})
    table["copy"], table["always"] = table["y_true"], "yes"
    table.to_csv(tmp_path / "preds.csv", index=False)
    data = pandas.DataFrame({"id": items, "size": range(40), "label": table["y_true"]})
    data.to_csv(tmp_path / "data.csv", index=False)
    return tmp_path


def test_the_caveat_stands_beside_the_number(command, turned):
    outcome = command("confusion", turned / "run", "--predictions", turned / "preds.csv")
    lines = outcome.out.splitlines()
    at = next(place for place, line in enumerate(lines) if line.startswith("copy   "))
    caveat = next(line for line in lines[at:] if line.startswith("*"))
    assert caveat.startswith("* without 5 of 40 items")
    assert "flatters whoever agrees with the pool. Report the accuracy on all items." in caveat
    assert "Less accurate than copy (McNemar p < 0.05): always." in outcome.out
    assert "guess" not in outcome.out


def test_malformed_items_are_linked_to_their_rows(command, turned):
    out = turned / "out"
    given = ("confusion", turned / "run", "--predictions", turned / "preds.csv")
    outcome = command(*given, "--rows", turned / "data.csv", "--out", out)
    assert "5 of 40 items are malformed" in outcome.out
    table = pandas.read_csv(out / "malformed_items.csv")
    assert set(table["row"]) == {1, 2, 3, 4, 5}
    assert (table["size"] == table["row"] - 1).all()
    assert (table["label"] == table["given"]).all()
    refused = command(*given, "--rows", turned / "preds.csv.nowhere")
    assert refused.code == 2
    assert refused.err.count("\n") == 1


def test_a_run_without_malformed_items_says_so(command, files, predictions):
    assert (load(files / "run").items["discrimination"] >= 0).all()
    outcome = command("confusion", files / "run", "--predictions", predictions)
    assert "No item is malformed" in outcome.out
    assert "well-formed" not in outcome.out
    assert "* without" not in outcome.out


def test_json_has_all_tables(command, files, predictions):
    outcome = command("confusion", files / "run", "--predictions", predictions, "--json")
    expected = {
        "confusion",
        "item_scores",
        "filtered_metrics",
        "malformed_items",
        "recommendation",
    }
    assert expected <= set(json.loads(outcome.out))


def test_tables_can_be_kept_in_the_run(command, files, predictions, tmp_path):
    load(files / "run").save(tmp_path / "run")
    command("confusion", tmp_path / "run", "--predictions", predictions, "--keep")
    assert read_run(tmp_path / "run").document("confusion")["title"]


def test_a_file_without_truth_is_refused_in_one_line(command, files, tmp_path):
    path = tmp_path / "wrong.csv"
    path.write_text("item,forest\nitem_01,1\n")
    outcome = command("confusion", files / "run", "--predictions", path)
    assert outcome.code == 2
    assert outcome.err.count("\n") == 1
    assert "y_true" in outcome.err


def test_words_come_first_and_lead_to_lines_of_the_files(command, turned):
    given = ("confusion", turned / "run", "--predictions", turned / "preds.csv")
    out = command(*given, "--rows", turned / "data.csv", "--out", turned / "out").out
    assert out.splitlines()[0].startswith("copy is the most accurate")
    assert out.index("always is right on 20 of 40 items.") < out.index("Accuracy on 40 items")
    errors = pandas.read_csv(turned / "out" / "errors.csv")
    assert len(errors) == 20
    # File and line, as editors open them: the line holds the row.
    lines = (turned / "data.csv").read_text().splitlines()
    places = re.findall(rf"{re.escape(str(turned / 'data.csv'))}:(\d+)", out)
    named = [lines[int(place) - 1].split(",")[0] for place in places]
    assert named
    assert set(named) <= set(errors["item"])
    plain = command(*given).out
    assert f"{turned / 'preds.csv'}:" in plain


def test_a_table_is_one_command(command, tmp_path):
    X, y = make_moons(160, noise=0.25, random_state=0)
    frame = pandas.DataFrame(X, columns=["x", "y"])
    frame["label"] = ["up" if one else "down" for one in y]
    path, out = tmp_path / "moons.csv", tmp_path / "out"
    frame.to_csv(path, index=False)
    models = "Naive Bayes; Decision tree; Nearest neighbours"
    small = ("--pool", "random:30", "--models", models, "--jobs", 1, "--target", "label")
    outcome = command("confusion", path, *small, "--out", out)
    assert outcome.code == 0, outcome.err
    assert f"Next: are these labels wrong? itemcurve audit {path}" in outcome.out
    cells = pandas.read_csv(out / "confusion.csv")
    assert cells.groupby("respondent")["items"].sum().tolist() == [48, 48, 48]
    errors = pandas.read_csv(out / "errors.csv")
    assert len(errors) > 0
    # Rows are those of the table, as items are named after.
    assert [int(item.split("_")[1]) for item in errors["item"]] == errors["row"].tolist()
    # One name for a row: no line of the file, and no number beside the name.
    assert f"{path}:" not in outcome.out
    assert "of the file of predictions" not in outcome.out
    assert "row_" in outcome.out
    # What was held out is said first, before any accuracy.
    assert outcome.out.startswith("Matrices are of the 48 of 160 rows that were held out")
    assert outcome.out.index("row_1, the first below") < outcome.out.index("is right on")


def test_rows_of_a_group_stay_together_and_one_model_has_no_company(command, tmp_path):
    X, y = make_moons(160, noise=0.25, random_state=0)
    frame = pandas.DataFrame(X, columns=["x", "y"])
    frame["patient"] = [f"p{row // 4}" for row in range(160)]
    frame["label"] = ["up" if one else "down" for one in y]
    path, out = tmp_path / "moons.csv", tmp_path / "out"
    frame.to_csv(path, index=False)
    small = ("--pool", "random:20", "--models", "Naive Bayes", "--jobs", 1, "--target", "label")
    outcome = command("confusion", path, *small, "--groups", "patient", "--out", out)
    assert outcome.code == 0, outcome.err
    assert "whole groups of 'patient'" in outcome.out.splitlines()[0]
    assert "12 of 40 groups are predicted, whole." in outcome.out
    assert "Undecided" not in outcome.out
    assert set(pandas.read_csv(out / "confusion.csv")["respondent"]) == {"Naive Bayes"}
    refused = command("confusion", tmp_path, "--groups", "patient")
    assert refused.code == 2
    assert "goes with a table" in refused.err


def test_many_classifiers_are_told_in_few_words(command, tmp_path):
    X, y = make_moons(160, noise=0.25, random_state=0)
    path = tmp_path / "moons.csv"
    pandas.DataFrame(X, columns=["x", "y"]).assign(label=y).to_csv(path, index=False)
    small = ("--pool", "random:20", "--models", "random:10", "--jobs", 1, "--target", "label")
    out = command("confusion", path, *small).out
    assert out.count(" is right on ") == 4
    assert "The errors of 6 less accurate ones are in errors.csv, written with --out." in out


def test_a_run_without_predictions_and_a_table_with_them_are_refused(command, files, tmp_path):
    outcome = command("confusion", files / "run")
    assert outcome.code == 2
    assert "there is no --predictions" in outcome.err
    outcome = command("confusion", "iris", "--predictions", tmp_path / "p.csv")
    assert outcome.code == 2
    assert "go with a run folder" in outcome.err
    outcome = command("confusion", "diabetes")
    assert "holds numbers" in outcome.err
