"""Every finding is found where it should be, and nowhere else."""

from dataclasses import replace

import numpy as np
import pandas
import pytest

from itemcurve.analysis.findings.all_findings import findings
from itemcurve.analysis.findings.data_findings import find_few_respondents
from itemcurve.analysis.findings.finding_kinds import CODES
from itemcurve.analysis.items.verdicts import item_verdicts
from itemcurve.datasets.simulation import simulate
from itemcurve.errors import ModelError
from itemcurve.estimation.fit import fit
from itemcurve.estimation.marginal.settings import Marginal
from itemcurve.estimation.status import FitStatus
from itemcurve.responses.matrix import Responses


def codes(result, **settings):
    return [finding.code for finding in findings(result, **settings)]


@pytest.fixture(scope="module")
def sound():
    return fit(simulate("2pl", respondents=600, items=60, seed=2).responses, "2pl")


def test_a_sound_fit_has_no_findings(sound):
    found = findings(sound)
    assert not found.has_warnings
    assert str(found) == "Nothing found."
    assert found.frame().empty


def spoiled(change):
    responses = simulate("2pl", respondents=600, items=60, seed=2).responses.array()
    change(responses)
    return fit(Responses.from_array(responses), "2pl")


def make_constant(responses):
    responses[:, 3] = 1


def make_copies(responses):
    responses[:, 1] = responses[:, 0]


def flip_a_label(responses):
    responses[:, 5] = 1 - responses[:, 5]


def make_perfect(responses):
    responses[:70] = 1


def break_a_curve(responses):
    score = responses.sum(axis=1)
    responses[:, 9] = (score > np.quantile(score, 0.3)) & (score < np.quantile(score, 0.7))


@pytest.mark.parametrize(
    ("change", "code", "concerned"),
    [
        (make_constant, "IRT001", "item_04"),
        (break_a_curve, "IRT004", "item_10"),
        (make_copies, "IRT005", "item_01 & item_02"),
        (flip_a_label, "IRT006", "item_06"),
        (make_perfect, "IRT007", "respondent_001"),
    ],
)
def test_what_is_wrong_with_the_data_is_found(change, code, concerned):
    found = {finding.code: finding for finding in findings(spoiled(change))}
    assert concerned in found[code].concerned
    assert found[code].title == CODES[code]
    assert found[code].message.endswith(".")
    assert found[code].advice.endswith(".")


def test_a_fit_that_did_not_converge_is_found(sound):
    stopped = replace(sound, estimates=replace(sound.estimates, status=FitStatus.MAX_ITERATIONS))
    assert codes(stopped) == ["IRT002"]
    flat = replace(sound, estimates=replace(sound.estimates, status=FitStatus.FLAT))
    assert [finding.severity for finding in findings(flat)] == ["note"]


def test_a_flat_maximum_is_named(sound):
    named = {"undetermined: ability of m3": 0.93, "chains": 4.0}
    estimates = replace(sound.estimates, status=FitStatus.FLAT, diagnostics=named)
    found = findings(replace(sound, estimates=estimates)).found[0]
    assert found.message.endswith("Least determined: ability of m3 (93% of the direction).")


def test_few_respondents_are_found_and_judged_by_the_method():
    responses = simulate("2pl", respondents=30, items=60, seed=2).responses
    severities = {}
    for over in ("items", "respondents"):
        found = findings(fit(responses, "2pl", method=Marginal(over=over), on_failure="ignore"))
        severities[over] = {finding.code: finding.severity for finding in found}["IRT003"]
    assert severities == {"items": "note", "respondents": "warning"}


def test_right_and_wrong_given_to_a_model_of_shares_is_a_warning():
    truth = simulate("2pl", respondents=30, items=8, seed=1)
    method = Marginal(max_iterations=3)
    result = fit(truth.responses, "beta3", method=method, on_failure="ignore")
    found = next(one for one in findings(result) if one.code == "IRT008")
    assert found.severity == "warning"
    assert "100% of responses" in found.message
    assert "use a model of right and wrong" in found.advice


def test_boundary_responses_are_found(fitted):
    found = {finding.code: finding for finding in findings(fitted("beta3"))}
    assert found["IRT008"].severity == "note"
    assert "censored" in found["IRT008"].advice


def test_bounds_are_found(sound):
    stuck = np.zeros(60, dtype=bool)
    stuck[7] = True
    found = findings(replace(sound, estimates=replace(sound.estimates, at_bound=stuck)))
    assert found.found[0].concerned == ("item_08",)


def test_muted_findings_are_left_out_and_unknown_codes_refused():
    result = spoiled(make_constant)
    assert "IRT001" in codes(result)
    assert "IRT001" not in codes(result, mute=("IRT001",))
    assert "IRT001" not in codes(result, mute="IRT001")
    with pytest.raises(ModelError, match="IRT999"):
        codes(result, mute=("IRT999",))


def test_an_audit_decides_on_labels(sound):
    audit = pandas.DataFrame({"item": ["item_02"], "verdict": ["suspect label"]})
    found = {finding.code: finding for finding in findings(sound, audit=audit)}
    assert found["IRT006"].concerned == ("item_02",)
    assert "audit" in found["IRT006"].message
    audit = pandas.DataFrame(
        {
            "item": ["item_02", "item_09"],
            "verdict": ["suspect label"] * 2,
            "label_error_probability": [0.7, 0.9],
        }
    )
    found = {finding.code: finding for finding in findings(sound, audit=audit)}
    assert found["IRT006"].concerned == ("item_09", "item_02")
    with pytest.raises(ModelError, match="columns item and verdict"):
        item_verdicts(sound, pandas.DataFrame({"item": []}))


def test_a_model_that_misses_a_second_ability_is_named():
    random = np.random.default_rng(1)
    ability = random.normal(size=(600, 2))
    logits = 1.5 * np.repeat(ability, 8, axis=1)
    values = (random.random(logits.shape) < 1 / (1 + np.exp(-logits))).astype(float)
    found = {own.code: own for own in findings(fit(Responses.from_array(values)))}
    assert found["IRT020"].severity == "warning"
    assert "M2: RMSEA" in found["IRT020"].message


def test_respondents_right_where_it_is_hard_are_named():
    values = simulate("2pl", respondents=200, items=40, seed=11).responses.array().astype(float)
    order = np.argsort(values.mean(axis=0))
    values[7, order[:15]], values[7, order[-15:]] = 1.0, 0.0
    found = {own.code: own for own in findings(fit(Responses.from_array(values)))}
    assert found["IRT021"].concerned == ("respondent_008",)
    assert "right where items are hard" in found["IRT021"].message


def test_respondents_whose_grades_do_not_fit_are_named_in_words_of_grades():
    grades = simulate("grm", respondents=200, items=30, seed=11).responses.array().astype(float)
    order = np.argsort(grades.mean(axis=0))
    grades[7, order[:12]], grades[7, order[-12:]] = 4.0, 0.0
    found = {own.code: own for own in findings(fit(Responses.from_array(grades), "grm"))}
    assert "respondent_008" in found["IRT021"].concerned
    assert "is good where items are hard and bad where they are easy" in found["IRT021"].message


def test_few_respondents_on_grades_are_advised_common_thresholds():
    grades = simulate("grm", respondents=30, items=10, seed=1).responses
    advice = {m: find_few_respondents(fit(grades, m)).advice for m in ("grm", "grsm")}
    assert "Use grsm or rsm (common thresholds), or collect 150" in advice["grm"]
    assert "Use a model with fewer parameters" in advice["grsm"]
