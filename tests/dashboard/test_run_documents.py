"""Documents of pages: what the library says, nothing else, and nothing that is no JSON."""

import json

import numpy as np
import pandas
import pytest
from tests.dashboard.conftest import HOSTILE, PICTURE

import itemcurve as ic
from itemcurve.dashboard.frozen_run import _cards
from itemcurve.dashboard.run_documents import RunDocuments
from itemcurve.reports.source import read_source
from itemcurve.storage.json_documents import pack_line


@pytest.fixture(scope="module")
def documents(exam):
    return RunDocuments(read_source(exam))


def column(table, name):
    return next(c["cells"] for c in table["columns"] if c["name"] == name)


def test_a_page_is_plain_json_and_says_what_the_report_says(documents, exam):
    page = json.loads(pack_line(documents.page(), "the page"))
    assert [tile["question"] for tile in page["tiles"]] == [
        "Who is best?",
        "Which items to check?",
        "May I trust this?",
    ]
    board = ic.build_leaderboard(ic.load(exam)).frame()
    assert page["tiles"][0]["answer"] == board["respondent"].iloc[0]
    assert column(page["board"], "respondent") == board["respondent"].tolist()
    assert column(page["worklist"], "item")[0] == "item 12"
    assert {finding["code"] for finding in page["findings"]} == {
        finding.code for finding in ic.findings(ic.load(exam))
    }
    assert page["glossary"]["tier"]
    assert documents.brief()["tiles"] == page["tiles"]


def test_pairs_are_paired_t_tests(documents, exam):
    from scipy.stats import ttest_rel

    pairs, fit = documents.page()["pairs"], ic.load(exam)
    a, b = (fit.responses.select([pairs["names"][k]]).array()[0] for k in (0, 3))
    assert pairs["differences"][0][3] == pytest.approx((a - b).mean(), abs=1e-5)
    interval = ttest_rel(a, b).confidence_interval(0.9)
    assert pairs["reach"][0][3] == pytest.approx((interval.high - interval.low) / 2, rel=1e-4)
    assert len(pairs["names"]) == 12


def test_the_card_of_an_item_shows_what_it_asks_and_who_answered_what(documents, exam):
    fit, card = ic.load(exam), documents.item(HOSTILE)
    assert card["words"] == "What is <b>0</b>?"
    assert card["picture"] == PICTURE
    assert card["group"] == "algebra"
    order = np.argsort(-fit.estimates.abilities, kind="stable")
    assert card["answers"]["responses"] == fit.responses.array()[order, 0].tolist()
    expected = fit.expected_response(fit.estimates.abilities)[order, 0]
    np.testing.assert_allclose(card["answers"]["expected"], expected, rtol=1e-5)
    assert "not suspect" in card["suspicion"]
    assert "Its key is suspect" in documents.item("item 12")["suspicion"]


def test_only_pictures_are_taken_for_pictures(documents):
    assert documents.item("javascript:alert(1)")["picture"] == ""


def test_the_card_of_a_respondent_tells_strengths_and_surprises(documents):
    card = documents.respondent("model-7")
    assert sorted(column(card["strengths"], "group")) == ["<i>history</i>", "algebra", "logic"]
    surprises = card["surprises"]
    deviations = np.array(column(surprises, "deviations"), dtype=float)
    how = np.array(column(surprises, "how"))
    assert (deviations[how == "worse"] < -1.5).all()
    assert (deviations[how == "better"] > 1.5).all()


def test_items_are_found_by_name_and_by_place(documents, exam):
    assert documents.items()["total"] == 40
    assert column(documents.items("ITEM 1"), "item") != []
    assert all("item 1" in name for name in column(documents.items("ITEM 1"), "item"))
    table = ic.load(exam).items
    box = [(-1.0, 0.5), (1.0, 0.5), (1.0, 9.0), (-1.0, 9.0)]
    inside = table[table["difficulty"].between(-1, 1) & table["discrimination"].between(0.5, 9)]
    assert sorted(column(documents.items("", box), "item")) == sorted(inside["item"])


def test_labels_of_an_exam_are_not_known(documents):
    assert documents.labels() == {"item": [], "given_label": [], "likely_label": []}


def test_an_evaluation_tells_what_belongs_to_it(labelled):
    documents = RunDocuments(read_source(labelled[0]))
    assert "under To check" in documents.health()["reason"]
    settings = next(s for s in documents.page()["analyses"] if s["key"] == "analysis-correlations")
    assert settings["notes"] == []
    card = documents.respondent("Logistic regression")
    names = [number["name"] for number in card["numbers"]]
    assert names[:3] == ["rank", "tier", "skill"]
    assert "skill_lower" not in names
    skill = next(n["value"] for n in card["numbers"] if n["name"] == "skill")
    row = ic.load_evaluation(labelled[0]).leaderboard().frame().set_index("respondent")
    own = row.loc["Logistic regression"]
    assert skill == f"{own.skill:.3f} ({own.skill_lower:.3f} to {own.skill_upper:.3f})"
    columns = [column["name"] for column in card["surprises"]["columns"]]
    assert columns[:3] == ["item", "given_label", "dissenters"]


