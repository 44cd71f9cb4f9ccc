"""A model from outside the package goes through methods, analyses, pictures and pages."""

import numpy as np
import pytest
from scipy.optimize import minimize
from tests.running.report_page import held
from tests.seam.partial_credit import partial_credit

import itemcurve as ic
from itemcurve.analysis.items.verdicts import item_verdicts
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY

METHODS = {
    "over respondents": (4, (400, 15), ic.Marginal(over="respondents")),
    "joint": (4, (400, 15), ic.Joint()),
    "over items": (3, (30, 60), ic.Marginal(over="items")),
    "variational": (3, (150, 25), ic.Variational()),
    "variational, independent": (3, (150, 25), ic.Variational(posterior="mean-field")),
}


@pytest.fixture(scope="module", params=METHODS)
def fitted(request):
    categories, (respondents, items), method = METHODS[request.param]
    model = partial_credit(categories)
    truth = ic.simulate(model, respondents=respondents, items=items, seed=1)
    return truth, ic.fit(truth.responses, model, method=method)


def test_every_method_fits_it(fitted):
    truth, fit = fitted
    assert fit.status.is_converged
    assert np.corrcoef(fit.estimates.abilities, truth.abilities)[0, 1] > 0.9
    places = truth.model.location(truth.values)
    assert np.corrcoef(fit.items["place"], places)[0, 1] > 0.9
    slopes = truth.values[:, 0]
    assert np.corrcoef(fit.items["steepness"], slopes)[0, 1] > 0.4
    assert (fit.items["steepness_se"] > 0).all()


def test_the_marginal_maximum_is_that_of_brute_force():
    model = partial_credit(3)
    responses = ic.simulate(model, respondents=120, items=4, seed=2).responses
    fit = ic.fit(responses, model, method=ic.Marginal(over="respondents"), prior=None)
    nodes = np.linspace(-6, 6, 121)
    weights = np.exp(-0.5 * nodes**2)
    weights /= weights.sum()
    observed = responses.array().astype(int)

    def loss(flat):
        values = flat.reshape(4, 3)
        eta = Likelihood(model).natural(NUMPY, nodes, values)
        chances = model.family._chances(eta)
        per_item = np.stack([chances[observed[:, i], i] for i in range(4)])
        return -np.log(per_item.prod(axis=0) @ weights).sum()

    found = minimize(loss, fit.estimates.values.ravel(), tol=1e-12)
    assert fit.log_likelihood >= -found.fun - 1e-6


def test_verdicts_read_responses_as_shares_of_their_range(fitted):
    """A mean response of half the range is neither easy nor hard."""
    _, fit = fitted
    words = item_verdicts(fit)["verdict"].to_numpy()
    share = fit.responses.means(axis=0) / (fit.estimates.model.categories - 1)
    assert "easy" not in words[(share > 0.35) & (share < 0.65)]
    assert (words == "informative").mean() > 0.4


def test_pictures_and_page_are_drawn(fitted, tmp_path):
    pytest.importorskip("matplotlib").use("Agg")
    from matplotlib import pyplot

    _, fit = fitted
    from itemcurve import plots

    for draw in (
        plots.item_curves,
        plots.item_map,
        plots.item_parameters,
        plots.parameters,
        plots.residuals,
        plots.wright_map,
    ):
        assert draw(fit).has_data()
        pyplot.close("all")
    page = held(fit.report(tmp_path / "page.html").read_text("utf-8"))
    assert b"steepness" in page
    assert b"place" in page


def test_an_adaptive_test_asks_its_items():
    model = partial_credit(4)
    truth = ic.simulate(model, respondents=300, items=15, seed=3)
    bank = ic.fit(truth.responses, model, method=ic.Marginal(over="respondents")).bank
    test = ic.AdaptiveTest(bank)
    item = test.next_item()
    test.record(item, 3.0)
    assert test.ability > 0


def test_its_fits_are_saved_where_it_is_registered(tmp_path, monkeypatch):
    monkeypatch.setattr("itemcurve.models.catalogue.REGISTERED", registered := {})
    monkeypatch.setattr("itemcurve.models.registration.REGISTERED", registered, raising=False)
    model = partial_credit(4)
    ic.register_model(model)
    responses = ic.simulate(model, respondents=120, items=6, seed=4).responses
    fit = ic.fit(responses, model, method=ic.Marginal(over="respondents"))
    fit.save(tmp_path / "run")
    again = ic.load(tmp_path / "run")
    assert again.estimates.model == model
    np.testing.assert_array_equal(again.estimates.values, fit.estimates.values)
