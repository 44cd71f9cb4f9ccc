"""Models by patterns of item names."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ModelError
from itemcurve.estimation.item_patterns import match_items

ITEMS = ["mc_1", "mc_2", "essay_1", "f1_1"]


def test_items_follow_the_model_of_their_pattern():
    found = match_items(ITEMS, {"mc_*": "2pl", "essay_*": "grm", "f1_1": "2pl"})
    assert found == {"2pl": ["mc_1", "mc_2", "f1_1"], "grm": ["essay_1"]}


def test_an_items_own_name_says_more_than_a_pattern():
    assert match_items(ITEMS[:2], {"mc_*": "2pl", "mc_2": "3pl"})["3pl"] == ["mc_2"]


@pytest.mark.parametrize(
    ("patterns", "message"),
    [
        ({"mc_*": "2pl", "essay_*": "grm"}, "'f1_1' matches none of"),
        ({"*": "2pl", "essay_*": "grm"}, r"'essay_1' matches '\*' and 'essay_\*'"),
        ({"*": "2pl", "q*": "grm"}, r"'q\*' matches none of 4"),
    ],
)
def test_an_item_matched_twice_or_never_is_named(patterns, message):
    with pytest.raises(ModelError, match=message):
        match_items(ITEMS, patterns)


def test_three_formats_measure_one_ability():
    responses, abilities = three_formats(300, seed=3)
    parts = {"mc_*": "2pl", "essay_*": "grm", "f1_*": "beta3"}
    fit = ic.fit(responses, parts)
    assert fit.status.is_converged
    found, errors = fit.estimates.abilities, fit.estimates.ability_errors
    assert np.corrcoef(found, abilities)[0, 1] > 0.92
    # Origin and unit are those of the four items of beta3, which leave them to a tenth.
    slope, origin = np.polyfit(found, abilities, 1)
    assert 0.8 < slope < 1.2
    inside = np.abs(slope * found + origin - abilities) < 1.645 * slope * errors
    assert 0.84 < inside.mean() < 0.96
    assert np.isfinite(fit.items["difficulty"]).all()


def test_both_engines_fit_two_formats_alike():
    responses, _ = three_formats(60, seed=4)
    kept = responses.select(items=[name for name in responses.items if "f1" not in name])
    parts = {"mc_*": "2pl", "essay_*": "grm"}
    first, second = (ic.fit(kept, parts, engine=engine) for engine in ("numpy", "jax"))
    assert first.log_likelihood == pytest.approx(second.log_likelihood, abs=1e-6)


def three_formats(respondents, seed):
    """Right and wrong, grades from 1 to 5, and scores, of the same respondents."""
    from itemcurve.models.likelihood import Likelihood
    from itemcurve.numerics.engine import NUMPY

    rng = np.random.default_rng(seed)
    abilities = rng.normal(size=respondents)
    columns, names = [], []
    for name, count, word in (("2pl", 8, "mc"), ("grm", 6, "essay"), ("beta3", 4, "f1")):
        model = ic.get_model(name)
        eta = Likelihood(model).natural(NUMPY, abilities, model.draw(rng, count))
        drawn = model.family.sample(rng, [part.T for part in eta]).astype(float)
        columns.append(drawn + (name == "grm"))
        names += [f"{word}_{k}" for k in range(count)]
    return ic.Responses.from_array(np.concatenate(columns, axis=1), items=names), abilities
