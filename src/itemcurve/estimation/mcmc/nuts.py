"""NUTS on a posterior density, through NumPyro: settings and data in, plain arrays out."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any

import numpy as np

from itemcurve.errors import MissingExtraError
from itemcurve.estimation.identification.starting_values import start_abilities, start_values
from itemcurve.estimation.mcmc.sampled_density import CellData, Posterior
from itemcurve.models.transforms import Transform
from itemcurve.numerics.engine import NUMPY, Array, Engine, get_engine
from itemcurve.numerics.shapes import AbilityDraws, ItemValues, PerDraw, PerItem, axes
from itemcurve.responses.matrix import Responses

# How far chains start from the common start, in unbounded coordinates: apart, but on one side of
# every reflection.
_JITTER = 0.1


@dataclass(frozen=True)
class Schedule:
    """How long and how carefully to sample."""

    chains: int
    warmup: int
    draws: int
    target_accept: float


@dataclass(frozen=True, eq=False)
class Trace:
    """What was sampled (chains × draws × …), in the coordinates of the posterior."""

    abilities: AbilityDraws
    x: Annotated[Array, axes("chains draws items free")]
    state: Annotated[Array, axes("chains draws state")]
    held: ItemValues
    diverging: PerDraw
    accept_probability: PerDraw
    steps: PerDraw


def sample(posterior: Posterior, responses: Responses, schedule: Schedule, seed: int) -> Trace:
    """Draw from the posterior; the same seed gives the same draws."""
    machine = _jax_engine()
    model = posterior.likelihood.model
    held = start_values(model, responses)
    start = start_chains(posterior, responses, held, schedule.chains, seed)
    with machine.double_precision():
        import jax

        sampler = _sampler(posterior, machine, schedule, responses.shape)
        sampler.run(
            jax.random.PRNGKey(seed),
            held,
            posterior.data(responses),
            init_params=start,
            extra_fields=("diverging", "accept_prob", "num_steps"),
        )
        drawn = {n: np.asarray(v) for n, v in sampler.get_samples(group_by_chain=True).items()}
        extra = {n: np.asarray(v) for n, v in sampler.get_extra_fields(True).items()}
    return Trace(
        drawn["abilities"],
        drawn["x"],
        drawn["state"],
        held,
        extra["diverging"],
        extra["accept_prob"],
        extra["num_steps"],
    )


# Compiling takes longer than sampling small data: fits of one shape, as of one data set with
# other cells held out, share a sampler.
@lru_cache(maxsize=4)
def _sampler(
    posterior: Posterior, engine: Engine, schedule: Schedule, shape: tuple[int, int]
) -> Any:
    import numpyro
    from numpyro.distributions import ImproperUniform, constraints
    from numpyro.infer import MCMC, NUTS

    n_respondents, n_items = shape
    shapes = {
        "abilities": (n_respondents,),
        "x": (n_items, len(posterior.items)),
        "state": (posterior.population.size,),
    }

    def program(held: ItemValues, data: CellData) -> None:
        sites = {
            name: numpyro.sample(name, ImproperUniform(constraints.real, (), size))
            for name, size in shapes.items()
        }
        density = posterior.log_density(engine, **sites, held=held, data=data)
        numpyro.factor("log_density", density)

    return MCMC(
        NUTS(program, target_accept_prob=schedule.target_accept),
        num_warmup=schedule.warmup,
        num_samples=schedule.draws,
        num_chains=schedule.chains,
        # In lockstep: small arrays cost their overhead once instead of once per chain.
        chain_method="vectorized",
        progress_bar=False,
        jit_model_args=True,
    )


def start_chains(
    posterior: Posterior, responses: Responses, values: ItemValues, chains: int, seed: int
) -> dict[str, Array]:
    """The starting point of every chain: from the data, a little apart."""
    model = posterior.likelihood.model
    rng = np.random.default_rng(seed)
    specs = [model.parameters[i] for i in posterior.likelihood.free]
    columns = [
        _inside(spec.transform, values[:, i])
        for spec, i in zip(specs, posterior.likelihood.free, strict=True)
    ]
    centre = {
        "abilities": start_abilities(model, responses),
        "x": np.stack(columns, axis=1),
        "state": posterior.population.start(),
    }
    return {
        name: value + _JITTER * rng.normal(size=(chains, *np.shape(value)))
        for name, value in centre.items()
    }


def _inside(transform: Transform, values: PerItem) -> PerItem:
    return np.clip(transform.coordinate(NUMPY, values), *transform.bounds)


def _jax_engine() -> Engine:
    try:
        import arviz_stats  # noqa: F401
        import numpyro  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(
            "method='mcmc' needs the packages numpyro and arviz-stats.",
            "They are not installed.",
            "Run: pip install 'itemcurve[bayes]'.",
        ) from error
    return get_engine("jax")
