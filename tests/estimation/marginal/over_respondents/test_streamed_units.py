"""Fits of responses in blocks on disk: those of the same responses in memory."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ResponsesError
from itemcurve.responses.blocks import scanning

MANY = ic.Marginal(over="respondents", tolerance=1e-10)


def with_gaps(responses):
    table = responses.array()
    table[np.random.default_rng(2).random(table.shape) < 0.3] = np.nan
    return ic.Responses.from_array(table)


def streamed(responses, folder):
    responses.write_blocks(folder)
    return ic.Responses.scan(folder)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(scanning, "_BLOCK_BYTES", 400)


def assert_same(found, expected, digits=1e-6):
    assert found.log_likelihood == pytest.approx(expected.log_likelihood, abs=1e-5)
    for table in ("items", "respondents"):
        own, other = getattr(found, table), getattr(expected, table)
        for name in own.select_dtypes(float):
            np.testing.assert_allclose(own[name], other[name], atol=digits, err_msg=name)
        assert (own["flags"] == other["flags"]).all()


@pytest.mark.parametrize("engine", ["numpy", "jax"])
@pytest.mark.parametrize("is_complete", [True, False], ids=["complete", "missing cells"])
def test_a_fit_is_that_of_the_same_responses_in_memory(is_complete, engine, tmp_path):
    responses = ic.simulate("2pl", respondents=400, items=25, seed=1).responses
    responses = responses if is_complete else with_gaps(responses)
    expected = ic.fit(responses, method=MANY)
    found = ic.fit(streamed(responses, tmp_path / "blocks"), method=MANY, engine=engine)
    assert_same(found, expected)


@pytest.mark.parametrize("model", ["3pl", "beta3"])
def test_other_models_are_streamed_too(model, tmp_path):
    responses = ic.simulate(model, respondents=300, items=8, seed=1).responses
    expected = ic.fit(responses, model, method=MANY, on_failure="ignore")
    own = streamed(responses, tmp_path / "blocks")
    assert_same(ic.fit(own, model, method=MANY, on_failure="ignore"), expected, 1e-4)


def test_sparse_responses_are_streamed_too(tmp_path):
    responses = ic.simulate("2pl", respondents=300, items=60, seed=1).responses
    frame = with_gaps(responses).frame().sample(frac=0.15, random_state=1)
    frame = ic.Responses.from_frame(frame).drop_empty()
    expected = ic.fit(frame, method=MANY)
    assert_same(ic.fit(streamed(frame, tmp_path / "blocks"), method=MANY), expected)


@pytest.mark.parametrize("method", [ic.Marginal(over="items"), "joint", "variational"])
def test_other_methods_say_what_they_need(method, tmp_path):
    responses = ic.simulate("2pl", respondents=40, items=60, seed=1).responses
    own = streamed(responses, tmp_path / "blocks")
    with pytest.raises(ResponsesError, match=r"in memory at once.*40 × 60.*over respondents"):
        ic.fit(own, method=method)


def test_a_fit_of_several_models_is_refused_or_right(tmp_path):
    responses = ic.simulate("2pl", respondents=200, items=10, seed=1).responses
    parts = {"2pl": responses.items[:5], "3pl": responses.items[5:]}
    expected = ic.fit(responses, parts, method=MANY, on_failure="ignore")
    own = streamed(responses, tmp_path / "blocks")
    assert_same(ic.fit(own, parts, method=MANY, on_failure="ignore"), expected, 1e-4)


def test_a_fit_cannot_be_saved_with_its_responses_but_its_bank_can(tmp_path):
    responses = ic.simulate("2pl", respondents=200, items=10, seed=1).responses
    fit = ic.fit(streamed(responses, tmp_path / "blocks"), method=MANY)
    with pytest.raises(ResponsesError, match=r"in memory at once"):
        fit.save(tmp_path / "run")
    assert fit.bank.items == responses.items
