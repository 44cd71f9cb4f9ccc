"""Fits survive the disk exactly, and folders from strangers are refused in one way only."""

import copy
import os
from dataclasses import dataclass, replace

import numpy as np
import pytest
from scipy.sparse import csr_array

from itemcurve.bank.ability_estimation import score
from itemcurve.datasets.simulation import simulate
from itemcurve.errors import StorageError
from itemcurve.estimation.fit import fit
from itemcurve.estimation.marginal.settings import Marginal
from itemcurve.estimation.result import FitResult
from itemcurve.estimation.saving.saved_fit import load
from itemcurve.models.catalogue import get_model
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.priors import Beta, LogitNormal, LogNormal, Normal
from itemcurve.numerics.engine import NUMPY
from itemcurve.responses.matrix import Responses
from itemcurve.storage.run_folder import read_run, write_run

ITEMS = 8


@pytest.fixture(autouse=True)
def _without_waiting_for_the_disk(monkeypatch):
    # Hundreds of small runs are written here, and none needs to survive a power cut.
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


def fitted(name: str, over: str = "respondents", missing: float = 0.0, **changes) -> FitResult:
    truth = simulate(name, respondents=60, items=ITEMS, seed=5, missing=missing)
    return fit(truth.responses, name, method=Marginal(over=over), on_failure="ignore", **changes)


def assert_same(loaded: FitResult, original: FitResult) -> None:
    assert loaded.items.equals(original.items)
    assert loaded.respondents.equals(original.respondents)
    for name in ("log_likelihood", "status", "settings", "seconds", "objective", "n_parameters"):
        assert getattr(loaded, name) == getattr(original, name)
    for name in ("over", "iterations", "standard_errors", "population", "objective_value"):
        assert getattr(loaded.estimates, name) == getattr(original.estimates, name)
    assert loaded.estimates.model == original.estimates.model
    assert (loaded.aic, loaded.bic, repr(loaded)) == (original.aic, original.bic, repr(original))
    for name in ("values", "covariance"):
        ours, theirs = getattr(loaded.bank.parts[0], name), getattr(original.bank.parts[0], name)
        assert np.array_equal(ours, theirs, equal_nan=True)
    grid = np.linspace(-3, 3, 7)
    assert np.array_equal(loaded.information(grid), original.information(grid))
    for method in ("eap", "wle"):
        ours, theirs = (score(r.bank, r.responses, method=method) for r in (loaded, original))
        assert np.array_equal(ours.ability, theirs.ability)
        assert np.array_equal(ours.ability_se, theirs.ability_se)


@pytest.mark.parametrize("name", ["rasch", "1pl", "2pl", "3pl", "4pl"])
def test_every_model_is_loaded_as_it_was_saved(name, tmp_path):
    original = fitted(name, missing=0.1)
    original.save(tmp_path / "run")
    assert_same(load(tmp_path / "run"), original)


@pytest.mark.parametrize("name", ["rasch", "1pl", "2pl"])
def test_fits_over_items_are_loaded_with_their_posterior_columns(name, tmp_path):
    original = fitted(name, over="items")
    original.save(tmp_path / "run")
    loaded = load(tmp_path / "run")
    assert_same(loaded, original)
    assert "difficulty_lower" in loaded.items.columns
    assert loaded.estimates.over == "items"


def test_guessing_fixed_per_item_is_loaded(tmp_path):
    held = np.linspace(0.0, 0.3, ITEMS)
    original = fitted("3pl", guessing=held)
    original.save(tmp_path / "run")
    loaded = load(tmp_path / "run")
    assert_same(loaded, original)
    assert loaded.estimates.model.parameters[2].fixed == tuple(held)
    assert loaded.items["guessing"].tolist() == held.tolist()


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("2pl", {"prior": None}),
        ("2pl", {"discrimination": "positive", "prior": {"discrimination": LogNormal(0.1, 0.3)}}),
        ("3pl", {"prior": {"guessing": LogitNormal(-1.4, 0.4), "intercept": Normal(0.2, 2.0)}}),
        ("4pl", {"prior": {"guessing": Beta(2.0, 8.0), "upper_asymptote": Beta(9.0, 1.5)}}),
    ],
)
def test_priors_and_constraints_are_loaded(name, changes, tmp_path):
    original = fitted(name, **changes)
    original.save(tmp_path / "run")
    assert_same(load(tmp_path / "run"), original)


