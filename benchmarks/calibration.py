"""Simulation-based calibration of the sampler: are posteriors right when the priors are the truth?

Talts, Betancourt, Simpson, Vehtari and Gelman (2018). Abilities and items are drawn from the
priors, responses from them, and the truth must fall anywhere among the draws with equal chance.

    python -m benchmarks.calibration --replicates 120 --together 40

goes on where an earlier run ended. Replicates are sampled together, in lockstep: on an accelerator
hundreds of them take hardly longer than one.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from scipy.stats import chi2

from benchmarks.section import Column, Options, Row, Section, show_progress
from itemcurve.estimation.identification.starting_values import start_values
from itemcurve.estimation.mcmc.draws_summary import summarise
from itemcurve.estimation.mcmc.nuts import Schedule, Trace, start_chains
from itemcurve.estimation.mcmc.sampled_density import CellData, Posterior
from itemcurve.models.catalogue import get_model
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY, get_engine
from itemcurve.responses.matrix import Responses

_RANKS = Path(__file__).parent / "results" / "calibration_ranks.json"
_SIZE = (8, 15)
_SCHEDULE = Schedule(chains=4, warmup=300, draws=125, target_accept=0.9)
# Every fifth draw of four chains: 100 that are nearly independent, so ranks run from 0 to 100.
_THIN = 5
_BINS = 10
_MODEL = get_model("beta3")
_POSTERIOR = Posterior.build(_MODEL, "none")


@dataclass(frozen=True, eq=False)
class Replicate:
    """A truth drawn from the priors, and responses drawn from it."""

    seed: int
    abilities: Any
    values: Any
    responses: Responses

    @classmethod
    def draw(cls, seed: int) -> "Replicate":
        """θ, δ ~ U(0, 1) and a ~ N(1, 1): the model's priors themselves."""
        rng = np.random.default_rng(seed)
        n_respondents, n_items = _SIZE
        abilities = rng.logistic(size=n_respondents)
        values = np.stack([rng.normal(1, 1, n_items), rng.random(n_items)], axis=1)
        eta = [part.T for part in Likelihood(_MODEL).natural(NUMPY, abilities, values)]
        return cls(seed, abilities, values, Responses.from_array(_MODEL.family.sample(rng, eta)))


def add_replicates(replicates: int, together: int) -> None:
    """Draw, sample and rank until so many replicates are on file."""
    found = _read()
    while len(found) < replicates:
        first = len(found)
        batch = [Replicate.draw(seed) for seed in range(first, min(first + together, replicates))]
        started = perf_counter()
        traces = _sample_together(batch)
        seconds = (perf_counter() - started) / len(batch)
        for replicate, trace in zip(batch, traces, strict=True):
            found.append({"seed": replicate.seed, **_rank(replicate, trace), "seconds": seconds})
        _RANKS.write_text(json.dumps(found) + "\n")
        show_progress(f"  {len(found)} of {replicates}: {seconds:.1f} s each")


def _sample_together(batch: list[Replicate]) -> list[Trace]:
    """Run the chains of all replicates in lockstep."""
    import jax

    engine = get_engine("jax")
    held = [start_values(_MODEL, one.responses) for one in batch]
    starts = [
        start_chains(_POSTERIOR, one.responses, values, _SCHEDULE.chains, one.seed)
        for one, values in zip(batch, held, strict=True)
    ]
    with engine.double_precision():
        keys = jax.vmap(lambda key: jax.random.split(key, _SCHEDULE.chains))(
            jax.numpy.stack([jax.random.PRNGKey(one.seed) for one in batch])
        )
        over_chains = jax.vmap(_chain(engine), in_axes=(0, 0, None, None))
        drawn = jax.jit(jax.vmap(over_chains))(
            keys,
            {name: np.stack([start[name] for start in starts]) for name in starts[0]},
            np.stack(held),
            _stack([_POSTERIOR.data(one.responses) for one in batch]),
        )
        z, *rest = jax.tree.map(np.asarray, drawn)
    return [
        Trace(z["abilities"][n], z["x"][n], z["state"][n], held[n], *(part[n] for part in rest))
        for n in range(len(batch))
    ]


def _chain(engine: Any) -> Any:
    """Give the function that runs one chain and returns its draws after warm-up."""
    import jax
    from numpyro.infer.hmc import hmc

    def potential(held: Any, data: CellData) -> Any:
        return lambda z: -_POSTERIOR.log_density(engine, **z, held=held, data=data)

    begin, move = hmc(potential_fn_gen=potential, algo="NUTS")

    def run(key: Any, start: Any, held: Any, data: CellData) -> Any:
        state = begin(
            start,
            _SCHEDULE.warmup,
            target_accept_prob=_SCHEDULE.target_accept,
            model_args=(held, data),
            rng_key=key,
        )

        def step(state: Any, _: None) -> Any:
            state = move(state, model_args=(held, data))
            return state, (state.z, state.diverging, state.accept_prob, state.num_steps)

        _, drawn = jax.lax.scan(step, state, None, length=_SCHEDULE.warmup + _SCHEDULE.draws)
        return jax.tree.map(lambda part: part[_SCHEDULE.warmup :], drawn)

    return run


