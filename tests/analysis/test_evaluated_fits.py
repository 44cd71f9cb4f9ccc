"""Whatever is asked of a fit may be asked of an evaluation."""

import numpy as np
import pandas
import pytest

import itemcurve as ic
from itemcurve.errors import ItemcurveError

ANALYSES = (
    ic.ranking,
    ic.item_fit,
    ic.local_dependence,
    ic.item_verdicts,
    ic.summarise_items,
    ic.tables.wright_map,
    ic.tables.item_curves,
    ic.tables.information_curves,
    ic.tables.grouped_residuals,
    ic.tables.leading_respondents,
    ic.metrics.item_scores,
    lambda source: ic.shorten_benchmark(source, 10),
    ic.pools.weigh_abilities,
    ic.health,
    lambda source: ic.compare(source, source),
)
PICTURES = (
    "abilities",
    "ability_metric",
    "information",
    "item_curves",
    "item_fit",
    "item_map",
    "local_dependence",
    "parameters",
    "residuals",
    "wright_map",
)


@pytest.fixture(scope="module", name="evaluation")
def random_pool(moons):
    pool = ic.pools.random_pool(10)
    return ic.evaluate_classifiers(pool, *moons, response="correct", model="1pl")


def plain(result):
    table = result.frame() if hasattr(result, "frame") else result
    return table if isinstance(table, pandas.DataFrame) else pandas.Series(table)


@pytest.mark.parametrize("analyse", ANALYSES)
def test_analyses_of_an_evaluation_are_those_of_its_fit(evaluation, analyse):
    found, expected = plain(analyse(evaluation)), plain(analyse(evaluation.fit))
    assert found.equals(expected)


def test_names_of_arguments_serve_too(evaluation):
    assert ic.ranking(fit=evaluation).respondents == ic.ranking(evaluation.fit).respondents


def test_what_an_evaluation_knows_better_is_its_own(evaluation, tmp_path):
    assert ic.findings(evaluation) == evaluation.findings()
    assert ic.findings(evaluation, mute=["IRT003"]) == evaluation.findings(mute=["IRT003"])
    assert ic.audit_items(evaluation).frame().equals(evaluation.audit().frame())
    board = ic.build_leaderboard(evaluation, ranked_by="ability")
    assert board.frame().equals(evaluation.leaderboard().frame())
    assert ic.report(evaluation, tmp_path / "page.html", title="Ours").exists()
    assert "<title>Ours" in (tmp_path / "page.html").read_text()


def test_a_confusion_matrix_takes_one(evaluation):
    named = {"mine": evaluation.y_true}
    assert (ic.confusion(evaluation, evaluation.y_true, named).is_right).all()


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_take_one(evaluation, name):
    pytest.importorskip("matplotlib")
    axes = getattr(ic.plots, name)(evaluation)
    import matplotlib.pyplot as plt

    assert axes.figure is not None
    plt.close("all")


def test_a_leaderboard_can_be_drawn_as_the_guide_says(evaluation):
    pytest.importorskip("matplotlib")
    axes = ic.plots.ability_metric(evaluation.leaderboard(), "accuracy")
    assert axes.get_xlabel() == "accuracy"


@pytest.mark.parametrize("analyse", [ic.ranking, ic.item_fit, ic.findings, ic.health])
def test_something_else_is_refused_with_what_to_give(analyse):
    with pytest.raises(ItemcurveError, match=r"Give what itemcurve\.fit|Use Responses\.read"):
        analyse(np.zeros(3))