def test_sparse_weighted_responses_are_loaded(tmp_path):
    rng = np.random.default_rng(3)
    seen = rng.random((80, 20)) < 0.4
    seen[:, 0] = seen[0] = True
    rows, columns = np.nonzero(seen)
    values = (rng.random(len(rows)) < 0.5).astype(float)
    values[0] = 0.0
    responses = Responses.from_array(csr_array((values, (rows, columns)), shape=(80, 20)))
    assert responses.is_sparse
    original = fit(responses, "rasch", on_failure="ignore")
    original.save(tmp_path / "run")
    loaded = load(tmp_path / "run")
    assert loaded.responses.is_sparse
    assert_same(loaded, original)


def test_odd_ids_are_loaded_exactly(tmp_path):
    truth = simulate("rasch", respondents=30, items=5, seed=2)
    items = [" ", "a/b", "数学", 'say "hi"\n', "x" * 3000]
    original = fit(Responses.from_array(truth.responses.array(), items=items), "rasch")
    original.save(tmp_path / "run")
    assert load(tmp_path / "run").bank.items == tuple(items)


def test_a_fit_that_did_not_converge_keeps_its_status(tmp_path):
    truth = simulate("2pl", respondents=60, items=ITEMS, seed=5)
    original = fit(truth.responses, method=Marginal(max_iterations=1), on_failure="ignore")
    original.save(tmp_path / "run")
    assert load(tmp_path / "run").status is original.status


def test_saving_again_replaces_the_former_run(tmp_path):
    fitted("rasch").save(tmp_path / "run")
    second = fitted("2pl")
    second.save(tmp_path / "run")
    assert_same(load(tmp_path / "run"), second)


def test_a_model_outside_the_catalogue_is_refused_when_saving(tmp_path):
    original = fitted("2pl")
    renamed = replace(original.estimates.model, name="mine")
    foreign = replace(original, estimates=replace(original.estimates, model=renamed))
    with pytest.raises(StorageError, match=r"catalogue.*'mine'"):
        foreign.save(tmp_path / "run")
    assert not (tmp_path / "run").exists()


@dataclass(frozen=True)
class Flat:
    """Somebody's own prior."""

    def log_density(self, engine, x):
        return 0.0 * x

    slope = curvature = log_measure = log_density


def test_a_prior_of_the_users_own_is_refused_when_saving(tmp_path):
    original = fitted("2pl", prior={"intercept": Flat()})
    with pytest.raises(StorageError, match=r"priors are Normal.*Flat"):
        original.save(tmp_path / "run")


def test_estimates_that_are_not_finite_are_refused_when_saving(tmp_path):
    original = fitted("2pl")
    values = original.estimates.values.copy()
    values[0, 0] = np.nan
    broken = replace(original, estimates=replace(original.estimates, values=values))
    with pytest.raises(StorageError, match="'values' must be finite"):
        broken.save(tmp_path / "run")


@pytest.fixture(scope="module")
def contents(tmp_path_factory):
    """The documents and arrays of a sound run, to be spoilt one at a time."""
    path = tmp_path_factory.mktemp("sound") / "run"
    fitted("3pl", missing=0.1, guessing=[0.1] * ITEMS).save(path)
    run = read_run(path)
    documents = {name: run.document(name) for name in ("fit", "config")}
    arrays = {name: run.arrays(name) for name in ("fit", "responses")}
    return documents, arrays


