"""Records of Every Eval Ever, against what version 0.3.0 of its schema asks for."""

import json

import numpy as np
import pytest
from tests.exchange.examples import make_ability_test, make_fit, make_score_test

import itemcurve as ic
from itemcurve.errors import ModelError

REQUIRED = {
    "schema_version",
    "evaluation_id",
    "retrieved_timestamp",
    "source_metadata",
    "model_info",
    "eval_library",
    "evaluation_results",
}


def write(source, folder):
    given = {"evaluation": "quiz", "organization": "us"}
    paths = ic.exchange.write_every_eval_ever(source, folder, **given)
    return {path: json.loads(path.read_text("utf-8")) for path in paths}


def test_a_fit_gives_a_record_of_every_respondent(tmp_path):
    fit, found = make_fit(), write(make_fit(), tmp_path)
    assert len(found) == 40
    for row, (path, record) in enumerate(found.items()):
        assert set(record) == REQUIRED
        assert path.parent == tmp_path / "quiz" / "org" / f"model-{row}"
        assert record["model_info"]["developer"] == "org"
        assert set(record["model_info"]["additional_details"].values()) == {"unknown"}
        results = {
            entry["metric_config"]["metric_name"]: entry for entry in record["evaluation_results"]
        }
        ability = results["ability"]["score_details"]
        assert ability["score"] == fit.estimates.abilities[row]
        error = ability["uncertainty"]["standard_error"]["value"]
        assert error == fit.estimates.ability_errors[row]
        answers = fit.responses.array()[row]
        score = results["score"]["score_details"]
        assert score["score"] == pytest.approx(answers.mean())
        expected = answers.std(ddof=1) / np.sqrt(len(answers))
        assert score["uncertainty"]["standard_error"]["value"] == pytest.approx(expected)
        assert results["score"]["metric_config"]["max_score"] == 1


def test_a_test_gives_its_interval_and_no_error_that_it_does_not_have(tmp_path):
    test = make_score_test()
    (record,) = write(test, tmp_path).values()
    (entry,) = record["evaluation_results"]
    uncertainty = entry["score_details"]["uncertainty"]
    interval = uncertainty["confidence_interval"]
    assert (interval["lower"], interval["upper"]) == (test.score.lower, test.score.upper)
    assert interval["confidence_level"] == 0.9
    assert "standard_error" not in uncertainty
    assert uncertainty["num_samples"] == 12


def test_items_chosen_for_ability_give_no_score(tmp_path):
    (record,) = write(make_ability_test(), tmp_path).values()
    (entry,) = record["evaluation_results"]
    assert entry["metric_config"]["metric_name"] == "ability"


def test_names_do_not_lead_out_of_the_folder(tmp_path):
    test = make_score_test()
    test.respondent = "../../evil"
    (path,) = write(test, tmp_path)
    assert tmp_path in path.resolve().parents


def test_other_things_are_refused(tmp_path):
    with pytest.raises(ModelError, match="comes from a fit or a test"):
        write(object(), tmp_path)
