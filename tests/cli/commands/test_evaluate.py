"""`itemcurve evaluate`: a table in, a run folder and a leaderboard out."""

import json

import numpy as np
import pandas
import pytest

from itemcurve.estimation.saving.saved_fit import load


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    rng = np.random.default_rng(0)
    n = 150
    frame = pandas.DataFrame({"id": np.arange(n), "x": rng.normal(size=n), "w": rng.normal(size=n)})
    frame["kind"] = np.where(frame["w"] > 0, "left", "right")
    frame["label"] = np.where(frame["x"] + 0.5 * rng.normal(size=n) > 0, "yes", "no")
    frame["amount"] = 3 * frame["x"] + rng.normal(size=n)
    path = tmp_path_factory.mktemp("table") / "data.csv"
    frame.to_csv(path, index=False)
    return path


def evaluate(command, table, *further):
    usual = ("--pool", "random:8", "--response", "correct", "--jobs", 1, "--drop", "amount")
    return command("evaluate", table, "--target", "label", *usual, *further)


def test_a_table_becomes_a_leaderboard_and_a_run(command, table, tmp_path):
    outcome = evaluate(command, table, "--out", tmp_path / "run")
    assert (outcome.code, outcome.err) == (0, "")
    assert "Column 'id' is left out: it numbers the rows." in outcome.out
    assert "Leaderboard (8 of 8)" in outcome.out
    assert "Only the rows held out are judged here" in outcome.out
    assert outcome.out.splitlines()[-1] == f"Saved to {tmp_path / 'run'}"
    assert f"itemcurve report {tmp_path / 'run'}" in outcome.out.splitlines()[-3]
    assert f"itemcurve adapt plan {tmp_path / 'run'} --rules" in outcome.out.splitlines()[-2]
    assert load(tmp_path / "run").responses.shape == (8, 45)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run"]


def test_the_page_says_how_to_make_it_again(command, table, tmp_path):
    from itemcurve.dashboard.run_documents import RunDocuments
    from itemcurve.reports.source import read_source

    evaluate(command, table, "--seed", 3, "--out", tmp_path / "run", "--quiet")
    page = RunDocuments(read_source(tmp_path / "run")).page()
    assert page["command"] == (
        f"itemcurve evaluate {table} --target label --drop amount --pool random:8 "
        "--response correct --seed 3 --out again"
    )


def test_json_holds_the_leaderboard_and_what_was_decided(command, table):
    outcome = evaluate(command, table, "--json", "--flip-labels", 0.2)
    found = json.loads(outcome.out)
    assert found["task"] == "classification"
    assert found["shape"] == {"items": 45, "respondents": 8}
    assert {"respondent", "ability", "ability_se", "rank", "tier"} <= set(found["leaderboard"][0])
    assert len(found["audit"]) == 45
    assert found["flipped"]["count"] == 9
    assert found["notes"]


def test_a_named_model_shows_what_it_ranks_by(command, table, tmp_path):
    out = evaluate(command, table, "--model", "2pl", "--out", tmp_path / "run").out
    heads = next(line for line in out.splitlines() if line.startswith("respondent"))
    assert heads.index("tier") < heads.index("ability ± se")
    assert "is first, with ability" in out
    assert "Clearly behind" not in out

    from itemcurve.dashboard.run_documents import RunDocuments
    from itemcurve.reports.source import read_source

    page = RunDocuments(read_source(tmp_path / "run")).page()
    assert page["tiles"][0]["text"].startswith("ability ")
    names = [column["name"] for column in page["board"]["columns"]]
    assert names.index("ability") < names.index("skill")
    assert "interval" not in names


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("--model", "beta3"), "beta3 is a model of shares between 0 and 1"),
        (("--model", "2pl", "--response", "skill"), "2pl is a model of right and wrong"),
    ],
)
def test_models_are_not_given_what_they_cannot_read(command, table, asked, said):
    outcome = evaluate(command, table, *asked)
    assert outcome.code == 2
    assert said in outcome.err


def test_a_fit_that_stopped_is_said_first_and_ends_so(command, table, monkeypatch):
    import itemcurve as ic
    from itemcurve.cli.commands import evaluate as module

    def stopped(data, asked, settings):
        return ic.evaluate_table(
            data.table,
            data.target,
            pool="random:4",
            model="2pl",
            drop=("amount",),
            n_jobs=1,
            method=ic.Marginal(max_iterations=1),
            on_failure="ignore",
        )

    monkeypatch.setattr(module, "run_evaluation", stopped)
    outcome = evaluate(command, table)
    assert outcome.code == 3
    assert "Do not report its abilities and item parameters, nor the order by them" in outcome.err


