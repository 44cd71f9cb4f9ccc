"""The names people type: few at the top, each in one place, loaded when used."""

import importlib
import subprocess
import sys

import pytest

import itemcurve as ic
from itemcurve.lazy_names import listed_names
from itemcurve.moved_names import say_where

GROUPS = tuple(name for name, module in listed_names("itemcurve").items() if module == "itemcurve")
# Those of the README and the guides, whatever else may move.
KEPT = (
    "AdaptiveTest",
    "Responses",
    "evaluate_classifiers",
    "evaluate_regressors",
    "evaluate_table",
    "findings",
    "fit",
    "from_predictions",
    "load",
    "predict_scores",
    "read_logs",
    "report",
    "score",
    "simulate",
)


def test_the_top_level_stays_small():
    assert len(ic.__all__) <= 70
    assert set(KEPT) <= set(ic.__all__)


@pytest.mark.parametrize("module", ["itemcurve", *(f"itemcurve.{name}" for name in GROUPS)])
def test_every_listed_name_is_there_and_in_dir(module):
    namespace = importlib.import_module(module)
    for name in namespace.__all__:
        assert getattr(namespace, name) is not None
        assert getattr(getattr(namespace, name), "__name__", name).endswith(name)
    assert set(namespace.__all__) <= set(dir(namespace))


def test_a_name_is_in_one_group_beside_its_picture():
    found = [name for group in ("", *GROUPS) for name in _names(group) if group != "plots"]
    assert len(found) == len(set(found))


def _names(group: str) -> list[str]:
    return list(listed_names(f"itemcurve.{group}" if group else "itemcurve"))


def test_a_star_import_gives_the_public_names():
    given: dict[str, object] = {}
    exec("from itemcurve import *", given)
    assert set(given) - {"__builtins__"} == set(ic.__all__)


def test_nothing_heavy_is_loaded_by_the_import_nor_by_naming_a_group():
    code = (
        "import sys, itemcurve as ic\n"
        f"for name in {GROUPS}: dir(getattr(ic, name))\n"
        "print(sorted({'matplotlib', 'numpy', 'pandas', 'scipy', 'sklearn'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("plot_item_curves", "itemcurve.plots.item_curves"),
        ("plot_items", "itemcurve.plots.item_map"),
        ("max_items", "itemcurve.stopping.max_items"),
        ("stop_any", "itemcurve.stopping.any_of"),
        ("LogitNormal", "itemcurve.priors.LogitNormal"),
        ("flip_labels", "itemcurve.noise.flip_labels"),
        ("random_pool", "itemcurve.pools.random_pool"),
        ("robustness_profiles", "itemcurve.robustness.kappa_profiles"),
        ("item_curves", "itemcurve.tables.item_curves"),
        ("EvaluationStudy", "itemcurve.Evaluation"),
        ("load_study", "itemcurve.load_evaluation"),
        ("ItemAudit", "itemcurve.analysis.items.item_audit.ItemAudit"),
    ],
)
def test_a_name_that_moved_says_where_it_is(name, place):
    with pytest.raises(AttributeError, match=rf"no attribute '{name}'; it is {place} now"):
        getattr(ic, name)
    module, _, own = place.rpartition(".")
    assert getattr(importlib.import_module(module), own)


def test_a_name_that_never_was_is_refused_plainly():
    with pytest.raises(AttributeError, match=r"'itemcurve' has no attribute 'plot_nothing'$"):
        _ = ic.plot_nothing
    assert say_where("nothing") == ""


def test_names_are_found_whatever_loaded_the_package(monkeypatch):
    # pytest loads packages that bring a plugin by a loader that has no source to give.
    expected = listed_names("itemcurve")
    monkeypatch.setattr(ic, "__loader__", object())
    assert listed_names.__wrapped__("itemcurve") == expected
