"""What protects a reader of an evaluation from misreading it."""

import numpy as np
import pytest
from tests.running.report_page import read_words

import itemcurve as ic
from itemcurve.analysis.findings.all_findings import Findings, pack_findings, read_findings
from itemcurve.errors import EvaluationError


def draw(n_items=200, noises=(0.3, 0.6, 0.9, 1.2, 1.5), seed=0, share=0.6):
    """Probabilities of the second class, the better the less noise; labels."""
    rng = np.random.default_rng(seed)
    labels = (rng.random(n_items) < share).astype(int)
    rows = {
        f"model {place}": 1 / (1 + np.exp(-(2 * labels - 1 + noise * rng.normal(size=n_items)) * 2))
        for place, noise in enumerate(noises)
    }
    return rows, labels


def codes(evaluation):
    return [finding.code for finding in evaluation.findings()]


def test_models_that_know_something_are_not_level_with_a_constant():
    rows, labels = draw()
    evaluation = ic.from_predictions(rows, labels)
    assert "IRT010" not in codes(evaluation)
    assert (evaluation.leaderboard().skill["against_constant"] == "ahead").all()


def test_a_constant_that_is_level_with_the_best_is_a_warning():
    rng = np.random.default_rng(1)
    labels = (rng.random(150) < 0.8).astype(int)
    evaluation = ic.from_predictions({f"m{k}": rng.random(150) for k in range(4)}, labels)
    found = next(f for f in evaluation.findings() if f.code == "IRT010")
    assert found.severity == "warning"
    assert "Most frequent class" in found.message
    assert not evaluation.findings().is_trustworthy


def test_one_model_that_a_constant_beats_is_a_note_that_names_it():
    rows, labels = draw()
    rows["coin"] = np.random.default_rng(2).random(len(labels))
    evaluation = ic.from_predictions(rows, labels)
    found = next(f for f in evaluation.findings() if f.code == "IRT010")
    assert (found.severity, found.concerned) == ("note", ("coin",))


def test_an_order_by_confidence_is_told_from_one_by_skill():
    rows, labels = draw(noises=(0.8, 0.85, 0.9, 0.95, 1.0, 1.05))
    rows["rounded"] = (rows["model 5"] > 0.5).astype(float)
    rows["softened"] = 0.5 + 0.1 * (rows["model 0"] - 0.5)
    by_skill = ic.from_predictions(rows, labels)
    by_ability = ic.from_predictions(rows, labels, model="fractional-beta3", on_failure="ignore")
    assert "IRT012" not in codes(by_skill)
    assert "IRT012" in codes(by_ability)
    assert by_skill.leaderboard().respondents.index("softened") < 4


def test_overlap_is_said_and_certain_classes_are_not():
    rows, labels = draw(noises=(1.5, 1.6, 1.7, 1.8))
    assert "IRT013" in codes(ic.from_predictions(rows, labels))
    rows, labels = draw(noises=(0.2, 0.25, 0.3, 0.35))
    assert "IRT013" not in codes(ic.from_predictions(rows, labels))


def test_findings_survive_a_table_and_muting():
    rows, labels = draw(noises=(1.5, 1.6, 1.7, 1.8))
    found = ic.from_predictions(rows, labels).findings()
    again = read_findings(pack_findings(found))
    assert again == Findings(tuple(found))
    assert "IRT013" not in [f.code for f in again.without(["IRT013"])]


def test_a_run_keeps_its_findings_for_the_report(tmp_path):
    rows, labels = draw()
    rows["coin"] = np.random.default_rng(2).random(len(labels))
    evaluation = ic.from_predictions(rows, labels)
    evaluation.save(tmp_path / "run")
    text = read_words(ic.report(tmp_path / "run", tmp_path / "page.html"))
    assert "IRT010" in text
    assert "can be trusted" not in text
    assert "Most frequent class" in text
    assert "By skill" in text


@pytest.mark.parametrize("response", ["skill", "correct"])
def test_slopes_are_chosen_and_said(response):
    rows, labels = draw()
    evaluation = ic.from_predictions(rows, labels, response=response)
    assert "nats over equal slopes" in evaluation.settings["slopes"]


def test_many_respondents_with_different_items_get_free_slopes():
    from itemcurve.analysis.model_fit.slope_choice import fit_as_free_as_borne

    truth = ic.simulate("2pl", respondents=400, items=40, seed=1)
    choice = fit_as_free_as_borne(truth.responses)
    assert choice.chosen in ("shrunk", "free")
    assert choice.fit.model == "2pl"
    alike = ic.simulate("1pl", respondents=400, items=40, seed=1)
    assert fit_as_free_as_borne(alike.responses).chosen == "equal"
    assert set(choice.frame()["slopes"]) == {"equal", "shrunk", "free"}


def exact_or_far(n_items=120, n_others=5):
    """Forecasts of one that hits half of the targets exactly and misses the others by far."""
    rng = np.random.default_rng(3)
    targets = rng.normal(size=n_items).round(1)
    rows = {f"near {k}": targets + 0.5 * rng.normal(size=n_items) for k in range(n_others)}
    rows["lucky"] = np.where(rng.random(n_items) < 0.6, targets, targets + 2)
    return rows, targets


def test_a_first_by_errors_of_nothing_that_is_no_better_than_a_constant_is_a_warning():
    rows, targets = exact_or_far()
    evaluation = ic.from_predictions(rows, targets, task="regression", model="gamma")
    assert evaluation.leaderboard().respondents[0] == "lucky"
    said = evaluation.leaderboard().say()
    assert "Do not choose by this order: by skill lucky is no better than a constant" in said
    found = next(f for f in evaluation.findings() if f.code == "IRT011")
    assert found.severity == "warning"
    assert "lucky has no error at all on " in found.message
    assert "probabilities" not in found.advice


def test_an_order_by_skill_names_its_first_without_reserve():
    rows, targets = exact_or_far()
    evaluation = ic.from_predictions(rows, targets, task="regression")
    assert evaluation.leaderboard().respondents[0] != "lucky"
    assert "Do not choose" not in evaluation.leaderboard().say()
    assert "IRT011" not in codes(evaluation)


def test_a_model_of_errors_is_refused_for_classes_and_one_of_scores_for_errors():
    rows, labels = draw()
    with pytest.raises(EvaluationError, match=r"gamma is for errors.*upside down.*regression"):
        ic.from_predictions(rows, labels, model="gamma")
    numbers, targets = exact_or_far()
    with pytest.raises(EvaluationError, match=r"beta3 is for scores.*Leave response out"):
        ic.from_predictions(numbers, targets, task="regression", model="beta3", response="absolute")
    fitted = ic.from_predictions(numbers, targets, task="regression", model="beta3")
    assert fitted.settings["response"] == "score"
