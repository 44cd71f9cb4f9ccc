"""Many respondents against one baseline."""

import numpy as np
import pytest
from scipy.stats import false_discovery_control

import itemcurve as ic
from itemcurve.errors import ResponsesError


@pytest.fixture(scope="module")
def responses():
    random = np.random.default_rng(0)
    chances = np.array([0.5, 0.5, 0.52, 0.65, 0.7, 0.3])
    answers = (random.random((6, 400)) < chances[:, None]).astype(int)
    return ic.Responses.from_array(answers, list("abcdef"))


def test_false_discoveries_are_held_down_as_scipy_does(responses):
    found = ic.paired.compare_to_baseline(responses, "a")
    own = [one.p_value for one in found.comparisons]
    np.testing.assert_allclose(found.adjusted, false_discovery_control(own), atol=1e-12)
    table = found.frame()
    assert table["b"].tolist()[0] == "e"
    assert set(table.loc[table["is_found"], "b"]) == {"d", "e", "f"}
    assert "3 differ" in repr(found)


def test_some_can_be_named(responses):
    found = ic.paired.compare_to_baseline(responses, "a", respondents=["c", "a"])
    assert [one.b for one in found.comparisons] == ["c"]


def test_nobody_else_is_refused(responses):
    with pytest.raises(ResponsesError, match="none beside 'a'"):
        ic.paired.compare_to_baseline(responses.select(["a"]), "a")


def test_the_rate_holds_without_any_difference():
    random = np.random.default_rng(1)
    false = 0
    for _ in range(200):
        answers = (random.random((8, 150)) < 0.6).astype(int)
        named = ic.Responses.from_array(answers, list("abcdefgh"))
        false += bool(ic.paired.compare_to_baseline(named, "a").frame()["is_found"].any())
    # With no difference at all any finding is false, and one or more may come in 5 % of cases.
    assert false / 200 <= 0.09
