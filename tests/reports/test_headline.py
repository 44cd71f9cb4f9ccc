"""What to do next."""

import numpy as np

import itemcurve as ic
from itemcurve.analysis.findings.all_findings import Findings
from itemcurve.analysis.findings.finding_kinds import Finding
from itemcurve.dashboard.run_documents import RunDocuments
from itemcurve.reports.headline import answer_trust
from itemcurve.reports.source import read_source


def two_models(rows: int, seed: int = 0) -> ic.Evaluation:
    """Right in 90 and 86 of 100 rows, apart from one another."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, rows)
    answers = {
        name: np.where(np.arange(rows) % 100 * 37 % 100 < share, labels, 1 - labels)
        for name, share in (("better", 90), ("worse", 86))
    }
    return ic.from_predictions(answers, labels.tolist())


def steps_of(evaluation: ic.Evaluation, folder) -> str:
    evaluation.save(folder / "run")
    return " ".join(RunDocuments(read_source(folder / "run")).page()["steps"])


def test_as_many_items_as_are_asked_for_do_tell_them_apart(tmp_path):
    said = steps_of(two_models(100), tmp_path)
    factor = float(said.split("ask about ")[1].split(" times")[0])
    assert factor > 1
    found = two_models(100 * round(factor)).leaderboard().frame()
    assert found["tier"].tolist() == [1, 2]


def test_labels_of_all_rows_are_asked_for_where_some_were_held_out(tmp_path):
    from sklearn.datasets import load_iris
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB

    X, y = load_iris(return_X_y=True)
    pool = {"a": LogisticRegression(max_iter=500), "b": GaussianNB()}
    parts = X[::2], y[::2], X[1::2], y[1::2]
    assert "Judge the labels of all rows" in steps_of(
        ic.evaluate_classifiers(pool, *parts), tmp_path
    )
    folded = ic.evaluate_classifiers(pool, X, y, cv=3)
    (tmp_path / "folded").mkdir()
    assert "Judge the labels of all rows" not in steps_of(folded, tmp_path / "folded")


def test_thousands_are_parted():
    from sklearn.naive_bayes import GaussianNB

    X = np.random.default_rng(0).normal(size=(1_200, 2))
    found = ic.evaluate_classifiers(GaussianNB(), X, (X[:, 0] > 0).astype(int), cv=2)
    assert found.settings["split"] == "cross-validation, 2 folds, 1,200 rows"


def test_who_is_told_to_take_care_is_told_what_to_do_first():
    fit = ic.fit(ic.simulate("2pl", respondents=60, items=12, seed=3).responses)
    note = Finding("IRT013", "note", "It cannot be told.", "More items could tell.")
    other = Finding("IRT007", "warning", "Some are at the edge.", "Ask more.")
    tile = answer_trust(fit, Findings((note,)))
    assert tile.text.endswith(
        "Have the first rows of the list looked at before you change any label."
    )
    # A warning stands before a note; without a step of its own it is named.
    tile = answer_trust(fit, Findings((note, other)))
    assert tile.text.endswith("Start with what is advised for: abilities at the edge.")


def test_one_model_alone_is_not_called_first():
    chance = np.random.default_rng(0)
    labels = chance.integers(0, 2, 80)
    answers = {"only": np.where(chance.random(80) < 0.8, labels, 1 - labels)}
    said = ic.from_predictions(answers, labels.tolist()).leaderboard().say()
    assert "only is evaluated alone, with skill" in said
    assert "is first" not in said
