"""Fits of several populations on disk, as the library reads them."""

import json

import numpy as np
import pandas
import pytest
from tests.running.report_page import read_words

import itemcurve as ic
from itemcurve.errors import StorageError
from itemcurve.groups import Groups


@pytest.fixture(scope="module")
def fit():
    rng = np.random.default_rng(3)
    group, x = np.repeat([0, 1], (150, 120)), rng.normal(size=270)
    logits = (rng.normal(size=270) + 0.5 * x + 0.6 * group)[:, None] - rng.normal(size=8)
    observed = (rng.random(logits.shape) < 1 / (1 + np.exp(-logits))).astype(float)
    responses = ic.Responses.from_array(observed, items=[f"q{k}" for k in range(8)])
    labels = Groups(np.where(group, "new", "old"), free="q3")
    return ic.fit(responses, groups=labels, covariates=pandas.DataFrame({"size": x}))


def test_what_was_saved_is_read_back(fit, tmp_path):
    fit.save(tmp_path / "run")
    again = ic.load(tmp_path / "run")
    assert type(again) is type(fit)
    for name in ("groups", "coefficients", "items", "respondents"):
        pandas.testing.assert_frame_equal(getattr(again, name), getattr(fit, name))
    assert again.status is fit.status
    assert again.n_parameters == fit.n_parameters
    assert again.equal == fit.equal
    assert again.bank_of("new").items == fit.bank_of("new").items
    drawn = again.plausible_values(3).values
    np.testing.assert_array_equal(drawn, fit.plausible_values(3).values)


def test_anchors_are_kept_too(fit, tmp_path):
    bank = fit.bank.take(range(4))
    rng = np.random.default_rng(1)
    observed = (rng.random((100, 8)) < 0.5).astype(float)
    responses = ic.Responses.from_array(observed, items=[f"q{k}" for k in range(8)])
    anchored = ic.fit(responses, anchors=bank)
    anchored.save(tmp_path / "run")
    again = ic.load(tmp_path / "run")
    pandas.testing.assert_frame_equal(again.items, anchored.items)
    pandas.testing.assert_frame_equal(again.groups, anchored.groups)


def test_the_page_has_groups_and_covariates(fit, tmp_path):
    fit.save(tmp_path / "run")
    for source in (fit, tmp_path / "run"):
        text = read_words(ic.report(source, tmp_path / "page.html"))
        assert "Groups: mean and spread of their abilities" in text
        assert "Covariates: what ability gains per unit of each" in text


@pytest.mark.parametrize(
    ("name", "value"),
    [("groups", ["old"]), ("items", ["q0"]), ("format", "other"), ("equal", ["nonsense"])],
)
def test_a_document_that_does_not_fit_is_refused(fit, tmp_path, name, value):
    from itemcurve.storage.run_folder import read_run, write_run

    fit.save(tmp_path / "run")
    opened = read_run(tmp_path / "run")
    names = {file.split(".")[0] for file in opened.files if file.endswith(".json")}
    documents = {own: opened.document(own) for own in names - {"run"}}
    arrays = {own: opened.arrays(own) for own in ("fit", "responses", "population")}
    documents["population"][name] = value
    write_run(tmp_path / "broken", documents, arrays)
    with pytest.raises(StorageError):
        ic.load(tmp_path / "broken")
    json.dumps(documents["population"])
