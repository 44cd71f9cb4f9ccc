"""The study of language models, on small matrices and on the published ones."""

import json

import pytest

from itemcurve.adaptive.prediction.catalogue import ESTIMATORS
from itemcurve.errors import StorageError
from itemcurve_studies.llm.reproduction import reproduce_llm


def test_the_study_compares_all_estimators_under_both_protocols(folder, tmp_path):
    result = reproduce_llm(folder, seeds=1, report=lambda line: None)
    summary = result.tables["summary"]
    assert len(summary) == 2 * len(ESTIMATORS)
    assert len(result.tables["matrices"]) == 2 * len(summary)
    assert set(result.tables["claims"]["holds"]) <= {True, False}
    result.save(tmp_path / "out")
    assert json.loads((tmp_path / "out" / "study.json").read_text())["notes"]["seeds"] == 1
    assert (tmp_path / "out" / "matrices.csv").read_text().startswith("protocol,matrix,estimator")


def test_a_folder_without_matrices_says_what_to_do(tmp_path):
    with pytest.raises(StorageError, match="ITEMCURVE_DATA"):
        reproduce_llm(tmp_path)


@pytest.mark.slow
def test_the_default_holds_its_bars_on_published_matrices(shared_data, tmp_path):
    """Three of the eight matrices, five seeds: errors against the rivals, and coverage."""
    target = tmp_path / "data" / "llm"
    target.mkdir(parents=True)
    for name in ("glue_mrpc", "glue_rte", "helm_math"):
        source = shared_data / "data" / "llm" / f"benchpred_{name}.npz"
        (target / source.name).symlink_to(source)
    result = reproduce_llm(tmp_path, seeds=5, report=lambda line: None)
    errors = result.tables["summary"].set_index(["protocol", "estimator"])["mae"]
    assert errors["random", "guarded"] < errors["random", "ridge"]
    rivals = min(errors["better", "sample-mean"], errors["better", "ridge-aipw"])
    # Five seeds leave a tenth of a point to chance.
    assert errors["better", "guarded"] < rivals + 0.1
    cover = result.tables["summary"].set_index(["protocol", "estimator"])["coverage"]
    assert 0.82 < cover["random", "guarded"] < 0.97
    assert 0.82 < cover["better", "guarded"] < 0.97
