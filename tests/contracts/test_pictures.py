"""Every picture, for every model: drawn without a warning, nothing overlapping, nothing shown."""

import subprocess
import sys
from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pandas
import pytest
from matplotlib.text import Text
from tests.catalogue import MODELS

import itemcurve as ic
from itemcurve.errors import ModelError, ResponsesError

CLASSES = {f"item_{i:02d}": "odd" if i % 2 else "even" for i in range(1, 13)}
SWEEP = pandas.DataFrame(
    [(f"model {m}", x, 2.0 - m * x) for m in range(9) for x in (0.0, 0.5, 1.0)],
    columns=["respondent", "noise", "ability"],
)


def ask(fit, count=12, **settings):
    """Give an adaptive test of the first respondent of a fit."""
    test = ic.AdaptiveTest(fit.bank, stop=ic.stopping.max_items(count), **settings)
    answers = dict(zip(fit.responses.items, fit.responses.array()[0], strict=True))
    while (item := test.next_item()) is not None:
        test.record(item, answers[item])
    return test


def ask_for_score(fit):
    """A test for the score with a few answers."""
    test = ic.ScoreTest(fit.responses, 5, respondent="new")
    middle = float(test.known.array.mean())
    while (item := test.next_item()) is not None:
        test.record(item, middle)
    return test


PICTURES = {
    "item curves": lambda fit, ax=None: ic.plots.item_curves(fit, ax=ax),
    "one item curve": lambda fit, ax=None: ic.plots.item_curves(fit, ["item_03"], ax=ax),
    "items": lambda fit, ax=None: ic.plots.item_map(fit, ax=ax),
    "abilities": lambda fit, ax=None: ic.plots.abilities(fit, ax=ax),
    "wright map": lambda fit, ax=None: ic.plots.wright_map(fit, ax=ax),
    "information": lambda fit, ax=None: ic.plots.information(fit, ax=ax),
    "residuals": lambda fit, ax=None: ic.plots.residuals(fit, ax=ax),
    "item fit": lambda fit, ax=None: ic.plots.item_fit(fit, ax=ax),
    "local dependence": lambda fit, ax=None: ic.plots.local_dependence(fit, ax=ax),
    "parameters": lambda fit, ax=None: ic.plots.parameters(fit, classes=CLASSES, ax=ax),
    "ability and metric": lambda fit, ax=None: ic.plots.ability_metric(fit, ax=ax),
    "data map": lambda fit, ax=None: ic.plots.data_map(fit, np.eye(12)[:, :2], ax=ax),
    "adaptive trace": lambda fit, ax=None: ic.plots.adaptive_trace(ask(fit), ax=ax),
    "score trace": lambda fit, ax=None: ic.plots.score_trace(ask_for_score(fit), ax=ax),
    "noise sweep": lambda fit, ax=None: ic.plots.noise_sweep(SWEEP, ax=ax),
}


def assert_readable(ax):
    """No tick label overlaps its neighbour, and title and labels lie inside the figure."""
    figure = ax.figure
    figure.canvas.draw()
    frame = figure.bbox
    for axis, side in ((ax.xaxis, "x"), (ax.yaxis, "y")):
        boxes = [t.get_window_extent() for t in axis.get_ticklabels() if t.get_text()]
        boxes = [b for b in boxes if frame.overlaps(b)]
        spans = sorted((b.x0, b.x1) if side == "x" else (b.y0, b.y1) for b in boxes)
        assert all(first[1] <= second[0] + 1 for first, second in pairwise(spans)), side
        box = axis.label.get_window_extent()
        if axis.label.get_text():
            assert box.x0 >= -1
            assert box.y0 >= -1
            assert box.x1 <= frame.x1 + 1
            assert box.y1 <= frame.y1 + 1
    for text in (ax.title, ax._left_title):
        if text.get_text():
            assert text.get_window_extent().x1 <= frame.x1 + 1
    legend = ax.get_legend()
    if legend is not None:
        assert legend.get_window_extent().x1 <= frame.x1 + 1


# One model of each kind in the quick tests, all of them in the full ones.
QUICK = ("2pl", "beta3", "gamma")
EVERY_MODEL = [m if m in QUICK else pytest.param(m, marks=pytest.mark.slow) for m in MODELS]