def spoilt(contents, tmp_path, change):
    """Write a run whose checksums are right and whose contents were changed."""
    documents, arrays = copy.deepcopy(contents)
    change(documents, arrays)
    write_run(tmp_path / "run", documents, arrays)
    return tmp_path / "run"


def set_field(*path):
    *parents, last, value = path

    def change(documents, arrays):
        place = documents["fit"]
        for key in parents:
            place = place[key]
        place[last] = value

    return change


def set_array(name, make):
    def change(documents, arrays):
        arrays["fit"][name] = make(arrays["fit"][name])

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (set_field("format", "itemcurve-fit-9"), "its format is not"),
        (set_field("status", "SPLENDID"), "status must be one of CONVERGED"),
        (set_field("over", "both"), "none of respondents, items, nothing, everything"),
        (set_field("log_likelihood", None), "'log_likelihood' must be a finite number"),
        (set_field("log_likelihood", 10**400), "'log_likelihood' must be a finite number"),
        (set_field("iterations", True), "'iterations' must be a whole number"),
        (set_field("n_parameters", -3), "'n_parameters' must be a whole number from 0"),
        (set_field("seconds", -1.0), "contradict"),
        (set_field("population", "ability_sd", "wide"), "'ability_sd' must be a finite number"),
        (set_field("item_columns", ["difficulty"]), "columns are not those of 3pl"),
        (set_field("item_extras", ["difficulty"]), "columns are not those of 3pl"),
        (set_field("model", "name", "9pl"), "the model '9pl' is not one of"),
        (set_field("model", "name", "rasch"), "contradict"),
        (set_field("model", "options", "form", "difficulty"), "no form of 3pl"),
        (set_field("model", "options", "orientation", 0), "orientation must be 1 or -1"),
        (set_field("model", "options", "is_slope_common", 1), "must be true or false"),
        (set_field("model", "parameters", 0, "transform", "os.system"), "transform must be one"),
        (set_field("model", "parameters", 0, "prior", "kind", "eval"), "kind of prior"),
        # A dataclass that the module of priors merely imports is not a prior.
        (set_field("model", "parameters", 0, "prior", "kind", "Engine"), "kind of prior"),
        (set_field("model", "parameters", 0, "prior", "sd", -1.0), "no distribution"),
        (set_field("model", "parameters", 0, "limits", [1.0, -1.0]), "the lower first"),
        (set_field("model", "parameters", 2, "fixed", 1.5), "fixed outside its range"),
        (set_field("model", "parameters", 2, "fixed", [0.1]), "one value for each of the 8"),
        (set_array("values", lambda v: v[:-1]), r"'values' must be float64 of shape \(8, 4\)"),
        (set_array("values", lambda v: v.astype("f4")), "not float32"),
        (set_array("values", lambda v: v * np.nan), "'values' must be finite"),
        (set_array("values", lambda v: v + 2.0), "guessing is outside its range"),
        (set_array("abilities", lambda v: v[:, None]), "'abilities' must be float64"),
        (set_array("abilities", lambda v: v + np.inf), "'abilities' must be finite"),
        (set_array("ability_errors", lambda v: -v), "must not be negative"),
        (set_array("at_bound", lambda v: v.astype(float)), "'at_bound' must be bool"),
        (set_array("covariance", lambda v: v.reshape(-1)), "'covariance' must be float64"),
        (lambda d, a: a["fit"].pop("item_errors"), "no array 'item_errors'"),
        (lambda d, a: a["responses"].pop("format"), "not in the layout of itemcurve"),
        (lambda d, a: a["responses"].update(values=np.full((60, ITEMS), 0.5)), "0 or 1"),
        (lambda d, a: d["config"].update(settings=[]), "'settings' must be an object"),
        (lambda d, a: d.pop("config"), "has no 'config.json'"),
        (lambda d, a: a.pop("responses"), "has no 'responses.npz'"),
    ],
)
def test_a_spoilt_run_is_refused_with_its_reason(change, message, contents, tmp_path):
    path = spoilt(contents, tmp_path, change)
    with pytest.raises(StorageError, match=message):
        load(path)


