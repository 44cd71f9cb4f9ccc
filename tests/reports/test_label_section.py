"""What pages say of labels: of which column they are, how firm a suspicion is, class by class."""

import pytest

import itemcurve as ic
from itemcurve.dashboard.run_documents import RunDocuments
from itemcurve.reports.label_section import say_classes
from itemcurve.reports.source import read_source


@pytest.fixture(scope="module", name="documents")
def documents_of_iris(tmp_path_factory):
    run = tmp_path_factory.mktemp("iris") / "run"
    pool = "Naive Bayes; Decision tree"
    ic.evaluate_table("iris", pool=pool, cv=3, repeats=2, n_jobs=1).save(run)
    return RunDocuments(read_source(run))


def test_labels_are_named_with_their_column_and_numbers(documents):
    said = say_classes(documents.source)
    assert said == (
        "Labels are values of the column 'target': '0' (50), '1' (50), '2' (50). What these "
        "numbers stand for, the data do not say."
    )
    assert documents.page()["labels_are"] == said


def test_classes_have_a_table_on_the_page(documents):
    table = documents.page()["classes"]
    best = documents.page()["tiles"][0]["answer"]
    assert table["caption"] == f"Class by class, as {best} sees them"
    assert [c["name"] for c in table["columns"]][:3] == ["class", "rows", "share_right"]
    assert all(section["key"] != "analysis-classes" for section in documents.page()["analyses"])


def test_a_card_says_how_far_cross_validations_agree(documents):
    audit = documents.source.table("audit", "item", "label_error_lowest", "label_error_highest")
    apart = audit["label_error_highest"] - audit["label_error_lowest"]
    card = documents.item(str(audit["item"][apart.idxmax()]))
    assert "Single cross-validations say" in card["suspicion"]


def test_the_page_names_the_seed_and_health_names_no_command(documents):
    assert ["Seed of splits and models", "0"] in [
        list(pair) for pair in documents.page()["methods"]
    ]
    # What was made in Python has no command that makes it again.
    assert documents.page()["command"] == ""
    assert "itemcurve" not in documents.health()["reason"]


def test_runs_that_share_items_have_a_mark_in_common(documents):
    marks = documents.brief()["sketch"]
    assert len(marks) == 64
    assert marks == sorted(marks)