def test_rows_of_numbers_tell_what_was_given_and_forecast(tmp_path):
    features = np.random.default_rng(0).normal(size=(40, 2))
    price = 10 * features[:, 0]
    forecasts = {"near": price + 0.5, "far": price + 2 * features[:, 1], "middle": price + 0.1}
    ic.from_predictions(forecasts, price, task="regression").save(tmp_path / "run")
    documents = RunDocuments(read_source(tmp_path / "run"))
    worklist = documents.page()["worklist"]
    first = column(worklist, "item")[0]
    place = documents.source.fit.responses.items.index(first)
    usual = sorted(values[place] for values in forecasts.values())[1]
    said = f"given {price[place]:.4g}, forecast {usual:.4g} (median of all)"
    assert column(worklist, "row")[0] == said
    assert documents.item(first)["facts"]["row"] == said
    assert documents.labels()["item"] == []


def test_health_is_that_of_the_library(documents, exam):
    found = documents.health()
    assert found["reason"] == ""
    groups = dict(documents.content.groups)
    expected = ic.health(ic.load(exam).responses, item_groups=groups)
    assert found["words"] == str(expected).splitlines()[1:]


def test_health_leaves_labels_to_the_audit(exam):
    items = ic.load(exam).responses.items
    audit = pandas.DataFrame(
        {
            "item": items,
            "verdict": ["suspect label", *["informative"] * 39],
            "label_error_probability": np.linspace(0.9, 0, 40),
            "given_label": ["1"] * 40,
            "likely_label": ["0", *["1"] * 39],
        }
    )
    before = RunDocuments(read_source(exam)).health()
    assert "suspect key" in column(before["tables"][0], "check")
    assert "health_keys" in {table["key"] for table in before["tables"]}
    notes = {"audit": {"labels": "Of 40 labels, 1 is suspect."}}
    health = RunDocuments(read_source(exam, {"audit": audit}, notes)).health()
    assert "suspect key" not in column(health["tables"][0], "check")
    assert "health_keys" not in {table["key"] for table in health["tables"]}
    assert [line for line in health["words"] if "suspect" in line.lower()] == [
        "Of 40 labels, 1 is suspect."
    ]


@pytest.fixture(scope="module")
def patients(tmp_path_factory):
    """A run on a table with flipped labels, whose rows are known by columns left out."""
    chance = np.random.default_rng(5)
    frame = pandas.DataFrame({"x": chance.normal(size=120), "y": chance.normal(size=120)})
    frame["patient"], frame["ward"] = np.arange(120) // 2 + 500_000.0, "north"
    label = frame["x"] + 0.3 * frame["y"] > 0
    label[:6] = ~label[:6]
    frame["label"] = np.where(label, "ill", "well")
    pool = "Naive Bayes; Logistic regression; Nearest neighbours"
    evaluation = ic.evaluate_table(
        frame, "label", pool=pool, cv=4, repeats=2, drop=["patient", "ward"], n_jobs=1
    )
    run = tmp_path_factory.mktemp("patients") / "run"
    evaluation.save(run)
    return evaluation, RunDocuments(read_source(run))


def test_a_suspect_row_says_how_firm_that_is_and_what_its_responses_are_graded_against(patients):
    evaluation, documents = patients
    first = evaluation.audit().suspects(2).iloc[1]
    card = documents.item(first["item"])
    assert "Single cross-validations say" in card["suspicion"]
    assert "not graded against" in card["suspicion"]
    assert f"{first['likely_label']!r} may count as right here" in card["suspicion"]
    frozen = _cards(documents, documents.ranked, documents.ranked["item"].tolist())
    assert card["suspicion"] in frozen["suspicions"]


def test_rows_are_told_as_they_are_in_the_table(patients):
    evaluation, documents = patients
    card = documents.item("row_003")
    # What was left out is what the row is found by.
    assert "patient=500001, ward=north" in card["facts"]["row"]
    assert "label=" not in card["facts"]["row"]
    # Rows of the same place in the table.
    assert evaluation.rows[-1].split("patient=")[1].startswith("500059")


def test_the_card_of_a_respondent_tells_strengths_by_class_beside_the_share_right(patients):
    evaluation, documents = patients
    table = documents.respondent("Naive Bayes")["tables"][0]
    columns = {column["name"]: column["cells"] for column in table["columns"]}
    assert set(columns["group"]) == {"ill", "well"}
    own = evaluation.predictions.respondents.index("Naive Bayes")
    chosen = np.array(evaluation.predictions.classes)[evaluation.predictions.chosen[own]]
    for name, share in zip(columns["group"], columns["share_right"], strict=True):
        is_given = evaluation.y_true == name
        assert share == pytest.approx((chosen[is_given] == name).mean(), abs=1e-5)
    assert {"skill", "verdict"} <= set(columns)
