"""`itemcurve audit`: labels by suspicion, a corrected table."""

import json

import numpy as np
import pandas
import pytest
from sklearn.datasets import load_breast_cancer

WORDS = np.array(["malignant", "benign"])


@pytest.fixture(scope="module", name="table")
def cancer_with_flips(tmp_path_factory):
    """Breast cancer, 25 labels wrong, two labels missing."""
    frame = load_breast_cancer(as_frame=True).frame
    truth = WORDS[frame.pop("target")]
    flipped = np.random.default_rng(0).choice(np.arange(10, len(frame)), 25, replace=False)
    given = truth.copy()
    given[flipped] = np.where(truth[flipped] == "benign", "malignant", "benign")
    frame["diagnosis"] = given
    frame.loc[[3, 5], "diagnosis"] = None
    path = tmp_path_factory.mktemp("audit") / "cancer.csv"
    frame.to_csv(path, index=False)
    return path, flipped, truth


def audit(command, path, *further):
    usual = ("--target", "diagnosis", "--jobs", 1)
    return command("audit", path, *usual, *further)


def test_wrong_labels_come_first_and_are_corrected(command, table, tmp_path):
    path, flipped, truth = table
    files = ("--out", tmp_path / "list.csv", "--corrected", tmp_path / "clean.csv")
    outcome = audit(command, path, "--fdr", 0.2, *files)
    assert (outcome.code, outcome.err) == (0, "")
    assert "malignant → benign" in outcome.out
    ranked = pandas.read_csv(tmp_path / "list.csv")
    clean, given = pandas.read_csv(tmp_path / "clean.csv"), pandas.read_csv(path)
    assert len(ranked) == 567
    # Rows are counted as in the file, gaps in the target included, and items are named so.
    assert np.isin(ranked["row"][:20] - 1, flipped).sum() >= 18
    assert ranked["item"].str.removeprefix("row_").astype(int).tolist() == ranked["row"].tolist()
    radius = given["mean radius"].iloc[ranked["row"] - 1]
    assert ranked["mean radius"].tolist() == radius.tolist()
    is_other = (clean["diagnosis"] != given["diagnosis"]) & given["diagnosis"].notna()
    changed = np.flatnonzero(is_other)
    assert len(changed) == (ranked["verdict"] == "suspect label").sum() > 5
    assert (clean["diagnosis"].to_numpy()[changed] == truth[changed]).mean() > 0.7
    pandas.testing.assert_frame_equal(
        clean.drop(columns="diagnosis"), given.drop(columns="diagnosis")
    )
    assert f"{len(changed)} labels changed" in outcome.out


def test_a_list_is_never_empty_and_says_what_a_looser_rate_would_find(command, table):
    out = audit(command, table[0], "--fdr", "1e-6", "--top", 5).out
    assert "No label is sure enough to be suspect; the first to look at" in out
    assert out.count("next in line") == 5
    assert "With --fdr 0.2 the first" in out
    assert "--corrected clean.csv" in out


def test_a_table_in_which_nothing_was_changed_is_called_so(command, table, tmp_path):
    clean = tmp_path / "clean.csv"
    outcome = audit(command, table[0], "--fdr", "1e-6", "--corrected", clean)
    assert f"{clean} is the table as it was" in outcome.out
    assert "Nobody has looked at these" not in outcome.out
    assert "0 labels" not in outcome.out
    pandas.testing.assert_frame_equal(pandas.read_csv(clean), pandas.read_csv(table[0]))


def test_groups_are_refused_before_anything_is_trained(command, table):
    outcome = audit(command, table[0], "--groups", "worst area")
    assert outcome.code == 2
    assert "models that have seen other rows of their group" in outcome.err
    assert "--drop worst area" in outcome.err


def test_the_file_has_the_verdicts_of_the_screen(command, table, tmp_path):
    audit(command, table[0], "--pool", "Naive Bayes; Decision tree", "--out", tmp_path / "list.csv")
    verdicts = pandas.read_csv(tmp_path / "list.csv")["verdict"]
    assert set(verdicts) <= {"suspect label", "next in line"}
    assert verdicts.iloc[-1] == "next in line"


def test_long_names_of_classes_do_not_wrap_the_table(command, table, tmp_path):
    frame = pandas.read_csv(table[0])
    long = {word: f"{word} as told by the pathologist of the first visit" for word in WORDS}
    frame["diagnosis"] = frame["diagnosis"].map(long)
    frame.to_csv(tmp_path / "long.csv", index=False)
    usual = ("--pool", "Naive Bayes; Decision tree", "--cv", 3, "--top", 5)
    lines = audit(command, tmp_path / "long.csv", *usual).out.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("item"))
    rows = lines[first + 2 : first + 7]
    assert all(row.startswith("row_") and " → " in row for row in rows)
    assert "in each" in lines[first]
    for row in rows:
        given, likely = (part.split()[-1] for part in row.split(" → "))
        assert given != likely


def test_json_has_every_row(command, table):
    found = json.loads(audit(command, table[0], "--json", "--pool", "random:4", "--cv", 3).out)
    assert len(found["audit"]) == 567
    assert found["suspects"] == sum(row["verdict"] == "suspect label" for row in found["audit"])
    assert {"item", "row", "given_label", "likely_label"} <= set(found["audit"][0])


def test_predictions_of_one_model_are_enough(command, table, tmp_path):
    path, flipped, truth = table
    frame = pandas.read_csv(path)
    answers = pandas.DataFrame({"diagnosis": frame["diagnosis"]}).dropna()
    sure = 0.9 + 0.1 * np.random.default_rng(1).random(len(truth))
    answers["mine"] = np.where(truth == "malignant", sure, 1 - sure)[answers.index]
    answers.to_csv(tmp_path / "preds.csv", index=False)
    outcome = command(
        "audit", "--predictions", tmp_path / "preds.csv", "--target", "diagnosis", "--json"
    )
    found = json.loads(outcome.out)
    rows = {row["row"] for row in found["audit"][:25]}
    assert rows == {answers.index.get_loc(row) + 1 for row in flipped}


def test_numbers_have_no_labels(command):
    outcome = command("audit", "diabetes")
    assert outcome.code == 2
    assert "'target' holds numbers" in outcome.err


def test_small_tables_are_judged_by_three_cross_validations(command, table):
    out = audit(command, table[0], "--pool", "Naive Bayes; Logistic regression; Decision tree").out
    assert "Judged by 3 cross-validations together" in out
    assert "in each" in out
    once = audit(command, table[0], "--pool", "Naive Bayes; Decision tree", "--repeats", 1).out
    assert "--repeats 3 judges by three cross-validations" in once
    assert "in each" not in once.replace("in each:", "")


def test_predictions_that_exist_are_made_once(command, tmp_path):
    rows = {"label": ["no", "yes"] * 10, "one": ["no", "yes"] * 10, "other": ["no", "no"] * 10}
    pandas.DataFrame(rows).to_csv(tmp_path / "preds.csv", index=False)
    asked = ("audit", "--predictions", tmp_path / "preds.csv", "--target", "label")
    assert command(*asked).code == 0
    outcome = command(*asked, "--repeats", 3)
    assert outcome.code == 2
    assert "--repeats is about training" in outcome.err