def test_the_flipped_labels_found_are_counted(command, table):
    out = evaluate(command, table, "--flip-labels", 0.2).out
    assert "Of 9 flipped labels" in out


def test_numbers_are_evaluated_as_numbers(command, table, tmp_path):
    outcome = command(
        "evaluate", table, "--target", "amount", "--jobs", 1, "--out", tmp_path / "run", "--cv", 2
    )
    assert outcome.code == 0, outcome.err
    assert "Optimal" in outcome.out
    assert "MAE" in outcome.out


def test_a_cache_outlives_the_run(command, table, tmp_path):
    evaluate(command, table, "--cache", tmp_path / "cache", "--quiet")
    assert len(list((tmp_path / "cache").glob("*.npz"))) == 8


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--target", "lable"), "'lable' is none of them"),
        (("--pool", "every"), "'standard', 'families', or 'random:N'"),
        (("--response", "guess"), "'skill', 'probability', 'correct'"),
        (("--test-share", "2"), "between 0 and 1"),
        (("--cv", "1"), "--cv"),
        (("--jobs", "0"), "processes must not be 0"),
        (("--target", "amount", "--flip-labels", "0.2"), "--flip-labels needs classes"),
    ],
)
def test_a_slip_is_answered_in_one_line(command, table, arguments, said):
    outcome = command("evaluate", table, "--target", "label", "--jobs", 1, *arguments)
    assert outcome.code == 2
    assert said in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_folder_of_something_else_is_refused_before_the_work(command, table, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    outcome = evaluate(command, table, "--out", tmp_path)
    assert outcome.code == 2
    assert "holds something else" in outcome.err


@pytest.mark.slow
def test_ten_thousand_rows_of_twenty_classes_with_words_gaps_and_names(command, tmp_path):
    from sklearn.datasets import make_classification

    rng = np.random.default_rng(0)
    n = 10_000
    X, y = make_classification(
        n, 8, n_informative=6, n_classes=20, n_clusters_per_class=1, random_state=0, class_sep=1.5
    )
    frame = pandas.DataFrame(X[:, :6], columns=[f"x{i}" for i in range(6)])
    frame["colour"] = np.array(["red", "green", "blue", "grey"])[np.digitize(X[:, 6], [-1, 0, 1])]
    frame["city"] = [f"town {int(value)}" for value in 20 * np.abs(X[:, 7])]
    for name in ("x1", "colour", "city"):
        frame.loc[rng.random(n) < 0.08, name] = None
    frame.insert(0, "customer_id", [f"C{i:06d}" for i in rng.permutation(n)])
    frame["label"] = [f"class {k}" for k in y]
    frame.loc[:49, "label"] = None
    frame.to_csv(tmp_path / "big.csv", index=False)
    outcome = command(
        "evaluate", tmp_path / "big.csv", "--target", "label", "--out", tmp_path / "run"
    )
    assert outcome.code == 0, outcome.err
    assert "50 rows without a 'label' are left out." in outcome.out
    assert "Items are named after column 'customer_id'." in outcome.out
    assert "Left out" not in outcome.out
    # Three of the twelve answer the same for every item: references, not fitted.
    assert load(tmp_path / "run").responses.shape == (9, 2985)


def test_predictions_are_a_source_of_their_own(command, table, tmp_path):
    frame = pandas.read_csv(table)
    answers = pandas.DataFrame({"id": frame["id"], "label": frame["label"]})
    answers["by x"] = np.where(frame["x"] > 0, "yes", "no")
    answers["by w"] = np.where(frame["w"] > 0, "yes", "no")
    path = tmp_path / "preds.csv"
    answers.to_csv(path, index=False, sep=";")
    outcome = command("evaluate", "--predictions", path, "--target", "label")
    assert (outcome.code, outcome.err) == (0, "")
    assert "Values are separated by semicolons." in outcome.out
    assert "Leaderboard (2 of 2)" in outcome.out
    assert outcome.out.index("by x") < outcome.out.index("by w", outcome.out.index("tier"))
    alone = command("evaluate", "--predictions", path, "--drop", "by w", "--json")
    assert [row["respondent"] for row in json.loads(alone.out)["leaderboard"]] == ["by x"]


def test_one_source_is_wanted(command, table):
    assert "given is none" in command("evaluate").err
    assert "given is both" in command("evaluate", table, "--predictions", table).err
    assert (
        "nothing is trained" in command("evaluate", "--predictions", table, "--groups", "kind").err
    )