def _stack(data: list[CellData]) -> CellData:
    """Stack the data of replicates; lists of censored cells are filled up with weights of 0."""

    def fill(parts: list[Any]) -> Any:
        longest = max(len(part) for part in parts)
        return np.stack([np.pad(part, (0, longest - len(part))) for part in parts])

    channels = tuple(np.stack(same) for same in zip(*(one.channels for one in data), strict=True))
    bounds = zip(*(one.at_bounds for one in data), strict=True)
    return CellData(channels, tuple(tuple(map(fill, zip(*same, strict=True))) for same in bounds))


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Test whether the ranks on file are uniform."""
    return list(_tests(_read())) if not options.small else []


def _rank(replicate: Replicate, trace: Trace) -> dict[str, Any]:
    estimates = summarise(_POSTERIOR, replicate.responses, trace, 1.01)
    draws = estimates.draws
    assert draws is not None
    affected = _MODEL.boundary.is_affected(_MODEL.family, replicate.responses.array())
    return {
        "ability": _ranks(draws.abilities, replicate.abilities),
        "difficulty": _ranks(draws.values[..., 1], replicate.values[:, 1]),
        "discrimination": _ranks(draws.values[..., 0], replicate.values[:, 0]),
        "divergences": estimates.diagnostics["divergences"],
        "max_rhat": estimates.diagnostics["max_rhat"],
        "min_ess": estimates.diagnostics["min_ess"],
        "censored": float(affected.mean()),
    }


def _ranks(draws: Any, truth: Any) -> list[int]:
    """How many of the thinned draws lie below the truth, for each quantity."""
    thinned = draws[:, ::_THIN].reshape(-1, draws.shape[-1])
    return [int(rank) for rank in (thinned < truth).sum(axis=0)]


def _tests(found: list[dict[str, Any]]) -> Iterator[Row]:
    largest = _SCHEDULE.chains * (_SCHEDULE.draws // _THIN)
    for name in ("ability", "difficulty", "discrimination"):
        ranks = np.array([replicate[name] for replicate in found])
        yield {
            "quantity": name,
            "replicates": len(ranks),
            # Quantities of one replicate depend on each other, so the test takes one of each.
            "p": _uniformity(ranks[:, 0], largest),
            "p_all": _uniformity(ranks.ravel(), largest),
            "mean_rank": float(ranks.mean() / largest),
            "divergent": float(np.mean([r["divergences"] > 0 for r in found])),
            "unmixed": float(np.mean([r["max_rhat"] > 1.05 for r in found])),
            "censored": float(np.mean([r["censored"] for r in found])),
            "seconds": float(np.median([r["seconds"] for r in found])),
        }


def _uniformity(ranks: Any, largest: int) -> float:
    """p-value of the χ² test that ranks from 0 to `largest` are uniform."""
    edges = np.linspace(0, largest + 1, _BINS + 1)
    counts = np.histogram(ranks, edges)[0]
    # Bins hold 10 or 11 of the 101 ranks.
    share = np.diff(np.searchsorted(np.arange(largest + 1), edges)) / (largest + 1)
    expected = share * len(ranks)
    return float(chi2.sf(((counts - expected) ** 2 / expected).sum(), _BINS - 1))


def _read() -> list[dict[str, Any]]:
    return json.loads(_RANKS.read_text()) if _RANKS.exists() else []


SECTION = Section(
    name="calibration",
    title="Simulation-based calibration of NUTS",
    notes=f"β³ censored at 1e-3, {_SIZE[0]} × {_SIZE[1]}, θ, δ ~ U(0, 1), a ~ N(1, 1), priors the "
    "same; four chains, 100 thinned draws; χ² on 10 bins of the rank of the truth. `p` tests one "
    "quantity per replicate (these are independent), `p, all` pools those of a replicate. "
    "`python -m benchmarks.calibration --replicates N` adds replicates; those on file were "
    "sampled together on one accelerator.",
    columns=(
        Column("quantity", "quantity"),
        Column("replicates", "replicates"),
        Column("p", "p", ".3f"),
        Column("p_all", "p, all", ".3f"),
        Column("mean_rank", "mean rank", ".3f"),
        Column("divergent", "with divergences", ".0%"),
        Column("unmixed", "R-hat > 1.05", ".0%"),
        Column("censored", "censored cells", ".0%"),
        Column("seconds", "median seconds", ".1f"),
    ),
    measure=measure,
)

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=120)
    parser.add_argument("--together", type=int, default=40)
    add_replicates(**vars(parser.parse_args()))
