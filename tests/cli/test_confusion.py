"""`itemcurve confusion`: from a run and a file of predictions."""

import json

import pandas
import pytest

from itemcurve.estimation.saved_fit import load
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


def test_json_has_all_tables(command, files, predictions):
    outcome = command("confusion", files / "run", "--predictions", predictions, "--json")
    expected = {"confusion", "item_scores", "filtered_metrics", "recommendation"}
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
