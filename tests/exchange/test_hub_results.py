"""Scores for pages of models: the YAML is read by PyYAML, and by the Hub's own reader if there."""

import pytest
import yaml
from tests.exchange.examples import make_ability_test, make_fit, make_score_test

import itemcurve as ic
from itemcurve.errors import ModelError


def test_the_file_holds_value_and_interval(tmp_path):
    test = make_score_test()
    path = ic.exchange.write_hub_results(
        test, tmp_path, dataset="cais/hle", source_url="https://example.org/é", notes='a "b": c'
    )
    assert path == tmp_path / ".eval_results" / "hle_default.yaml"
    (entry,) = yaml.safe_load(path.read_text("utf-8"))
    assert entry["dataset"] == {"id": "cais/hle", "task_id": "default"}
    assert entry["value"] == pytest.approx(100 * test.score.value, abs=1e-4)
    assert entry["source"]["url"] == "https://example.org/é"
    assert entry["notes"].startswith('a "b": c; 90 % interval')
    assert f"to {100 * test.score.upper:.2f} % from 12 items" in entry["notes"]


def test_the_reader_of_the_hub_takes_it(tmp_path):
    hub = pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")
    if not hasattr(hub, "parse_eval_result_entries"):
        pytest.skip("huggingface_hub is too old to read results")
    fit = make_fit()
    path = ic.exchange.write_hub_results(
        fit, tmp_path, dataset="a/b", respondent="org/model-3", percent=False
    )
    (entry,) = hub.parse_eval_result_entries(yaml.safe_load(path.read_text("utf-8")))
    assert (entry.dataset_id, entry.task_id) == ("a/b", "default")
    assert entry.value == pytest.approx(fit.responses.means(axis=1)[3], abs=1e-4)
    assert entry.date.endswith("Z")


@pytest.mark.parametrize("make", [make_fit, make_ability_test])
def test_what_is_not_the_score_of_one_model_is_refused(tmp_path, make):
    with pytest.raises(ModelError, match="score of one model"):
        ic.exchange.write_hub_results(make(), tmp_path, dataset="a/b")
    with pytest.raises(ModelError, match="owner/name"):
        ic.exchange.write_hub_results(make(), tmp_path, dataset="b")