@pytest.mark.parametrize("model", EVERY_MODEL)
@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_readable_for_every_model(name, model, fitted):
    ax = PICTURES[name](fitted(model))
    assert ax._left_title.get_text()
    assert_readable(ax)


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_take_axes_and_leave_settings_alone(name, fitted):
    before = dict(plt.rcParams)
    _, (left, right) = plt.subplots(1, 2, figsize=(12, 4))
    assert PICTURES[name](fitted("2pl"), right) is right
    assert not left.has_data()
    assert dict(plt.rcParams) == before


@pytest.fixture(scope="module")
def large():
    ids = [f"organisation/benchmark-with-a-long-name/question-{i:05d}" for i in range(3000)]
    drawn = ic.simulate("2pl", respondents=300, items=3000, seed=1).responses
    return ic.fit(ic.Responses.from_array(drawn.array(), items=ids), "2pl")


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in PICTURES if name != "one item curve"])
def test_pictures_are_readable_on_large_data(name, large):
    if name == "data map":
        ax = ic.plots.data_map(large, np.random.default_rng(1).normal(size=(3000, 2)))
    elif name == "parameters":
        ax = ic.plots.parameters(large)
    else:
        ax = PICTURES[name](large)
    assert_readable(ax)


def test_results_are_drawn_as_they_are(fitted):
    fit = fitted("2pl")
    for draw, result in (
        (ic.plots.item_curves, ic.tables.item_curves(fit, ["item_01", "item_02"])),
        (ic.plots.information, ic.tables.information_curves(fit, ("item_01",))),
        (ic.plots.item_fit, ic.item_fit(fit)),
        (ic.plots.residuals, ic.tables.grouped_residuals(fit, items=3)),
        (ic.plots.local_dependence, ic.local_dependence(fit, pairs=4)),
        (ic.plots.wright_map, ic.tables.wright_map(fit)),
        (ic.plots.adaptive_trace, ic.tables.adaptive_trace(ask(fit))),
    ):
        assert draw(result).figure is not None
        assert not result.frame().empty


def test_tiers_and_verdicts_of_analyses_are_shown(fitted):
    fit = fitted("2pl")
    tiers = pandas.DataFrame({"respondent": fit.responses.respondents, "tier": [1, 2] * 30})
    labels = ic.plots.abilities(fit, tiers=tiers).get_legend().get_texts()
    assert {text.get_text() for text in labels} == {"tier 1", "tier 2"}
    audit = pandas.DataFrame({"item": fit.responses.items, "verdict": ["odd one"] * 12})
    legend = ic.plots.item_map(fit, audit=audit).get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["odd one (12)"]


def test_signs_of_formulas_in_ids_are_drawn_as_they_are():
    drawn = ic.simulate("2pl", respondents=60, items=12, seed=3).responses
    ids = ["a$b$", "under_score", "x^2", "{brace}", "back\\slash", "a\nb", *map(str, range(6))]
    fit = ic.fit(ic.Responses.from_array(drawn.array(), items=ids), "2pl")
    curves, pairs = ic.plots.item_curves(fit, ids[:6]), ic.plots.local_dependence(fit)
    for ax in (curves, pairs):
        ax.figure.canvas.draw()
    shown = [text.get_text() for text in curves.figure.findobj(Text)]
    # Dollars are escaped: between two of them matplotlib sets a formula.
    assert shown[-6:] == [r"a\$b\$", "under_score", "x^2", "{brace}", "back\\slash", "a b"]


@pytest.mark.parametrize(
    ("draw", "words"),
    [
        (lambda fit: ic.plots.parameters(fit, "colour"), "difficulty"),
        (lambda fit: ic.plots.parameters(fit, classes={"item_01": "a"}), "item_02"),
        (lambda fit: ic.plots.ability_metric(fit, "accuracy"), "accuracy"),
        (lambda fit: ic.plots.ability_metric([1, 2]), "list"),
        (lambda fit: ic.plots.noise_sweep(SWEEP, "kappa"), "kappa"),
        (lambda fit: ic.plots.data_map(fit, np.zeros((3, 2))), "12 items"),
    ],
)
def test_wrong_input_is_refused_with_advice(draw, words, fitted):
    with pytest.raises(ModelError, match=words):
        draw(fitted("2pl"))


def test_unknown_items_are_refused(fitted):
    with pytest.raises(ResponsesError, match="nope"):
        ic.plots.item_curves(fitted("2pl"), ["nope"])


def test_without_matplotlib_the_extra_is_named():
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "import itemcurve as ic\n"
        "fit = ic.fit(ic.simulate('2pl', respondents=50, items=5, seed=1).responses)\n"
        "try:\n    ic.plots.item_map(fit)\n"
        "except ImportError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "itemcurve[plot]" in done.stdout, done.stderr
