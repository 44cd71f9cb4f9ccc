"""The density that is sampled: its gradient, and its agreement with the likelihood."""

import numpy as np
import pytest
from tests.catalogue import MODELS

import itemcurve as ic
from itemcurve.errors import ModelError
from itemcurve.estimation.identification.starting_values import start_abilities, start_values
from itemcurve.estimation.mcmc.sampled_density import Posterior
from itemcurve.models.catalogue import set_priors
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY, get_engine

JAX = get_engine("jax")


def at_start(name, side):
    """A posterior, its data, and a point that is nowhere special."""
    truth = ic.simulate(name, respondents=5, items=4, seed=1, missing=0.1)
    posterior = Posterior.build(ic.get_model(name), side)
    model = posterior.likelihood.model
    held = start_values(model, truth.responses)
    rng = np.random.default_rng(2)
    specs = [(i, model.parameters[i]) for i in posterior.likelihood.free]
    x = np.stack([spec.transform.coordinate(NUMPY, held[:, i]) for i, spec in specs], axis=1)
    point = {
        "abilities": start_abilities(model, truth.responses) + 0.3 * rng.normal(size=5),
        "x": x + 0.1 * rng.normal(size=x.shape),
        "state": posterior.population.start() + 0.2 * rng.normal(size=posterior.population.size),
    }
    return posterior, truth.responses, held, point


# Sampling refuses thresholds that all items share.
@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in MODELS if name not in ("rsm", "grsm")])
@pytest.mark.parametrize("side", ["respondents", "items"])
def test_the_gradient_is_that_of_the_density(name, side):
    import jax

    posterior, responses, held, point = at_start(name, side)
    with JAX.double_precision():
        data = posterior.data(responses)

        def height(where):
            return posterior.log_density(JAX, **where, held=held, data=data)

        compiled = jax.jit(jax.value_and_grad(height))
        gradient = compiled(point)[1]
        rng = np.random.default_rng(3)
        way = {key: rng.normal(size=np.shape(value)) for key, value in point.items()}
        up, down = (
            float(compiled({key: point[key] + step * way[key] for key in point})[0])
            for step in (1e-5, -1e-5)
        )
    along = sum(float((np.asarray(gradient[key]) * way[key]).sum()) for key in point)
    assert (up - down) / 2e-5 == pytest.approx(along, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("name", ["2pl", "beta3", "gamma", "logit-normal"])
def test_it_is_the_likelihood_of_every_method_plus_the_priors(name):
    posterior, responses, held, point = at_start(name, "none")
    model = posterior.likelihood.model
    values = np.array(held)
    priors = float(posterior.ability.prior.log_measure(NUMPY, point["abilities"]).sum())
    for column, index in enumerate(posterior.likelihood.free):
        spec = model.parameters[index]
        values[:, index] = spec.transform.value(NUMPY, point["x"][:, column])
        priors += float(spec.prior.log_measure(NUMPY, point["x"][:, column]).sum())
    likelihood = Likelihood(model)
    curves = likelihood.curves(NUMPY, point["abilities"], values)
    channels = likelihood.channels(responses)
    expected = priors + sum((c * g.T).sum() for c, g in zip(channels, curves, strict=True))
    with JAX.double_precision():
        found = posterior.log_density(JAX, **point, held=held, data=posterior.data(responses))
    assert float(found) == pytest.approx(float(expected), rel=1e-10)


def test_the_standardised_scale_changes_no_density():
    """Sampling items on the scale of standardised abilities is only another way to write them."""
    posterior, responses, held, point = at_start("2pl", "respondents")
    mean, log_sd = point["state"]
    slope, intercept = point["x"].T
    raw_slope = slope / np.exp(log_sd)
    raw = np.stack([raw_slope, intercept - raw_slope * mean], axis=1)
    abilities = mean + np.exp(log_sd) * point["abilities"]
    specs = posterior.likelihood.model.parameters
    values = np.column_stack([raw, held[:, 2:]])
    curves = posterior.likelihood.curves(NUMPY, abilities, values)
    channels = posterior.likelihood.channels(responses)
    expected = sum((c * g.T).sum() for c, g in zip(channels, curves, strict=True))
    expected += sum(specs[k].prior.log_density(NUMPY, raw[:, k]).sum() for k in (0, 1))
    expected += ic.priors.Normal(mean, float(np.exp(log_sd))).log_density(NUMPY, abilities).sum()
    expected += -0.5 * (mean**2 + log_sd**2)
    # Volumes: one unit of standardised ability or slope is e^±log_sd raw ones.
    expected += log_sd * len(abilities) - log_sd * len(slope)
    with JAX.double_precision():
        found = posterior.log_density(JAX, **point, held=held, data=posterior.data(responses))
    assert float(found) == pytest.approx(float(expected), rel=1e-10)


def test_flat_priors_are_refused():
    with pytest.raises(ModelError, match="proper prior"):
        Posterior.build(set_priors(ic.get_model("2pl"), None), "respondents")