def test_an_unspoilt_copy_is_accepted(contents, tmp_path):
    assert load(spoilt(contents, tmp_path, lambda d, a: None)).model == "3pl"


def places(value, path=()):
    """Every place inside nested JSON."""
    children = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, child in children:
        yield (*path, key)
        yield from places(child, (*path, key))


JUNK = (None, -1, 1e300, 0, "x", "", [], {}, True, 10**400, [[]], {"a": 1}, "2pl", 0.5, [0.1] * 8)
ARRAY_CHANGES = (
    lambda v: v.ravel()[:0],
    lambda v: np.atleast_1d(v)[1:],
    lambda v: v.T if v.ndim > 1 else v[None],
    lambda v: np.concatenate([v, v]) if v.ndim else v[None],
    lambda v: np.zeros(()),
    lambda v: np.zeros((0, 5)),
    lambda v: np.array(["a", "b"]),
    lambda v: v.astype(np.complex128) if v.dtype.kind in "biuf" else v,
    lambda v: np.full(v.shape, np.nan),
    lambda v: np.full(v.shape, 1e290),
    lambda v: np.full(v.shape, -1e290),
    lambda v: np.full(v.shape, 255, dtype=np.uint8),
    lambda v: np.frombuffer(b'["a"]', dtype=np.uint8),
    lambda v: np.frombuffer(b"[[[[", dtype=np.uint8),
)


def spoil_at_random(rng, documents, arrays):
    if rng.random() < 0.5:
        document = documents["fit"]
        options = list(places(document))
        *parents, last = options[rng.integers(len(options))]
        for key in parents:
            document = document[key]
        if isinstance(document, dict) and rng.random() < 0.2:
            del document[last]
        else:
            document[last] = JUNK[rng.integers(len(JUNK))]
        return
    group = arrays[("fit", "responses")[rng.integers(2)]]
    name = sorted(group)[rng.integers(len(group))]
    change = ARRAY_CHANGES[rng.integers(len(ARRAY_CHANGES))]
    group[name] = change(group[name])


def test_hostile_runs_give_a_storage_error_or_a_result_that_works(contents, tmp_path):
    rng = np.random.default_rng(20)
    refused = 0
    for _ in range(150):
        path = spoilt(contents, tmp_path, lambda d, a: spoil_at_random(rng, d, a))
        try:
            loaded = load(path)
        except StorageError:
            refused += 1
            continue
        # Absurd but finite numbers are not ours to judge; they must only not break anything.
        with np.errstate(all="ignore"):
            assert loaded.items.shape[0] == len(loaded.bank)
            assert loaded.respondents.shape[0] == loaded.responses.shape[0]
            assert np.isfinite(loaded.aic)
            score(loaded.bank, loaded.responses)
    assert refused > 75


def test_a_changed_file_is_refused_by_its_checksum(tmp_path):
    fitted("rasch").save(tmp_path / "run")
    file = tmp_path / "run" / "fit.json"
    file.write_text(file.read_text().replace("CONVERGED", "STALLED"))
    with pytest.raises(StorageError, match="checksum"):
        load(tmp_path / "run")


def test_a_folder_without_a_run_is_refused(tmp_path):
    with pytest.raises(StorageError, match=r"has no run\.json"):
        load(tmp_path)
    with pytest.raises(StorageError, match="no folder"):
        load(tmp_path / "nowhere")


def test_models_keep_their_curves_through_plain_data(tmp_path):
    original = fitted("3pl")
    original.save(tmp_path / "run")
    model = load(tmp_path / "run").estimates.model
    abilities, values = np.linspace(-2, 2, 5), original.estimates.values
    ours = Likelihood(model).natural(NUMPY, abilities, values)[0]
    assert np.array_equal(ours, Likelihood(get_model("3pl")).natural(NUMPY, abilities, values)[0])
